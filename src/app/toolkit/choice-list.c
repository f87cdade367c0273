/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Choices with check boxes. Ticking does not move a line; only its up button does. */
#include "app/toolkit/choice-list.h"

#include "app/toolkit/accessible.h"

#include <glib/gi18n-lib.h>

typedef struct {
  guint      choice;
  GtkWidget *box, *check, *up;
} Line;

struct _LacChoiceList {
  GtkWidget       parent_instance;
  const LacParam *param;
  GtkWidget      *box;
  GArray         *lines; /* Line, in display order */
  gboolean        setting;
};

G_DEFINE_FINAL_TYPE(LacChoiceList, lac_choice_list, GTK_TYPE_WIDGET)

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

static Line *
get_line(LacChoiceList *self, guint i)
{
  return &g_array_index(self->lines, Line, i);
}

static const char *
title_of(LacChoiceList *self, guint choice)
{
  if (self->param->titles == NULL)
    return self->param->choices[choice];
  return g_dgettext(GETTEXT_PACKAGE, self->param->titles[choice]);
}

static gboolean
is_ticked(LacChoiceList *self, guint i)
{
  return gtk_check_button_get_active(GTK_CHECK_BUTTON(get_line(self, i)->check));
}

/* Shows the up buttons of ticked lines that can move, and describes each line by its rank among the ticked ones. */
static void
show_order(LacChoiceList *self)
{
  guint place = 0;
  for (guint i = 0; i < self->lines->len; i++) {
    Line *line = get_line(self, i);
    if (line->up == NULL)
      continue;
    place += is_ticked(self, i);
    gtk_widget_set_sensitive(line->up, i > 0 && is_ticked(self, i));
    gtk_widget_set_opacity(line->up, i > 0 && is_ticked(self, i) ? 1 : 0);
    g_autofree char *words =
      is_ticked(self, i) ? g_strdup_printf(_("Number %u"), place) : g_strdup(_("Off"));
    gtk_accessible_update_property(GTK_ACCESSIBLE(line->check), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                   words, -1);
  }
}

static void
announce(LacChoiceList *self)
{
  if (self->setting)
    return;
  show_order(self);
  g_signal_emit(self, signals[CHANGED], 0);
}

static void
place_lines(LacChoiceList *self)
{
  GtkWidget *before = NULL;
  for (guint i = 0; i < self->lines->len; i++) {
    gtk_box_reorder_child_after(GTK_BOX(self->box), get_line(self, i)->box, before);
    before = get_line(self, i)->box;
  }
}

static void
swap(LacChoiceList *self, guint i, guint j)
{
  Line line = *get_line(self, i);
  *get_line(self, i) = *get_line(self, j);
  *get_line(self, j) = line;
}

static void
on_up(GtkButton *button, LacChoiceList *self)
{
  for (guint i = 1; i < self->lines->len; i++)
    if (get_line(self, i)->up == GTK_WIDGET(button)) {
      swap(self, i - 1, i);
      place_lines(self);
      announce(self);
      gtk_widget_grab_focus(get_line(self, i - 1)->check); /* the first line hides its button */
      return;
    }
}

static GtkWidget *
make_up(LacChoiceList *self, guint choice)
{
  GtkWidget       *up = gtk_button_new_from_icon_name("go-up-symbolic");
  g_autofree char *name = g_strdup_printf(_("Move %s up"), title_of(self, choice));
  gtk_widget_add_css_class(up, "flat");
  gtk_widget_add_css_class(up, "small");
  gtk_widget_set_tooltip_text(up, name);
  lac_accessible_name(up, name);
  g_signal_connect(up, "clicked", G_CALLBACK(on_up), self);
  return up;
}

static void
add_line(LacChoiceList *self, guint choice)
{
  Line line = {choice, gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6), NULL, NULL};
  line.check = gtk_check_button_new_with_label(title_of(self, choice));
  gtk_widget_set_hexpand(line.check, TRUE);
  gtk_box_append(GTK_BOX(line.box), line.check);
  if (self->param->titles != NULL) {
    line.up = make_up(self, choice);
    gtk_box_append(GTK_BOX(line.box), line.up);
  }
  gtk_box_append(GTK_BOX(self->box), line.box);
  g_signal_connect_swapped(line.check, "toggled", G_CALLBACK(announce), self);
  g_array_append_val(self->lines, line);
}

static void
lac_choice_list_dispose(GObject *object)
{
  LacChoiceList *self = LAC_CHOICE_LIST(object);
  g_clear_pointer(&self->box, gtk_widget_unparent);
  g_clear_pointer(&self->lines, g_array_unref);
  G_OBJECT_CLASS(lac_choice_list_parent_class)->dispose(object);
}

static void
lac_choice_list_class_init(LacChoiceListClass *class)
{
  G_OBJECT_CLASS(class)->dispose = lac_choice_list_dispose;
  gtk_widget_class_set_layout_manager_type(GTK_WIDGET_CLASS(class), GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_accessible_role(GTK_WIDGET_CLASS(class), GTK_ACCESSIBLE_ROLE_GROUP);
  signals[CHANGED] = g_signal_new("changed", LAC_TYPE_CHOICE_LIST, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                  NULL, G_TYPE_NONE, 0);
}

static void
lac_choice_list_init(LacChoiceList *self)
{
  self->lines = g_array_new(FALSE, FALSE, sizeof(Line));
}

GtkWidget *
lac_choice_list_new(const LacParam *param)
{
  g_return_val_if_fail(param->kind == LAC_PARAM_LIST, NULL);
  LacChoiceList *self = g_object_new(LAC_TYPE_CHOICE_LIST, NULL);
  gboolean       is_ordered = param->titles != NULL;
  self->param = param;
  self->box = gtk_box_new(is_ordered ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL,
                          is_ordered ? 0 : 12);
  if (is_ordered) {
    gtk_widget_set_margin_top(self->box, 9);
    gtk_widget_set_margin_bottom(self->box, 9);
  }
  gtk_widget_set_parent(self->box, GTK_WIDGET(self));
  for (guint i = 0; param->choices[i] != NULL; i++)
    add_line(self, i);
  return GTK_WIDGET(self);
}

/* Sorts the ticked lines in the order of @list; other lines stay. */
static void
sort_lines(LacChoiceList *self, gint64 list)
{
  guint wanted = 0;
  for (guint i = 0; i < self->lines->len; i++) {
    if (!lac_list_has(list, get_line(self, i)->choice))
      continue;
    for (guint j = i; j < self->lines->len; j++)
      if ((int) get_line(self, j)->choice == lac_list_get(list, wanted)) {
        swap(self, i, j);
        break;
      }
    wanted++;
  }
  place_lines(self);
}

void
lac_choice_list_set(LacChoiceList *self, gint64 list)
{
  g_return_if_fail(LAC_IS_CHOICE_LIST(self));
  self->setting = TRUE;
  for (guint i = 0; i < self->lines->len; i++)
    gtk_check_button_set_active(GTK_CHECK_BUTTON(get_line(self, i)->check),
                                lac_list_has(list, get_line(self, i)->choice));
  if (self->param->titles != NULL)
    sort_lines(self, list);
  self->setting = FALSE;
  show_order(self);
}

char *
lac_choice_list_dup_text(LacChoiceList *self)
{
  g_return_val_if_fail(LAC_IS_CHOICE_LIST(self), NULL);
  GString *text = g_string_new(NULL);
  for (guint i = 0; i < self->lines->len; i++)
    if (is_ticked(self, i))
      g_string_append_printf(text, "%s%s", text->len > 0 ? "," : "",
                             self->param->choices[get_line(self, i)->choice]);
  return g_string_free(text, FALSE);
}
