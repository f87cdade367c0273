/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The set-up of a run: the form, beside it the sensors and the place where it is computed, and below it what it costs
 * or why it cannot be started. Of a run that has ended, the same form, read only. */
#pragma once

#include "experiment/experiment.h"
#include "io/runfile/run-file.h"
#include "run/core/run.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_SETUP_PAGE (lac_setup_page_get_type())
G_DECLARE_FINAL_TYPE(LacSetupPage, lac_setup_page, LAC, SETUP_PAGE, GtkWidget)

/* Shows all parameters at their defaults, unless @experiment is set up already. Signals: validity-changed; edited(key,
 * text), on user input. Property: n-changed, see lac_setup_page_get_n_changed(). */
void lac_setup_page_set_experiment(LacSetupPage *page, const LacExperiment *experiment);

/* Shows the settings of @run, which cannot be changed. @run: (nullable): NULL returns to the draft, which the other
 * functions work on in any case. */
void lac_setup_page_set_run(LacSetupPage *page, LacRunFile *run);

/* Returns: (transfer none): the bar with the cost and the actions; not a child of the page. */
GtkWidget *lac_setup_page_get_bar(LacSetupPage *page);

/* Returns: (nullable): why the run cannot be started, in one sentence; NULL when it can. */
const char *lac_setup_page_get_reason(LacSetupPage *page);

/* Returns: the number of settings in use that differ from their defaults. */
guint lac_setup_page_get_n_changed(LacSetupPage *page);

/* Fills @settings with borrowed values, valid until the next edit. */
void lac_setup_page_fill(LacSetupPage *page, LacRunSettings *settings);

/* Returns: (nullable): the sweep, in the syntax of lac_sweep_parse(). */
const char *lac_setup_page_get_sweep(LacSetupPage *page);

const LacExperiment *lac_setup_page_get_experiment(LacSetupPage *page); /* (nullable) */
void                 lac_setup_page_show_presets(LacSetupPage *page);

/* Sets a value as if the user had typed it. Returns: FALSE if there is no such parameter. */
gboolean lac_setup_page_enter(LacSetupPage *page, const char *key, const char *text);
void     lac_setup_page_reset(LacSetupPage *page);

/* Returns: (transfer full): the command line that computes the same; NULL with an error. */
char *lac_setup_page_dup_command(LacSetupPage *page, GError **error);
/* Copies that line to the clipboard, and says so. */
void lac_setup_page_copy_command(LacSetupPage *page);

/* Manual sensor placement beside the form, if the experiment has sensors to place. */
gboolean lac_setup_page_can_place(LacSetupPage *page);
void     lac_setup_page_place(LacSetupPage *page);
/* Opens the sweep builder beside the form, once there is an experiment. */
void lac_setup_page_build_sweep(LacSetupPage *page);
/* Closes the sweep builder, and discards what was computed for the sensors. */
void lac_setup_page_show_rows(LacSetupPage *page);

G_END_DECLS
