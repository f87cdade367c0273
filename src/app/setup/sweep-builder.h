/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sweep builder: rows of parameters and values, how they are combined, and the total cost; beside them, the same
 * sweep as one line of text. Signals: changed; closed. */
#pragma once

#include "base/param.h"
#include "run/plan/cost.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_SWEEP_BUILDER (lac_sweep_builder_get_type())
G_DECLARE_FINAL_TYPE(LacSweepBuilder, lac_sweep_builder, LAC, SWEEP_BUILDER, GtkWidget)

/* Clears the sweep. @draft: borrowed until the next call: the common settings, and the available parameters. */
void lac_sweep_builder_set_draft(LacSweepBuilder *builder, const LacDraft *draft);

/* @text: (nullable): the sweep; if invalid, the rows stay and the error is shown. */
void lac_sweep_builder_set_text(LacSweepBuilder *builder, const char *text);

/* Returns: (transfer full): in the syntax of lac_sweep_parse(), valid or not; "" if nothing is swept. */
char *lac_sweep_builder_dup_text(LacSweepBuilder *builder);

/* @cost: (nullable): of all runs; NULL: @reason explains why they cannot be started */
void lac_sweep_builder_show_cost(LacSweepBuilder *builder, const LacCost *cost, const char *reason);

/* Called when the builder is shown: determines again which parameters can be swept, and focuses the first row or the
 * add button. */
void lac_sweep_builder_open(LacSweepBuilder *builder);

G_END_DECLS
