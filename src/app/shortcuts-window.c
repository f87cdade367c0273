/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One row a key, in groups. GtkShortcutsWindow neither scrolls nor wraps its words, and its pages are larger than 1024 by 600. */
#include "app/shortcuts-window.h"

#include "app/commands.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

/* The keys of views, which are theirs only while they have the focus. */
static const struct {
  const char *keys, *title, *group;
} of_views[] = {
  {"plus minus", N_("Closer and further"), N_("In the fields and the timeline")},
  {"Left Right Up Down", N_("Move"), N_("In the fields and the timeline")},
  {"w a s d", N_("Timeline: closer, left, further, right"), N_("In the fields and the timeline")},
  {"0", N_("Show everything"), N_("In the fields and the timeline")},
  {"bracketleft bracketright", N_("Swipe: the handle to the left, to the right"),
   N_("In the fields and the timeline")},
  {"l <Shift>Left <Shift>Up", N_("The next line to read along; move it"),
   N_("In the fields and the timeline")},
  {"<Control>Left <Control>Up Escape", N_("Read the next cell, with Shift the tenth; no longer"),
   N_("In the fields and the timeline")},
  {"b n", N_("Flicker: the other field; one large: the next"),
   N_("In the fields and the timeline")},
  {"comma period", N_("Span before, span after"), N_("In the timeline")},
  {"n p", N_("Outlier, or iteration over the target: after, before"), N_("In the timeline")},
  {"r", N_("Range: the selected span, or what is in view"), N_("In the timeline")},
  {"f", N_("The range, or the selected span, fills the view"), N_("In the timeline")},
  {"m", N_("Mark a time"), N_("In the timeline")},
  {"<Shift>m", N_("Mark a time in words"), N_("In the timeline")},
  {"Page_Up Page_Down", N_("Tracks below: up, down"), N_("In the timeline")},
  {"Return", N_("Fields of the selected step"), N_("In the timeline")},
  {"Escape", N_("Clear the range, then the selection"), N_("In the timeline")},
  {"Return", N_("Open"), N_("In the list of runs")},
  {"Delete", N_("Delete; can be undone"), N_("In the list of runs")},
  {"Left Right", N_("Fold and unfold a group"), N_("In the list of runs")},
  {"<Shift>Down <Control>space", N_("Choose several"), N_("In the list of runs")},
  {"Insert", N_("Add one in the middle"), N_("Sensors by hand")},
  {"Page_Down Page_Up", N_("Choose the next one, the one before"), N_("Sensors by hand")},
  {"Left Right Up Down", N_("Move, with Shift ten cells"), N_("Sensors by hand")},
  {"Delete", N_("Remove"), N_("Sensors by hand")},
  {"<Control>z <Control><Shift>z", N_("Undo and redo"), N_("Sensors by hand")},
};

/* @keys are separated by spaces: each of them does it. */
static GtkWidget *
make_row(const char *title, const char *keys)
{
  GtkWidget    *row = adw_action_row_new();
  GtkWidget    *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12);
  g_auto(GStrv) each = g_strsplit(keys, " ", -1);
  for (char **key = each; *key != NULL; key++)
    gtk_box_append(GTK_BOX(box), gtk_shortcut_label_new(*key));
  gtk_widget_set_valign(box, GTK_ALIGN_CENTER);
  adw_preferences_row_set_use_underline(ADW_PREFERENCES_ROW(row), FALSE);
  adw_preferences_row_set_title(ADW_PREFERENCES_ROW(row), title);
  adw_action_row_set_title_lines(ADW_ACTION_ROW(row), 2);
  adw_action_row_add_suffix(ADW_ACTION_ROW(row), box);
  return row;
}

/* Rows of one group follow each other. */
static void
add_row(AdwPreferencesPage   *page,
        AdwPreferencesGroup **group,
        const char           *group_title,
        const char           *title,
        const char           *keys)
{
  if (*group == NULL || !g_str_equal(adw_preferences_group_get_title(*group), group_title)) {
    *group = ADW_PREFERENCES_GROUP(adw_preferences_group_new());
    adw_preferences_group_set_title(*group, group_title);
    adw_preferences_page_add(page, *group);
  }
  adw_preferences_group_add(*group, make_row(title, keys));
}

GtkWidget *
lac_shortcuts_window_new(void)
{
  GtkWidget *window = g_object_new(ADW_TYPE_PREFERENCES_WINDOW, "title", _("Keyboard shortcuts"),
                                   "default-width", 640, "default-height", 560, NULL);
  AdwPreferencesPage  *page = ADW_PREFERENCES_PAGE(adw_preferences_page_new());
  AdwPreferencesGroup *group = NULL;
  gsize                n;
  const LacCommand    *commands = lac_commands(&n);
  for (gsize i = 0; i < n; i++)
    if (*commands[i].accels != '\0')
      add_row(page, &group, _(commands[i].group), _(commands[i].title), commands[i].accels);
  for (gsize i = 0; i < G_N_ELEMENTS(of_views); i++)
    add_row(page, &group, _(of_views[i].group), _(of_views[i].title), of_views[i].keys);
  adw_preferences_window_add(ADW_PREFERENCES_WINDOW(window), page);
  return window;
}
