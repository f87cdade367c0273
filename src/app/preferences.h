/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The user's settings, none of them about experiments, and the window that edits them: GSettings where the schema is installed, else the
 * defaults. */
#pragma once

#include "base/unit.h"
#include "experiment/experiment.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define LAC_PREFERENCES_SCHEMA "io.github.lacuna.Lacuna"

/* Returns: (transfer none) (nullable): of the running application, for its life; NULL where there is none, or where the
 * schema is neither installed nor beside the program: then nothing is remembered. */
GSettings *lac_preferences_get(void);

/* Opens @window as large as it was left, and remembers how it is left. */
void lac_preferences_follow_window(GtkWindow *window);

/* Light, dark or as the desktop is. */
void lac_preferences_follow_style(void);

/* "unit-of-energy": the key of the unit in which a dimension of base/unit.h is shown. Returns: (transfer full) */
char *lac_preferences_dup_unit_key(LacDimension dimension);
/* What is shown is converted as the person wants it. */
void lac_preferences_follow_units(void);

/* Returns: (transfer full) (nullable): where run folders go; NULL: where the program puts them by itself. */
char *lac_preferences_dup_run_folder(void);

/* Returns: bytes that what a run records may take; G_MAXUINT64: no limit. */
guint64 lac_preferences_get_disk_budget(void);

/* @experiment, @draft: (nullable): what is to be run. Returns: (transfer full): values of lac_launch_params(), with the person's
 * threads and backend, the latter where it can compute that. */
LacDraft *lac_preferences_new_launch(const LacExperiment *experiment, const LacDraft *draft);

/* Opens over @parent; says in a sentence when nothing can be remembered. */
void lac_preferences_window_present(GtkWindow *parent);

G_END_DECLS
