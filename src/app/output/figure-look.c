/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows built from the table of figure members. */
#include "app/output/figure-look.h"

#include "app/toolkit/accessible.h"
#include "report/figure/members.h"

#include <glib/gi18n-lib.h>

typedef struct {
  const LacFigureMember *member;
  GtkWidget             *value; /* a combo row, an entry row or a switch */
} Row;

struct _LacFigureRows {
  GArray  *rows; /* Row */
  gboolean filling;
  void (*changed)(gpointer user_data);
  gpointer user_data;
};

static void
on_changed(LacFigureRows *self)
{
  if (!self->filling)
    self->changed(self->user_data);
}

static const char *
translate(const char *text)
{
  return g_dgettext(GETTEXT_PACKAGE, text);
}

static GtkWidget *
make_choice(LacFigureRows *self, AdwPreferencesGroup *group, const LacFigureMember *member)
{
  GtkWidget               *row = adw_combo_row_new();
  g_autoptr(GtkStringList) words = gtk_string_list_new(NULL);
  const char              *reported;

  for (gsize i = 0; member->word(i, &reported) != NULL; i++)
    gtk_string_list_append(words, translate(reported));
  adw_combo_row_set_model(ADW_COMBO_ROW(row), G_LIST_MODEL(words));
  adw_preferences_row_set_title(ADW_PREFERENCES_ROW(row), translate(member->title));
  adw_preferences_group_add(group, row);
  g_signal_connect_swapped(row, "notify::selected", G_CALLBACK(on_changed), self);
  return row;
}

static GtkWidget *
make_entry(LacFigureRows *self, AdwPreferencesGroup *group, const LacFigureMember *member)
{
  GtkWidget       *row = adw_entry_row_new();
  g_autofree char *title = g_strdup_printf(_("%s: minimum, maximum"), translate(member->title));

  adw_preferences_row_set_title(ADW_PREFERENCES_ROW(row), title);
  adw_preferences_group_add(group, row);
  g_signal_connect_swapped(row, "changed", G_CALLBACK(on_changed), self);
  return row;
}

static GtkWidget *
make_switch(LacFigureRows *self, AdwPreferencesGroup *group, const LacFigureMember *member)
{
  GtkWidget *row = adw_action_row_new(), *toggle = gtk_switch_new();

  adw_preferences_row_set_title(ADW_PREFERENCES_ROW(row), translate(member->title));
  gtk_widget_set_valign(toggle, GTK_ALIGN_CENTER);
  lac_accessible_name(toggle, translate(member->title));
  adw_action_row_add_suffix(ADW_ACTION_ROW(row), toggle);
  adw_action_row_set_activatable_widget(ADW_ACTION_ROW(row), toggle);
  adw_preferences_group_add(group, row);
  g_signal_connect_swapped(toggle, "notify::active", G_CALLBACK(on_changed), self);
  return toggle;
}

LacFigureRows *
lac_figure_rows_new(AdwPreferencesGroup *group, void (*changed)(gpointer), gpointer user_data)
{
  LacFigureRows         *self = g_new0(LacFigureRows, 1);
  gsize                  n;
  const LacFigureMember *members = lac_figure_members(&n);

  self->rows = g_array_new(FALSE, FALSE, sizeof(Row));
  self->changed = changed;
  self->user_data = user_data;
  self->filling = TRUE;
  for (gsize i = 0; i < n; i++) {
    const LacFigureMember *member = &members[i];

    if (member->title == NULL)
      continue;
    Row row = {member, member->kind == LAC_MEMBER_WORD    ? make_choice(self, group, member)
                       : member->kind == LAC_MEMBER_RANGE ? make_entry(self, group, member)
                                                          : make_switch(self, group, member)};
    g_array_append_val(self->rows, row);
  }
  self->filling = FALSE;
  return self;
}

void
lac_figure_rows_free(LacFigureRows *self)
{
  g_array_unref(self->rows);
  g_free(self);
}

/* Returns: the position of a word; 0 if it is not listed. */
static guint
find_word(const LacFigureMember *member, const char *text)
{
  const char *word, *reported;

  for (guint i = 0; (word = member->word(i, &reported)) != NULL; i++)
    if (g_strcmp0(word, text) == 0)
      return i;
  return 0;
}

static void
show_row(const Row *row, const LacFigureSpec *spec)
{
  if (row->member->kind != LAC_MEMBER_WORD && row->member->kind != LAC_MEMBER_RANGE) {
    const gboolean *active = lac_figure_member_of(row->member, spec);
    gtk_switch_set_active(GTK_SWITCH(row->value), *active);
    return;
  }
  g_autofree char *text = lac_figure_member_dup_text(row->member, spec);
  if (row->member->kind == LAC_MEMBER_WORD)
    adw_combo_row_set_selected(ADW_COMBO_ROW(row->value), find_word(row->member, text));
  else
    gtk_editable_set_text(GTK_EDITABLE(row->value), text);
}

void
lac_figure_rows_show(LacFigureRows *self, const LacFigureSpec *spec)
{
  self->filling = TRUE;
  for (guint i = 0; i < self->rows->len; i++)
    show_row(&g_array_index(self->rows, Row, i), spec);
  self->filling = FALSE;
}

static void
fill_member(const Row *row, LacFigureSpec *spec)
{
  const LacFigureMember *member = row->member;
  const char            *reported;

  if (member->kind == LAC_MEMBER_WORD) {
    lac_figure_member_parse(
      member, member->word(adw_combo_row_get_selected(ADW_COMBO_ROW(row->value)), &reported), spec,
      NULL);
  } else if (member->kind == LAC_MEMBER_RANGE) {
    const char      *text = gtk_editable_get_text(GTK_EDITABLE(row->value));
    g_autofree char *same = lac_figure_member_dup_text(
      member, spec); /* the specification may have more digits than the row */
    if (g_str_equal(text, same) || lac_figure_member_parse(member, text, spec, NULL))
      gtk_widget_remove_css_class(row->value, "error");
    else
      gtk_widget_add_css_class(row->value, "error");
  } else {
    gboolean *active = lac_figure_member_of(member, spec);
    *active = gtk_switch_get_active(GTK_SWITCH(row->value));
  }
}

void
lac_figure_rows_fill(LacFigureRows *self, LacFigureSpec *spec)
{
  for (guint i = 0; i < self->rows->len; i++)
    fill_member(&g_array_index(self->rows, Row, i), spec);
}

void
lac_figure_rows_set_flow(LacFigureRows *self, gboolean has_velocity)
{
  for (guint i = 0; i < self->rows->len; i++) {
    const Row *row = &g_array_index(self->rows, Row, i);
    if (row->member->of_velocity)
      gtk_widget_set_visible(gtk_widget_get_ancestor(row->value, ADW_TYPE_PREFERENCES_ROW),
                             has_velocity);
  }
}

void
lac_figure_rows_forget_limits(LacFigureRows *self)
{
  self->filling = TRUE;
  for (guint i = 0; i < self->rows->len; i++) {
    const Row *row = &g_array_index(self->rows, Row, i);
    if (row->member->kind == LAC_MEMBER_RANGE)
      gtk_editable_set_text(GTK_EDITABLE(row->value), "");
  }
  self->filling = FALSE;
}
