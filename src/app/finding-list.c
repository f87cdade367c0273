/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of findings: kept and updated, so that the focus stays while more is found. */
#include "app/finding-list.h"

#include "app/accessible.h"
#include "report/summary/findings.h"
#include "report/timeline/strip.h"

#include <glib/gi18n-lib.h>

#define BESIDE 2.0  /* of a finding's own width, that is seen on either side of it */
#define MARGIN 0.05 /* of what is spread over much of the recording */

struct _LacFindingList {
  GtkWidget            parent_instance;
  GtkStack            *stack;
  GtkLabel            *none;
  GtkListBox          *rows;
  GArray              *findings; /* of LacFinding, of the rows */
  LacTimelineAnalysis *analysis;
};

G_DEFINE_FINAL_TYPE(LacFindingList, lac_finding_list, GTK_TYPE_WIDGET)

/* ---- to where it is ---- */

/* Its iteration is selected. Returns: FALSE where it speaks of none. */
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

static void
on_activated(GtkListBox *rows, GtkListBoxRow *row, LacFindingList *self)
{
  LacTimelineScope *scope = lac_timeline_analysis_get_scope(self->analysis);
  const guint       i = (guint) gtk_list_box_row_get_index(row);
  if (i >= self->findings->len || lac_timeline_scope_is_empty(scope))
    return;
  const LacFinding finding = g_array_index(self->findings, LacFinding, i);
  const gboolean   single = finding.step >= 0 || finding.kind == LAC_FINDING_FIRST_CALL;
  const double     width = (double) (finding.end_ns - finding.begin_ns);
  const double     beside = width * (single ? BESIDE : MARGIN);
  if (!select_iteration(scope, &finding) && finding.name != LAC_NO_NAME)
    lac_timeline_scope_watch(scope, finding.name);
  lac_timeline_scope_show(scope, (double) finding.begin_ns - beside,
                          (double) finding.end_ns + beside);
}

/* ---- rows ---- */

static void
add_row(LacFindingList *self)
{
  GtkWidget *label = gtk_label_new(NULL), *row = gtk_list_box_row_new();
  gtk_label_set_xalign(GTK_LABEL(label), 0);
  gtk_label_set_wrap(GTK_LABEL(label), TRUE);
  gtk_label_set_wrap_mode(GTK_LABEL(label), PANGO_WRAP_WORD_CHAR);
  gtk_widget_set_margin_top(label, 4);
  gtk_widget_set_margin_bottom(label, 4);
  gtk_widget_set_margin_start(label, 12);
  gtk_widget_set_margin_end(label, 12);
  gtk_list_box_row_set_child(GTK_LIST_BOX_ROW(row), label);
  gtk_widget_set_tooltip_text(row, _("Show it on the timeline"));
  gtk_list_box_append(self->rows, row);
}

static void
fill_row(LacFindingList *self, guint i, const LacCapture *capture)
{
  GtkListBoxRow   *row = gtk_list_box_get_row_at_index(self->rows, (int) i);
  g_autofree char *text =
    lac_finding_dup_text(&g_array_index(self->findings, LacFinding, i), capture);
  gtk_label_set_text(GTK_LABEL(gtk_list_box_row_get_child(row)), text);
  lac_accessible_name(row, text);
}

static void
fill(LacFindingList *self)
{
  LacTimelineScope  *scope = lac_timeline_analysis_get_scope(self->analysis);
  const LacAnalysis *found = lac_timeline_analysis_get(self->analysis);
  GtkListBoxRow     *row;
  g_array_set_size(self->findings, 0);
  if (found != NULL)
    g_array_append_vals(self->findings, found->findings, (guint) found->n);
  while (gtk_list_box_get_row_at_index(self->rows, (int) self->findings->len - 1) == NULL &&
         self->findings->len > 0)
    add_row(self);
  while ((row = gtk_list_box_get_row_at_index(self->rows, (int) self->findings->len)) != NULL)
    gtk_list_box_remove(self->rows, GTK_WIDGET(row));
  for (guint i = 0; i < self->findings->len; i++)
    fill_row(self, i, lac_recording_get_capture(lac_timeline_scope_get_recording(scope)));
  gtk_label_set_text(self->none, found == NULL
                                   ? _("Looking through the records…")
                                   : _("Nothing stands out: no operation takes much more than the "
                                       "others, no iteration lasts, and no memory grows."));
  gtk_stack_set_visible_child_name(self->stack, self->findings->len > 0 ? "rows" : "none");
}

/* ---- the object ---- */

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
  lac_accessible_name(self->rows, _("What the analysis found"));
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
  g_signal_connect_object(analysis, "changed", G_CALLBACK(fill), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(self, "map", G_CALLBACK(lac_timeline_analysis_watch), analysis,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(self, "unmap", G_CALLBACK(lac_timeline_analysis_unwatch), analysis,
                          G_CONNECT_SWAPPED);
  fill(self);
}
