/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernels of a GPU in the recording, as a table; choosing a row chooses its operation. Filled while visible. */
#pragma once

#include "app/timeline/scope.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_KERNEL_TABLE (lac_kernel_table_get_type())
G_DECLARE_FINAL_TYPE(LacKernelTable, lac_kernel_table, LAC, KERNEL_TABLE, GtkWidget)

/* @page: (transfer none): the page of the table, which is hidden for recordings without a GPU */
void lac_kernel_table_set_scope(LacKernelTable *table, LacTimelineScope *scope, GtkStackPage *page);

G_END_DECLS
