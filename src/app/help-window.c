/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The text is that of the documentation; its pictures show what the window itself shows, and are left out here. */
#include "app/help-window.h"

#include "app/accessible.h"

#include <glib/gi18n-lib.h>

#include <string.h>

#define TEXT "/io/github/lacuna/Lacuna/help%s%s.md"

/* Which part tells of a page: parts stand in the same order in every language. */
static const struct {
  const char *page;
  guint       part;
} parts_of_pages[] = {
  {"experiments", 0}, {"setup", 1}, {"sweep", 1},   {"live", 2},
  {"timeline", 3},    {"runs", 4},  {"compare", 4},
};

/* ---- the text ---- */

/* Returns: (transfer full) (nullable): the text in the first of the person's languages that has one, else in English. */
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

char *
lac_help_dup_markup(const char *paragraph)
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
  g_autofree char *markup = lac_help_dup_markup(text);
  gtk_label_set_markup(GTK_LABEL(label), markup);
  gtk_label_set_wrap(GTK_LABEL(label), TRUE);
  gtk_label_set_xalign(GTK_LABEL(label), 0);
  gtk_label_set_selectable(GTK_LABEL(label), TRUE);
  return label;
}

/* A part begins with its heading; a paragraph ends at an empty line. */
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

/* ---- the window ---- */

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

/* Returns: (transfer full): the titles of the parts, which are put into @stack. */
static GStrv
fill(GtkStack *stack)
{
  g_autofree char *text = dup_text();
  g_auto(GStrv)    parts = g_strsplit(text, "\n## ", -1);
  GPtrArray       *titles = g_ptr_array_new();
  for (char **part = parts; *part != NULL; part++) {
    if (part == parts)
      continue; /* what stands before the first heading tells how the documents are arranged */
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
  lac_accessible_name_drop_down(GTK_DROP_DOWN(drop), _("Part of the help"));
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
