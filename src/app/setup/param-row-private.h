/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the files of the parameter row. */
#pragma once

#include "app/setup/param-row.h"

G_BEGIN_DECLS

struct _LacParamRow {
  AdwActionRow          parent_instance;
  const LacParam       *param;
  LacDraft             *draft;
  GtkWidget            *editor; /* GtkEntry, GtkDropDown, GtkSwitch or LacChoiceList */
  GtkWidget            *reset;
  GtkWidget            *numbers;     /* (nullable): the entry with its step buttons */
  GtkWidget            *none, *some; /* (nullable): linked choices of a number that can be none */
  char                 *error;
  char                 *text;  /* (nullable): last input of the user, valid or not */
  char                 *note;  /* (nullable): resolved value, shown instead of the help */
  char                 *swept; /* (nullable): values of a sweep, which replace this one */
  gboolean              refreshing;
  GtkFileChooserNative *chooser; /* not a widget: referenced until it is closed */
};

/* Returns: @text in the language of the window; "" for NULL. */
const char *lac_param_row_translate(const char *text);

/* param-row-number.c */
gboolean lac_param_row_is_number(const LacParam *param);
/* Returns: the editor of @row, an entry, with its step buttons. */
GtkWidget *lac_param_row_make_numbers(LacParamRow *row);
/* Adds the linked choices "No noise" and "Relative", and shows which of them the draft has. */
void lac_param_row_add_none(LacParamRow *row);
void lac_param_row_show_none(LacParamRow *row);

G_END_DECLS
