/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keyboard shortcuts, help and tour. The help text is that of the documentation, without pictures, which show this
 * window. */
#include "app/shell/help.h"

#include "app/shell/commands.h"
#include "app/toolkit/accessible.h"
#include "app/toolkit/preferences.h"

#include <glib/gi18n-lib.h>

#include <string.h>

/* ---- keyboard shortcuts ---- */

/* Keys of widgets, active only while they have the focus. */
static const struct {
  const char *keys, *title, *group;
} of_views[] = {
  {"plus minus", N_("Zoom in and out"), N_("Fields and Timeline")},
  {"Left Right Up Down", N_("Move"), N_("Fields and Timeline")},
  {"w a s d", N_("Timeline: zoom in, left, zoom out, right"), N_("Fields and Timeline")},
  {"0", N_("Zoom to fit"), N_("Fields and Timeline")},
  {"bracketleft bracketright", N_("Swipe: move the handle left or right"),
   N_("Fields and Timeline")},
  {"p <Shift>Left <Shift>Up", N_("Next profile line; move it"), N_("Fields and Timeline")},
  {"space comma period", N_("Play the stored frames; previous, next frame"),
   N_("Fields and Timeline")},
  {"Home End l", N_("First, last frame; follow the newest"), N_("Fields and Timeline")},
  {"<Control>Left <Control>Up Escape", N_("Move the probe by a cell, with Shift by ten; hide it"),
   N_("Fields and Timeline")},
  {"b n", N_("Flicker: switch fields; single field: next field"), N_("Fields and Timeline")},
  {"comma period", N_("Previous span, next span"), N_("Timeline")},
  {"n p", N_("Next, previous outlier or iteration over the target"), N_("Timeline")},
  {"r", N_("Set the range to the selected span or the view"), N_("Timeline")},
  {"f", N_("Zoom to the range or the selected span"), N_("Timeline")},
  {"m", N_("Mark a time"), N_("Timeline")},
  {"<Shift>m", N_("Mark a time with a note"), N_("Timeline")},
  {"Page_Up Page_Down", N_("Scroll the lanes up, down"), N_("Timeline")},
  {"Return", N_("Fields of the selected step"), N_("Timeline")},
  {"Escape", N_("Clear the selection, then the range"), N_("Timeline")},
  {"Left Right Up Down", N_("Move"), N_("Bars and Flame Graph")},
  {"Return", N_("Choose"), N_("Bars and Flame Graph")},
  {"Escape", N_("Clear the selection, then the range"), N_("Bars and Flame Graph")},
  {"space", N_("Hide or show the curves of the method"), N_("Table of Methods")},
  {"Return", N_("Open"), N_("Lists of Runs")},
  {"Delete", N_("Delete; can be undone"), N_("Lists of Runs")},
  {"Left Right", N_("Collapse, expand a group"), N_("Lists of Runs")},
  {"<Shift>Down <Control>space", N_("Select several; in the sidebar, compare them"),
   N_("Lists of Runs")},
  {"Insert", N_("Add a sensor in the centre"), N_("Manual Sensor Positions")},
  {"Page_Down Page_Up", N_("Select the next, previous sensor"), N_("Manual Sensor Positions")},
  {"Left Right Up Down", N_("Move by a cell, with Shift by ten"), N_("Manual Sensor Positions")},
  {"Delete", N_("Remove"), N_("Manual Sensor Positions")},
  {"<Control>z <Control><Shift>z", N_("Undo and redo"), N_("Manual Sensor Positions")},
};

/* @keys: alternatives, separated by spaces. */
static GtkWidget *
make_shortcut(const char *title, const char *keys)
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

/* Adds a shortcut. Rows of one group must be consecutive. */
static void
add_shortcut(AdwPreferencesPage   *page,
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
  adw_preferences_group_add(*group, make_shortcut(title, keys));
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
      add_shortcut(page, &group, _(commands[i].group), _(commands[i].title), commands[i].accels);
  for (gsize i = 0; i < G_N_ELEMENTS(of_views); i++)
    add_shortcut(page, &group, _(of_views[i].group), _(of_views[i].title), of_views[i].keys);
  adw_preferences_window_add(ADW_PREFERENCES_WINDOW(window), page);
  return window;
}

/* ---- the help: its text ---- */

#define TEXT "/io/github/lacuna/Lacuna/help%s%s.md"

/* Help section of each page: sections have the same order in every language. */
static const struct {
  const char *page;
  guint       part;
} parts_of_pages[] = {
  {"experiments", 1}, {"setup", 2},       {"live", 3},    {"timeline", 4},     {"report", 5},
  {"runs", 6},        {"differences", 7}, {"compare", 7}, {"compare-time", 7}, {"benchmarks", 8},
};

/* Returns: (transfer full) (nullable): the text in the first available language of the user, else in English. */
static GBytes *
find_text(void)
{
  g_autofree char *english = g_strdup_printf(TEXT, "", "");
  for (const char *const *name = g_get_language_names(); *name != NULL; name++) {
    g_autofree char *path = g_strdup_printf(TEXT, ".", *name);
    GBytes          *bytes = g_resources_lookup_data(path, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
    if (bytes != NULL)
      return bytes;
  }
  return g_resources_lookup_data(english, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
}

static char *
dup_text(void)
{
  g_autoptr(GBytes) bytes = find_text();
  gsize             size = 0;
  const char       *text = bytes != NULL ? g_bytes_get_data(bytes, &size) : NULL;
  return g_strndup(text != NULL ? text : "", size);
}

/* Converts a Markdown paragraph with *emphasis*, `code` and [links](…) to Pango markup. Returns: (transfer full) */
static char *
dup_markup(const char *paragraph)
{
  static const struct {
    const char *pattern, *markup;
  } rules[] = {
    {"\\[([^\\]]*)\\]\\([^)]*\\)", "\\1"},
    {"`([^`]*)`", "<tt>\\1</tt>"},
    {"(?<![\\w*])\\*([^*]+)\\*(?![\\w*])", "<i>\\1</i>"},
  };
  char *text = g_markup_escape_text(paragraph, -1);
  for (gsize i = 0; i < G_N_ELEMENTS(rules); i++) {
    g_autoptr(GRegex) regex = g_regex_new(rules[i].pattern, 0, 0, NULL);
    char             *next = g_regex_replace(regex, text, -1, 0, rules[i].markup, 0, NULL);
    g_free(text);
    text = next;
  }
  return g_strdelimit(text, "\n", ' ');
}

static GtkWidget *
make_paragraph(const char *text)
{
  GtkWidget       *label = gtk_label_new(NULL);
  g_autofree char *markup = dup_markup(text);
  gtk_label_set_markup(GTK_LABEL(label), markup);
  gtk_label_set_wrap(GTK_LABEL(label), TRUE);
  gtk_label_set_xalign(GTK_LABEL(label), 0);
  gtk_label_set_selectable(GTK_LABEL(label), TRUE);
  return label;
}

/* Creates a section: the first line is its heading, empty lines separate paragraphs. */
static GtkWidget *
make_part(const char *part)
{
  GtkWidget    *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 12);
  GtkWidget    *scrolled = gtk_scrolled_window_new();
  g_auto(GStrv) paragraphs = g_strsplit(part, "\n\n", -1);
  for (char **paragraph = paragraphs + 1; paragraphs[0] != NULL && *paragraph != NULL; paragraph++)
    if (*g_strstrip(*paragraph) != '\0' && !g_str_has_prefix(*paragraph, "!["))
      gtk_box_append(GTK_BOX(box), make_paragraph(*paragraph));
  gtk_widget_set_margin_top(box, 18);
  gtk_widget_set_margin_bottom(box, 24);
  gtk_widget_set_margin_start(box, 24);
  gtk_widget_set_margin_end(box, 24);
  gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scrolled), GTK_POLICY_NEVER,
                                 GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), box);
  return scrolled;
}

static char *
dup_title(const char *part)
{
  return g_strndup(part, strcspn(part, "\n"));
}

/* ---- the help: its window ---- */

static void
on_part(GtkDropDown *drop, GParamSpec *pspec, GtkStack *stack)
{
  GtkStringObject *part = gtk_drop_down_get_selected_item(drop);
  if (part != NULL)
    gtk_stack_set_visible_child_name(stack, gtk_string_object_get_string(part));
}

static guint
find_part(const char *page)
{
  for (gsize i = 0; i < G_N_ELEMENTS(parts_of_pages); i++)
    if (g_str_equal(parts_of_pages[i].page, page))
      return parts_of_pages[i].part;
  return 0;
}

/* Adds the sections to @stack. Returns: (transfer full): their titles. */
static GStrv
fill(GtkStack *stack)
{
  g_autofree char *text = dup_text();
  g_auto(GStrv)    parts = g_strsplit(text, "\n## ", -1);
  GPtrArray       *titles = g_ptr_array_new();
  for (char **part = parts; *part != NULL; part++) {
    if (part == parts)
      continue; /* skips the text before the first heading, an overview of the documents */
    char *title = dup_title(*part);
    gtk_stack_add_named(stack, make_part(*part), title);
    g_ptr_array_add(titles, title);
  }
  g_ptr_array_add(titles, NULL);
  return (GStrv) g_ptr_array_free(titles, FALSE);
}

void
lac_help_window_present(GtkWindow *parent, const char *page)
{
  g_return_if_fail(GTK_IS_WINDOW(parent) && page != NULL);
  GtkWidget          *window = adw_window_new();
  GtkWidget          *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget          *bar = adw_header_bar_new();
  GtkWidget          *stack = gtk_stack_new();
  g_auto(GStrv)       titles = fill(GTK_STACK(stack));
  GtkWidget          *drop = gtk_drop_down_new_from_strings((const char *const *) titles);
  GtkShortcut        *escape = gtk_shortcut_new(gtk_keyval_trigger_new(GDK_KEY_Escape, 0),
                                                gtk_named_action_new("window.close"));
  GtkEventController *keys = gtk_shortcut_controller_new();
  gtk_shortcut_controller_add_shortcut(GTK_SHORTCUT_CONTROLLER(keys), escape);
  gtk_widget_add_controller(window, keys);
  lac_accessible_name_drop_down(GTK_DROP_DOWN(drop), _("Help section"));
  g_signal_connect(drop, "notify::selected", G_CALLBACK(on_part), stack);
  gtk_drop_down_set_selected(GTK_DROP_DOWN(drop), find_part(page));
  on_part(GTK_DROP_DOWN(drop), NULL, GTK_STACK(stack));
  adw_header_bar_set_title_widget(ADW_HEADER_BAR(bar), drop);
  gtk_widget_set_vexpand(stack, TRUE);
  gtk_box_append(GTK_BOX(box), bar);
  gtk_box_append(GTK_BOX(box), stack);
  adw_window_set_content(ADW_WINDOW(window), box);
  gtk_window_set_title(GTK_WINDOW(window), _("Help"));
  gtk_window_set_default_size(GTK_WINDOW(window), 560, 340);
  gtk_window_set_transient_for(GTK_WINDOW(window), parent);
  gtk_window_present(GTK_WINDOW(window));
}

/* ---- the tour ---- */

static const struct {
  const char *icon, *title, *words, *page;
} steps[] = {
  {"view-grid-symbolic", N_("Choose"),
   N_("Experiments from three laboratories, ready to start. Set Up shows the methods, all "
      "parameters and the estimated cost. Drop a file on the window to use your own data."),
   "experiments"},
  {"lac-field-symbolic", N_("Compute"),
   N_("Fields shows truth, reconstructions and errors as the run converges, with a table of the "
      "methods. Time shows where the compute time goes. The bar at the bottom pauses or stops "
      "the run; it can be resumed."),
   "live"},
  {"view-dual-symbolic", N_("Compare and Publish"),
   N_("The sidebar lists every run. Choose one to show it, two to compare them. Report composes "
      "a document; the export menu also writes figures, films and data."),
   "runs"},
};

typedef struct {
  GtkWindow *window;
  GtkStack  *stack;
  GtkLabel  *count;
  GtkButton *next;
  guint      step;
} Tour;

/* Shows the step's text above the page that it describes. */
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
  lac_preferences_end_tour_offer();
  show_step(tour);
  gtk_window_present(tour->window);
  gtk_widget_grab_focus(GTK_WIDGET(tour->next));
}
