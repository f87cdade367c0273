/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/live/tune-row.h"

#include "app/setup/number-step.h"
#include "app/toolkit/accessible.h"
#include "base/number-display.h"
#include "report/text/number.h"

#include <glib/gi18n-lib.h>

struct _LacTuneRow {
  AdwActionRow    parent_instance;
  GtkEntry       *entry;
  const LacParam *param;
  LacDraft       *draft;
};

G_DEFINE_FINAL_TYPE(LacTuneRow, lac_tune_row, ADW_TYPE_ACTION_ROW)

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

static void
show_value(LacTuneRow *self)
{
  g_autofree char *text = lac_number_localise(lac_draft_dup_text(self->draft, self->param));
  gtk_editable_set_text(GTK_EDITABLE(self->entry), text);
  gtk_widget_remove_css_class(GTK_WIDGET(self->entry), "error");
  gtk_widget_set_tooltip_text(GTK_WIDGET(self->entry), _(self->param->help));
}

/* Takes the text over. An invalid one stays, marked, with the reason as a tooltip. */
static void
take(LacTuneRow *self)
{
  g_autoptr(GError) error = NULL;
  g_autofree char  *before = lac_draft_dup_text(self->draft, self->param);
  g_autofree char  *text = g_strdup(gtk_editable_get_text(GTK_EDITABLE(self->entry)));
  g_strdelimit(text, ",", '.');
  if (!lac_draft_set(self->draft, self->param->key, g_strstrip(text), &error)) {
    gtk_widget_add_css_class(GTK_WIDGET(self->entry), "error");
    gtk_widget_set_tooltip_text(GTK_WIDGET(self->entry), error->message);
    return;
  }
  g_autofree char *after = lac_draft_dup_text(self->draft, self->param);
  show_value(self);
  if (!g_str_equal(before, after))
    g_signal_emit(self, signals[CHANGED], 0);
}

static void
lac_tune_row_class_init(LacTuneRowClass *class)
{
  signals[CHANGED] = g_signal_new("changed", LAC_TYPE_TUNE_ROW, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                  NULL, G_TYPE_NONE, 0);
}

static void
lac_tune_row_init(LacTuneRow *self)
{
  GtkEventController *focus = gtk_event_controller_focus_new();
  self->entry = GTK_ENTRY(gtk_entry_new());
  gtk_editable_set_width_chars(GTK_EDITABLE(self->entry), 4);
  gtk_editable_set_max_width_chars(GTK_EDITABLE(self->entry), 5);
  gtk_editable_set_alignment(GTK_EDITABLE(self->entry), 1);
  gtk_widget_set_valign(GTK_WIDGET(self->entry), GTK_ALIGN_CENTER);
  gtk_widget_add_css_class(GTK_WIDGET(self->entry), "numeric");
  g_signal_connect_swapped(self->entry, "activate", G_CALLBACK(take), self);
  g_signal_connect_swapped(focus, "leave", G_CALLBACK(take), self);
  gtk_widget_add_controller(GTK_WIDGET(self->entry), focus);
  gtk_widget_add_css_class(GTK_WIDGET(self), "tune");
  adw_action_row_set_title_lines(ADW_ACTION_ROW(self), 3);
}

static void
on_stepped(gpointer row, int direction)
{
  LacTuneRow      *self = row;
  g_autofree char *text = lac_number_step_dup(self->draft, self->param, direction);
  gtk_editable_set_text(GTK_EDITABLE(self->entry), text);
  take(self);
}

static gboolean
is_number(const LacParam *param)
{
  return param->kind == LAC_PARAM_REAL || param->kind == LAC_PARAM_INTEGER;
}

/* Adds the entry, of a number with buttons for its steps. */
static void
add_editor(LacTuneRow *self)
{
  GtkWidget *entry = GTK_WIDGET(self->entry);
  GtkWidget *editor = is_number(self->param)
                        ? lac_number_step_box_new(entry, _(self->param->label), on_stepped, self)
                        : entry;
  adw_action_row_add_suffix(ADW_ACTION_ROW(self), editor);
  adw_action_row_set_activatable_widget(ADW_ACTION_ROW(self), entry);
}

GtkWidget *
lac_tune_row_new(const LacParam *param, LacDraft *draft)
{
  g_return_val_if_fail(param != NULL && draft != NULL, NULL);
  LacTuneRow *self = g_object_new(LAC_TYPE_TUNE_ROW, NULL);
  self->param = param;
  self->draft = draft;
  adw_preferences_row_set_title(ADW_PREFERENCES_ROW(self), _(param->label));
  add_editor(self);
  lac_accessible_name(self->entry, _(param->label)); /* the row has named it by its title, too */
  show_value(self);
  lac_tune_row_set_before(self, NULL);
  return GTK_WIDGET(self);
}

const LacParam *
lac_tune_row_get_param(LacTuneRow *self)
{
  g_return_val_if_fail(LAC_IS_TUNE_ROW(self), NULL);
  return self->param;
}

void
lac_tune_row_enter(LacTuneRow *self, const char *text)
{
  g_return_if_fail(LAC_IS_TUNE_ROW(self) && text != NULL);
  gtk_editable_set_text(GTK_EDITABLE(self->entry), text);
  take(self);
}

void
lac_tune_row_set_before(LacTuneRow *self, const char *text)
{
  g_return_if_fail(LAC_IS_TUNE_ROW(self));
  const char      *unit = self->param->unit;
  g_autofree char *value = text != NULL ? lac_text_with_unit(text, unit) : NULL;
  g_autofree char *words = value != NULL            ? g_strdup_printf(_("was %s"), value)
                           : g_str_equal(unit, "1") ? g_strdup("")
                                                    : g_strdup(unit);
  adw_action_row_set_subtitle(ADW_ACTION_ROW(self), words);
  if (text != NULL)
    gtk_widget_add_css_class(GTK_WIDGET(self), "changed");
  else
    gtk_widget_remove_css_class(GTK_WIDGET(self), "changed");
}
