/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of the table of methods. */
#pragma once

#include "report/summary/method-table.h"

G_BEGIN_DECLS

/* Finds the column that ranks the methods and the best method. */
void lac_method_table_rank(LacMethodTable *table);

/* Gives the values of column @c the same number of decimals where these are of similar size. @metric: of the column */
void lac_method_table_align(LacMethodTable *table, gsize c, const LacMetric *metric);

G_END_DECLS
