/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The methods of a run as check rows: each with the colour of its curves and its estimated time. Less common ones are
 * folded. Signal: changed, on user input. */
#pragma once

#include "experiment/experiment.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define LAC_TYPE_METHOD_LIST (lac_method_list_get_type())
G_DECLARE_FINAL_TYPE(LacMethodList, lac_method_list, LAC, METHOD_LIST, AdwPreferencesGroup)

/* Returns: (nullable): the parameter that lists the methods; NULL: the experiment has only one method. */
const LacParam *lac_method_list_find_param(const LacParamTable *table);

/* @draft: borrowed; must outlive the list */
GtkWidget *lac_method_list_new(const LacExperiment *experiment, LacDraft *draft);

const LacParam *lac_method_list_get_param(LacMethodList *list);

void lac_method_list_set_read_only(LacMethodList *list, gboolean read_only);

/* Shows the methods of the draft, and how long each takes with @threads threads. */
void lac_method_list_refresh(LacMethodList *list);
void lac_method_list_show_times(LacMethodList *list, guint threads);

/* Sets @text, "pod,enkf", as if the user had ticked these methods in this order. */
void lac_method_list_enter(LacMethodList *list, const char *text);
/* Returns: the text last entered or ticked. */
const char *lac_method_list_get_text(LacMethodList *list);
/* Returns: (nullable): why the methods are invalid. */
const char *lac_method_list_get_error(LacMethodList *list);

G_END_DECLS
