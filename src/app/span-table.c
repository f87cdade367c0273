/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A page of spans. It is filled when it is looked at, and not more often than a person can read. */
#include "app/span-table.h"

#include "app/accessible.h"
#include "app/phrase.h"
#include "app/tab-stop.h"
#include "report/timeline/words.h"

#include <glib/gi18n-lib.h>

#define PERIOD_MS 250

/* ---- a row ---- */

#define LAC_TYPE_SPAN_ROW (lac_span_row_get_type())
G_DECLARE_FINAL_TYPE(LacSpanRow, lac_span_row, LAC, SPAN_ROW, GObject)

struct _LacSpanRow {
  GObject        parent_instance;
  LacTimelineBar bar;
};

G_DEFINE_FINAL_TYPE(LacSpanRow, lac_span_row, G_TYPE_OBJECT)

static void
lac_span_row_class_init(LacSpanRowClass *class)
{
}

static void
lac_span_row_init(LacSpanRow *self)
{
}

/* ---- the table ---- */

struct _LacSpanTable {
  GtkWidget           parent_instance;
  GtkColumnView      *view;
  GListStore         *store;
  GtkSingleSelection *selection;
  GtkLabel           *place;
  GtkWidget          *before, *after;
  LacTimelineScope   *scope;
  gsize               first, n_all;
  guint               pending;
  gboolean            filling;
};

G_DEFINE_FINAL_TYPE(LacSpanTable, lac_span_table, GTK_TYPE_WIDGET)

static char *
say_start(LacRecording *recording, const LacTimelineBar *bar)
{
  gint64 begin, end;
  char   text[64];
  lac_timeline_get_extent(lac_recording_get_timeline(recording), &begin, &end);
  lac_timeline_format_time(text, sizeof text, (double) (bar->begin_ns - begin) * 1e-9, 1e-6,
                           (double) (end - begin) * 1e-9);
  return g_strdup(text);
}

static const LacRecord *
record_of(LacRecording *recording, const LacTimelineBar *bar)
{
  return lac_capture_at(lac_recording_get_capture(recording), bar->record);
}

static char *
say_duration(LacRecording *recording, const LacTimelineBar *bar)
{
  return lac_phrase_span((double) record_of(recording, bar)->duration_ns);
}

static char *
say_name(LacRecording *recording, const LacTimelineBar *bar)
{
  return g_strdup(lac_capture_get_name(lac_recording_get_capture(recording), bar->name));
}

static char *
say_lane(LacRecording *recording, const LacTimelineBar *bar)
{
  return g_strdup(
    lac_timeline_word(lac_capture_get_lane(lac_recording_get_capture(recording), bar->lane)));
}

static char *
say_step(LacRecording *recording, const LacTimelineBar *bar)
{
  gint64 step = record_of(recording, bar)->step;
  return step < 0 ? g_strdup("–") : lac_phrase_count((guint64) step);
}

static char *
say_depth(LacRecording *recording, const LacTimelineBar *bar)
{
  return g_strdup_printf("%u", bar->row);
}

typedef struct {
  const char *title;
  char *(*say)(LacRecording *recording, const LacTimelineBar *bar);
  gboolean is_text;
  int      width;
} Column;

static const Column columns[] = {
  {N_("Begins"), say_start, FALSE, 120}, {N_("Duration"), say_duration, FALSE, 100},
  {N_("Name"), say_name, TRUE, 0},       {N_("Lane"), say_lane, TRUE, 120},
  {N_("Step"), say_step, FALSE, 80},     {N_("Depth"), say_depth, FALSE, 70},
};

static void
on_setup(GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user_data)
{
  const Column *column = user_data;
  GtkWidget    *label = gtk_label_new(NULL);
  gtk_label_set_xalign(GTK_LABEL(label), column->is_text ? 0 : 1);
  if (column->is_text)
    gtk_label_set_ellipsize(GTK_LABEL(label), PANGO_ELLIPSIZE_MIDDLE);
  else
    gtk_widget_add_css_class(label, "numeric");
  g_object_set_data(G_OBJECT(item), "column", user_data);
  gtk_list_item_set_child(item, label);
}

static void
on_bind(GtkSignalListItemFactory *factory, GtkListItem *item, LacSpanTable *self)
{
  const Column    *column = g_object_get_data(G_OBJECT(item), "column");
  LacSpanRow      *row = gtk_list_item_get_item(item);
  LacRecording    *recording = lac_timeline_scope_get_recording(self->scope);
  g_autofree char *text = recording == NULL ? NULL : column->say(recording, &row->bar);
  gtk_label_set_text(GTK_LABEL(gtk_list_item_get_child(item)), text);
}

static void
add_column(LacSpanTable *self, const Column *column)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new();
  g_signal_connect(factory, "setup", G_CALLBACK(on_setup), (gpointer) column);
  g_signal_connect_object(factory, "bind", G_CALLBACK(on_bind), self, 0);
  g_autoptr(GtkColumnViewColumn) made = gtk_column_view_column_new(_(column->title), factory);
  gtk_column_view_column_set_resizable(made, TRUE);
  if (column->width == 0)
    gtk_column_view_column_set_expand(made, TRUE);
  else
    gtk_column_view_column_set_fixed_width(made, column->width);
  gtk_column_view_append_column(self->view, made);
}

/* ---- filling ---- */

static void
get_time(LacSpanTable *self, gint64 *begin, gint64 *end)
{
  if (!lac_timeline_scope_get_range(self->scope, begin, end))
    lac_timeline_scope_get_view(self->scope, begin, end);
}

/* The row of the selected span is the one chosen here, where it is on this page. */
static void
show_selected(LacSpanTable *self)
{
  const LacTimelineBar *bar = lac_timeline_scope_get_selected(self->scope);
  guint                 n = g_list_model_get_n_items(G_LIST_MODEL(self->store));
  guint                 chosen = GTK_INVALID_LIST_POSITION;
  for (guint i = 0; bar != NULL && i < n && chosen == GTK_INVALID_LIST_POSITION; i++) {
    g_autoptr(LacSpanRow) row = g_list_model_get_item(G_LIST_MODEL(self->store), i);
    if (row->bar.record == bar->record)
      chosen = i;
  }
  self->filling = TRUE;
  gtk_single_selection_set_selected(self->selection, chosen);
  self->filling = FALSE;
}

static void
say_place(LacSpanTable *self, gsize n)
{
  g_autofree char   *first = lac_phrase_count(self->first + 1);
  g_autofree char   *last = lac_phrase_count(self->first + n);
  g_autofree char   *all = lac_phrase_count(self->n_all);
  g_autoptr(GString) text = g_string_new(NULL);
  LacDurationChoice  choice;
  if (n == 0)
    g_string_append(text, _("No spans here"));
  else
    g_string_append_printf(text, _("%s to %s of %s spans"), first, last, all);
  if (lac_timeline_scope_get_brush(self->scope, &choice)) {
    g_autofree char *low = lac_phrase_span(choice.low_ns);
    g_autofree char *high = lac_phrase_span(choice.high_ns);
    g_string_append_printf(text, _(" · only %s of %s to %s"),
                           lac_timeline_scope_get_watched(self->scope), low, high);
  }
  gtk_label_set_text(self->place, text->str);
  gtk_widget_set_sensitive(self->before, self->first > 0);
  gtk_widget_set_sensitive(self->after, self->first + n < self->n_all);
}

/* Bars of the time looked at; of the chosen durations alone where some are chosen. Returns: how many are on this page. */
static gsize
list(LacSpanTable *self, LacTimelineBar *bars)
{
  LacTimeline *timeline = lac_recording_get_timeline(lac_timeline_scope_get_recording(self->scope));
  LacDurationChoice   choice;
  gint64              begin, end;
  const LacDurations *durations = NULL;
  if (lac_timeline_scope_get_brush(self->scope, &choice))
    durations = lac_timeline_scope_get_durations(self->scope);
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
  for (gsize i = 0; i < n; i++) {
    LacSpanRow *row = g_object_new(LAC_TYPE_SPAN_ROW, NULL);
    row->bar = bars[i];
    g_ptr_array_add(rows, row);
  }
  self->filling = TRUE;
  g_list_store_splice(self->store, 0, g_list_model_get_n_items(G_LIST_MODEL(self->store)),
                      rows->pdata, rows->len);
  self->filling = FALSE;
  say_place(self, n);
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
  if (!(what & (LAC_SCOPE_DATA | LAC_SCOPE_RANGE | LAC_SCOPE_DURATIONS)) &&
      !(by_view && (what & LAC_SCOPE_VIEW)))
    return;
  if (!(what & LAC_SCOPE_DATA))
    self->first = 0;
  if (self->pending == 0)
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
  LacSpanRow *row = gtk_single_selection_get_selected_item(self->selection);
  if (self->filling || row == NULL)
    return;
  lac_timeline_scope_select(self->scope, &row->bar);
  lac_timeline_scope_reveal(self->scope, &row->bar);
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
  g_clear_object(&self->store);
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
  self->before = make_button("go-previous-symbolic", _("Spans before these"));
  self->after = make_button("go-next-symbolic", _("Spans after these"));
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
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0), *scroller = gtk_scrolled_window_new();
  self->store = g_list_store_new(LAC_TYPE_SPAN_ROW);
  self->view = GTK_COLUMN_VIEW(gtk_column_view_new(NULL));
  gtk_column_view_set_show_row_separators(self->view, TRUE);
  gtk_widget_add_css_class(GTK_WIDGET(self->view), "data-table");
  for (gsize i = 0; i < G_N_ELEMENTS(columns); i++)
    add_column(self, &columns[i]);
  self->selection = gtk_single_selection_new(g_object_ref(G_LIST_MODEL(self->store)));
  gtk_single_selection_set_autoselect(self->selection, FALSE);
  gtk_single_selection_set_can_unselect(self->selection, TRUE);
  gtk_single_selection_set_selected(self->selection, GTK_INVALID_LIST_POSITION);
  gtk_column_view_set_model(self->view, GTK_SELECTION_MODEL(self->selection));
  g_object_unref(self->selection);
  g_signal_connect_object(self->selection, "notify::selected", G_CALLBACK(on_chosen), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect(self, "map", G_CALLBACK(on_map), NULL);
  lac_accessible_name(self->view, _("Spans in order of time"));
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scroller), GTK_WIDGET(self->view));
  gtk_widget_set_vexpand(scroller, TRUE);
  gtk_box_append(GTK_BOX(box), make_pager(self));
  gtk_box_append(GTK_BOX(box), lac_tab_stop_new(scroller));
  gtk_widget_set_parent(box, GTK_WIDGET(self));
}

void
lac_span_table_set_scope(LacSpanTable *self, LacTimelineScope *scope)
{
  g_return_if_fail(LAC_IS_SPAN_TABLE(self) && LAC_IS_TIMELINE_SCOPE(scope) && self->scope == NULL);
  self->scope = g_object_ref(scope);
  g_signal_connect_object(scope, "changed", G_CALLBACK(on_scope), self, G_CONNECT_SWAPPED);
}
