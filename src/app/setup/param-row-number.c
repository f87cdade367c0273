/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of numbers: steps with buttons and arrow keys, and the choice of none. */
#include "app/setup/number-step.h"
#include "app/setup/param-row-private.h"

#include <glib/gi18n-lib.h>

/* ---- steps of a number ---- */

gboolean
lac_param_row_is_number(const LacParam *param)
{
  return param->kind == LAC_PARAM_REAL || param->kind == LAC_PARAM_INTEGER;
}

static void
on_stepped(gpointer row, int direction)
{
  LacParamRow     *self = row;
  g_autofree char *text = lac_number_step_dup(self->draft, self->param, direction);
  gtk_editable_set_text(GTK_EDITABLE(self->editor), text);
}

/* Returns the entry with its step buttons. */
GtkWidget *
lac_param_row_make_numbers(LacParamRow *self)
{
  return lac_number_step_box_new(self->editor, lac_param_row_translate(self->param->label),
                                 on_stepped, self);
}

/* ---- a number that can be none ---- */

void
lac_param_row_show_none(LacParamRow *self)
{
  if (self->none == NULL)
    return;
  gboolean is_none = self->error == NULL && !(lac_draft_get_number(self->draft, self->param) > 0);
  gboolean was_refreshing = self->refreshing;
  self->refreshing = TRUE;
  gtk_toggle_button_set_active(GTK_TOGGLE_BUTTON(is_none ? self->none : self->some), TRUE);
  if (is_none)
    gtk_editable_set_text(GTK_EDITABLE(self->editor), "");
  self->refreshing = was_refreshing;
  gtk_widget_set_sensitive(self->numbers, !is_none);
}

static void
on_none_toggled(LacParamRow *self)
{
  if (self->refreshing)
    return;
  g_autoptr(LacDraft) fresh = lac_draft_new(lac_draft_get_table(self->draft));
  double              usual = lac_draft_get_number(fresh, self->param);
  char                text[G_ASCII_DTOSTR_BUF_SIZE] = "0";
  if (!gtk_toggle_button_get_active(GTK_TOGGLE_BUTTON(self->none))) {
    g_ascii_formatd(text, sizeof text, "%.12g", usual > 0 ? usual : self->param->typical);
    if (!(usual > 0) && !(self->param->typical > 0))
      *text = '\0'; /* the entry waits for a value */
  }
  lac_param_row_enter(self, text);
}

void
lac_param_row_add_none(LacParamRow *self)
{
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
  self->none = gtk_toggle_button_new_with_label(lac_param_row_translate(self->param->zero));
  self->some = gtk_toggle_button_new_with_label(
    self->param->some != NULL ? lac_param_row_translate(self->param->some) : _("Value"));
  gtk_toggle_button_set_group(GTK_TOGGLE_BUTTON(self->some), GTK_TOGGLE_BUTTON(self->none));
  gtk_widget_add_css_class(box, "linked");
  gtk_widget_set_valign(box, GTK_ALIGN_CENTER);
  gtk_box_append(GTK_BOX(box), self->none);
  gtk_box_append(GTK_BOX(box), self->some);
  g_signal_connect_swapped(self->none, "toggled", G_CALLBACK(on_none_toggled), self);
  adw_action_row_add_suffix(ADW_ACTION_ROW(self), box);
}
