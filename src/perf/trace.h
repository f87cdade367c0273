/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chrome trace JSON (one tid a lane, ts and dur in microseconds with three decimals). */
#pragma once

#include "perf/record.h"

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  const LacRecord   *records;
  gsize              n_records;
  const char *const *names; /* by record name */
  gsize              n_names;
  const char *const *lanes; /* by record lane */
  gsize              n_lanes;
  const char        *title; /* process name */
} LacTrace;

/* Streams to @path through a temporary name. Returns: %FALSE with LAC_ERROR_UNWRITABLE or
 * LAC_ERROR_DISK_FULL set, and @path as it was. */
gboolean lac_trace_write_chrome(const LacTrace *trace, const char *path, GError **error);

G_END_DECLS
