/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of marks. They are made anew when there are others, not when their words change. */
#include "app/mark-list.h"

#include "app/accessible.h"
#include "app/phrase.h"
#include "report/timeline/strip.h"

#include <glib/gi18n-lib.h>

#define WHEN_WIDTH 150

struct _LacMarkList {
  GtkWidget         parent_instance;
  GtkStack         *stack;
  GtkListBox       *rows;
  GPtrArray        *fields; /* of GtkEntry, borrowed, a mark each */
  GArray           *times;  /* of gint64, of the rows */
  LacTimelineScope *scope;
};

G_DEFINE_FINAL_TYPE(LacMarkList, lac_mark_list, GTK_TYPE_WIDGET)

/* A mark keeps its row until the list is made anew. */
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
  /* a row that goes away loses the focus when its mark has gone */
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

/* To where it is: its bar of the outermost row. */
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

/* ---- rows ---- */

static char *
say_when(LacMarkList *self, gint64 time_ns)
{
  LacRecording        *recording = lac_timeline_scope_get_recording(self->scope);
  const LacIterations *iterations = lac_recording_get_iterations(recording);
  gssize               at = lac_timeline_find_iteration(iterations, time_ns);
  gint64               first, last;
  lac_timeline_get_extent(lac_recording_get_timeline(recording), &first, &last);
  g_autofree char *span = lac_phrase_span((double) (time_ns - first));
  if (at < 0)
    return g_steal_pointer(&span);
  g_autofree char *step = lac_phrase_count((guint64) MAX(iterations->iterations[at].step, 0));
  return g_strdup_printf(_("%s, step %s"), span, step);
}

static GtkWidget *
make_field(LacMarkList *self, const LacRunMark *mark, const char *when)
{
  GtkWidget          *field = gtk_entry_new();
  GtkEventController *focus = gtk_event_controller_focus_new();
  g_autofree char    *name = g_strdup_printf(_("Words of the mark at %s"), when);
  gtk_editable_set_text(GTK_EDITABLE(field), mark->words);
  gtk_entry_set_placeholder_text(GTK_ENTRY(field), _("A few words"));
  gtk_entry_set_max_length(GTK_ENTRY(field), LAC_RUN_MARK_MOST / 2);
  gtk_widget_set_hexpand(field, TRUE);
  lac_accessible_name(field, name);
  g_signal_connect_object(field, "activate", G_CALLBACK(on_words), self, 0);
  g_signal_connect_object(focus, "leave", G_CALLBACK(on_left), self, 0);
  gtk_widget_add_controller(field, focus);
  return field;
}

static void
add_row(LacMarkList *self, const LacRunMark *mark)
{
  GtkWidget       *row = gtk_list_box_row_new(), *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 9);
  g_autofree char *when = say_when(self, mark->time_ns);
  GtkWidget       *show = gtk_button_new_with_label(when);
  GtkWidget       *remove = gtk_button_new_from_icon_name("user-trash-symbolic");
  GtkWidget       *field = make_field(self, mark, when);
  gtk_widget_add_css_class(show, "flat");
  gtk_widget_add_css_class(show, "numeric");
  gtk_widget_set_size_request(show, WHEN_WIDTH, -1);
  gtk_widget_add_css_class(remove, "flat");
  gtk_widget_set_tooltip_text(show, _("Bring this moment into the middle"));
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
fill(LacMarkList *self)
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
    add_row(self, &marks[i]);
  gtk_stack_set_visible_child_name(self->stack, n > 0 ? "marks" : "none");
}

static void
on_scope(LacMarkList *self, guint what)
{
  if ((what & LAC_SCOPE_DATA) &&
      (what & LAC_SCOPE_VIEW)) /* of another recording, whose times may be the same */
    g_array_set_size(self->times, 0);
  if (what & LAC_SCOPE_MARKS)
    fill(self);
}

/* ---- the object ---- */

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
  GtkWidget *none = gtk_label_new(
    _("No marks yet. With the pointer on the timeline, M marks a moment; with Shift, in words."));
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
  fill(self);
}

void
lac_mark_list_write(LacMarkList *self, gsize i)
{
  g_return_if_fail(LAC_IS_MARK_LIST(self));
  if (i < self->fields->len)
    gtk_widget_grab_focus(self->fields->pdata[i]);
}
