/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers that are still numbers and mean nothing any more: a loss or an error, which a run is to bring down, has grown a
 * millionfold over what it began with. */
#pragma once

#include "field/frame.h"

G_BEGIN_DECLS

#define LAC_BLOW_UP_FACTOR 1e6
#define LAC_BLOW_UP_FIRST  5 /* values whose largest is what the metric began with */
#define LAC_BLOW_UP_ROWS   2 /* values in a row: one may be an outlier */

typedef struct {
  guint  n_seen, n_above;
  double start;
} LacBlowUp;

/* Of one metric on a logarithmic axis, with every finite value of it in order. @watch begins zeroed; a resumed run begins anew.
 * Returns: TRUE once it has blown up. */
gboolean lac_blow_up_watch(LacBlowUp *watch, double value);

G_END_DECLS
