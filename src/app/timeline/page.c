/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page Time: signals and commands; page-words.c says what is shown. */
#include "app/timeline/page-private.h"
#include "app/toolkit/accessible.h"
#include "app/toolkit/answer-label.h"
#include "app/toolkit/open-button.h"

#include <glib/gi18n-lib.h>

#define TABLES_HEIGHT 180 /* pixels left to the tables at first */

G_DEFINE_FINAL_TYPE(LacTimelinePage, lac_timeline_page, GTK_TYPE_WIDGET)

static guint tab_signal;

static LacRecording *
get_recording(LacTimelinePage *self)
{
  return lac_timeline_scope_get_recording(self->scope);
}

/* ---- the frame of a step ---- */

/* Shows the frame of the selected span's step. */
static void
follow_step(LacTimelinePage *self)
{
  const LacTimelineBar *bar = lac_timeline_scope_get_selected(self->scope);
  LacRecording         *recording = get_recording(self);
  LacSession           *session = recording == NULL ? NULL : lac_recording_get_session(recording);
  gint64                step = -1;
  if (bar != NULL)
    step = lac_capture_at(lac_recording_get_capture(recording), bar->record)->step;
  lac_step_frame_follow(self->frame, session, step);
}

/* Updates the note after another frame of the run was shown. */
static void
note_shown(LacTimelinePage *self)
{
  LacRecording *recording = get_recording(self);
  LacSession   *session = recording == NULL ? NULL : lac_recording_get_session(recording);
  LacFrame     *frame = session == NULL ? NULL : lac_session_get_frame(session);
  if (frame != NULL)
    lac_step_frame_set_shown(self->frame, frame->step);
}

/* ---- height of the timeline: as much as it needs, until the user chooses ---- */

static gboolean
on_place(gpointer user_data)
{
  LacTimelinePage *self = user_data;
  int              natural = 0, most = 0, least = 0;
  const int        now = gtk_paned_get_position(self->paned);
  self->placing = 0;
  gtk_widget_measure(gtk_paned_get_start_child(self->paned), GTK_ORIENTATION_VERTICAL,
                     gtk_widget_get_width(GTK_WIDGET(self->paned)), &least, &natural, NULL, NULL);
  const int height = gtk_widget_get_height(GTK_WIDGET(self->paned));
  g_object_get(self->paned, "max-position", &most, NULL);
  if (self->position > 0 && now != self->position && now != least && now != most)
    return G_SOURCE_REMOVE; /* the user moved it */
  self->position = CLAMP(MIN(natural, height - TABLES_HEIGHT), least, MAX(most, least));
  gtk_paned_set_position(self->paned, self->position);
  return G_SOURCE_REMOVE;
}

/* Deferred: the divider is not moved during an allocation. */
static void
on_room(LacTimelinePage *self)
{
  if (self->placing == 0)
    self->placing = g_idle_add(on_place, self);
}

/* ---- signals ---- */

static void
on_scope(LacTimelinePage *self, guint what)
{
  lac_timeline_page_describe(self, what);
  if (what & LAC_SCOPE_DATA)
    on_room(self); /* more lanes */
  if (what & LAC_SCOPE_SELECTED)
    follow_step(self);
  if (what & LAC_SCOPE_SHOWN)
    note_shown(self);
}

static void
on_activated(LacTimelinePage *self)
{
  if (gtk_widget_get_visible(GTK_WIDGET(self->frame)))
    gtk_widget_activate_action(GTK_WIDGET(self), "win.show-page", "s", "live");
}

static void
on_findings(GtkButton *button, LacTimelinePage *self)
{
  gtk_stack_set_visible_child_name(self->tables, "findings");
}

/* Sums and findings are computed while the page is shown. */
static void
on_map(LacTimelinePage *self)
{
  lac_timeline_times_watch(self->times);
  lac_timeline_analysis_watch(self->analysis);
}

static void
on_unmap(LacTimelinePage *self)
{
  lac_timeline_times_unwatch(self->times);
  lac_timeline_analysis_unwatch(self->analysis);
}

/* The opened flame graph takes the room of the tables where both do not fit. */
static void
on_crowded(LacTimelinePage *self)
{
  gboolean is_crowded;
  g_object_get(self->overview, "is-crowded", &is_crowded, NULL);
  gtk_widget_set_visible(self->tables_box, !is_crowded);
}

static void
on_operation(LacTimelinePage *self)
{
  gtk_stack_set_visible_child_name(self->tables, "durations");
}

/* Opens the list of marks at the text of mark @i. */
static void
on_marked(LacTimelinePage *self, guint i)
{
  gtk_stack_set_visible_child_name(self->tables, "marks");
  lac_mark_list_write(self->marks, i);
}

static void
on_tab(LacTimelinePage *self)
{
  g_signal_emit(self, tab_signal, 0);
}

static void
on_search(GtkSearchEntry *entry, LacTimelinePage *self)
{
  lac_timeline_scope_search(self->scope, gtk_editable_get_text(GTK_EDITABLE(entry)));
}

static void
on_match_before(GtkWidget *widget, LacTimelinePage *self)
{
  lac_timeline_scope_select_match(self->scope, -1);
}

static void
on_match_after(GtkWidget *widget, LacTimelinePage *self)
{
  lac_timeline_scope_select_match(self->scope, 1);
}

static void
on_stop_search(GtkSearchEntry *entry, LacTimelinePage *self)
{
  gtk_editable_set_text(GTK_EDITABLE(entry), "");
  gtk_widget_grab_focus(GTK_WIDGET(self->timeline));
}

static void
on_outlier_before(GtkButton *button, LacTimelinePage *self)
{
  lac_timeline_scope_select_outlier(self->scope, -1);
}

static void
on_outlier_after(GtkButton *button, LacTimelinePage *self)
{
  lac_timeline_scope_select_outlier(self->scope, 1);
}

static void
on_clear_range(GtkButton *button, LacTimelinePage *self)
{
  lac_timeline_scope_set_range(self->scope, 0, 0);
}

/* ---- the object ---- */

static void
lac_timeline_page_dispose(GObject *object)
{
  LacTimelinePage *self = LAC_TIMELINE_PAGE(object);
  g_clear_handle_id(&self->placing, g_source_remove);
  if (self->scope != NULL) {
    g_signal_handlers_disconnect_by_data(self->scope, self);
    lac_timeline_scope_set_recording(self->scope, NULL);
  }
  g_clear_object(&self->times);
  g_clear_object(&self->analysis);
  g_clear_object(&self->scope);
  gtk_widget_dispose_template(GTK_WIDGET(object), LAC_TYPE_TIMELINE_PAGE);
  G_OBJECT_CLASS(lac_timeline_page_parent_class)->dispose(object);
}

static void
bind_children(GtkWidgetClass *class)
{
  gtk_widget_class_bind_template_child(class, LacTimelinePage, box);
  gtk_widget_class_bind_template_child(class, LacTimelinePage, stack);
  gtk_widget_class_bind_template_child(class, LacTimelinePage, tables);
  gtk_widget_class_bind_template_child(class, LacTimelinePage, search);
  gtk_widget_class_bind_template_child(class, LacTimelinePage, matches);
  gtk_widget_class_bind_template_child(class, LacTimelinePage, match_before);
  gtk_widget_class_bind_template_child(class, LacTimelinePage, match_after);
  gtk_widget_class_bind_template_child(class, LacTimelinePage, clear_range);
  gtk_widget_class_bind_template_child(class, LacTimelinePage, match_box);
  gtk_widget_class_bind_template_child(class, LacTimelinePage, caption);
  gtk_widget_class_bind_template_child(class, LacTimelinePage, counters);
  gtk_widget_class_bind_template_child(class, LacTimelinePage, answer_row);
  gtk_widget_class_bind_template_child(class, LacTimelinePage, answer_end);
  gtk_widget_class_bind_template_child(class, LacTimelinePage, findings_button);
  gtk_widget_class_bind_template_child(class, LacTimelinePage, findings_content);
  gtk_widget_class_bind_template_child(class, LacTimelinePage, overview);
  gtk_widget_class_bind_template_child(class, LacTimelinePage, paned);
  gtk_widget_class_bind_template_child(class, LacTimelinePage, tables_box);
  gtk_widget_class_bind_template_child(class, LacTimelinePage, switcher);
  gtk_widget_class_bind_template_child(class, LacTimelinePage, outlier_before);
  gtk_widget_class_bind_template_child(class, LacTimelinePage, outlier_after);
  gtk_widget_class_bind_template_child(class, LacTimelinePage, about_bar);
  gtk_widget_class_bind_template_child(class, LacTimelinePage, about);
  gtk_widget_class_bind_template_child(class, LacTimelinePage, frame);
  gtk_widget_class_bind_template_child(class, LacTimelinePage, fall);
  gtk_widget_class_bind_template_child(class, LacTimelinePage, target);
  gtk_widget_class_bind_template_child(class, LacTimelinePage, spectrogram);
  gtk_widget_class_bind_template_child(class, LacTimelinePage, timeline);
  gtk_widget_class_bind_template_child(class, LacTimelinePage, operations);
  gtk_widget_class_bind_template_child(class, LacTimelinePage, spans);
  gtk_widget_class_bind_template_child(class, LacTimelinePage, durations);
  gtk_widget_class_bind_template_child(class, LacTimelinePage, marks);
  gtk_widget_class_bind_template_child(class, LacTimelinePage, findings);
  gtk_widget_class_bind_template_child(class, LacTimelinePage, roofline);
  gtk_widget_class_bind_template_child(class, LacTimelinePage, kernels);
  gtk_widget_class_bind_template_child(class, LacTimelinePage, kernels_page);
  gtk_widget_class_bind_template_callback(class, on_findings);
  gtk_widget_class_bind_template_callback(class, on_room);
  gtk_widget_class_bind_template_callback(class, on_search);
  gtk_widget_class_bind_template_callback(class, on_stop_search);
  gtk_widget_class_bind_template_callback(class, on_match_before);
  gtk_widget_class_bind_template_callback(class, on_match_after);
  gtk_widget_class_bind_template_callback(class, on_outlier_before);
  gtk_widget_class_bind_template_callback(class, on_outlier_after);
  gtk_widget_class_bind_template_callback(class, on_clear_range);
}

static void
lac_timeline_page_class_init(LacTimelinePageClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  G_OBJECT_CLASS(class)->dispose = lac_timeline_page_dispose;
  g_type_ensure(LAC_TYPE_TIMELINE_WIDGET);
  g_type_ensure(LAC_TYPE_OPERATION_TABLE);
  g_type_ensure(LAC_TYPE_SPAN_TABLE);
  g_type_ensure(LAC_TYPE_DURATION_PANEL);
  g_type_ensure(LAC_TYPE_MARK_LIST);
  g_type_ensure(LAC_TYPE_FINDING_LIST);
  g_type_ensure(LAC_TYPE_TIME_OVERVIEW);
  g_type_ensure(LAC_TYPE_ROOFLINE_VIEW);
  g_type_ensure(LAC_TYPE_KERNEL_TABLE);
  g_type_ensure(LAC_TYPE_STEP_FRAME);
  g_type_ensure(LAC_TYPE_FALL_BUTTON);
  g_type_ensure(LAC_TYPE_TARGET_BUTTON);
  g_type_ensure(LAC_TYPE_SPECTROGRAM_VIEW);
  g_type_ensure(LAC_TYPE_OPEN_BUTTON);
  gtk_widget_class_set_template_from_resource(widget_class,
                                              "/io/github/lacuna/Lacuna/ui/timeline/page.ui");
  bind_children(widget_class);
  tab_signal = g_signal_new("tab-changed", LAC_TYPE_TIMELINE_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                            NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_layout_manager_type(widget_class, GTK_TYPE_BIN_LAYOUT);
}

static void
name_controls(LacTimelinePage *self)
{
  struct {
    GtkWidget  *widget;
    const char *name;
  } named[] = {
    {GTK_WIDGET(self->search), _("Search spans by name")},
    {self->match_before, _("Previous match")},
    {self->match_after, _("Next match")},
    {self->outlier_before, _("Previous outlier or iteration over the target")},
    {self->outlier_after, _("Next outlier or iteration over the target")},
    {self->clear_range, _("Clear the range")},
  };
  for (gsize i = 0; i < G_N_ELEMENTS(named); i++) {
    lac_accessible_name(named[i].widget, named[i].name);
    if (GTK_IS_BUTTON(named[i].widget) && gtk_widget_get_tooltip_text(named[i].widget) == NULL)
      gtk_widget_set_tooltip_text(named[i].widget, named[i].name);
  }
}

static void
connect_children(LacTimelinePage *self)
{
  const struct {
    gpointer    object;
    const char *signal;
    GCallback   callback;
  } rows[] = {
    {self->timeline, "notify::reading", G_CALLBACK(lac_timeline_page_describe_caption)},
    {self->timeline, "activated", G_CALLBACK(on_activated)},
    {self->timeline, "marked", G_CALLBACK(on_marked)},
    {self->operations, "activated", G_CALLBACK(on_operation)},
    {self->scope, "changed", G_CALLBACK(on_scope)},
    {self->tables, "notify::visible-child", G_CALLBACK(on_tab)},
    {self->times, "changed", G_CALLBACK(lac_timeline_page_describe_times)},
    {self->analysis, "changed", G_CALLBACK(lac_timeline_page_describe_findings)},
    {self->overview, "notify::is-crowded", G_CALLBACK(on_crowded)},
  };
  for (gsize i = 0; i < G_N_ELEMENTS(rows); i++)
    g_signal_connect_object(rows[i].object, rows[i].signal, rows[i].callback, self,
                            G_CONNECT_SWAPPED);
}

static void
share_scope(LacTimelinePage *self)
{
  lac_time_overview_set_times(self->overview, self->times);
  lac_operation_table_set_times(self->operations, self->times);
  lac_span_table_set_scope(self->spans, self->scope);
  lac_duration_panel_set_scope(self->durations, self->scope);
  lac_mark_list_set_scope(self->marks, self->scope);
  lac_finding_list_set_analysis(self->findings, self->analysis);
  lac_roofline_view_set_analysis(self->roofline, self->analysis);
  lac_kernel_table_set_scope(self->kernels, self->scope, self->kernels_page);
  lac_timeline_widget_set_analysis(self->timeline, self->analysis);
  lac_fall_button_set_scope(self->fall, self->scope);
  lac_target_button_set_scope(self->target, self->scope);
  lac_spectrogram_view_set_scope(self->spectrogram, self->scope);
}

static void
lac_timeline_page_init(LacTimelinePage *self)
{
  gtk_widget_init_template(GTK_WIDGET(self));
  self->scope = g_object_ref(lac_timeline_widget_get_scope(self->timeline));
  self->times = lac_timeline_times_new(self->scope);
  self->analysis = lac_timeline_analysis_new(self->scope);
  self->answer = GTK_LABEL(lac_answer_label_new());
  gtk_box_prepend(self->answer_row, GTK_WIDGET(self->answer));
  share_scope(self);
  gtk_widget_remove_css_class(self->switcher, "linked");
  gtk_box_layout_set_homogeneous(GTK_BOX_LAYOUT(gtk_widget_get_layout_manager(self->switcher)),
                                 FALSE); /* one long name */
  GtkWidget *columns = lac_operation_table_make_menu_button(self->operations);
  gtk_menu_button_set_direction(GTK_MENU_BUTTON(columns), GTK_ARROW_DOWN);
  gtk_box_append(self->answer_end, columns);
  connect_children(self);
  g_signal_connect(self, "map", G_CALLBACK(on_map), NULL);
  g_signal_connect(self, "unmap", G_CALLBACK(on_unmap), NULL);
  g_signal_connect(self->timeline, "map", G_CALLBACK(gtk_widget_grab_focus),
                   NULL); /* for its keys */
  name_controls(self);
  on_scope(self, G_MAXUINT);
}

void
lac_timeline_page_set_recording(LacTimelinePage *self, LacRecording *recording)
{
  g_return_if_fail(LAC_IS_TIMELINE_PAGE(self));
  if (recording == get_recording(self))
    return;
  lac_timeline_page_search(self, ""); /* search and range belong to their recording */
  lac_timeline_scope_set_recording(self->scope, recording);
}

LacRecording *
lac_timeline_page_get_recording(LacTimelinePage *self)
{
  g_return_val_if_fail(LAC_IS_TIMELINE_PAGE(self), NULL);
  return get_recording(self);
}

void
lac_timeline_page_set_about(LacTimelinePage *self, const char *about)
{
  g_return_if_fail(LAC_IS_TIMELINE_PAGE(self));
  gtk_label_set_text(self->about, about != NULL ? about : "");
  gtk_widget_set_tooltip_text(GTK_WIDGET(self->about), about);
  gtk_widget_set_visible(self->about_bar, about != NULL);
}

LacTimelineScope *
lac_timeline_page_get_scope(LacTimelinePage *self)
{
  g_return_val_if_fail(LAC_IS_TIMELINE_PAGE(self), NULL);
  return self->scope;
}

const char *
lac_timeline_page_get_tab(LacTimelinePage *self)
{
  g_return_val_if_fail(LAC_IS_TIMELINE_PAGE(self), NULL);
  return gtk_stack_get_visible_child_name(self->tables);
}

void
lac_timeline_page_set_tab(LacTimelinePage *self, const char *tab)
{
  g_return_if_fail(LAC_IS_TIMELINE_PAGE(self) && tab != NULL);
  if (gtk_stack_get_child_by_name(self->tables, tab) != NULL)
    gtk_stack_set_visible_child_name(self->tables, tab);
}

void
lac_timeline_page_limit(LacTimelinePage *self, const char *const *path)
{
  g_return_if_fail(LAC_IS_TIMELINE_PAGE(self) && path != NULL);
  g_autoptr(GArray) ids = g_array_new(FALSE, FALSE, sizeof(guint32));
  LacRecording     *recording = get_recording(self);
  for (gsize i = 0; recording != NULL && path[i] != NULL; i++) {
    const gint64 found = lac_capture_find_name(lac_recording_get_capture(recording), path[i]);
    if (found < 0)
      return;
    const guint32 id = (guint32) found;
    g_array_append_val(ids, id);
  }
  if (ids->len > 0)
    lac_timeline_times_limit_path(self->times, (const guint32 *) (gconstpointer) ids->data,
                                  ids->len);
}

void
lac_timeline_page_search(LacTimelinePage *self, const char *text)
{
  g_return_if_fail(LAC_IS_TIMELINE_PAGE(self) && text != NULL);
  gtk_editable_set_text(GTK_EDITABLE(self->search), text);
  lac_timeline_scope_search(self->scope, text);
}

void
lac_timeline_page_fit(LacTimelinePage *self)
{
  g_return_if_fail(LAC_IS_TIMELINE_PAGE(self));
  lac_timeline_scope_fit(self->scope);
}

void
lac_timeline_page_focus_search(LacTimelinePage *self)
{
  g_return_if_fail(LAC_IS_TIMELINE_PAGE(self));
  gtk_widget_grab_focus(GTK_WIDGET(self->search));
}

void
lac_timeline_page_focus(LacTimelinePage *self)
{
  g_return_if_fail(LAC_IS_TIMELINE_PAGE(self));
  if (gtk_widget_get_mapped(GTK_WIDGET(self->timeline)))
    gtk_widget_grab_focus(GTK_WIDGET(self->timeline));
}
