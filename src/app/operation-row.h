/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One operation of the timeline's table: an aggregate of perf/ that columns and sorters can bind to. */
#pragma once

#include "perf/analysis/roofline.h"

#include <glib-object.h>

G_BEGIN_DECLS

#define LAC_TYPE_OPERATION_ROW (lac_operation_row_get_type())
G_DECLARE_FINAL_TYPE(LacOperationRow, lac_operation_row, LAC, OPERATION_ROW, GObject)

LacOperationRow *lac_operation_row_new(const char *name);
void
lac_operation_row_update(LacOperationRow *row, const LacAggregate *aggregate, const LacPeak *peak);
const LacAggregate *lac_operation_row_get(LacOperationRow *row);
const LacPeak      *lac_operation_row_get_peak(LacOperationRow *row); /* of who recorded it */
const char         *lac_operation_row_get_name(LacOperationRow *row);

/* Signal: updated. */

G_END_DECLS
