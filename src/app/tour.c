/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tour. Each step names the page it is about and takes the person there. */
#include "app/tour.h"

#include "app/accessible.h"
#include "app/preferences.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#define SEEN "tour-seen"

static const struct {
  const char *icon, *title, *words, *page;
} steps[] = {
  {"view-grid-symbolic", N_("Choose"),
   N_("Experiments of three laboratories, each ready to start. Set-up shows every parameter, what "
      "the run will cost, and "
      "presets; a file of your own can be dropped on the window."),
   "experiments"},
  {"lac-field-symbolic", N_("Compute"),
   N_("Live shows truth, reconstruction and error of one step side by side, and the error falling. "
      "The timeline tells "
      "where the seconds went. Runs can be paused, stopped with a checkpoint, and queued."),
   "live"},
  {"view-dual-symbolic", N_("Compare and Publish"),
   N_("Every run is kept in Runs: search, tag, run again to the bit. Compare puts two beside each "
      "other; the export menu "
      "makes figures, reports, films and data of what you see."),
   "runs"},
};

/* Returns: (nullable): NULL where nothing is remembered, or by a schema of an older version, which lacks the key. */
static GSettings *
get_settings(void)
{
  GSettings                 *settings = lac_preferences_get();
  g_autoptr(GSettingsSchema) schema = NULL;
  if (settings != NULL)
    g_object_get(settings, "settings-schema", &schema, NULL);
  return schema != NULL && g_settings_schema_has_key(schema, SEEN) ? settings : NULL;
}

gboolean
lac_tour_is_new(void)
{
  GSettings *settings = get_settings();
  return settings != NULL && !g_settings_get_boolean(settings, SEEN);
}

void
lac_tour_put_away(void)
{
  GSettings *settings = get_settings();
  if (settings != NULL)
    g_settings_set_boolean(settings, SEEN, TRUE);
}

typedef struct {
  GtkWindow *window;
  GtkStack  *stack;
  GtkLabel  *count;
  GtkButton *next;
  guint      step;
} Tour;

/* The page behind it is the one that is told of. */
static void
show_step(Tour *tour)
{
  gboolean         last = tour->step + 1 == G_N_ELEMENTS(steps);
  const char      *words = last ? _("Done") : _("Next");
  g_autofree char *name = g_strdup_printf("%u", tour->step);
  g_autofree char *count =
    g_strdup_printf(_("Step %u of %u"), tour->step + 1, (guint) G_N_ELEMENTS(steps));
  GtkWindow *parent = gtk_window_get_transient_for(tour->window);
  gtk_stack_set_visible_child_name(tour->stack, name);
  gtk_label_set_text(tour->count, count);
  gtk_button_set_label(tour->next, words);
  lac_accessible_name(tour->next, words);
  gtk_widget_activate_action(GTK_WIDGET(parent), "win.show-page", "s", steps[tour->step].page);
}

static void
on_next(Tour *tour)
{
  if (tour->step + 1 == G_N_ELEMENTS(steps)) {
    gtk_widget_activate_action(GTK_WIDGET(gtk_window_get_transient_for(tour->window)),
                               "win.show-page", "s", "experiments");
    gtk_window_close(tour->window);
    return;
  }
  tour->step++;
  show_step(tour);
}

static GtkWidget *
make_step(guint i)
{
  GtkWidget *page = adw_status_page_new();
  adw_status_page_set_icon_name(ADW_STATUS_PAGE(page), steps[i].icon);
  adw_status_page_set_title(ADW_STATUS_PAGE(page), _(steps[i].title));
  adw_status_page_set_description(ADW_STATUS_PAGE(page), _(steps[i].words));
  gtk_widget_add_css_class(page, "compact");
  return page;
}

static GtkWidget *
make_footer(Tour *tour)
{
  GtkWidget *footer = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *skip = gtk_button_new_with_label(_("Skip"));
  tour->count = GTK_LABEL(gtk_label_new(""));
  tour->next = GTK_BUTTON(gtk_button_new());
  gtk_widget_add_css_class(GTK_WIDGET(tour->next), "suggested-action");
  gtk_widget_add_css_class(GTK_WIDGET(tour->count), "dim-label");
  gtk_widget_set_hexpand(GTK_WIDGET(tour->count), TRUE);
  g_signal_connect_swapped(skip, "clicked", G_CALLBACK(gtk_window_close), tour->window);
  g_signal_connect_swapped(tour->next, "clicked", G_CALLBACK(on_next), tour);
  gtk_box_append(GTK_BOX(footer), skip);
  gtk_box_append(GTK_BOX(footer), GTK_WIDGET(tour->count));
  gtk_box_append(GTK_BOX(footer), GTK_WIDGET(tour->next));
  gtk_widget_set_margin_top(footer, 6);
  gtk_widget_set_margin_bottom(footer, 18);
  gtk_widget_set_margin_start(footer, 18);
  gtk_widget_set_margin_end(footer, 18);
  return footer;
}

static GtkEventController *
make_escape(void)
{
  GtkEventController *keys = gtk_shortcut_controller_new();
  gtk_shortcut_controller_add_shortcut(GTK_SHORTCUT_CONTROLLER(keys),
                                       gtk_shortcut_new(gtk_keyval_trigger_new(GDK_KEY_Escape, 0),
                                                        gtk_named_action_new("window.close")));
  return keys;
}

void
lac_tour_present(GtkWindow *parent)
{
  Tour      *tour = g_new0(Tour, 1);
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  tour->window =
    g_object_new(ADW_TYPE_WINDOW, "transient-for", parent, "title", _("Tour"), "default-width", 480,
                 "default-height", 400, "destroy-with-parent", TRUE, NULL);
  tour->stack = GTK_STACK(gtk_stack_new());
  gtk_widget_set_vexpand(GTK_WIDGET(tour->stack), TRUE);
  for (guint i = 0; i < G_N_ELEMENTS(steps); i++) {
    g_autofree char *name = g_strdup_printf("%u", i);
    gtk_stack_add_named(tour->stack, make_step(i), name);
  }
  gtk_box_append(GTK_BOX(box), adw_header_bar_new());
  gtk_box_append(GTK_BOX(box), GTK_WIDGET(tour->stack));
  gtk_box_append(GTK_BOX(box), make_footer(tour));
  adw_window_set_content(ADW_WINDOW(tour->window), box);
  gtk_widget_add_controller(GTK_WIDGET(tour->window), make_escape());
  gtk_window_set_default_widget(tour->window, GTK_WIDGET(tour->next));
  g_object_set_data_full(G_OBJECT(tour->window), "tour", tour, g_free);
  lac_tour_put_away();
  show_step(tour);
  gtk_window_present(tour->window);
  gtk_widget_grab_focus(GTK_WIDGET(tour->next));
}
