/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The set-up page: rows from the parameter table, what the run will cost, and whether it can be launched. */
#pragma once

#include "experiment/experiment.h"
#include "run/core/run.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_SETUP_PAGE (lac_setup_page_get_type())
G_DECLARE_FINAL_TYPE(LacSetupPage, lac_setup_page, LAC, SETUP_PAGE, GtkWidget)

/* Every row at its default, unless @experiment is shown already. Signals: validity-changed; edited(key, text),
 * what a person gave a row. */
void lac_setup_page_set_experiment(LacSetupPage *page, const LacExperiment *experiment);

/* Returns: (nullable): why it cannot be launched, in one sentence; NULL when it can. */
const char *lac_setup_page_get_reason(LacSetupPage *page);

/* Borrows from the page until the next edit. */
void lac_setup_page_fill(LacSetupPage *page, LacRunSettings *settings);

/* Returns: (nullable): what is swept, as lac_sweep_parse() takes it. */
const char *lac_setup_page_get_sweep(LacSetupPage *page);

const LacExperiment *lac_setup_page_get_experiment(LacSetupPage *page); /* (nullable) */
void                 lac_setup_page_show_presets(LacSetupPage *page);

/* As if typed. Returns: FALSE where there is no such row. */
gboolean lac_setup_page_enter(LacSetupPage *page, const char *key, const char *text);
void     lac_setup_page_reset(LacSetupPage *page);

/* Sensors by hand, where the experiment has any to place. */
gboolean lac_setup_page_can_place(LacSetupPage *page);
void     lac_setup_page_place(LacSetupPage *page);
void     lac_setup_page_leave_sensors(LacSetupPage *page); /* they can be gone on with */
/* The sweep with the mouse, once there is an experiment. */
void lac_setup_page_build_sweep(LacSetupPage *page);
/* Leaves the placing of sensors and the sweep, and forgets what was computed for it. */
void lac_setup_page_show_rows(LacSetupPage *page);

G_END_DECLS
