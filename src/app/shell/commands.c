/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of commands, and the palette: a search entry above a list. The focus stays in the entry: arrow keys
 * select, Enter runs, Escape closes. */
#include "app/shell/commands.h"

#include "app/toolkit/accessible.h"

#include <glib/gi18n-lib.h>

/* ---- the table ---- */

static const LacCommand commands[] = {
  {"win.show-page('experiments')", "<Control>1", N_("Experiments"), N_("Pages")},
  {"win.show-page('setup')", "<Control>2", N_("Set-up"), N_("Pages")},
  {"win.show-page('live')", "<Control>3", N_("Fields"), N_("Pages")},
  {"win.show-page('timeline')", "<Control>4", N_("Time"), N_("Pages")},
  {"win.show-page('benchmarks')", "<Control>7", N_("Benchmarks"), N_("Pages")},
  {"win.show-folder(('none', ''))", "<Control>6", N_("All runs"), N_("Pages")},
  {"win.show-queue", "<Control>8", N_("Queue"), N_("Pages")},
  {"win.show-active", "", N_("The run in progress"), N_("Pages")},
  {"win.show-draft", "", N_("The set-up of a new run"), N_("Pages")},
  {"win.show-page('report')", "<Control>5", N_("Report"), N_("Pages")},
  {"win.pane-after", "F6", N_("To the next pane"), N_("Pages")},
  {"win.pane-before", "<Shift>F6", N_("To the previous pane"), N_("Pages")},
  {"win.show-details", "F8", N_("Show or hide the details"), N_("Pages")},
  {"win.show-sidebar", "F9", N_("Show or hide the sidebar"), N_("Pages")},
  {"win.find", "<Control>f", N_("Search experiments, runs or timeline spans"), N_("Pages")},
  {"win.place-sensors", "<Control>k", N_("Place sensors by hand"), N_("Run")},
  {"win.build-sweep", "<Control><Shift>w", N_("Build a parameter sweep"), N_("Run")},
  {"win.show-parameters", "", N_("Back to the parameters"), N_("Run")},
  {"win.copy-command", "", N_("Copy the set-up as a command"), N_("Run")},
  {"win.reset-parameters", "", N_("Reset all parameters"), N_("Run")},
  {"win.show-presets", "<Control><Shift>k", N_("Set-up presets"), N_("Run")},
  {"win.import-plan", "", N_("Import a set-up from YAML"), N_("Run")},
  {"win.export-plan", "", N_("Export the set-up as YAML"), N_("Run")},
  {"win.retry", "", N_("Retry the failed run with the suggested change"), N_("Run")},
  {"win.start-default", "", N_("Start the default experiment"), N_("Run")},
  {"win.launch", "<Control>Return", N_("Start the run"), N_("Run")},
  {"win.queue-add", "<Control><Shift>q", N_("Add the run to the queue"), N_("Run")},
  {"win.queue-start", "", N_("Start the queue"), N_("Run")},
  {"win.queue-hold", "", N_("Hold the queue"), N_("Run")},
  {"win.pause", "<Control>p", N_("Pause or resume"), N_("Run")},
  {"win.step", "<Control>period", N_("Compute one step"), N_("Run")},
  {"win.checkpoint", "<Control>s", N_("Checkpoint"), N_("Run")},
  {"win.stop", "<Control>Escape", N_("Save a checkpoint and stop"), N_("Run")},
  {"win.view('fields')", "<Control>l", N_("Fields on one scale"), N_("View")},
  {"win.view('errors')", "<Control>b", N_("Errors of the reconstructions"), N_("View")},
  {"win.view('deviation')", "<Control>u", N_("Uncertainty of the reconstructions"), N_("View")},
  {"win.view('swipe')", "", N_("Swipe between truth and reconstruction"), N_("View")},
  {"win.view('fade')", "", N_("Fade between truth and reconstruction"), N_("View")},
  {"win.view('flicker')", "", N_("Flicker between truth and reconstruction"), N_("View")},
  {"win.view('difference')", "", N_("Difference between truth and reconstruction"), N_("View")},
  {"win.view('large')", "", N_("Show a single field"), N_("View")},
  {"win.play-frames", "", N_("Play or stop the stored frames"), N_("View")},
  {"win.smooth", "<Control>m", N_("Interpolate between cells"), N_("View")},
  {"win.isolines", "", N_("Isolines"), N_("View")},
  {"win.arrows", "", N_("Velocity arrows"), N_("View")},
  {"win.streamlines", "", N_("Streamlines"), N_("View")},
  {"win.flow-texture", "", N_("Flow texture"), N_("View")},
  {"win.axes", "", N_("Axes with units"), N_("View")},
  {"win.line", "", N_("Next profile line"), N_("View")},
  {"win.errors-as('signed')", "", N_("Errors: signed"), N_("View")},
  {"win.errors-as('absolute')", "", N_("Errors: absolute"), N_("View")},
  {"win.errors-as('relative')", "", N_("Errors: absolute, in % of the largest true value"),
   N_("View")},
  {"win.errors-as('log')", "", N_("Errors: logarithm of the absolute value"), N_("View")},
  {"win.limits('auto')", "", N_("Scale: automatic"), N_("View")},
  {"win.limits('all')", "", N_("Scale: fixed to the range shown"), N_("View")},
  {"win.limits('percentile')", "", N_("Scale: fixed to the 1st to 99th percentile"), N_("View")},
  {"win.transfer('linear')", "", N_("Scale: linear"), N_("View")},
  {"win.transfer('log')", "", N_("Scale: logarithmic"), N_("View")},
  {"win.transfer('symlog')", "", N_("Scale: symmetric logarithmic"), N_("View")},
  {"win.transfer('asinh')", "", N_("Scale: asinh"), N_("View")},
  {"win.transfer('root')", "", N_("Scale: square root"), N_("View")},
  {"win.see-as('all')", "", N_("Colours as seen with normal vision"), N_("View")},
  {"win.see-as('deuteranopia')", "", N_("Colours as seen with deuteranopia (no green cones)"),
   N_("View")},
  {"win.see-as('protanopia')", "", N_("Colours as seen with protanopia (no red cones)"),
   N_("View")},
  {"win.see-as('tritanopia')", "", N_("Colours as seen with tritanopia (no blue cones)"),
   N_("View")},
  {"win.see-as('grey')", "", N_("Colours as printed in greyscale"), N_("View")},
  {"win.zoom-in", "<Control>plus <Control>equal", N_("Zoom in"), N_("View")},
  {"win.zoom-out", "<Control>minus", N_("Zoom out"), N_("View")},
  {"win.zoom-fit", "<Control>0", N_("Zoom to fit"), N_("View")},
  {"win.open", "<Control>o", N_("Open a run"), N_("Files")},
  {"win.open-data", "<Control><Shift>o", N_("Open data or a trace"), N_("Files")},
  {"win.clear-recent", "", N_("Clear recent files"), N_("Files")},
  {"win.close-trace", "", N_("Close the imported trace"), N_("Files")},
  {"win.export-figure", "<Control>e", N_("Export a figure"), N_("Files")},
  {"win.export-report", "<Control>r", N_("Compose a report"), N_("Files")},
  {"win.report-save", "", N_("Export the report as it is composed"), N_("Files")},
  {"win.export-data", "<Control>d", N_("Export the data"), N_("Files")},
  {"win.export-film", "<Control><Shift>e", N_("Export a film"), N_("Files")},
  {"win.export-cancel", "", N_("Cancel the film that is being written"), N_("Files")},
  {"win.export-measurements", "", N_("Export the measurements, for another run"), N_("Files")},
  {"win.export-trace", "<Control>t", N_("Export the trace"), N_("Files")},
  {"win.export-cutout", "", N_("Export all saved steps as a JHTDB cut-out"), N_("Files")},
  {"win.export-times", "", N_("Export the last estimates at all their times"), N_("Files")},
  {"win.runs-open", "<Control><Shift>Return", N_("Open the selected run"), N_("Runs")},
  {"win.runs-resume", "", N_("Resume the selected run"), N_("Runs")},
  {"win.runs-again", "<Control><Shift>r", N_("Repeat the selected run exactly"), N_("Runs")},
  {"win.runs-duplicate", "<Control><Shift>c", N_("Set up a copy of the selected run"), N_("Runs")},
  {"win.runs-compare", "<Control><Shift>b", N_("Compare the selected runs"), N_("Runs")},
  {"win.compare-swap", "", N_("Comparison: swap the runs"), N_("Runs")},
  {"win.compare-link('step')", "", N_("Comparison: frames of the same step"), N_("Runs")},
  {"win.compare-link('time')", "", N_("Comparison: frames of the same compute time"), N_("Runs")},
  {"win.compare-axis('step')", "", N_("Comparison: curves over steps"), N_("Runs")},
  {"win.compare-axis('seconds')", "", N_("Comparison: curves over seconds"), N_("Runs")},
  {"win.compare-tab('curves')", "", N_("Comparison: curves of a metric"), N_("Runs")},
  {"win.compare-tab('time')", "", N_("Comparison: time by phase"), N_("Runs")},
  {"win.compare-tab('durations')", "", N_("Comparison: durations of an operation"), N_("Runs")},
  {"win.compare-tab('profile')", "", N_("Comparison: profiles along a line"), N_("Runs")},
  {"win.compare-next-metric", "", N_("Comparison: the next metric"), N_("Runs")},
  {"win.compare-next-operation", "", N_("Comparison: the next operation"), N_("Runs")},
  {"win.compare-figure", "", N_("Comparison: export a figure"), N_("Runs")},
  {"win.compare-export", "", N_("Comparison: export a report"), N_("Runs")},
  {"win.folder-add", "", N_("Sweep: add values"), N_("Runs")},
  {"win.folder-figure", "", N_("Sweep: save the chart"), N_("Runs")},
  {"win.folder-export", "", N_("Sweep: export a report"), N_("Runs")},
  {"win.runs-pin", "", N_("Set or unset the selected run as baseline"), N_("Runs")},
  {"win.runs-delete", "", N_("Delete the selected runs"), N_("Runs")},
  {"win.runs-undo-delete", "", N_("Undo the deletion"), N_("Runs")},
  {"win.runs-group('none')", "", N_("Runs: no grouping"), N_("Runs")},
  {"win.runs-group('experiment')", "", N_("Runs: group by experiment"), N_("Runs")},
  {"win.runs-group('laboratory')", "", N_("Runs: group by laboratory"), N_("Runs")},
  {"win.runs-group('outcome')", "", N_("Runs: group by outcome"), N_("Runs")},
  {"win.runs-group('tag')", "", N_("Runs: group by tag"), N_("Runs")},
  {"win.runs-group('day')", "", N_("Runs: group by day"), N_("Runs")},
  {"win.runs-unfold", "", N_("Runs: expand all groups"), N_("Runs")},
  {"win.runs-fold", "", N_("Runs: collapse all groups"), N_("Runs")},
  {"win.runs-show-folder", "", N_("Show the runs folder"), N_("Runs")},
  {"win.runs-choose-folder", "", N_("Choose the runs folder"), N_("Runs")},
  {"win.bench-run", "", N_("Start the benchmark"), N_("Benchmarks")},
  {"win.bench-stop", "", N_("Stop the benchmark"), N_("Benchmarks")},
  {"win.bench-pin", "", N_("Pin the result shown as the baseline"), N_("Benchmarks")},
  {"win.bench-export", "", N_("Benchmarks: export a report"), N_("Benchmarks")},
  {"win.bench-tab('tiers')", "", N_("Benchmarks: tiers"), N_("Benchmarks")},
  {"win.bench-tab('ablation')", "", N_("Benchmarks: gain of each optimisation"), N_("Benchmarks")},
  {"win.bench-tab('gate')", "", N_("Benchmarks: all rows of the gate"), N_("Benchmarks")},
  {"win.bench-small", "", N_("Benchmarks: measure the small tier"), N_("Benchmarks")},
  {"win.bench-medium", "", N_("Benchmarks: measure the medium tier"), N_("Benchmarks")},
  {"win.bench-large", "", N_("Benchmarks: measure the large tier"), N_("Benchmarks")},
  {"win.show-commands", "<Control><Shift>p", N_("Find a command"), N_("Window")},
  {"win.show-preferences", "<Control>comma", N_("Preferences"), N_("Window")},
  {"win.show-help", "F1", N_("Help for this page"), N_("Window")},
  {"win.show-shortcuts", "<Control>question", N_("Keyboard shortcuts"), N_("Window")},
  {"win.forget-stalls", "", N_("Reset the window's stall counter"), N_("Window")},
  {"win.show-tour", "", N_("Guided tour"), N_("Window")},
  {"win.record", "", N_("Start or stop a UI recording"), N_("Window")},
  {"win.replay", "", N_("Replay a UI recording"), N_("Window")},
  {"win.skip-tour", "", N_("Dismiss the tour offer"), N_("Window")},
  {"win.close", "<Control>w", N_("Close the window"), N_("Window")},
  {"win.show-machine", "", N_("About this machine"), N_("Window")},
  {"app.about", "", N_("About Lacuna"), N_("Window")},
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
    if (*commands[i].accels == '\0')
      continue;
    g_auto(GStrv) accels = g_strsplit(commands[i].accels, " ", -1);
    gtk_application_set_accels_for_action(application, commands[i].action,
                                          (const char *const *) accels);
  }
}

/* ---- the palette ---- */

#define COMMAND "lac-command"

struct _LacCommandPalette {
  AdwWindow       parent_instance;
  GtkSearchEntry *entry;
  GtkListBox     *list;
  GStrv           wanted; /* search words, case-folded */
};

G_DEFINE_FINAL_TYPE(LacCommandPalette, lac_command_palette, ADW_TYPE_WINDOW)

static const LacCommand *
command_of(GtkListBoxRow *row)
{
  return g_object_get_data(G_OBJECT(row), COMMAND);
}

static gboolean
is_wanted(GtkListBoxRow *row, gpointer palette)
{
  LacCommandPalette *self = palette;
  const LacCommand  *command = command_of(row);
  g_autofree char   *words = g_strconcat(_(command->title), " ", _(command->group), NULL);
  g_autofree char   *folded = g_utf8_casefold(words, -1);
  for (char **word = self->wanted; word != NULL && *word != NULL; word++)
    if (strstr(folded, *word) == NULL)
      return FALSE;
  return TRUE;
}

static gboolean
is_enabled(GtkWindow *window, const char *action)
{
  GApplication *application = G_APPLICATION(gtk_window_get_application(window));
  if (g_str_has_prefix(action, "app."))
    return application != NULL &&
           g_action_group_get_action_enabled(G_ACTION_GROUP(application), action + 4);
  return g_action_group_get_action_enabled(G_ACTION_GROUP(window), action + strlen("win."));
}

static GtkWidget *
make_label(const char *words, gboolean dim)
{
  GtkWidget *label = gtk_label_new(words);
  gtk_label_set_xalign(GTK_LABEL(label), 0);
  gtk_label_set_ellipsize(GTK_LABEL(label), PANGO_ELLIPSIZE_END);
  if (dim)
    gtk_widget_add_css_class(label, "dim-label");
  return label;
}

static GtkWidget *
make_row(const LacCommand *command, GtkWindow *window)
{
  GtkWidget          *row = gtk_list_box_row_new();
  GtkWidget          *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget          *title = make_label(_(command->title), FALSE);
  g_autofree char    *name = NULL;
  g_autoptr(GVariant) target = NULL;
  g_action_parse_detailed_name(command->action, &name, &target, NULL);
  gtk_widget_set_hexpand(title, TRUE);
  gtk_box_append(GTK_BOX(box), title);
  gtk_box_append(GTK_BOX(box), make_label(_(command->group), TRUE));
  if (*command->accels != '\0') {
    g_auto(GStrv) accels = g_strsplit(command->accels, " ", 2);
    gtk_box_append(GTK_BOX(box), gtk_shortcut_label_new(accels[0]));
  }
  gtk_widget_set_size_request(box, -1, 34);
  gtk_widget_set_margin_start(box, 6);
  gtk_widget_set_margin_end(box, 6);
  gtk_list_box_row_set_child(GTK_LIST_BOX_ROW(row), box);
  gtk_widget_set_sensitive(row, is_enabled(window, name));
  lac_accessible_name(row, _(command->title));
  g_object_set_data(G_OBJECT(row), COMMAND, (gpointer) command);
  return row;
}

static gboolean
can_run(GtkListBoxRow *row)
{
  return gtk_widget_get_child_visible(GTK_WIDGET(row)) && gtk_widget_get_sensitive(GTK_WIDGET(row));
}

/* Selects the next row from @index in direction @step that can run; keeps the selection if there is none. */
static void
choose(LacCommandPalette *self, int index, int step)
{
  GtkListBoxRow *row = gtk_list_box_get_row_at_index(self->list, index);
  while (row != NULL && !can_run(row)) {
    index += step;
    row = index < 0 ? NULL : gtk_list_box_get_row_at_index(self->list, index);
  }
  if (row == NULL)
    return;
  gtk_list_box_select_row(self->list, row);
  /* Scrolls by hand: a list scrolls to its focused row, but the focus stays in the entry. */
  GtkAdjustment  *scroll = gtk_list_box_get_adjustment(self->list);
  graphene_rect_t box;
  if (scroll != NULL && gtk_widget_compute_bounds(GTK_WIDGET(row), GTK_WIDGET(self->list), &box))
    gtk_adjustment_clamp_page(scroll, (double) box.origin.y,
                              (double) (box.origin.y + box.size.height));
}

static gboolean
on_key(GtkEventControllerKey *keys, guint key, guint code, GdkModifierType held, gpointer palette)
{
  LacCommandPalette *self = palette;
  GtkListBoxRow     *row = gtk_list_box_get_selected_row(self->list);
  int                step = key == GDK_KEY_Down ? 1 : key == GDK_KEY_Up ? -1 : 0;
  if (step == 0)
    return GDK_EVENT_PROPAGATE;
  int index = (row == NULL ? -1 : gtk_list_box_row_get_index(row)) + step;
  if (index >= 0)
    choose(self, index, step);
  return GDK_EVENT_STOP;
}

static void
on_row(GtkListBox *list, GtkListBoxRow *row, gpointer palette)
{
  g_autoptr(GtkWindow) window = g_object_ref(gtk_window_get_transient_for(GTK_WINDOW(palette)));
  g_autofree char     *name = NULL;
  g_autoptr(GVariant)  target = NULL;
  g_action_parse_detailed_name(command_of(row)->action, &name, &target, NULL);
  gtk_window_close(GTK_WINDOW(palette));
  gtk_widget_activate_action_variant(GTK_WIDGET(window), name, target);
}

static void
on_enter(GtkSearchEntry *entry, LacCommandPalette *self)
{
  GtkListBoxRow *row = gtk_list_box_get_selected_row(self->list);
  if (row != NULL && can_run(row))
    on_row(self->list, row, self);
}

static void
on_search(GtkSearchEntry *entry, LacCommandPalette *self)
{
  lac_command_palette_search(self, gtk_editable_get_text(GTK_EDITABLE(entry)));
}

void
lac_command_palette_search(LacCommandPalette *self, const char *words)
{
  g_return_if_fail(LAC_IS_COMMAND_PALETTE(self) && words != NULL);
  g_autofree char *folded = g_utf8_casefold(words, -1);
  g_strfreev(self->wanted);
  self->wanted = g_strsplit(g_strstrip(folded), " ", -1);
  gtk_list_box_invalidate_filter(self->list);
  gtk_list_box_unselect_all(self->list);
  choose(self, 0, 1);
}

GStrv
lac_command_palette_dup_shown(LacCommandPalette *self)
{
  g_return_val_if_fail(LAC_IS_COMMAND_PALETTE(self), NULL);
  g_autoptr(GStrvBuilder) shown = g_strv_builder_new();
  GtkListBoxRow          *row;
  for (int i = 0; (row = gtk_list_box_get_row_at_index(self->list, i)) != NULL; i++)
    if (is_wanted(row, self))
      g_strv_builder_add(shown, command_of(row)->action);
  return g_strv_builder_end(shown);
}

static void
lac_command_palette_finalize(GObject *object)
{
  g_strfreev(LAC_COMMAND_PALETTE(object)->wanted);
  G_OBJECT_CLASS(lac_command_palette_parent_class)->finalize(object);
}

static void
lac_command_palette_class_init(LacCommandPaletteClass *class)
{
  G_OBJECT_CLASS(class)->finalize = lac_command_palette_finalize;
}

static GtkWidget *
make_nothing(void)
{
  GtkWidget *label = make_label(_("No matching command"), TRUE);
  gtk_label_set_xalign(GTK_LABEL(label), 0.5F);
  gtk_widget_set_margin_top(label, 24);
  gtk_widget_set_margin_bottom(label, 24);
  return label;
}

static void
lac_command_palette_init(LacCommandPalette *self)
{
  GtkWidget          *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget          *scroller = gtk_scrolled_window_new();
  GtkEventController *keys = gtk_event_controller_key_new();
  self->entry = GTK_SEARCH_ENTRY(gtk_search_entry_new());
  self->list = GTK_LIST_BOX(gtk_list_box_new());
  gtk_list_box_set_placeholder(self->list, make_nothing());
  gtk_list_box_set_filter_func(self->list, is_wanted, self, NULL);
  gtk_list_box_set_selection_mode(self->list, GTK_SELECTION_BROWSE);
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scroller), GTK_WIDGET(self->list));
  gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scroller), GTK_POLICY_NEVER,
                                 GTK_POLICY_AUTOMATIC);
  gtk_widget_set_vexpand(scroller, TRUE);
  gtk_widget_set_margin_top(GTK_WIDGET(self->entry), 12);
  gtk_widget_set_margin_bottom(GTK_WIDGET(self->entry), 12);
  gtk_widget_set_margin_start(GTK_WIDGET(self->entry), 12);
  gtk_widget_set_margin_end(GTK_WIDGET(self->entry), 12);
  lac_accessible_name(self->entry, _("Search commands"));
  lac_accessible_name(self->list, _("Commands"));
  gtk_box_append(GTK_BOX(box), GTK_WIDGET(self->entry));
  gtk_box_append(GTK_BOX(box), gtk_separator_new(GTK_ORIENTATION_HORIZONTAL));
  gtk_box_append(GTK_BOX(box), scroller);
  adw_window_set_content(ADW_WINDOW(self), box);
  gtk_event_controller_set_propagation_phase(keys, GTK_PHASE_CAPTURE);
  gtk_widget_add_controller(GTK_WIDGET(self), keys);
  g_signal_connect(keys, "key-pressed", G_CALLBACK(on_key), self);
  g_signal_connect(self->entry, "changed", G_CALLBACK(on_search),
                   self); /* immediately, not "search-changed": Enter may follow */
  g_signal_connect(self->entry, "activate", G_CALLBACK(on_enter), self);
  g_signal_connect_swapped(self->entry, "stop-search", G_CALLBACK(gtk_window_close), self);
  g_signal_connect(self->list, "row-activated", G_CALLBACK(on_row), self);
}

GtkWidget *
lac_command_palette_new(GtkWindow *window)
{
  g_return_val_if_fail(GTK_IS_WINDOW(window), NULL);
  LacCommandPalette *self =
    g_object_new(LAC_TYPE_COMMAND_PALETTE, "transient-for", window, "modal", TRUE, "title",
                 _("Commands"), "default-width", 560, "default-height", 420, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS(commands); i++)
    gtk_list_box_append(self->list, make_row(&commands[i], window));
  choose(self, 0, 1);
  gtk_widget_grab_focus(GTK_WIDGET(self->entry));
  return GTK_WIDGET(self);
}
