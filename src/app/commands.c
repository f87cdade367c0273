/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of commands. */
#include "app/commands.h"

#include <glib/gi18n-lib.h>

static const LacCommand commands[] = {
  {"win.show-page('experiments')", "<Control>1", N_("Experiments"), N_("Pages")},
  {"win.show-page('setup')", "<Control>2", N_("Set-up"), N_("Pages")},
  {"win.show-page('live')", "<Control>3", N_("Live"), N_("Pages")},
  {"win.show-page('timeline')", "<Control>4", N_("Timeline"), N_("Pages")},
  {"win.show-page('sweep')", "<Control>5", N_("Sweep"), N_("Pages")},
  {"win.find", "<Control>f", N_("Search experiments, or the spans of the timeline"), N_("Pages")},
  {"win.place-sensors", "<Control>k", N_("Place sensors by hand"), N_("Run")},
  {"win.launch", "<Control>Return", N_("Launch what is set up"), N_("Run")},
  {"win.pause", "<Control>p", N_("Pause or resume"), N_("Run")},
  {"win.step", "<Control>period", N_("One step"), N_("Run")},
  {"win.checkpoint", "<Control>s", N_("Checkpoint"), N_("Run")},
  {"win.stop", "<Control>Escape", N_("Stop after a checkpoint"), N_("Run")},
  {"win.view('fields')", "<Control>l", N_("Fields on one scale"), N_("View")},
  {"win.view('errors')", "<Control>b", N_("Errors of the reconstructions"), N_("View")},
  {"win.view('deviation')", "<Control>u", N_("Uncertainty of the reconstructions"), N_("View")},
  {"win.smooth", "<Control>m", N_("Interpolate between cells"), N_("View")},
  {"win.zoom-in", "<Control>plus <Control>equal", N_("Closer"), N_("View")},
  {"win.zoom-out", "<Control>minus", N_("Further"), N_("View")},
  {"win.zoom-fit", "<Control>0", N_("Show everything"), N_("View")},
  {"win.open", "<Control>o", N_("Open a run"), N_("Files")},
  {"win.open-data", "<Control><Shift>o", N_("Open data or a trace"), N_("Files")},
  {"win.export-figure", "<Control>e", N_("Export a figure"), N_("Files")},
  {"win.export-report", "<Control>r", N_("Export a report"), N_("Files")},
  {"win.export-data", "<Control>d", N_("Export the data"), N_("Files")},
  {"win.export-film", "<Control><Shift>e", N_("Export a film"), N_("Files")},
  {"win.export-trace", "<Control>t", N_("Export the trace"), N_("Files")},
  {"win.show-shortcuts", "<Control>question", N_("Keyboard shortcuts"), N_("Window")},
  {"win.close", "<Control>w", N_("Close the window"), N_("Window")},
  {"app.quit", "<Control>q", N_("Quit"), N_("Window")},
};

const LacCommand *
lac_commands(gsize *n)
{
  *n = G_N_ELEMENTS(commands);
  return commands;
}

void
lac_commands_install(GtkApplication *application)
{
  for (gsize i = 0; i < G_N_ELEMENTS(commands); i++) {
    g_auto(GStrv) accels = g_strsplit(commands[i].accels, " ", -1);
    gtk_application_set_accels_for_action(application, commands[i].action,
                                          (const char *const *) accels);
  }
}

static void
add_shortcut(GString *xml, const char *title, const char *accels)
{
  g_autofree char *shown = g_markup_escape_text(title, -1);
  g_autofree char *keys = g_markup_escape_text(accels, -1);
  g_string_append_printf(xml,
                         "<child><object class='GtkShortcutsShortcut'>"
                         "<property name='title'>%s</property>"
                         "<property name='accelerator'>%s</property></object></child>",
                         shown, keys);
}

static void
open_group(GString *xml, const char *title)
{
  g_autofree char *shown = g_markup_escape_text(title, -1);
  g_string_append_printf(
    xml, "<child><object class='GtkShortcutsGroup'><property name='title'>%s</property>", shown);
}

/* The keys of views, which are theirs only while they have the focus. */
static void
add_view_keys(GString *xml)
{
  open_group(xml, _("In the fields and the timeline"));
  add_shortcut(xml, _("Closer and further"), "plus minus");
  add_shortcut(xml, _("Move"), "Left Right Up Down");
  add_shortcut(xml, _("Timeline: closer, left, further, right"), "w a s d");
  add_shortcut(xml, _("Show everything"), "0");
  g_string_append(xml, "</object></child>");
  open_group(xml, _("In the timeline"));
  add_shortcut(xml, _("Span before, span after"), "comma period");
  add_shortcut(xml, _("Outlier after, outlier before"), "n p");
  add_shortcut(xml, _("Range: the selected span, or what is in view"), "r");
  add_shortcut(xml, _("The range, or the selected span, fills the view"), "f");
  add_shortcut(xml, _("Mark a time"), "m");
  add_shortcut(xml, _("Fields of the selected step"), "Return");
  add_shortcut(xml, _("Clear the range, then the selection"), "Escape");
  g_string_append(xml, "</object></child>");
  open_group(xml, _("Sensors by hand"));
  add_shortcut(xml, _("Add one in the middle"), "Insert");
  add_shortcut(xml, _("Choose the next one, the one before"), "Page_Down Page_Up");
  add_shortcut(xml, _("Move, with Shift ten cells"), "Left Right Up Down");
  add_shortcut(xml, _("Remove"), "Delete");
  add_shortcut(xml, _("Undo and redo"), "<Control>z <Control><Shift>z");
  g_string_append(xml, "</object></child>");
}

/* GTK 4.8 can only build this window from a description, so the description is written from the table. */
GtkWidget *
lac_commands_make_shortcuts(void)
{
  GString    *xml = g_string_new("<interface><object class='GtkShortcutsWindow' id='window'>"
                                    "<property name='modal'>1</property>"
                                    "<child><object class='GtkShortcutsSection'>"
                                    "<property name='section-name'>all</property>");
  const char *group = NULL;
  for (gsize i = 0; i < G_N_ELEMENTS(commands); i++) {
    if (g_strcmp0(group, commands[i].group) != 0) {
      if (group != NULL)
        g_string_append(xml, "</object></child>");
      group = commands[i].group;
      open_group(xml, _(group));
    }
    add_shortcut(xml, _(commands[i].title), commands[i].accels);
  }
  g_string_append(xml, "</object></child>");
  add_view_keys(xml);
  g_string_append(xml, "</object></child></object></interface>");
  g_autoptr(GtkBuilder) builder = gtk_builder_new_from_string(xml->str, -1);
  g_string_free(xml, TRUE);
  return g_object_ref(GTK_WIDGET(gtk_builder_get_object(builder, "window")));
}
