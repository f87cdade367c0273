/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of numbers: steps with buttons and arrow keys, and the choice of none. */
#include "app/setup/param-row-private.h"
#include "app/toolkit/accessible.h"
#include "base/number-display.h"

#include <glib/gi18n-lib.h>

#include <math.h>

/* ---- steps of a number ---- */

gboolean
lac_param_row_is_number(const LacParam *param)
{
  return param->kind == LAC_PARAM_REAL || param->kind == LAC_PARAM_INTEGER;
}

/* Returns: one for an integer; one unit of the leading digit of a real value, so that 10 falls to 9 and 1 to 0.9. */
static double
find_step(LacParamRow *self, double value, int direction)
{
  double size = fabs(value);
  if (self->param->kind == LAC_PARAM_INTEGER)
    return 1;
  if (!(size > 0))
    return self->param->fallback != 0 ? fabs(self->param->fallback) / 10 : 0.1;
  double   unit = pow(10, floor(log10(size) + 1e-9));
  gboolean falls = (direction < 0) == (value > 0);
  return falls && size < unit * 1.000001 ? unit / 10 : unit;
}

static void
step(LacParamRow *self, int direction)
{
  double           value = lac_draft_get_number(self->draft, self->param);
  double           step = find_step(self, value, direction);
  double           next = (round(value / step) + direction) * step;
  g_autofree char *text = NULL;
  char             buffer[G_ASCII_DTOSTR_BUF_SIZE];
  g_ascii_formatd(buffer, sizeof buffer, "%.12g", CLAMP(next, self->param->min, self->param->max));
  text = g_strdup(buffer);
  gtk_editable_set_text(GTK_EDITABLE(self->editor), lac_number_localise(text));
}

static void
on_less(LacParamRow *self)
{
  step(self, -1);
}

static void
on_more(LacParamRow *self)
{
  step(self, 1);
}

static GtkWidget *
make_step_button(LacParamRow *self, const char *icon, const char *name, GCallback on_clicked)
{
  GtkWidget       *button = gtk_button_new_from_icon_name(icon);
  g_autofree char *words = g_strdup_printf(name, lac_param_row_translate(self->param->label));
  lac_accessible_name(button, words);
  gtk_widget_set_focusable(button, FALSE); /* the arrow keys do the same in the entry */
  g_signal_connect_swapped(button, "clicked", on_clicked, self);
  return button;
}

static gboolean
on_step_key(GtkEventControllerKey *keys,
            guint                  key,
            guint                  code,
            GdkModifierType        state,
            LacParamRow           *self)
{
  if (key != GDK_KEY_Up && key != GDK_KEY_Down)
    return FALSE;
  step(self, key == GDK_KEY_Up ? 1 : -1);
  return TRUE;
}

/* Returns the entry with its step buttons. */
GtkWidget *
lac_param_row_make_numbers(LacParamRow *self)
{
  GtkWidget          *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
  GtkEventController *keys = gtk_event_controller_key_new();
  gtk_widget_add_css_class(box, "linked");
  gtk_widget_set_valign(box, GTK_ALIGN_CENTER);
  gtk_event_controller_set_propagation_phase(keys, GTK_PHASE_CAPTURE);
  g_signal_connect(keys, "key-pressed", G_CALLBACK(on_step_key), self);
  gtk_widget_add_controller(self->editor, keys);
  gtk_box_append(GTK_BOX(box), self->editor);
  gtk_box_append(GTK_BOX(box), make_step_button(self, "list-remove-symbolic", _("Decrease %s"),
                                                G_CALLBACK(on_less)));
  gtk_box_append(GTK_BOX(box), make_step_button(self, "list-add-symbolic", _("Increase %s"),
                                                G_CALLBACK(on_more)));
  return box;
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
