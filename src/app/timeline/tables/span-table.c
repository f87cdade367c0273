/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A page of spans. Filled while visible, at a readable rate. */
#include "app/timeline/tables/span-table.h"

#include "app/toolkit/accessible.h"
#include "app/toolkit/column-table.h"
#include "app/toolkit/format.h"
#include "report/timeline/words.h"

#include <glib/gi18n-lib.h>

#define PERIOD_MS 250

/* ---- the table ---- */

struct _LacSpanTable {
  GtkWidget         parent_instance;
  LacColumnTable   *table; /* rows: LacTimelineBar */
  GtkLabel         *place;
  GtkWidget        *before, *after;
  LacTimelineScope *scope;
  gsize             first, n_all;
  guint             pending;
};

G_DEFINE_FINAL_TYPE(LacSpanTable, lac_span_table, GTK_TYPE_WIDGET)

/* ---- columns: a row is a LacTimelineBar, the data of a column the LacSpanTable ---- */

static const LacCapture *
capture_of(gconstpointer table)
{
  return lac_recording_get_capture(
    lac_timeline_scope_get_recording(((const LacSpanTable *) table)->scope));
}

static char *
describe_start(gpointer row, gconstpointer table)
{
  const LacTimelineBar *bar = row;
  LacTimelineScope     *scope = ((const LacSpanTable *) table)->scope;
  gint64                begin, end;
  char                  text[64];
  lac_timeline_get_extent(lac_recording_get_timeline(lac_timeline_scope_get_recording(scope)),
                          &begin, &end);
  lac_timeline_format_time(text, sizeof text, (double) (bar->begin_ns - begin) * 1e-9, 1e-6,
                           (double) (end - begin) * 1e-9);
  return g_strdup(text);
}

static const LacRecord *
record_of(const LacTimelineBar *bar, gconstpointer table)
{
  return lac_capture_at(capture_of(table), bar->record);
}

static char *
describe_duration(gpointer row, gconstpointer table)
{
  return lac_format_span((double) record_of(row, table)->duration_ns);
}

static char *
describe_name(gpointer row, gconstpointer table)
{
  return g_strdup(lac_capture_get_name(capture_of(table), ((LacTimelineBar *) row)->name));
}

static char *
describe_lane(gpointer row, gconstpointer table)
{
  return g_strdup(
    lac_timeline_word(lac_capture_get_lane(capture_of(table), ((LacTimelineBar *) row)->lane)));
}

static char *
describe_step(gpointer row, gconstpointer table)
{
  gint64 step = record_of(row, table)->step;
  return step < 0 ? g_strdup("–") : lac_format_count((guint64) step);
}

static char *
describe_depth(gpointer row, gconstpointer table)
{
  return g_strdup_printf("%u", ((LacTimelineBar *) row)->row);
}

#define NUMBER .xalign = 1, .style = "numeric"
#define TEXT   .ellipsize = PANGO_ELLIPSIZE_MIDDLE

static const LacTableColumn columns[] = {
  {N_("Start time"), .text = describe_start, .width = 120, NUMBER},
  {N_("Duration"), .text = describe_duration, .width = 100, NUMBER},
  {N_("Name"), .text = describe_name, .expands = TRUE, TEXT},
  {N_("Lane"), .text = describe_lane, .width = 120, TEXT},
  {N_("Step"), .text = describe_step, .width = 80, NUMBER},
  {N_("Depth"), .text = describe_depth, .width = 70, NUMBER},
};

/* ---- filling ---- */

static void
get_time(LacSpanTable *self, gint64 *begin, gint64 *end)
{
  if (!lac_timeline_scope_get_range(self->scope, begin, end))
    lac_timeline_scope_get_view(self->scope, begin, end);
}

/* Selects the row of the selected span, if it is on this page. */
static void
show_selected(LacSpanTable *self)
{
  const LacTimelineBar *bar = lac_timeline_scope_get_selected(self->scope);
  guint                 n = lac_column_table_get_n_rows(self->table);
  g_autoptr(GtkBitset)  chosen = gtk_bitset_new_empty();
  for (guint i = 0; bar != NULL && i < n && gtk_bitset_is_empty(chosen); i++)
    if (((LacTimelineBar *) lac_column_table_get_row(self->table, i))->record == bar->record)
      gtk_bitset_add(chosen, i);
  lac_column_table_choose(self->table, chosen);
}

static void
describe_place(LacSpanTable *self, gsize n)
{
  g_autofree char   *first = lac_format_count(self->first + 1);
  g_autofree char   *last = lac_format_count(self->first + n);
  g_autofree char   *all = lac_format_count(self->n_all);
  g_autoptr(GString) text = g_string_new(NULL);
  LacDurationChoice  choice;
  if (n == 0)
    g_string_append(text, _("No spans here"));
  else
    g_string_append_printf(text, _("%s to %s of %s spans"), first, last, all);
  if (lac_timeline_scope_get_brush(self->scope, &choice)) {
    g_autofree char *low = lac_format_span(choice.low_ns);
    g_autofree char *high = lac_format_span(choice.high_ns);
    g_string_append_printf(text, _(" · only %s lasting %s to %s"),
                           lac_timeline_scope_get_watched(self->scope), low, high);
  }
  gtk_label_set_text(self->place, text->str);
  gtk_widget_set_sensitive(self->before, self->first > 0);
  gtk_widget_set_sensitive(self->after, self->first + n < self->n_all);
}

static gboolean
is_limited(LacSpanTable *self)
{
  gsize n;
  lac_timeline_scope_get_limit(self->scope, &n);
  return n > 0;
}

/* Lists the bars of the visible time, only those with selected durations if any are selected. Returns: the number on
 * this page. */
static gsize
list(LacSpanTable *self, LacTimelineBar *bars)
{
  LacTimeline *timeline = lac_recording_get_timeline(lac_timeline_scope_get_recording(self->scope));
  LacDurationChoice   choice;
  gint64              begin, end;
  const LacDurations *durations = NULL;
  if (lac_timeline_scope_get_brush(self->scope, &choice)) {
    durations = lac_timeline_scope_get_durations(self->scope);
  } else if (is_limited(self)) { /* the calls of the last name of the path */
    durations = lac_timeline_scope_get_durations(self->scope);
    choice.low_ns = 0;
    choice.high_ns = G_MAXDOUBLE;
  }
  get_time(self, &begin, &end);
  choice.begin_ns = begin;
  choice.end_ns = end;
  self->n_all = durations != NULL ? lac_durations_sum(durations, &choice).n
                                  : lac_timeline_count_range(timeline, begin, end);
  if (self->first >= self->n_all)
    self->first = 0;
  if (durations != NULL)
    return lac_durations_list(durations, &choice, self->first, bars, LAC_SPAN_TABLE_PAGE);
  return lac_timeline_list(timeline, begin, end, self->first, bars, LAC_SPAN_TABLE_PAGE);
}

static void
fill(LacSpanTable *self)
{
  g_autoptr(GPtrArray)       rows = g_ptr_array_new_with_free_func(g_object_unref);
  g_autofree LacTimelineBar *bars = g_new(LacTimelineBar, LAC_SPAN_TABLE_PAGE);
  gsize                      n = 0;
  self->n_all = 0;
  if (!lac_timeline_scope_is_empty(self->scope))
    n = list(self, bars);
  for (gsize i = 0; i < n; i++)
    g_ptr_array_add(rows, lac_column_row_new(g_memdup2(&bars[i], sizeof bars[i]), g_free));
  lac_column_table_replace(self->table, rows);
  describe_place(self, n);
  show_selected(self);
}

static gboolean
on_refresh(gpointer user_data)
{
  LacSpanTable *self = user_data;
  self->pending = 0;
  if (self->scope != NULL && gtk_widget_get_mapped(GTK_WIDGET(self)))
    fill(self);
  return G_SOURCE_REMOVE;
}

static void
on_scope(LacSpanTable *self, guint what)
{
  gint64   begin, end;
  gboolean by_view = !lac_timeline_scope_get_range(self->scope, &begin, &end);
  if (what & LAC_SCOPE_SELECTED)
    show_selected(self);
  if (!(what & (LAC_SCOPE_DATA | LAC_SCOPE_RANGE | LAC_SCOPE_DURATIONS | LAC_SCOPE_CHOSEN)) &&
      !(by_view && (what & LAC_SCOPE_VIEW)))
    return;
  if (!(what & LAC_SCOPE_DATA))
    self->first = 0;
  if (lac_timeline_scope_get_recording(self->scope) == NULL)
    fill(self); /* at once: rows refer to the recording */
  else if (self->pending == 0)
    self->pending = g_timeout_add(PERIOD_MS, on_refresh, self);
}

static void
on_map(LacSpanTable *self)
{
  if (self->scope != NULL)
    fill(self);
}

static void
on_chosen(LacSpanTable *self)
{
  const LacTimelineBar *chosen = lac_column_table_get_chosen(self->table);
  if (chosen == NULL)
    return;
  const LacTimelineBar bar = *chosen; /* its row may be removed */
  lac_timeline_scope_select(self->scope, &bar);
  lac_timeline_scope_reveal(self->scope, &bar);
}

static void
turn(LacSpanTable *self, gboolean forwards)
{
  self->first = forwards ? self->first + LAC_SPAN_TABLE_PAGE
                         : self->first - MIN(self->first, LAC_SPAN_TABLE_PAGE);
  fill(self);
}

static void
on_before(LacSpanTable *self)
{
  turn(self, FALSE);
}

static void
on_after(LacSpanTable *self)
{
  turn(self, TRUE);
}

/* ---- the object ---- */

static void
lac_span_table_dispose(GObject *object)
{
  LacSpanTable *self = LAC_SPAN_TABLE(object);
  GtkWidget    *child;
  g_clear_handle_id(&self->pending, g_source_remove);
  while ((child = gtk_widget_get_first_child(GTK_WIDGET(self))) != NULL)
    gtk_widget_unparent(child);
  g_clear_object(&self->scope);
  G_OBJECT_CLASS(lac_span_table_parent_class)->dispose(object);
}

static void
lac_span_table_class_init(LacSpanTableClass *class)
{
  G_OBJECT_CLASS(class)->dispose = lac_span_table_dispose;
  gtk_widget_class_set_layout_manager_type(GTK_WIDGET_CLASS(class), GTK_TYPE_BIN_LAYOUT);
}

static GtkWidget *
make_button(const char *icon, const char *name)
{
  GtkWidget *button = gtk_button_new_from_icon_name(icon);
  gtk_widget_add_css_class(button, "flat");
  gtk_widget_add_css_class(button, "small");
  gtk_widget_set_tooltip_text(button, name);
  lac_accessible_name(button, name);
  return button;
}

static GtkWidget *
make_pager(LacSpanTable *self)
{
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6);
  self->place = GTK_LABEL(gtk_label_new(NULL));
  self->before = make_button("go-previous-symbolic", _("Previous spans"));
  self->after = make_button("go-next-symbolic", _("Next spans"));
  gtk_widget_add_css_class(GTK_WIDGET(self->place), "caption");
  gtk_widget_add_css_class(GTK_WIDGET(self->place), "numeric");
  gtk_widget_set_margin_start(box, 12);
  gtk_box_append(GTK_BOX(box), GTK_WIDGET(self->place));
  gtk_box_append(GTK_BOX(box), self->before);
  gtk_box_append(GTK_BOX(box), self->after);
  g_signal_connect_object(self->before, "clicked", G_CALLBACK(on_before), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(self->after, "clicked", G_CALLBACK(on_after), self, G_CONNECT_SWAPPED);
  return box;
}

static void
lac_span_table_init(LacSpanTable *self)
{
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  self->table = lac_column_table_new(_("Spans in order of time"));
  lac_column_table_add_all(self->table, columns, G_N_ELEMENTS(columns), self);
  lac_column_table_set_rows(self->table, NULL, GTK_SELECTION_SINGLE);
  gtk_widget_set_vexpand(GTK_WIDGET(self->table), TRUE);
  g_signal_connect_object(self->table, "chosen", G_CALLBACK(on_chosen), self, G_CONNECT_SWAPPED);
  g_signal_connect(self, "map", G_CALLBACK(on_map), NULL);
  gtk_box_append(GTK_BOX(box), make_pager(self));
  gtk_box_append(GTK_BOX(box), GTK_WIDGET(self->table));
  gtk_widget_set_parent(box, GTK_WIDGET(self));
}

void
lac_span_table_set_scope(LacSpanTable *self, LacTimelineScope *scope)
{
  g_return_if_fail(LAC_IS_SPAN_TABLE(self) && LAC_IS_TIMELINE_SCOPE(scope) && self->scope == NULL);
  self->scope = g_object_ref(scope);
  g_signal_connect_object(scope, "changed", G_CALLBACK(on_scope), self, G_CONNECT_SWAPPED);
}
