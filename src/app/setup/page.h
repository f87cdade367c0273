/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The set-up page: rows from the parameter table, the cost of the run, and the reason if it cannot be started. */
#pragma once

#include "experiment/experiment.h"
#include "run/core/run.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_SETUP_PAGE (lac_setup_page_get_type())
G_DECLARE_FINAL_TYPE(LacSetupPage, lac_setup_page, LAC, SETUP_PAGE, GtkWidget)

/* Shows all parameters at their defaults, unless @experiment is shown already. Signals: validity-changed; edited(key,
 * text), on user input. */
void lac_setup_page_set_experiment(LacSetupPage *page, const LacExperiment *experiment);

/* Returns: (nullable): why the run cannot be started, in one sentence; NULL when it can. */
const char *lac_setup_page_get_reason(LacSetupPage *page);

/* Fills @settings with borrowed values, valid until the next edit. */
void lac_setup_page_fill(LacSetupPage *page, LacRunSettings *settings);

/* Returns: (nullable): the sweep, in the syntax of lac_sweep_parse(). */
const char *lac_setup_page_get_sweep(LacSetupPage *page);

const LacExperiment *lac_setup_page_get_experiment(LacSetupPage *page); /* (nullable) */
void                 lac_setup_page_show_presets(LacSetupPage *page);

/* Sets a value as if the user had typed it. Returns: FALSE if there is no such parameter. */
gboolean lac_setup_page_enter(LacSetupPage *page, const char *key, const char *text);
void     lac_setup_page_reset(LacSetupPage *page);

/* Manual sensor placement, if the experiment has sensors to place. */
gboolean lac_setup_page_can_place(LacSetupPage *page);
void     lac_setup_page_place(LacSetupPage *page);
void     lac_setup_page_leave_sensors(LacSetupPage *page); /* keeps the sensor plan for later */
/* Opens the sweep builder, once there is an experiment. */
void lac_setup_page_build_sweep(LacSetupPage *page);
/* Closes the sensor page and the sweep builder, and discards what was computed for them. */
void lac_setup_page_show_rows(LacSetupPage *page);

G_END_DECLS
