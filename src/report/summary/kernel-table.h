/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kernels of the GPU as a report table and as JSON. */
#pragma once

#include "perf/recorder/capture.h"
#include "report/text/pages-private.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* Fills @table, to be cleared by the caller, with at most @n_most kernels; 0: all. Returns: (transfer full) (nullable): its title;
 * NULL, with @table unset, without kernels. */
char *lac_kernels_fill(const LacCapture *capture, gsize n_most, LacTable *table);

/* Adds the member "kernels", an array of objects; times in seconds. */
void lac_kernels_add_json(const LacCapture *capture, JsonBuilder *builder);

G_END_DECLS
