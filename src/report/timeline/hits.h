/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of a drawing under the pointer. One thread. */
#pragma once

#include "report/canvas/canvas.h"

G_BEGIN_DECLS

/* A part drawn in @box, in the coordinates of the drawing */
typedef struct {
  LacBox  box;
  guint32 name; /* id in the capture: what a click selects; LAC_NO_NAME: the rest */
  gsize   part; /* index of the segment or of the bar */
} LacHit;

/* Returns: (transfer full) (element-type LacHit): an empty list, which drawing functions append to in reading order. */
GArray *lac_hits_new(void);

void lac_hits_add(GArray *hits, LacBox box, guint32 name, gsize part); /* @hits: (nullable) */

/* Returns: (nullable): the last added hit at a point, valid until the list changes. */
const LacHit *lac_hits_find(const GArray *hits, double x, double y);

G_END_DECLS
