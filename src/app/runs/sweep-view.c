/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chart of a sweep with its controls. */
#include "app/runs/sweep-view.h"

#include "app/runs/narrow-drop-down.h"
#include "app/toolkit/accessible.h"
#include "base/number.h"

#include <glib/gi18n-lib.h>

struct _LacSweepView {
  GtkWidget        parent_instance;
  GtkWidget       *content;
  GtkDropDown     *metric, *axis, *bands_choice;
  GtkLabel        *against, *progress;
  GtkToggleButton *logarithmic, *linear;
  LacSweepChart   *chart;
  LacSweepBands   *bands;
  LacSweepRuns    *results; /* (nullable) */
  LacSweepSeries  *series;  /* (nullable) */
  GStrv            metrics; /* own keys, in the order of the drop-down */
  GArray          *axes;    /* gssize: swept parameters with numeric values */
  GArray          *offered; /* LacSweepBandKind */
  gboolean         is_filling;
};

G_DEFINE_FINAL_TYPE(LacSweepView, lac_sweep_view, GTK_TYPE_WIDGET)

enum { LOOK_CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

/* ---- choices ---- */

const char *
lac_sweep_view_get_metric(LacSweepView *self)
{
  g_return_val_if_fail(LAC_IS_SWEEP_VIEW(self), NULL);
  guint at = gtk_drop_down_get_selected(self->metric);
  guint n = self->metrics != NULL ? g_strv_length(self->metrics) : 0;
  return at < n ? self->metrics[at] : NULL;
}

static LacSweepBandKind
get_bands(LacSweepView *self)
{
  guint at = gtk_drop_down_get_selected(self->bands_choice);
  return at < self->offered->len ? g_array_index(self->offered, LacSweepBandKind, at)
                                 : LAC_SWEEP_BANDS_NONE;
}

static void
draw(LacSweepView *self)
{
  guint        axis = gtk_drop_down_get_selected(self->axis);
  LacSweepLook look = {
    .metric = lac_sweep_view_get_metric(self),
    .axis = axis < self->axes->len ? g_array_index(self->axes, gssize, axis) : -1,
    .bands = get_bands(self),
    .linear = gtk_toggle_button_get_active(self->linear),
  };
  lac_sweep_chart_set_look(self->chart, &look);
}

/* Replaces the items of a drop-down; selects @at, or the first. Hides it if there is no choice. */
static void
offer(GtkDropDown *drop, GtkStringList *labels, guint at, guint least)
{
  guint n = g_list_model_get_n_items(G_LIST_MODEL(labels));
  gtk_drop_down_set_model(drop, G_LIST_MODEL(labels));
  if (n > 0)
    gtk_drop_down_set_selected(drop, at < n ? at : 0);
  gtk_widget_set_visible(GTK_WIDGET(drop), n >= least);
}

static void
offer_metrics(LacSweepView *self)
{
  g_autofree char         *before = g_strdup(lac_sweep_view_get_metric(self));
  g_autoptr(GtkStringList) labels = gtk_string_list_new(NULL);
  guint                    at = 0;
  g_strfreev(self->metrics);
  self->metrics = lac_sweep_runs_dup_metrics(self->results);
  for (guint i = 0; self->metrics[i] != NULL; i++) {
    gtk_string_list_append(labels, lac_sweep_runs_get_label(self->results, self->metrics[i]));
    if (g_strcmp0(self->metrics[i], before) == 0)
      at = i;
  }
  offer(self->metric, labels, at, 1);
}

static gboolean
is_numeric(const LacSweepRuns *results, gssize k)
{
  double value;
  for (guint i = 0; i < results->points->len; i++)
    if (!lac_number_parse(lac_sweep_runs_get_point(results, i)->values[k], &value))
      return FALSE;
  return TRUE;
}

static void
offer_axes(LacSweepView *self)
{
  g_autoptr(GtkStringList) labels = gtk_string_list_new(NULL);
  guint                    before = gtk_drop_down_get_selected(self->axis);
  g_array_set_size(self->axes, 0);
  for (gssize k = 0; self->results->keys[k] != NULL; k++) {
    if (!is_numeric(self->results, k))
      continue;
    g_array_append_val(self->axes, k);
    gtk_string_list_append(labels, self->results->labels[k]);
  }
  offer(self->axis, labels, before, 1);
  gtk_widget_set_visible(GTK_WIDGET(self->against), self->axes->len > 0);
}

/* Random placements are computed for the key result only. */
static gboolean
has_random(LacSweepView *self)
{
  const char *metric = lac_sweep_view_get_metric(self);
  return lac_sweep_bands_get_n(self->bands) > 0 && self->results->columns->len > 0 &&
         g_strcmp0(lac_sweep_runs_get_column(self->results, 0)->own_key, metric) == 0;
}

static void
offer_bands(LacSweepView *self)
{
  static const struct {
    LacSweepBandKind kind;
    const char      *label;
  } all[] = {
    {LAC_SWEEP_BANDS_REPEATS, N_("Bands: repeated runs, lowest to highest")},
    {LAC_SWEEP_BANDS_RANDOM, N_("Bands: random placement, 10–90 %")},
    {LAC_SWEEP_BANDS_NONE, N_("No bands")},
  };
  g_autoptr(GtkStringList) labels = gtk_string_list_new(NULL);
  LacSweepBandKind         before = get_bands(self);
  gboolean                 is_chosen = self->offered->len > 1;
  guint                    at = 0;
  g_array_set_size(self->offered, 0);
  for (gsize i = 0; i < G_N_ELEMENTS(all); i++) {
    if ((all[i].kind == LAC_SWEEP_BANDS_REPEATS && !lac_sweep_chart_has_repeats(self->chart)) ||
        (all[i].kind == LAC_SWEEP_BANDS_RANDOM && !has_random(self)))
      continue;
    if (is_chosen && all[i].kind == before)
      at = self->offered->len;
    g_array_append_val(self->offered, all[i].kind);
    gtk_string_list_append(labels, _(all[i].label));
  }
  offer(self->bands_choice, labels, at, 2);
}

static void
show_progress(LacSweepView *self)
{
  g_autofree char *text = NULL;
  if (lac_sweep_bands_is_measuring(self->bands))
    text = g_strdup_printf(_("Computing random placements: %zu of %u runs"),
                           lac_sweep_bands_get_n(self->bands), self->results->points->len);
  gtk_label_set_text(self->progress, text != NULL ? text : "");
}

static void
on_choice(LacSweepView *self)
{
  if (self->is_filling || self->results == NULL)
    return;
  self->is_filling = TRUE;
  draw(self); /* the bands depend on the result and the axis */
  offer_bands(self);
  self->is_filling = FALSE;
  draw(self);
  g_signal_emit(self, signals[LOOK_CHANGED], 0);
}

static void
fill(LacSweepView *self)
{
  self->is_filling = TRUE;
  offer_metrics(self);
  offer_axes(self);
  draw(self);
  offer_bands(self);
  self->is_filling = FALSE;
  draw(self);
  show_progress(self);
}

static void
on_bands(LacSweepView *self)
{
  if (self->results != NULL)
    fill(self);
}

void
lac_sweep_view_show(LacSweepView *self, LacSweepRuns *results, LacSweepSeries *series)
{
  g_return_if_fail(LAC_IS_SWEEP_VIEW(self));
  LacSweepRuns *before = self->results;
  self->results = results != NULL ? lac_sweep_runs_ref(results) : NULL;
  g_clear_pointer(&before, lac_sweep_runs_unref);
  lac_sweep_chart_set_results(self->chart, results);
  if (g_set_object(&self->series, series)) {
    self->is_filling = TRUE;
    lac_sweep_bands_clear(self->bands);
    self->is_filling = FALSE;
  }
  if (results == NULL)
    return;
  fill(self);
  if (series != NULL && lac_sweep_series_is_over(series) &&
      lac_sweep_bands_get_n(self->bands) == 0 && !lac_sweep_bands_is_measuring(self->bands))
    lac_sweep_bands_measure(self->bands, series);
}

LacSweepChart *
lac_sweep_view_get_chart(LacSweepView *self)
{
  g_return_val_if_fail(LAC_IS_SWEEP_VIEW(self), NULL);
  return self->chart;
}

LacSweepBands *
lac_sweep_view_get_bands(LacSweepView *self)
{
  g_return_val_if_fail(LAC_IS_SWEEP_VIEW(self), NULL);
  return self->bands;
}

/* ---- the object ---- */

static void
lac_sweep_view_dispose(GObject *object)
{
  LacSweepView *self = LAC_SWEEP_VIEW(object);
  self->is_filling = TRUE;
  if (self->bands != NULL) {
    g_signal_handlers_disconnect_by_data(self->bands, self);
    lac_sweep_bands_cancel(self->bands);
  }
  gtk_widget_dispose_template(GTK_WIDGET(object), LAC_TYPE_SWEEP_VIEW);
  g_clear_object(&self->bands);
  g_clear_object(&self->series);
  g_clear_pointer(&self->results, lac_sweep_runs_unref);
  g_clear_pointer(&self->metrics, g_strfreev);
  g_clear_pointer(&self->axes, g_array_unref);
  g_clear_pointer(&self->offered, g_array_unref);
  G_OBJECT_CLASS(lac_sweep_view_parent_class)->dispose(object);
}

static void
lac_sweep_view_class_init(LacSweepViewClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  G_OBJECT_CLASS(class)->dispose = lac_sweep_view_dispose;
  g_type_ensure(LAC_TYPE_SWEEP_CHART);
  signals[LOOK_CHANGED] = g_signal_new("look-changed", LAC_TYPE_SWEEP_VIEW, G_SIGNAL_RUN_LAST, 0,
                                       NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource(widget_class,
                                              "/io/github/lacuna/Lacuna/ui/runs/sweep-view.ui");
  gtk_widget_class_bind_template_child(widget_class, LacSweepView, content);
  gtk_widget_class_bind_template_child(widget_class, LacSweepView, metric);
  gtk_widget_class_bind_template_child(widget_class, LacSweepView, axis);
  gtk_widget_class_bind_template_child(widget_class, LacSweepView, bands_choice);
  gtk_widget_class_bind_template_child(widget_class, LacSweepView, against);
  gtk_widget_class_bind_template_child(widget_class, LacSweepView, progress);
  gtk_widget_class_bind_template_child(widget_class, LacSweepView, logarithmic);
  gtk_widget_class_bind_template_child(widget_class, LacSweepView, linear);
  gtk_widget_class_bind_template_child(widget_class, LacSweepView, chart);
  gtk_widget_class_bind_template_callback(widget_class, on_choice);
  gtk_widget_class_set_layout_manager_type(widget_class, GTK_TYPE_BIN_LAYOUT);
}

static void
lac_sweep_view_init(LacSweepView *self)
{
  self->is_filling = TRUE;
  self->axes = g_array_new(FALSE, FALSE, sizeof(gssize));
  self->offered = g_array_new(FALSE, FALSE, sizeof(LacSweepBandKind));
  self->bands = g_object_new(LAC_TYPE_SWEEP_BANDS, NULL);
  gtk_widget_init_template(GTK_WIDGET(self));
  lac_drop_down_make_narrow(self->metric);
  lac_sweep_chart_set_bands(self->chart, self->bands);
  g_signal_connect_object(self->bands, "changed", G_CALLBACK(on_bands), self, G_CONNECT_SWAPPED);
  lac_accessible_name_drop_down(self->metric, _("Result"));
  lac_accessible_name_drop_down(self->axis, _("Swept parameter"));
  lac_accessible_name_drop_down(self->bands_choice, _("Bands"));
  self->is_filling = FALSE;
}
