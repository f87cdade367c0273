/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The form of a run: the methods, then the groups of parameters that matter for them. It contains nothing about
 * particular parameters: all of it comes from their rows. Signals: changed; edited(key, text), after "changed", on user
 * input. */
#pragma once

#include "app/setup/method-list.h"
#include "app/setup/param-row.h"
#include "run/plan/sweep.h"

G_BEGIN_DECLS

#define LAC_TYPE_SETUP_FORM (lac_setup_form_get_type())
G_DECLARE_FINAL_TYPE(LacSetupForm, lac_setup_form, LAC, SETUP_FORM, GtkWidget)

/* Shows the parameters of @experiment and of the launch; rows are built while the form is visible, a few per frame.
 * @draft, @launch: borrowed until the next call. @experiment: (nullable): NULL: nothing */
void lac_setup_form_set(LacSetupForm        *form,
                        const LacExperiment *experiment,
                        LacDraft            *draft,
                        LacDraft            *launch);

/* Shows values that cannot be changed, those of a run; takes effect with the next call of lac_setup_form_set(). */
void lac_setup_form_set_read_only(LacSetupForm *form, gboolean read_only);

/* Sets a value as if the user had typed it. Returns: FALSE if there is no such parameter. */
gboolean lac_setup_form_enter(LacSetupForm *form, const char *key, const char *text);

/* Returns: (nullable): why a value that is shown is invalid. */
const char *lac_setup_form_get_error(LacSetupForm *form);

/* Builds the remaining rows. Returns: (nullable): the row of @key. */
LacParamRow *lac_setup_form_find_row(LacSetupForm *form, const char *key);
/* Returns: (nullable): as above, if it has been built. */
LacParamRow *lac_setup_form_find_built_row(LacSetupForm *form, const char *key);

/* Shows only rows that have an effect with the present values, and how long the methods take. */
void lac_setup_form_update(LacSetupForm *form, guint threads);

/* Shows at the swept rows which values they take. @sweep: (nullable): nothing is swept */
void lac_setup_form_show_sweep(LacSetupForm *form, const LacSweep *sweep);

/* Returns: the number of parameters in use that differ from their defaults. */
guint lac_setup_form_count_changed(const LacDraft *draft);

G_END_DECLS
