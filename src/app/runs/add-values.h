/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A dialog for further values of a sweep. */
#pragma once

#include "app/runs/sweep-runs.h"

#include <adwaita.h>

G_BEGIN_DECLS

/* Opens the dialog with a line for each swept parameter. The values are checked while they are entered; when they are
 * accepted, it activates the action "win.folder-add-values" of @parent with the sweep in the syntax of
 * lac_sweep_parse(). Returns: (transfer none) (nullable): the dialog; NULL for an unknown experiment. */
GtkWidget *
lac_add_values_show(GtkWindow *parent, const LacSweepRuns *results, const char *experiment);

G_END_DECLS
