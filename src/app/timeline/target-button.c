/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The target duration of an iteration. */
#include "app/timeline/target-button.h"

#include "app/toolkit/accessible.h"
#include "app/toolkit/format.h"
#include "app/toolkit/number-spin.h"
#include "app/toolkit/preferences.h"

#include <glib/gi18n-lib.h>

#include <math.h>

#define KEY       "iteration-target"
#define MOST_MS   1e6
#define MOST_LAST 1e9
#define DIGITS    4 /* decimals of a millisecond */
#define NS        1e6

struct _LacTargetButton {
  GtkWidget         parent_instance;
  GtkMenuButton    *button;
  GtkSpinButton    *field;
  GtkWidget        *none, *twice;
  GtkSpinButton    *last;
  GtkDropDown      *last_unit;
  gboolean          filling;
  LacTimelineScope *scope;
};

G_DEFINE_FINAL_TYPE(LacTargetButton, lac_target_button, GTK_TYPE_WIDGET)

static double
get_median(LacTargetButton *self)
{
  if (lac_timeline_scope_is_empty(self->scope))
    return 0;
  return lac_recording_get_iterations(lac_timeline_scope_get_recording(self->scope))->median_ns;
}

/* Returns "last 100", "last 10.0 s"; NULL: all. */
static char *
dup_kept(LacKeep keep, double n)
{
  if (keep == LAC_KEEP_ALL)
    return NULL;
  g_autofree char *text =
    keep == LAC_KEEP_SECONDS ? lac_format_span(n * 1e9) : lac_format_count((guint64) n);
  return g_strdup_printf(_("last %s"), text);
}

static void
show_target(LacTargetButton *self)
{
  gint64           target = lac_timeline_scope_get_target(self->scope);
  g_autofree char *span = lac_format_span((double) target);
  g_autofree char *words = target > 0 ? g_strdup_printf(_("Target %s"), span) : NULL;
  double           n;
  LacKeep          keep = lac_timeline_scope_get_kept(self->scope, &n);
  g_autofree char *kept = dup_kept(keep, n);
  g_autofree char *both =
    words != NULL && kept != NULL ? g_strdup_printf("%s · %s", words, kept) : NULL;
  const char *label = both != NULL    ? both
                      : kept != NULL  ? kept
                      : words != NULL ? words
                                      : _("Target");
  gtk_menu_button_set_label(self->button, label);
  lac_accessible_name(self->button, label);
  gtk_widget_set_sensitive(self->none, target > 0);
}

static void
on_scope(LacTargetButton *self, guint what)
{
  double n;
  if (what & (LAC_SCOPE_TARGET | LAC_SCOPE_KEEP))
    show_target(self);
  if ((what & LAC_SCOPE_KEEP) && lac_timeline_scope_get_kept(self->scope, &n) == LAC_KEEP_ALL &&
      gtk_spin_button_get_value(self->last) > 0) { /* the range was set by other means */
    self->filling = TRUE;
    gtk_spin_button_set_value(self->last, 0);
    self->filling = FALSE;
  }
}

static void
on_value(LacTargetButton *self)
{
  double     ms = gtk_spin_button_get_value(self->field);
  GSettings *settings = lac_preferences_get();
  lac_timeline_scope_set_target(self->scope, (gint64) round(ms * NS));
  if (settings != NULL)
    g_settings_set_double(settings, KEY, ms);
}

static void
on_last(LacTargetButton *self)
{
  guint  unit = gtk_drop_down_get_selected(self->last_unit);
  double n = gtk_spin_button_get_value(self->last), before;
  if (self->scope == NULL || self->filling ||
      (n <= 0 && lac_timeline_scope_get_kept(self->scope, &before) == LAC_KEEP_ALL))
    return;
  lac_timeline_scope_keep_last(self->scope, unit == 0 ? LAC_KEEP_ITERATIONS : LAC_KEEP_SECONDS, n);
}

static void
on_none(LacTargetButton *self)
{
  gtk_spin_button_set_value(self->field, 0);
}

static void
on_twice(LacTargetButton *self)
{
  gtk_spin_button_set_value(self->field, 2 * get_median(self) / NS);
}

static void
on_shown(LacTargetButton *self)
{
  gtk_widget_set_sensitive(self->twice, get_median(self) > 0);
}

/* ---- the object ---- */

static GtkWidget *
make_button(const char *label)
{
  GtkWidget *button = gtk_button_new_with_label(label);
  gtk_widget_set_hexpand(button, TRUE);
  return button;
}

static GtkWidget *
make_heading(const char *text)
{
  GtkWidget *title = gtk_label_new(text);
  gtk_label_set_xalign(GTK_LABEL(title), 0);
  gtk_widget_add_css_class(title, "heading");
  return title;
}

/* Makes the entry for how much of the end is shown and summed. */
static GtkWidget *
make_last(LacTargetButton *self)
{
  GtkWidget        *row = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6);
  const char *const units[] = {_("iterations"), _("seconds"), NULL};
  self->last = GTK_SPIN_BUTTON(gtk_spin_button_new_with_range(0, MOST_LAST, 10));
  self->last_unit = GTK_DROP_DOWN(gtk_drop_down_new_from_strings(units));
  gtk_widget_set_hexpand(GTK_WIDGET(self->last), TRUE);
  lac_accessible_name(self->last, _("Number of latest iterations or seconds shown; 0: all"));
  lac_accessible_name_drop_down(self->last_unit, _("Unit of the number: iterations or seconds"));
  gtk_box_append(GTK_BOX(row), GTK_WIDGET(self->last));
  gtk_box_append(GTK_BOX(row), GTK_WIDGET(self->last_unit));
  g_signal_connect_object(self->last, "value-changed", G_CALLBACK(on_last), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(self->last_unit, "notify::selected", G_CALLBACK(on_last), self,
                          G_CONNECT_SWAPPED);
  return row;
}

static GtkWidget *
make_popover(LacTargetButton *self)
{
  GtkWidget *popover = gtk_popover_new(), *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 9);
  GtkWidget *row = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *buttons = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6);
  self->field = GTK_SPIN_BUTTON(gtk_spin_button_new_with_range(0, MOST_MS, 1));
  self->none = make_button(_("No Target"));
  self->twice = make_button(_("Twice the Median"));
  gtk_spin_button_set_digits(self->field, DIGITS);
  lac_number_spin_localise(self->field);
  gtk_widget_set_hexpand(GTK_WIDGET(self->field), TRUE);
  lac_accessible_name(self->field, _("Target duration of an iteration in milliseconds"));
  gtk_box_append(GTK_BOX(row), GTK_WIDGET(self->field));
  gtk_box_append(GTK_BOX(row), gtk_label_new("ms"));
  gtk_box_append(GTK_BOX(buttons), self->none);
  gtk_box_append(GTK_BOX(buttons), self->twice);
  gtk_box_append(GTK_BOX(box), make_heading(_("Target duration of an iteration")));
  gtk_box_append(GTK_BOX(box), row);
  gtk_box_append(GTK_BOX(box), buttons);
  gtk_box_append(GTK_BOX(box), make_heading(_("Show only the last (0: all)")));
  gtk_box_append(GTK_BOX(box), make_last(self));
  gtk_popover_set_child(GTK_POPOVER(popover), box);
  g_signal_connect_object(self->field, "value-changed", G_CALLBACK(on_value), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(self->none, "clicked", G_CALLBACK(on_none), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(self->twice, "clicked", G_CALLBACK(on_twice), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(popover, "map", G_CALLBACK(on_shown), self, G_CONNECT_SWAPPED);
  return popover;
}

static void
lac_target_button_dispose(GObject *object)
{
  LacTargetButton *self = LAC_TARGET_BUTTON(object);
  GtkWidget       *child = gtk_widget_get_first_child(GTK_WIDGET(self));
  if (child != NULL)
    gtk_widget_unparent(child);
  g_clear_object(&self->scope);
  G_OBJECT_CLASS(lac_target_button_parent_class)->dispose(object);
}

static void
lac_target_button_class_init(LacTargetButtonClass *class)
{
  G_OBJECT_CLASS(class)->dispose = lac_target_button_dispose;
  gtk_widget_class_set_layout_manager_type(GTK_WIDGET_CLASS(class), GTK_TYPE_BIN_LAYOUT);
}

static void
lac_target_button_init(LacTargetButton *self)
{
  self->button = GTK_MENU_BUTTON(gtk_menu_button_new());
  gtk_menu_button_set_popover(self->button, make_popover(self));
  gtk_widget_add_css_class(GTK_WIDGET(self->button), "small");
  gtk_widget_set_valign(GTK_WIDGET(self->button), GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text(GTK_WIDGET(self->button),
                              _("Target duration of an iteration; longer ones are counted"));
  gtk_widget_set_parent(GTK_WIDGET(self->button), GTK_WIDGET(self));
}

void
lac_target_button_set_scope(LacTargetButton *self, LacTimelineScope *scope)
{
  g_return_if_fail(LAC_IS_TARGET_BUTTON(self) && self->scope == NULL);
  GSettings *settings = lac_preferences_get();
  self->scope = g_object_ref(scope);
  g_signal_connect_object(scope, "changed", G_CALLBACK(on_scope), self, G_CONNECT_SWAPPED);
  if (settings != NULL)
    gtk_spin_button_set_value(self->field, g_settings_get_double(settings, KEY));
  show_target(self);
}
