/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sweep with the mouse: rows of parameters and values, how they are combined, and what all the runs will cost; beside it the same
 * as one line of text. Signals: changed; closed. */
#pragma once

#include "base/param.h"
#include "run/plan/cost.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_SWEEP_BUILDER (lac_sweep_builder_get_type())
G_DECLARE_FINAL_TYPE(LacSweepBuilder, lac_sweep_builder, LAC, SWEEP_BUILDER, GtkWidget)

/* @draft: borrowed until the next call: what the runs have in common, and the parameters there are. Nothing is swept then. */
void lac_sweep_builder_set_draft(LacSweepBuilder *builder, const LacDraft *draft);

/* @text: (nullable): of the sweep; where it cannot be read, the rows stay and it is said why. */
void lac_sweep_builder_set_text(LacSweepBuilder *builder, const char *text);

/* Returns: (transfer full): as lac_sweep_parse() takes it, sound or not; "" with nothing swept. */
char *lac_sweep_builder_dup_text(LacSweepBuilder *builder);

/* @cost: (nullable): of all runs; NULL: @reason says why they cannot be launched */
void lac_sweep_builder_show_cost(LacSweepBuilder *builder, const LacCost *cost, const char *reason);

/* Shown from now on: what can be swept is asked anew, and the first row or the button that adds one has the focus. */
void lac_sweep_builder_open(LacSweepBuilder *builder);

G_END_DECLS
