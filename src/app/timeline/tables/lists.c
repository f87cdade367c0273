/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists under the timeline whose rows lead to a time: the findings of the analysis, and the user's marks. */
#include "app/timeline/tables/lists.h"

#include "app/toolkit/accessible.h"
#include "app/toolkit/format.h"
#include "report/summary/findings.h"
#include "report/timeline/strip.h"

#include <glib/gi18n-lib.h>

/* ---- findings: rows are updated in place, so that the focus stays while more is found ---- */

#define BESIDE 2.0  /* margin on each side, in widths of the finding */
#define MARGIN 0.05 /* margin for findings that span much of the recording */

struct _LacFindingList {
  GtkWidget            parent_instance;
  GtkStack            *stack;
  GtkLabel            *none;
  GtkListBox          *rows;
  GArray              *findings; /* LacFinding of the last rows */
  const GArray        *advice;   /* (nullable): of the first rows; of @analysis */
  LacTimelineAnalysis *analysis;
};

G_DEFINE_FINAL_TYPE(LacFindingList, lac_finding_list, GTK_TYPE_WIDGET)

/* ---- findings: navigation ---- */

/* Selects the iteration of the finding. Returns: FALSE if it has none. */
static gboolean
select_iteration(LacTimelineScope *scope, const LacFinding *finding)
{
  LacTimelineBar       bar;
  LacRecording        *recording = lac_timeline_scope_get_recording(scope);
  const LacIterations *all = lac_recording_get_iterations(recording);
  gssize               i = lac_timeline_find_iteration(all, finding->begin_ns);
  if (finding->step < 0 || i < 0 || all->iterations[i].start_ns != finding->begin_ns ||
      !lac_timeline_find(lac_recording_get_timeline(recording), all->iterations[i].record, &bar))
    return FALSE;
  lac_timeline_scope_select(scope, &bar);
  return TRUE;
}

static guint
count_advice(LacFindingList *self)
{
  return self->advice != NULL ? self->advice->len : 0;
}

/* Chooses the operation that the setting would make shorter. */
static void
choose_operation(LacTimelineScope *scope, const LacSpeedAdvice *advice)
{
  LacRecording *recording = lac_timeline_scope_get_recording(scope);
  const gint64  name =
    lac_capture_find_name(lac_recording_get_capture(recording), advice->operation);
  if (name >= 0)
    lac_timeline_scope_choose(scope, (guint32) name);
}

static void
on_activated(GtkListBox *rows, GtkListBoxRow *row, LacFindingList *self)
{
  LacTimelineScope *scope = lac_timeline_analysis_get_scope(self->analysis);
  const guint       i = (guint) gtk_list_box_row_get_index(row);
  if (lac_timeline_scope_is_empty(scope))
    return;
  if (i < count_advice(self)) {
    choose_operation(scope, &g_array_index(self->advice, LacSpeedAdvice, i));
    return;
  }
  if (i >= count_advice(self) + self->findings->len)
    return;
  const LacFinding finding = g_array_index(self->findings, LacFinding, i - count_advice(self));
  const gboolean   single = finding.step >= 0 || finding.kind == LAC_FINDING_FIRST_CALL;
  const double     width = (double) (finding.end_ns - finding.begin_ns);
  const double     beside = width * (single ? BESIDE : MARGIN);
  if (!select_iteration(scope, &finding) && finding.name != LAC_NO_NAME)
    lac_timeline_scope_watch(scope, finding.name);
  lac_timeline_scope_show(scope, (double) finding.begin_ns - beside,
                          (double) finding.end_ns + beside);
}

/* ---- findings: rows ---- */

static void
add_row(LacFindingList *self)
{
  GtkWidget *label = gtk_label_new(NULL), *row = gtk_list_box_row_new();
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *apply = gtk_button_new_with_label(_("Apply"));
  gtk_label_set_xalign(GTK_LABEL(label), 0);
  gtk_widget_set_hexpand(label, TRUE);
  gtk_label_set_wrap(GTK_LABEL(label), TRUE);
  gtk_label_set_wrap_mode(GTK_LABEL(label), PANGO_WRAP_WORD_CHAR);
  gtk_widget_set_margin_top(box, 4);
  gtk_widget_set_margin_bottom(box, 4);
  gtk_widget_set_margin_start(box, 12);
  gtk_widget_set_margin_end(box, 12);
  gtk_widget_set_valign(apply, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text(apply,
                              _("Open the set-up with the settings of this run and this change"));
  gtk_box_append(GTK_BOX(box), label);
  gtk_box_append(GTK_BOX(box), apply);
  gtk_list_box_row_set_child(GTK_LIST_BOX_ROW(row), box);
  gtk_widget_set_tooltip_text(row, _("Show it on the timeline"));
  gtk_list_box_append(self->rows, row);
}

/* @advice: (nullable): NULL: a finding, which has nothing to apply */
static void
fill_row(LacFindingList *self, guint i, const char *text, const LacSpeedAdvice *advice)
{
  GtkListBoxRow *row = gtk_list_box_get_row_at_index(self->rows, (int) i);
  GtkWidget     *label = gtk_widget_get_first_child(gtk_list_box_row_get_child(row));
  GtkWidget     *apply = gtk_widget_get_next_sibling(label);
  const gboolean applies = advice != NULL && advice->key != NULL;
  gtk_label_set_text(GTK_LABEL(label), text);
  lac_accessible_name(row, text);
  gtk_widget_set_visible(apply, applies);
  if (!applies) {
    gtk_actionable_set_action_name(GTK_ACTIONABLE(apply), NULL);
    return;
  }
  g_autofree char *change = lac_speed_advice_dup_change(advice);
  g_autofree char *name = g_strdup_printf(_("Apply %s"), change);
  lac_accessible_name(apply, name);
  /* an action with a target of another type would complain: first the target, then the name */
  gtk_actionable_set_action_target(GTK_ACTIONABLE(apply), "(ss)", advice->key, advice->to);
  gtk_actionable_set_action_name(GTK_ACTIONABLE(apply), "win.apply-setting");
}

static void
fill_rows(LacFindingList *self)
{
  LacTimelineScope *scope = lac_timeline_analysis_get_scope(self->analysis);
  const guint       n = count_advice(self);
  for (guint i = 0; i < n; i++) {
    const LacSpeedAdvice *advice = &g_array_index(self->advice, LacSpeedAdvice, i);
    g_autofree char      *text = lac_speed_advice_dup_text(advice, FALSE);
    fill_row(self, i, text, advice);
  }
  for (guint i = 0; i < self->findings->len; i++) {
    LacRecording    *recording = lac_timeline_scope_get_recording(scope);
    g_autofree char *text = lac_finding_dup_text(&g_array_index(self->findings, LacFinding, i),
                                                 lac_recording_get_capture(recording));
    fill_row(self, n + i, text, NULL);
  }
}

static void
fill_findings(LacFindingList *self)
{
  const LacAnalysis *found = lac_timeline_analysis_get(self->analysis);
  GtkListBoxRow     *row;
  g_array_set_size(self->findings, 0);
  self->advice = lac_timeline_analysis_get_advice(self->analysis);
  if (found != NULL)
    g_array_append_vals(self->findings, found->findings, (guint) found->n);
  const guint n = count_advice(self) + self->findings->len;
  while (n > 0 && gtk_list_box_get_row_at_index(self->rows, (int) n - 1) == NULL)
    add_row(self);
  while ((row = gtk_list_box_get_row_at_index(self->rows, (int) n)) != NULL)
    gtk_list_box_remove(self->rows, GTK_WIDGET(row));
  fill_rows(self);
  gtk_label_set_text(
    self->none,
    found == NULL
      ? _("Analysing the records…")
      : _("No findings: no dominant operation, no unusually long iterations, no memory growth."));
  gtk_stack_set_visible_child_name(self->stack, n > 0 ? "rows" : "none");
}

/* ---- findings: the object ---- */

static void
lac_finding_list_dispose(GObject *object)
{
  LacFindingList *self = LAC_FINDING_LIST(object);
  GtkWidget      *child;
  g_clear_object(&self->analysis);
  while ((child = gtk_widget_get_first_child(GTK_WIDGET(self))) != NULL)
    gtk_widget_unparent(child);
  g_clear_pointer(&self->findings, g_array_unref);
  G_OBJECT_CLASS(lac_finding_list_parent_class)->dispose(object);
}

static void
lac_finding_list_class_init(LacFindingListClass *class)
{
  G_OBJECT_CLASS(class)->dispose = lac_finding_list_dispose;
  gtk_widget_class_set_layout_manager_type(GTK_WIDGET_CLASS(class), GTK_TYPE_BIN_LAYOUT);
}

static void
lac_finding_list_init(LacFindingList *self)
{
  GtkWidget *scroller = gtk_scrolled_window_new(), *none = gtk_label_new(NULL);
  self->findings = g_array_new(FALSE, FALSE, sizeof(LacFinding));
  self->stack = GTK_STACK(gtk_stack_new());
  self->none = GTK_LABEL(none);
  self->rows = GTK_LIST_BOX(gtk_list_box_new());
  gtk_list_box_set_selection_mode(self->rows, GTK_SELECTION_NONE);
  lac_accessible_name(self->rows, _("Findings of the analysis"));
  gtk_label_set_wrap(self->none, TRUE);
  gtk_widget_add_css_class(none, "dim-label");
  gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scroller), GTK_POLICY_NEVER,
                                 GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scroller), GTK_WIDGET(self->rows));
  gtk_stack_add_named(self->stack, none, "none");
  gtk_stack_add_named(self->stack, scroller, "rows");
  gtk_widget_set_parent(GTK_WIDGET(self->stack), GTK_WIDGET(self));
  g_signal_connect(self->rows, "row-activated", G_CALLBACK(on_activated), self);
}

void
lac_finding_list_set_analysis(LacFindingList *self, LacTimelineAnalysis *analysis)
{
  g_return_if_fail(LAC_IS_FINDING_LIST(self) && self->analysis == NULL);
  self->analysis = g_object_ref(analysis);
  g_signal_connect_object(analysis, "changed", G_CALLBACK(fill_findings), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(self, "map", G_CALLBACK(lac_timeline_analysis_watch), analysis,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(self, "unmap", G_CALLBACK(lac_timeline_analysis_unwatch), analysis,
                          G_CONNECT_SWAPPED);
  fill_findings(self);
}

/* ---- marks: rows are rebuilt when marks are added or removed, not when their text changes ---- */

#define WHEN_WIDTH 150

struct _LacMarkList {
  GtkWidget         parent_instance;
  GtkStack         *stack;
  GtkListBox       *rows;
  GPtrArray        *fields; /* GtkEntry, borrowed, one per mark */
  GArray           *times;  /* gint64, times of the rows */
  LacTimelineScope *scope;
};

G_DEFINE_FINAL_TYPE(LacMarkList, lac_mark_list, GTK_TYPE_WIDGET)

/* Returns the index of a row's mark, which keeps its row until the list is rebuilt. */
static gssize
index_of(LacMarkList *self, GtkWidget *within)
{
  GtkWidget *row = gtk_widget_get_ancestor(within, GTK_TYPE_LIST_BOX_ROW);
  return row != NULL ? gtk_list_box_row_get_index(GTK_LIST_BOX_ROW(row)) : -1;
}

static void
on_words(GtkWidget *field, LacMarkList *self)
{
  gssize            i = index_of(self, field);
  gsize             n;
  const LacRunMark *marks = lac_timeline_scope_get_marks(self->scope, &n);
  /* a removed row loses the focus after its mark was removed */
  if (i >= 0 && (gsize) i < MIN(n, self->times->len) &&
      g_array_index(self->times, gint64, i) == marks[i].time_ns)
    lac_timeline_scope_set_words(self->scope, (gsize) i,
                                 gtk_editable_get_text(GTK_EDITABLE(field)));
}

static void
on_left(GtkEventController *focus, LacMarkList *self)
{
  on_words(gtk_event_controller_get_widget(focus), self);
}

static void
on_removed(GtkWidget *button, LacMarkList *self)
{
  gssize i = index_of(self, button);
  if (i >= 0)
    lac_timeline_scope_remove_mark(self->scope, (gsize) i);
}

/* Goes to the mark and selects its bar in the outermost row. */
static void
on_shown(GtkWidget *button, LacMarkList *self)
{
  gssize i = index_of(self, button);
  if (i < 0)
    return;
  gint64 begin, end, time = g_array_index(self->times, gint64, i);
  lac_timeline_scope_get_view(self->scope, &begin, &end);
  double half = (double) (end - begin) / 2;
  lac_timeline_scope_show(self->scope, (double) time - half, (double) time + half);
}

/* ---- marks: rows ---- */

static char *
describe_when(LacMarkList *self, gint64 time_ns)
{
  LacRecording        *recording = lac_timeline_scope_get_recording(self->scope);
  const LacIterations *iterations = lac_recording_get_iterations(recording);
  gssize               at = lac_timeline_find_iteration(iterations, time_ns);
  gint64               first, last;
  lac_timeline_get_extent(lac_recording_get_timeline(recording), &first, &last);
  g_autofree char *span = lac_format_span((double) (time_ns - first));
  if (at < 0)
    return g_steal_pointer(&span);
  g_autofree char *step = lac_format_count((guint64) MAX(iterations->iterations[at].step, 0));
  return g_strdup_printf(_("%s, step %s"), span, step);
}

static GtkWidget *
make_field(LacMarkList *self, const LacRunMark *mark, const char *when)
{
  GtkWidget          *field = gtk_entry_new();
  GtkEventController *focus = gtk_event_controller_focus_new();
  g_autofree char    *name = g_strdup_printf(_("Description of the mark at %s"), when);
  gtk_editable_set_text(GTK_EDITABLE(field), mark->words);
  gtk_entry_set_placeholder_text(GTK_ENTRY(field), _("Description"));
  gtk_entry_set_max_length(GTK_ENTRY(field), LAC_RUN_MARK_MOST / 2);
  gtk_widget_set_hexpand(field, TRUE);
  lac_accessible_name(field, name);
  g_signal_connect_object(field, "activate", G_CALLBACK(on_words), self, 0);
  g_signal_connect_object(focus, "leave", G_CALLBACK(on_left), self, 0);
  gtk_widget_add_controller(field, focus);
  return field;
}

static void
add_mark(LacMarkList *self, const LacRunMark *mark)
{
  GtkWidget       *row = gtk_list_box_row_new(), *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 9);
  g_autofree char *when = describe_when(self, mark->time_ns);
  GtkWidget       *show = gtk_button_new_with_label(when);
  GtkWidget       *remove = gtk_button_new_from_icon_name("user-trash-symbolic");
  GtkWidget       *field = make_field(self, mark, when);
  gtk_widget_add_css_class(show, "flat");
  gtk_widget_add_css_class(show, "numeric");
  gtk_widget_set_size_request(show, WHEN_WIDTH, -1);
  gtk_widget_add_css_class(remove, "flat");
  gtk_widget_set_tooltip_text(show, _("Centre the timeline on this time"));
  gtk_widget_set_tooltip_text(remove, _("Remove the mark"));
  lac_accessible_name(remove, _("Remove the mark"));
  g_signal_connect_object(show, "clicked", G_CALLBACK(on_shown), self, 0);
  g_signal_connect_object(remove, "clicked", G_CALLBACK(on_removed), self, 0);
  gtk_box_append(GTK_BOX(box), show);
  gtk_box_append(GTK_BOX(box), field);
  gtk_box_append(GTK_BOX(box), remove);
  gtk_list_box_row_set_child(GTK_LIST_BOX_ROW(row), box);
  gtk_list_box_row_set_activatable(GTK_LIST_BOX_ROW(row), FALSE);
  gtk_widget_set_focusable(row, FALSE);
  gtk_list_box_append(self->rows, row);
  g_ptr_array_add(self->fields, field);
  g_array_append_val(self->times, mark->time_ns);
}

static gboolean
has_same(LacMarkList *self, const LacRunMark *marks, gsize n)
{
  gboolean same = n == self->times->len;
  for (gsize i = 0; same && i < n; i++)
    same = g_array_index(self->times, gint64, i) == marks[i].time_ns;
  return same;
}

static void
fill_marks(LacMarkList *self)
{
  gsize             n;
  const LacRunMark *marks = lac_timeline_scope_get_marks(self->scope, &n);
  GtkWidget        *child;
  if (has_same(self, marks, n))
    return;
  g_ptr_array_set_size(self->fields, 0);
  g_array_set_size(self->times, 0);
  while ((child = gtk_widget_get_first_child(GTK_WIDGET(self->rows))) != NULL)
    gtk_list_box_remove(self->rows, child);
  for (gsize i = 0; i < n; i++)
    add_mark(self, &marks[i]);
  gtk_stack_set_visible_child_name(self->stack, n > 0 ? "marks" : "none");
}

static void
on_scope(LacMarkList *self, guint what)
{
  if ((what & LAC_SCOPE_DATA) &&
      (what & LAC_SCOPE_VIEW)) /* another recording, possibly with equal times */
    g_array_set_size(self->times, 0);
  if (what & LAC_SCOPE_MARKS)
    fill_marks(self);
}

/* ---- marks: the object ---- */

static void
lac_mark_list_dispose(GObject *object)
{
  LacMarkList *self = LAC_MARK_LIST(object);
  GtkWidget   *child;
  while ((child = gtk_widget_get_first_child(GTK_WIDGET(self))) != NULL)
    gtk_widget_unparent(child);
  g_clear_object(&self->scope);
  g_clear_pointer(&self->fields, g_ptr_array_unref);
  g_clear_pointer(&self->times, g_array_unref);
  G_OBJECT_CLASS(lac_mark_list_parent_class)->dispose(object);
}

static void
lac_mark_list_class_init(LacMarkListClass *class)
{
  G_OBJECT_CLASS(class)->dispose = lac_mark_list_dispose;
  gtk_widget_class_set_layout_manager_type(GTK_WIDGET_CLASS(class), GTK_TYPE_BIN_LAYOUT);
}

static void
lac_mark_list_init(LacMarkList *self)
{
  GtkWidget *scroller = gtk_scrolled_window_new();
  GtkWidget *none = gtk_label_new(_("No marks yet. With the pointer on the timeline, press M to "
                                    "set a mark, Shift+M to set and name it."));
  self->fields = g_ptr_array_new();
  self->times = g_array_new(FALSE, FALSE, sizeof(gint64));
  self->stack = GTK_STACK(gtk_stack_new());
  self->rows = GTK_LIST_BOX(gtk_list_box_new());
  gtk_list_box_set_selection_mode(self->rows, GTK_SELECTION_NONE);
  lac_accessible_name(self->rows, _("Marks on the timeline"));
  gtk_label_set_wrap(GTK_LABEL(none), TRUE);
  gtk_widget_add_css_class(none, "dim-label");
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scroller), GTK_WIDGET(self->rows));
  gtk_stack_add_named(self->stack, none, "none");
  gtk_stack_add_named(self->stack, scroller, "marks");
  gtk_widget_set_parent(GTK_WIDGET(self->stack), GTK_WIDGET(self));
}

void
lac_mark_list_set_scope(LacMarkList *self, LacTimelineScope *scope)
{
  g_return_if_fail(LAC_IS_MARK_LIST(self) && self->scope == NULL);
  self->scope = g_object_ref(scope);
  g_signal_connect_object(scope, "changed", G_CALLBACK(on_scope), self, G_CONNECT_SWAPPED);
  fill_marks(self);
}

void
lac_mark_list_write(LacMarkList *self, gsize i)
{
  g_return_if_fail(LAC_IS_MARK_LIST(self));
  if (i < self->fields->len)
    gtk_widget_grab_focus(self->fields->pdata[i]);
}
