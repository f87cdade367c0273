/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A column table over the table of methods. Values are refreshed a few times a second: numbers that change faster are not
 * readable. */
#include "app/live/method-view.h"

#include "app/live/method-cells.h"
#include "app/plot/curve-points.h"
#include "app/toolkit/style.h"
#include "app/toolkit/tip.h"
#include "base/clock.h"
#include "report/plot/plot.h"
#include "report/text/metric-group.h"
#include "report/text/words.h"

#include <glib/gi18n-lib.h>

#include <math.h>

#define REFRESH_MS 250
#define BEST_STAYS \
  (2 * G_GINT64_CONSTANT(1000000000)) /* ns: the mark of the best method moves seldom */
#define ROW_HEIGHT  30
#define ROW_MARGIN  11 /* above and below the text of a row */
#define MOST_ROWS   6
#define LEAST_NAME  150
#define MOST_NAME   300
#define NAME_MARGIN 76 /* swatch, padding of the mark and of the cell */
#define SPARK_WIDTH 80
#define USUAL_VALUE "0.000 %" /* each column of values has room for it */
#define CELL_MARGIN 28

typedef struct {
  LacMethodView *view;
  gsize          index;
} Place; /* a column of values */

struct _LacMethodView {
  GtkWidget       parent_instance;
  GtkWidget      *box;
  LacColumnTable *table; /* made anew when the columns change */
  GtkLabel       *footnote;
  GtkBox         *foot;
  GtkWidget      *more;
  LacSession     *session;
  LacMethodTable  values;
  Place          *places;  /* one per column */
  GPtrArray      *made;    /* GtkColumnViewColumn of each column, borrowed */
  gint64          step;    /* of the frame shown; -1: none */
  gint64          best_ns; /* when the best method changed last */
  gssize          best;    /* row with the mark; -1: none */
  guint           refresh;
  gboolean        was_moving, was_active;
};

G_DEFINE_FINAL_TYPE(LacMethodView, lac_method_view, GTK_TYPE_WIDGET)

enum { TOGGLED, REFRESHED, N_SIGNALS };
static guint signals[N_SIGNALS];

static gboolean
is_moving(LacMethodView *self)
{
  return lac_session_get_status(self->session)->state <= LAC_RUN_RUNNING &&
         lac_session_is_active(self->session);
}

/* ---- values ---- */

static char *
describe_value(gpointer row, gconstpointer data)
{
  return g_strdup(((const LacMethodItem *) row)->data->cells[((const Place *) data)->index].text);
}

static const char *
get_accent(gpointer row, gconstpointer data)
{
  return ((const LacMethodItem *) row)->is_best ? "strong" : NULL;
}

/* The greatest value is the best, so that the column is sorted downwards. */
static gboolean
descends(const LacMethodColumn *column)
{
  return column->rank == LAC_RANK_GREATEST;
}

/* Missing values and comparisons come last when the best comes first. */
static gboolean
comes_last(const LacMethodRow *row, gsize column)
{
  return row->is_comparison || isnan(row->cells[column].value);
}

static int
compare_values(gpointer a, gpointer b, gconstpointer data)
{
  const Place *place = data;
  double       x = ((const LacMethodItem *) a)->data->cells[place->index].value,
         y = ((const LacMethodItem *) b)->data->cells[place->index].value;
  gboolean last[] = {comes_last(((const LacMethodItem *) a)->data, place->index),
                     comes_last(((const LacMethodItem *) b)->data, place->index)};
  if (last[0] != last[1])
    return last[0] == descends(&place->view->values.columns[place->index]) ? -1 : 1;
  return (x > y) - (x < y);
}

/* ---- refreshing ---- */

/* Returns: (transfer full): the values of the metrics at the step shown; the newest of a run in progress. */
static double *
dup_values(LacMethodView *self, gsize n)
{
  double  *values = g_new(double, n + 1);
  gboolean is_newest =
    self->step < 0 || is_moving(self) || self->step >= lac_session_get_status(self->session)->step;
  for (gsize i = 0; i < n; i++) {
    LacSessionSeries series = lac_session_get_series(self->session, i);
    values[i] =
      is_newest || series.n == 0 || series.step[0] > (double) self->step
        ? (is_newest ? lac_session_get_last(self->session, i) : (double) NAN)
        : series.values[lac_curve_points_find(series.step, series.n, (double) self->step)];
  }
  return values;
}

/* Fills the values anew. Returns: TRUE if the columns or rows are other ones than before. */
static gboolean
fill(LacMethodView *self)
{
  LacRecording      *recording = lac_session_get_recording(self->session);
  LacMethodTable     before = self->values;
  gsize              n, n_channels, n_aggregates;
  const LacMetric   *metrics = lac_session_get_metrics(self->session, &n);
  g_autofree double *values = dup_values(self, n);
  LacMethodSource    source = {
       .metrics = metrics,
       .values = values,
       .n_metrics = n,
       .channels = lac_session_get_channels(self->session, &n_channels),
       .capture = lac_recording_get_capture(recording),
       .aggregates = lac_recording_get_aggregates(recording, &n_aggregates),
       .is_final = !lac_session_is_active(self->session),
  };
  source.n_channels = n_channels;
  source.n_aggregates = n_aggregates;
  lac_method_table_fill(&self->values, &source);
  gboolean is_other =
    before.n_columns != self->values.n_columns || before.n_rows != self->values.n_rows;
  for (gsize i = 0; !is_other && i < before.n_columns; i++)
    is_other = before.columns[i].key != self->values.columns[i].key;
  lac_method_table_clear(&before);
  return is_other;
}

/* Moves the mark of the best method, unless it has just moved. */
static void
follow_best(LacMethodView *self)
{
  gint64 now = lac_clock_ns();
  if (self->values.best == self->best ||
      (is_moving(self) && self->best >= 0 && now - self->best_ns < BEST_STAYS))
    return;
  self->best = self->values.best;
  self->best_ns = now;
}

static char *
dup_title(LacMethodView *self, const LacMethodColumn *column)
{
  gboolean is_partial = column->kind == LAC_COLUMN_MEAN && lac_session_is_active(self->session);
  return g_strdup(is_partial ? _("Mean so far") : column->title);
}

/* Returns: the width of a text in bold. @scale: of its font */
static int
measure_bold(LacMethodView *self, const char *text, double scale)
{
  int                      width;
  g_autoptr(PangoLayout)   layout = gtk_widget_create_pango_layout(GTK_WIDGET(self), text);
  g_autoptr(PangoAttrList) bold = pango_attr_list_new();
  pango_attr_list_insert(bold, pango_attr_weight_new(PANGO_WEIGHT_BOLD));
  pango_attr_list_insert(bold, pango_attr_scale_new(scale));
  pango_layout_set_attributes(layout, bold);
  pango_layout_get_pixel_size(layout, &width, NULL);
  return width;
}

/* Returns: the width that the texts of a column need. */
static int
find_width(LacMethodView *self, gsize index)
{
  int widest = measure_bold(self, USUAL_VALUE, 1);
  for (gsize i = 0; i < self->values.n_rows; i++)
    widest = MAX(widest, measure_bold(self, self->values.rows[i].cells[index].text, 1));
  return widest + CELL_MARGIN;
}

static void
show_columns(LacMethodView *self)
{
  for (gsize i = 0; i < self->values.n_columns; i++) {
    const LacMethodColumn *column = &self->values.columns[i];
    GtkColumnViewColumn   *made = self->made->pdata[i];
    g_autofree char       *title = dup_title(self, column);
    if (g_strcmp0(gtk_column_view_column_get_title(made), title) != 0)
      gtk_column_view_column_set_title(made, title);
    lac_column_table_widen(self->table, made, find_width(self, i));
  }
}

/* Sorts by the column that decides which method is best. */
static void
sort_by_ranking(LacMethodView *self)
{
  gsize index = (gsize) MAX(self->values.ranking, 0);
  if (index < self->values.n_columns)
    gtk_column_view_sort_by_column(lac_column_table_get_view(self->table), self->made->pdata[index],
                                   descends(&self->values.columns[index]) ? GTK_SORT_DESCENDING
                                                                          : GTK_SORT_ASCENDING);
}

static void make_table(LacMethodView *self);
static void show_footnote(LacMethodView *self);

static void
refresh(LacMethodView *self)
{
  if (fill(self))
    make_table(self);
  if (self->table == NULL)
    return;
  GListStore *store = lac_column_table_get_store(self->table);
  gboolean    moves = is_moving(self);
  follow_best(self);
  show_columns(self);
  for (guint i = 0; i < g_list_model_get_n_items(G_LIST_MODEL(store)); i++) {
    g_autoptr(LacColumnRow) row = g_list_model_get_item(G_LIST_MODEL(store), i);
    LacMethodItem          *item = lac_column_row_get(row);
    item->data = &self->values.rows[item->row];
    item->is_best = (gssize) item->row == self->best;
    lac_column_row_updated(row);
  }
  if (self->was_active && !lac_session_is_active(self->session)) {
    sort_by_ranking(self); /* now by the mean, like the same run when it is opened again */
    show_footnote(self);
  }
  if (!moves && self->was_moving)
    lac_column_table_sort(self->table);
  self->was_moving = moves;
  self->was_active = lac_session_is_active(self->session);
  g_signal_emit(self, signals[REFRESHED], 0);
}

static gboolean
on_refresh(gpointer user_data)
{
  LacMethodView *self = user_data;
  self->refresh = 0;
  refresh(self);
  return G_SOURCE_REMOVE;
}

static void
refresh_soon(LacMethodView *self)
{
  if (self->refresh == 0 && self->session != NULL)
    self->refresh = g_timeout_add(REFRESH_MS, on_refresh, self);
}

static void
refresh_now(LacMethodView *self)
{
  g_clear_handle_id(&self->refresh, g_source_remove);
  refresh(self);
}

/* ---- making the table ---- */

static gboolean
on_key(GtkEventControllerKey *keys,
       guint                  key,
       guint                  code,
       GdkModifierType        state,
       LacMethodView         *self)
{
  if (key != GDK_KEY_space || lac_column_table_get_chosen(self->table) == NULL)
    return GDK_EVENT_PROPAGATE;
  LacMethodItem *item = lac_column_table_get_chosen(self->table);
  if (item->curve >= 0)
    lac_method_item_toggle(item);
  refresh_now(self);
  return GDK_EVENT_STOP;
}

static void
on_sorted(LacMethodView *self)
{
  g_signal_emit(self, signals[REFRESHED], 0);
}

/* Returns: the width that the names need, with swatch and mark. */
static int
find_name_width(LacMethodView *self)
{
  int widest = 0;
  for (gsize i = 0; i < self->values.n_rows; i++)
    widest = MAX(widest, measure_bold(self, self->values.rows[i].name, 1));
  return CLAMP(widest + measure_bold(self, _("★ best"), PANGO_SCALE_SMALL) + NAME_MARGIN,
               LEAST_NAME, MOST_NAME);
}

static void
add_value_column(LacMethodView *self, gsize index)
{
  const LacMethodColumn *column = &self->values.columns[index];
  g_autofree char       *title = dup_title(self, column);
  self->places[index] = (Place){self, index};
  const LacTableColumn like = {.title = title,
                               .id = column->key,
                               .is_important = TRUE,
                               .is_optional = column->kind == LAC_COLUMN_FURTHER,
                               .width = find_width(self, index),
                               .xalign = 1,
                               .ellipsize = PANGO_ELLIPSIZE_END,
                               .style = "numeric",
                               .text = describe_value,
                               .accent = get_accent,
                               .compare = compare_values};
  GtkColumnViewColumn *made = lac_column_table_add(self->table, &like, &self->places[index]);
  g_ptr_array_add(self->made, made);
}

static void
add_columns(LacMethodView *self)
{
  lac_column_table_add(self->table,
                       &(LacTableColumn){.title = _("Method"),
                                         .width = find_name_width(self),
                                         .cell = &lac_method_cell,
                                         .compare = lac_method_item_compare},
                       NULL);
  lac_column_table_add(
    self->table,
    &(LacTableColumn){.title = _("By step"),
                      .id = "by-step",
                      .is_important = TRUE,
                      .width = MAX(SPARK_WIDTH, measure_bold(self, _("By step"), 1) + CELL_MARGIN),
                      .cell = &lac_method_spark_cell},
    NULL);
  for (gsize i = 0; i < self->values.n_columns; i++)
    add_value_column(self, i);
  sort_by_ranking(self);
}

/* Returns: the metric that tells how well the method of a row does at each step; -1 if there is none. */
static gssize
find_curve(LacMethodView *self, const LacMethodRow *row)
{
  gsize            n;
  gssize           ranked = -1;
  const LacMetric *metrics = lac_session_get_metrics(self->session, &n);
  for (gsize i = 0; !row->is_comparison && i < n; i++) {
    if (lac_metric_group(&metrics[i]) != row->group)
      continue;
    if (metrics[i].placing.column == LAC_COLUMN_NOW)
      return (gssize) i;
    if (ranked < 0 && metrics[i].placing.rank != LAC_RANK_NONE)
      ranked = (gssize) i;
  }
  return ranked;
}

static guint
find_look(LacMethodView *self, gssize curve)
{
  gsize             n;
  const LacMetric  *metrics = lac_session_get_metrics(self->session, &n);
  g_autofree guint *looks = g_new0(guint, n + 1);
  if (curve < 0)
    return 0;
  if (*lac_metric_group(&metrics[curve]) == '\0')
    return 1; /* the only method, whose curves differ in colour */
  lac_metric_looks(lac_metric_kind(&metrics[curve]), metrics, n, looks);
  return looks[curve];
}

static void
add_rows(LacMethodView *self)
{
  g_autoptr(GPtrArray) rows = g_ptr_array_new_with_free_func(g_object_unref);
  for (guint i = 0; i < self->values.n_rows; i++) {
    LacMethodItem *item = g_new0(LacMethodItem, 1);
    item->view = GTK_WIDGET(self);
    item->session = self->session;
    item->data = &self->values.rows[i];
    item->row = i;
    item->curve = find_curve(self, &self->values.rows[i]);
    item->look = find_look(self, item->curve);
    g_ptr_array_add(rows, lac_column_row_new(item, g_free));
  }
  lac_column_table_replace(self->table, rows);
}

static void
drop_table(LacMethodView *self)
{
  if (self->table != NULL) {
    gtk_box_remove(self->foot, self->more);
    gtk_box_remove(GTK_BOX(self->box), GTK_WIDGET(self->table));
  }
  self->table = NULL;
  self->more = NULL;
  g_ptr_array_set_size(self->made, 0);
  g_clear_pointer(&self->places, g_free);
}

static void
clear(LacMethodView *self)
{
  g_clear_handle_id(&self->refresh, g_source_remove);
  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data(self->session, self);
  drop_table(self);
  self->best = -1;
  lac_method_table_clear(&self->values);
  self->values = (LacMethodTable){0};
  g_clear_object(&self->session);
}

static void
add_more(LacMethodView *self)
{
  self->more = lac_column_table_make_menu_button(self->table);
  gtk_menu_button_set_label(GTK_MENU_BUTTON(self->more), _("More Columns"));
  gtk_menu_button_set_direction(GTK_MENU_BUTTON(self->more), GTK_ARROW_UP);
  gtk_widget_set_halign(self->more, GTK_ALIGN_END);
  gtk_widget_set_hexpand(self->more, TRUE);
  gtk_widget_add_css_class(self->more, "small");
  gtk_box_append(self->foot, self->more);
}

/* Returns: the name of the metric whose mean a column shows. */
static const char *
find_mean_name(LacMethodView *self, const LacMethodColumn *column)
{
  gsize            n;
  const LacMetric *metrics = lac_session_get_metrics(self->session, &n);
  for (gsize i = 0; i < n; i++)
    if (metrics[i].placing.column == LAC_COLUMN_MEAN)
      return lac_word(metrics[i].label);
  return column->title;
}

/* Explains the main columns, the least obvious first. */
static void
show_footnote(LacMethodView *self)
{
  static const LacMetricColumn order[] = {LAC_COLUMN_MEAN, LAC_COLUMN_SPREAD, LAC_COLUMN_MAIN,
                                          LAC_COLUMN_NOW};
  g_autoptr(GString)           words = g_string_new(NULL);
  for (gsize o = 0; o < G_N_ELEMENTS(order); o++)
    for (gsize i = 0; i < self->values.n_columns; i++) {
      const LacMethodColumn *column = &self->values.columns[i];
      if (column->kind != order[o] || g_str_equal(column->explanation, column->title) ||
          g_str_equal(column->key, LAC_METHOD_SECONDS))
        continue;
      g_string_append_printf(words, "%s%s: %s", words->len > 0 ? " · " : "",
                             column->kind == LAC_COLUMN_MEAN ? find_mean_name(self, column)
                                                             : column->title,
                             column->explanation);
    }
  gtk_label_set_text(self->footnote, words->str);
  lac_tip_set(GTK_WIDGET(self->footnote), words->str);
}

/* Returns: the height of the headings and of all rows, up to a limit. */
static int
find_height(LacMethodView *self)
{
  int                    line;
  g_autoptr(PangoLayout) layout = gtk_widget_create_pango_layout(GTK_WIDGET(self), "0");
  pango_layout_get_pixel_size(layout, NULL, &line);
  return MAX(ROW_HEIGHT, line + ROW_MARGIN) * (1 + (int) MIN(self->values.n_rows, MOST_ROWS)) + 4;
}

static void
make_table(LacMethodView *self)
{
  drop_table(self);
  gtk_widget_set_visible(GTK_WIDGET(self), self->values.n_rows > 0);
  if (self->values.n_rows == 0)
    return;
  self->table = lac_column_table_new(_("Methods"));
  self->places = g_new0(Place, self->values.n_columns + 1);
  GtkWidget          *table = GTK_WIDGET(self->table);
  GtkEventController *keys = gtk_event_controller_key_new();
  gtk_event_controller_set_propagation_phase(keys, GTK_PHASE_CAPTURE);
  g_signal_connect(keys, "key-pressed", G_CALLBACK(on_key), self);
  gtk_widget_add_controller(table, keys);
  gtk_widget_add_css_class(GTK_WIDGET(lac_column_table_get_view(self->table)), "methods");
  add_columns(self);
  add_more(self);
  lac_column_table_set_rows(self->table, NULL, GTK_SELECTION_SINGLE);
  add_rows(self);
  g_signal_connect_object(lac_column_table_get_rows(self->table), "items-changed",
                          G_CALLBACK(on_sorted), self, G_CONNECT_SWAPPED);
  gtk_widget_set_size_request(table, -1, find_height(self));
  gtk_box_prepend(GTK_BOX(self->box), table);
  show_footnote(self);
}

void
lac_method_view_set_session(LacMethodView *self, LacSession *session)
{
  g_return_if_fail(LAC_IS_METHOD_VIEW(self));
  clear(self);
  gtk_widget_set_visible(GTK_WIDGET(self), FALSE);
  self->step = -1;
  if (session == NULL)
    return;
  self->session = g_object_ref(session);
  g_signal_connect_object(session, "series-changed", G_CALLBACK(refresh_soon), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(session, "status-changed", G_CALLBACK(refresh_soon), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(session, "ended", G_CALLBACK(refresh_now), self, G_CONNECT_SWAPPED);
  refresh(self);
}

void
lac_method_view_set_step(LacMethodView *self, gint64 step)
{
  g_return_if_fail(LAC_IS_METHOD_VIEW(self));
  if (self->step == step)
    return;
  self->step = step;
  refresh_soon(self);
}

const LacMethodTable *
lac_method_view_get_table(LacMethodView *self)
{
  g_return_val_if_fail(LAC_IS_METHOD_VIEW(self), NULL);
  return &self->values;
}

int
lac_method_view_get_row(LacMethodView *self, guint position)
{
  g_return_val_if_fail(LAC_IS_METHOD_VIEW(self), -1);
  if (self->table == NULL || position >= lac_column_table_get_n_rows(self->table))
    return -1;
  return (int) ((const LacMethodItem *) lac_column_table_get_row(self->table, position))->row;
}

int
lac_method_view_get_best(LacMethodView *self)
{
  g_return_val_if_fail(LAC_IS_METHOD_VIEW(self), -1);
  return (int) self->best;
}

guint
lac_method_view_get_look(LacMethodView *self, guint row)
{
  g_return_val_if_fail(LAC_IS_METHOD_VIEW(self) && row < self->values.n_rows, 0);
  return find_look(self, find_curve(self, &self->values.rows[row]));
}

/* ---- the object ---- */

static void
lac_method_view_dispose(GObject *object)
{
  LacMethodView *self = LAC_METHOD_VIEW(object);
  if (self->box != NULL) {
    clear(self);
    gtk_widget_unparent(self->box);
  }
  self->box = NULL;
  G_OBJECT_CLASS(lac_method_view_parent_class)->dispose(object);
}

static void
lac_method_view_finalize(GObject *object)
{
  g_ptr_array_unref(LAC_METHOD_VIEW(object)->made);
  G_OBJECT_CLASS(lac_method_view_parent_class)->finalize(object);
}

static void
lac_method_view_class_init(LacMethodViewClass *class)
{
  G_OBJECT_CLASS(class)->dispose = lac_method_view_dispose;
  G_OBJECT_CLASS(class)->finalize = lac_method_view_finalize;
  gtk_widget_class_set_layout_manager_type(GTK_WIDGET_CLASS(class), GTK_TYPE_BIN_LAYOUT);
  signals[TOGGLED] = g_signal_new("toggled", LAC_TYPE_METHOD_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                  NULL, G_TYPE_NONE, 2, G_TYPE_STRING, G_TYPE_BOOLEAN);
  signals[REFRESHED] = g_signal_new("refreshed", LAC_TYPE_METHOD_VIEW, G_SIGNAL_RUN_LAST, 0, NULL,
                                    NULL, NULL, G_TYPE_NONE, 0);
}

static void
on_unit(GtkWidget *widget)
{
  refresh_soon(LAC_METHOD_VIEW(widget));
}

static void
lac_method_view_init(LacMethodView *self)
{
  self->step = self->best = -1;
  self->made = g_ptr_array_new();
  self->box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  self->foot = GTK_BOX(gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6));
  self->footnote = GTK_LABEL(gtk_label_new(NULL));
  gtk_label_set_xalign(self->footnote, 0);
  gtk_label_set_ellipsize(self->footnote, PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class(GTK_WIDGET(self->footnote), "caption");
  gtk_widget_add_css_class(GTK_WIDGET(self->footnote), "dim-label");
  gtk_box_append(self->foot, GTK_WIDGET(self->footnote));
  gtk_box_append(GTK_BOX(self->box), GTK_WIDGET(self->foot));
  gtk_widget_set_parent(self->box, GTK_WIDGET(self));
  lac_style_follow_units(GTK_WIDGET(self), on_unit);
}
