/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Duration text, histogram and table. Built only while visible, at most once per PERIOD_MS. */
#include "app/timeline/duration-panel.h"

#include "app/timeline/duration-view.h"
#include "app/toolkit/accessible.h"
#include "app/toolkit/column-table.h"
#include "app/toolkit/format.h"
#include "base/number-display.h"

#include <glib/gi18n-lib.h>

#define PERIOD_MS   400
#define TABLE_WIDTH 372

/* ---- a row ---- */

typedef struct {
  double  low_ns, high_ns, share, up_to; /* fractions of all calls: in the bin, up to its end */
  guint64 n_calls;
} Row;

static char *
describe_range(gpointer data, gconstpointer panel)
{
  const Row       *row = data;
  g_autofree char *low = lac_format_span(row->low_ns), *high = lac_format_span(row->high_ns);
  return g_strdup_printf("%s – %s", low, high);
}

static char *
describe_calls(gpointer row, gconstpointer panel)
{
  return lac_format_count(((const Row *) row)->n_calls);
}

static char *
describe_share(gpointer row, gconstpointer panel)
{
  return lac_number_localise(g_strdup_printf("%.1f %%", 100 * ((const Row *) row)->share));
}

static char *
describe_up_to(gpointer row, gconstpointer panel)
{
  return lac_number_localise(g_strdup_printf("%.1f %%", 100 * ((const Row *) row)->up_to));
}

#define NUMBER .is_fixed = TRUE, .style = "numeric"

static const LacTableColumn columns[] = {
  {N_("Duration"), .text = describe_range, .expands = TRUE, NUMBER},
  {N_("Calls"), .text = describe_calls, .width = 64, .xalign = 1, NUMBER},
  {N_("Share"), .text = describe_share, .width = 66, .xalign = 1, NUMBER},
  {N_("Cumulative"), .text = describe_up_to, .width = 84, .xalign = 1, NUMBER},
};

/* ---- the panel ---- */

struct _LacDurationPanel {
  GtkWidget         parent_instance;
  GtkLabel         *words;
  GtkWidget        *let_go;
  LacDurationView  *view;
  LacColumnTable   *table; /* rows: Row */
  LacTimelineScope *scope;
  LacDurationChart  chart;
  guint             pending;
};

G_DEFINE_FINAL_TYPE(LacDurationPanel, lac_duration_panel, GTK_TYPE_WIDGET)

/* ---- what is shown ---- */

static void
describe_words(LacDurationPanel *self, const LacDurations *durations)
{
  const char        *name = lac_timeline_scope_get_watched(self->scope);
  g_autoptr(GString) words =
    g_string_new(name != NULL ? name : _("Nothing has been recorded yet."));
  LacDurationChoice choice;
  gint64            begin, end;
  if (name != NULL && lac_durations_get_n_calls(durations) == 0) {
    g_string_append(words, _(" · no calls in the range"));
  } else if (name != NULL) {
    g_autofree char *n = lac_format_count(lac_durations_get_n_calls(durations));
    g_string_append_printf(
      words, ngettext(" · %s call", " · %s calls", (gulong) lac_durations_get_n_calls(durations)),
      n);
    for (LacPercentile p = 0; p < LAC_N_PERCENTILES; p++) {
      g_autofree char *span = lac_format_span(lac_durations_get_percentile(durations, p));
      g_string_append_printf(words, " · %s %s", lac_percentile_get_name(p), span);
    }
    if (lac_timeline_scope_get_range(self->scope, &begin, &end))
      g_string_append(words, _(" · in the range"));
  }
  gboolean chosen = lac_timeline_scope_get_brush(self->scope, &choice);
  gtk_widget_set_visible(self->let_go, chosen);
  if (chosen && durations != NULL) {
    LacDurationSum   sum = lac_durations_sum(durations, &choice);
    g_autofree char *n = lac_format_count(sum.n_calls), *total = lac_format_span(sum.total_ns);
    g_autofree char *low = lac_format_span(choice.low_ns), *high = lac_format_span(choice.high_ns);
    g_string_append_printf(words,
                           ngettext(" · selected %s to %s: %s call, %s in total",
                                    " · selected %s to %s: %s calls, %s in total",
                                    (gulong) sum.n_calls),
                           low, high, n, total);
  }
  gtk_label_set_text(self->words, words->str);
  gtk_widget_set_tooltip_text(GTK_WIDGET(self->words), words->str);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->view), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                 words->str, -1);
}

/* Selects the rows within the brushed range. */
static void
show_chosen(LacDurationPanel *self)
{
  LacDurationChoice    choice;
  gboolean             any = lac_timeline_scope_get_brush(self->scope, &choice);
  guint                n = lac_column_table_get_n_rows(self->table);
  g_autoptr(GtkBitset) chosen = gtk_bitset_new_empty();
  for (guint i = 0; any && i < n; i++) {
    const Row *row = lac_column_table_get_row(self->table, i);
    double     middle = (row->low_ns + row->high_ns) / 2;
    if (middle >= choice.low_ns && middle <= choice.high_ns)
      gtk_bitset_add(chosen, i);
  }
  lac_column_table_choose(self->table, chosen);
}

/* Adds a row for each non-empty bin. */
static void
fill_table(LacDurationPanel *self)
{
  g_autoptr(GPtrArray)   rows = g_ptr_array_new_with_free_func(g_object_unref);
  const LacDurationBins *bins = &self->chart.series[0].bins;
  guint64                seen = 0;
  for (gsize i = 0; self->chart.n > 0 && i < LAC_DURATION_BINS; i++) {
    if (bins->counts[i] == 0)
      continue;
    Row *row = g_new(Row, 1);
    seen += bins->counts[i];
    row->low_ns = lac_duration_bins_get_edge(bins, i);
    row->high_ns = lac_duration_bins_get_edge(bins, i + 1);
    row->n_calls = bins->counts[i];
    row->share = (double) bins->counts[i] / (double) bins->n_calls;
    row->up_to = (double) seen / (double) bins->n_calls;
    g_ptr_array_add(rows, lac_column_row_new(row, g_free));
  }
  lac_column_table_replace(self->table, rows);
}

static void
fill(LacDurationPanel *self)
{
  LacDurations *durations = (LacDurations *) lac_timeline_scope_get_durations(self->scope);
  if (durations == NULL || !lac_duration_chart_take(&self->chart, &durations, 1))
    self->chart.n = 0;
  lac_duration_view_show(self->view, &self->chart);
  fill_table(self);
  show_chosen(self);
  describe_words(self, durations);
}

static gboolean
on_refresh(gpointer user_data)
{
  LacDurationPanel *self = user_data;
  self->pending = 0;
  if (self->scope != NULL && gtk_widget_get_mapped(GTK_WIDGET(self)))
    fill(self);
  return G_SOURCE_REMOVE;
}

static void
on_scope(LacDurationPanel *self, guint what)
{
  if (what & (LAC_SCOPE_DATA | LAC_SCOPE_RANGE)) {
    if (self->pending == 0)
      self->pending = g_timeout_add(PERIOD_MS, on_refresh, self);
  } else if ((what & LAC_SCOPE_DURATIONS) && gtk_widget_get_mapped(GTK_WIDGET(self))) {
    fill(self);
  }
}

static void
on_map(LacDurationPanel *self)
{
  if (self->scope != NULL)
    fill(self);
}

/* Brushes from the shortest to the longest duration of the selected rows. */
static void
on_chosen(LacDurationPanel *self)
{
  g_autoptr(GtkBitset) chosen =
    gtk_selection_model_get_selection(lac_column_table_get_selection(self->table));
  if (gtk_bitset_is_empty(chosen))
    return;
  const Row *first = lac_column_table_get_row(self->table, gtk_bitset_get_minimum(chosen));
  const Row *last = lac_column_table_get_row(self->table, gtk_bitset_get_maximum(chosen));
  lac_timeline_scope_brush(self->scope, first->low_ns, last->high_ns);
}

static void
on_let_go(LacDurationPanel *self)
{
  lac_timeline_scope_brush(self->scope, 0, 0);
}

/* ---- the object ---- */

static void
lac_duration_panel_dispose(GObject *object)
{
  LacDurationPanel *self = LAC_DURATION_PANEL(object);
  GtkWidget        *child;
  g_clear_handle_id(&self->pending, g_source_remove);
  while ((child = gtk_widget_get_first_child(GTK_WIDGET(self))) != NULL)
    gtk_widget_unparent(child);
  g_clear_object(&self->scope);
  G_OBJECT_CLASS(lac_duration_panel_parent_class)->dispose(object);
}

static void
lac_duration_panel_class_init(LacDurationPanelClass *class)
{
  G_OBJECT_CLASS(class)->dispose = lac_duration_panel_dispose;
  gtk_widget_class_set_layout_manager_type(GTK_WIDGET_CLASS(class), GTK_TYPE_BIN_LAYOUT);
}

static GtkWidget *
make_table(LacDurationPanel *self)
{
  self->table = lac_column_table_new(_("Calls by duration"));
  lac_column_table_add_all(self->table, columns, G_N_ELEMENTS(columns), NULL);
  lac_column_table_set_rows(self->table, NULL, GTK_SELECTION_MULTIPLE);
  gtk_column_view_set_show_row_separators(lac_column_table_get_view(self->table), FALSE);
  gtk_widget_set_size_request(GTK_WIDGET(self->table), TABLE_WIDTH, -1);
  g_signal_connect_object(self->table, "chosen", G_CALLBACK(on_chosen), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET(self->table);
}

static GtkWidget *
make_heading(LacDurationPanel *self)
{
  GtkWidget *heading = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6);
  self->words = GTK_LABEL(gtk_label_new(NULL));
  self->let_go = gtk_button_new_from_icon_name("edit-clear-symbolic");
  gtk_label_set_ellipsize(self->words, PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign(self->words, 0);
  gtk_widget_add_css_class(GTK_WIDGET(self->words), "caption");
  gtk_widget_add_css_class(GTK_WIDGET(self->words), "numeric");
  gtk_widget_set_hexpand(GTK_WIDGET(self->words), TRUE);
  gtk_widget_add_css_class(self->let_go, "flat");
  gtk_widget_add_css_class(self->let_go, "small");
  gtk_widget_set_tooltip_text(self->let_go, _("Clear the selected durations"));
  lac_accessible_name(self->let_go, _("Clear the selected durations"));
  g_signal_connect_object(self->let_go, "clicked", G_CALLBACK(on_let_go), self, G_CONNECT_SWAPPED);
  gtk_box_append(GTK_BOX(heading), GTK_WIDGET(self->words));
  gtk_box_append(GTK_BOX(heading), self->let_go);
  gtk_widget_set_size_request(heading, -1, 26); /* same height with and without its button */
  gtk_widget_set_margin_start(heading, 12);
  gtk_widget_set_margin_end(heading, 12);
  return heading;
}

static void
lac_duration_panel_init(LacDurationPanel *self)
{
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *both = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12);
  self->view = g_object_new(LAC_TYPE_DURATION_VIEW, NULL);
  gtk_widget_set_hexpand(GTK_WIDGET(self->view), TRUE);
  gtk_widget_set_margin_start(GTK_WIDGET(self->view), 12);
  gtk_widget_set_vexpand(both, TRUE);
  gtk_box_append(GTK_BOX(both), GTK_WIDGET(self->view));
  gtk_box_append(GTK_BOX(both), make_table(self));
  gtk_box_append(GTK_BOX(box), make_heading(self));
  gtk_box_append(GTK_BOX(box), both);
  gtk_widget_set_parent(box, GTK_WIDGET(self));
  g_signal_connect_after(self, "map", G_CALLBACK(on_map), NULL);
}

void
lac_duration_panel_set_scope(LacDurationPanel *self, LacTimelineScope *scope)
{
  g_return_if_fail(LAC_IS_DURATION_PANEL(self) && self->scope == NULL);
  self->scope = g_object_ref(scope);
  lac_duration_view_set_scope(self->view, scope);
  g_signal_connect_object(scope, "changed", G_CALLBACK(on_scope), self, G_CONNECT_SWAPPED);
}
