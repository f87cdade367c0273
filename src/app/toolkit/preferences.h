/* SPDX-License-Identifier: GPL-3.0-or-later */
/* User settings apart from experiments, and the window that edits them: stored in GSettings if the schema is
 * installed, else defaults. */
#pragma once

#include "base/unit.h"
#include "experiment/experiment.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define LAC_PREFERENCES_SCHEMA "io.github.lacuna.Lacuna"

/* Returns: (transfer none) (nullable): the settings, owned for the application's lifetime; NULL without an
 * application, or if the schema is neither installed nor beside the program: then nothing is saved. */
GSettings *lac_preferences_get(void);

/* Restores the saved size of @window, and saves its size on close. */
void lac_preferences_follow_window(GtkWindow *window);

/* Applies the preferred style: light, dark, or that of the desktop. */
void lac_preferences_follow_style(void);

/* Returns: (transfer full): the key of the unit in which a dimension of base/unit.h is shown, as set by
 * "unit-of-energy" etc. */
char *lac_preferences_dup_unit_key(LacDimension dimension);
/* Applies the preferred units to all displayed values. */
void lac_preferences_follow_units(void);

/* Returns: (transfer full) (nullable): the folder for run folders; NULL: the program's default. */
char *lac_preferences_dup_run_folder(void);

/* Returns: the maximum size of a run's recorded data in bytes; G_MAXUINT64: no limit. */
guint64 lac_preferences_get_disk_budget(void);

/* Returns: (transfer full) (nullable): the devices of queued runs, as for lac_run_devices_parse(); NULL: one run at a
 * time, on the device that it chooses. */
char *lac_preferences_dup_queue_devices(void);

/* @experiment, @draft: (nullable): the run to start. Returns: (transfer full): values of lac_launch_params(), with
 * the preferred number of threads, and the preferred backend if it supports that run. */
LacDraft *lac_preferences_new_launch(const LacExperiment *experiment, const LacDraft *draft);

/* Returns: TRUE until the tour has been taken or dismissed; FALSE if settings cannot be stored */
gboolean lac_preferences_offers_tour(void);
void     lac_preferences_end_tour_offer(void);

/* Opens the window over @parent; shows a note if the settings cannot be saved. */
void lac_preferences_window_present(GtkWindow *parent);

G_END_DECLS
