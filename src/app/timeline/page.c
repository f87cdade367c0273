/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The timeline page. */
#include "app/timeline/page.h"

#include "app/field/step-frame.h"
#include "app/session/session.h"
#include "app/timeline/duration-panel.h"
#include "app/timeline/fall-button.h"
#include "app/timeline/lists.h"
#include "app/timeline/operation-table.h"
#include "app/timeline/roofline-button.h"
#include "app/timeline/span-table.h"
#include "app/timeline/spectrogram-view.h"
#include "app/timeline/target-button.h"
#include "app/timeline/widget.h"
#include "app/toolkit/accessible.h"
#include "app/toolkit/format.h"
#include "app/toolkit/open-button.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

struct _LacTimelinePage {
  GtkWidget           parent_instance;
  GtkStack           *stack, *tables;
  GtkSearchEntry     *search;
  GtkLabel           *matches, *range, *reading, *counters, *iterations, *about;
  GtkWidget          *match_before, *match_after, *clear_range, *outlier_before, *outlier_after;
  LacTimelineWidget  *timeline;
  LacOperationTable  *operations;
  LacSpanTable       *spans;
  LacDurationPanel   *durations;
  LacMarkList        *marks;
  LacFindingList     *findings;
  LacRooflineButton  *roofline;
  LacStepFrame       *frame;
  LacFallButton      *fall;
  LacTargetButton    *target;
  LacSpectrogramView *spectrogram;
  GtkWidget          *box, *about_bar;
  LacTimelineScope   *scope; /* of the widget */
};

G_DEFINE_FINAL_TYPE(LacTimelinePage, lac_timeline_page, GTK_TYPE_WIDGET)

static guint tab_signal;

static LacRecording *
get_recording(LacTimelinePage *self)
{
  return lac_timeline_scope_get_recording(self->scope);
}

/* ---- texts ---- */

static void
describe_reading(LacTimelinePage *self)
{
  g_autofree char *reading = NULL;
  g_object_get(self->timeline, "reading", &reading, NULL);
  gtk_label_set_text(self->reading, reading != NULL
                                      ? reading
                                      : _("Point at a span for details. Scroll to zoom, drag to "
                                          "move, drag on the ruler to select a range."));
}

static void
describe_records(LacTimelinePage *self)
{
  if (lac_timeline_scope_is_empty(self->scope)) {
    gtk_stack_set_visible_child_name(self->stack, "empty");
    return;
  }
  g_autofree char *records = lac_format_count(lac_recording_get_n_records(get_recording(self)));
  g_autofree char *lost = lac_format_count(lac_recording_get_n_lost(get_recording(self)));
  g_autofree char *text = g_strdup_printf(_("%s records · records lost: %s"), records, lost);
  gtk_label_set_text(self->counters, text);
  gtk_stack_set_visible_child_name(self->stack, "records");
}

/* Returns the number of iterations over the target, or of outliers without a target, as text. */
static char *
count_marked(const LacIterations *iterations, gint64 target_ns, gsize *n)
{
  if (target_ns == 0) {
    *n = iterations->n_outliers;
    g_autofree char *outliers = lac_format_count(*n);
    return g_strdup_printf(_("outliers: %s"), outliers);
  }
  *n = lac_iterations_count_over(iterations, target_ns);
  g_autofree char *over = lac_format_count(*n), *target = lac_format_span((double) target_ns);
  return g_strdup_printf(_("over %s: %s"), target, over);
}

static void
describe_iterations(LacTimelinePage *self)
{
  g_autofree char *text = NULL;
  gsize            n_marked = 0;
  if (!lac_timeline_scope_is_empty(self->scope)) {
    const LacIterations *iterations = lac_recording_get_iterations(get_recording(self));
    g_autofree char     *n = lac_format_count(iterations->n);
    g_autofree char     *marked =
      count_marked(iterations, lac_timeline_scope_get_target(self->scope), &n_marked);
    g_autofree char *median = lac_format_span(iterations->median_ns);
    if (iterations->median_ns > 0)
      text = g_strdup_printf(_("%s iterations · median %s · %s"), n, median, marked);
  }
  gtk_label_set_text(self->iterations, text != NULL ? text : "");
  gtk_widget_set_sensitive(self->outlier_before, n_marked > 0);
  gtk_widget_set_sensitive(self->outlier_after, n_marked > 0);
}

static void
describe_range(LacTimelinePage *self)
{
  gint64   begin, end, first, last;
  gboolean any = lac_timeline_scope_get_range(self->scope, &begin, &end);
  gtk_widget_set_visible(self->clear_range, any);
  gtk_widget_set_visible(GTK_WIDGET(self->range), any);
  if (!any)
    return;
  LacTimeline *timeline = lac_recording_get_timeline(get_recording(self));
  lac_timeline_get_extent(timeline, &first, &last);
  g_autofree char *from = lac_format_span((double) (begin - first));
  g_autofree char *to = lac_format_span((double) (end - first));
  g_autofree char *width = lac_format_span((double) (end - begin));
  g_autofree char *n = lac_format_count(lac_timeline_count_range(timeline, begin, end));
  g_autofree char *text =
    g_strdup_printf(_("Range %s … %s, %s long, %s records"), from, to, width, n);
  gtk_label_set_text(self->range, text);
}

static void
describe_matches(LacTimelinePage *self)
{
  gboolean         any = lac_timeline_scope_get_match(self->scope) != NULL;
  guint64          n = lac_timeline_scope_count_matches(self->scope);
  g_autofree char *count = lac_format_count(n);
  g_autofree char *text =
    !any
      ? g_strdup("")
      : g_strdup_printf(g_dngettext(GETTEXT_PACKAGE, "%s match", "%s matches", (gulong) n), count);
  gtk_label_set_text(self->matches, text);
  gtk_widget_set_sensitive(self->match_before, n > 0);
  gtk_widget_set_sensitive(self->match_after, n > 0);
  if (any && n == 0)
    gtk_widget_add_css_class(GTK_WIDGET(self->search), "error");
  else
    gtk_widget_remove_css_class(GTK_WIDGET(self->search), "error");
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

/* ---- signals ---- */

static void
on_scope(LacTimelinePage *self, guint what)
{
  if (what & LAC_SCOPE_DATA)
    describe_records(self);
  if (what & (LAC_SCOPE_DATA | LAC_SCOPE_TARGET))
    describe_iterations(self);
  if (what & (LAC_SCOPE_DATA | LAC_SCOPE_SEARCH))
    describe_matches(self);
  if (what & (LAC_SCOPE_DATA | LAC_SCOPE_RANGE))
    describe_range(self);
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
  if (self->scope != NULL) {
    g_signal_handlers_disconnect_by_data(self->scope, self);
    lac_timeline_scope_set_recording(self->scope, NULL);
  }
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
  gtk_widget_class_bind_template_child(class, LacTimelinePage, range);
  gtk_widget_class_bind_template_child(class, LacTimelinePage, clear_range);
  gtk_widget_class_bind_template_child(class, LacTimelinePage, reading);
  gtk_widget_class_bind_template_child(class, LacTimelinePage, counters);
  gtk_widget_class_bind_template_child(class, LacTimelinePage, iterations);
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
  g_type_ensure(LAC_TYPE_ROOFLINE_BUTTON);
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
lac_timeline_page_init(LacTimelinePage *self)
{
  g_autoptr(LacTimelineAnalysis) analysis = NULL;
  gtk_widget_init_template(GTK_WIDGET(self));
  self->scope = g_object_ref(lac_timeline_widget_get_scope(self->timeline));
  lac_operation_table_set_scope(self->operations, self->scope);
  lac_span_table_set_scope(self->spans, self->scope);
  lac_duration_panel_set_scope(self->durations, self->scope);
  lac_mark_list_set_scope(self->marks, self->scope);
  analysis = lac_timeline_analysis_new(self->scope);
  lac_finding_list_set_analysis(self->findings, analysis);
  lac_roofline_button_set_analysis(self->roofline, analysis);
  lac_timeline_widget_set_analysis(self->timeline, analysis);
  lac_fall_button_set_scope(self->fall, self->scope);
  lac_target_button_set_scope(self->target, self->scope);
  lac_spectrogram_view_set_scope(self->spectrogram, self->scope);
  g_signal_connect_object(self->timeline, "notify::reading", G_CALLBACK(describe_reading), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(self->timeline, "activated", G_CALLBACK(on_activated), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(self->timeline, "marked", G_CALLBACK(on_marked), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(self->operations, "activated", G_CALLBACK(on_operation), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(self->scope, "changed", G_CALLBACK(on_scope), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(self->tables, "notify::visible-child", G_CALLBACK(on_tab), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect(self->timeline, "map", G_CALLBACK(gtk_widget_grab_focus),
                   NULL); /* for its keys */
  name_controls(self);
  describe_reading(self);
  on_scope(self, G_MAXUINT);
}

void
lac_timeline_page_set_recording(LacTimelinePage *self, LacRecording *recording)
{
  g_return_if_fail(LAC_IS_TIMELINE_PAGE(self));
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
