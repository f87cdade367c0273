/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Energy of a quantum run in words, and as a curve. */
#include "app/live/energy-card.h"

#include "app/toolkit/accessible.h"
#include "app/toolkit/drawing-view.h"
#include "app/toolkit/style.h"
#include "base/unit.h"
#include "report/plot/plot.h"
#include "report/text/metric-text.h"

#include <glib/gi18n-lib.h>

#include <math.h>

#define HEIGHT            200
#define COMPACT_HEIGHT    84
#define REFRESH_MS        250
#define MILLI             1e3
#define REFERENCE_ERROR   1e-5 /* Ha: digits of the reference */
#define LEAST_SHOWN       0.01 /* mHa: on the logarithmic axis */
#define CHEMICAL_ACCURACY 1.6  /* mHa: 1 kcal/mol */

/* ---- the curve ---- */

#define LAC_TYPE_ENERGY_CURVE (lac_energy_curve_get_type())
G_DECLARE_FINAL_TYPE(LacEnergyCurve, lac_energy_curve, LAC, ENERGY_CURVE, LacDrawingView)

struct _LacEnergyCurve {
  LacDrawingView parent_instance;
  LacSession    *session;
  gint64         step;
};

G_DEFINE_FINAL_TYPE(LacEnergyCurve, lac_energy_curve, LAC_TYPE_DRAWING_VIEW)

static gssize
find_metric(LacSession *session, const char *key)
{
  gsize            n;
  const LacMetric *metrics = lac_session_get_metrics(session, &n);
  for (gsize i = 0; i < n; i++)
    if (g_str_equal(metrics[i].key, key))
      return (gssize) i;
  return -1;
}

static double
get_last(LacSession *session, const char *key)
{
  gssize metric = find_metric(session, key);
  return metric >= 0 ? lac_session_get_last(session, (gsize) metric) : (double) NAN;
}

/* Gets the reference energy in hartree. Returns: FALSE if none is known. */
static gboolean
get_reference(LacSession *session, double *reference)
{
  gsize            n;
  const LacMetric *metrics = lac_session_get_metrics(session, &n);
  gssize           energy = find_metric(session, "energy_hartree");
  *reference = energy >= 0 ? metrics[energy].reference : (double) NAN;
  return energy >= 0 && metrics[energy].has_reference;
}

/* The points of the curve: the energy above @zero in mHa, with a band of two standard errors where they are known. */
typedef struct {
  double *x, *y, *low, *high; /* [n] */
  gsize   n;
  gssize  measured; /* the first point of the measurement at the end; -1: none */
} Points;

static void
clear_points(Points *points)
{
  g_free(points->x);
  g_free(points->y);
  g_free(points->low);
  g_free(points->high);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Points, clear_points)

static void
collect(LacSession *session, double zero, Points *points)
{
  LacSessionSeries energy =
    lac_session_get_series(session, (gsize) find_metric(session, "energy_hartree"));
  gssize           error = find_metric(session, "energy_standard_error_hartree");
  gssize           certainty = find_metric(session, "energy_error_uncertainty_hartree");
  LacSessionSeries bars = {0}, measured = {0};
  if (certainty >= 0) /* known only of measurements, by blocking */
    measured = lac_session_get_series(session, (gsize) certainty);
  if (error >= 0)
    bars = lac_session_get_series(session, (gsize) error);
  *points = (Points){g_new(double, energy.n + 1),
                     g_new(double, energy.n + 1),
                     g_new(double, energy.n + 1),
                     g_new(double, energy.n + 1),
                     energy.n,
                     -1};
  for (gsize i = 0, k = 0; i < energy.n; i++) {
    while (k < bars.n && bars.step[k] < energy.step[i])
      k++;
    gboolean is_measured = measured.n > 0 && energy.step[i] >= measured.step[0];
    double   bar = is_measured && k < bars.n && bars.step[k] == energy.step[i]
                     ? 2 * MILLI * bars.values[k]
                     : (double) NAN;
    points->x[i] = energy.step[i];
    points->y[i] = MILLI * (energy.values[i] - zero);
    points->low[i] = points->y[i] - bar;
    points->high[i] = points->y[i] + bar;
    if (is_measured && points->measured < 0)
      points->measured = (gssize) i;
  }
}

/* Returns: the Hartree-Fock energy in hartree, for comparison; NaN if it is not tabulated. */
static double
find_hartree_fock(LacSession *session)
{
  gsize            n;
  const LacMetric *metrics = lac_session_get_metrics(session, &n);
  gssize           energy = find_metric(session, "energy_hartree");
  for (gsize i = 0; energy >= 0 && i < LAC_MOST_BASELINES; i++)
    if (g_strcmp0(metrics[energy].placing.baselines[i].label, "Hartree-Fock") == 0)
      return metrics[energy].placing.baselines[i].value;
  return NAN;
}

static char *
dup_level(const char *name, double value)
{
  g_autofree char *number = lac_number_text(value);
  return g_strdup_printf("%s %s mHa", name, number);
}

static void
shade(LacDrawing *drawing, const LacPlotAxis *axis, double from)
{
  LacColour colour = lac_style_palette()->foreground;
  double    share = (from - axis->from) / (axis->to - axis->from);
  double    x = axis->left + CLAMP(share, 0, 1) * (axis->right - axis->left);
  colour.alpha = 0.06F;
  lac_draw_rectangle(drawing, x, axis->top, axis->right - x, axis->bottom - axis->top, colour);
}

static void
draw_step(LacDrawing *drawing, const LacPlotAxis *axis, gint64 step)
{
  double share = ((double) step - axis->from) / (axis->to - axis->from);
  if (step < 0 || !(share >= 0 && share <= 1))
    return;
  double   x = floor(axis->left + share * (axis->right - axis->left)) + 0.5;
  LacPoint line[] = {{x, axis->top}, {x, axis->bottom}};
  lac_draw_lines(drawing, line, 2, 1.2, lac_style_palette()->foreground);
}

static void
lac_energy_curve_draw(LacDrawingView *view, LacDrawing *drawing, double width, double height)
{
  LacEnergyCurve *self = LAC_ENERGY_CURVE(view);
  g_auto(Points)  points = {0};
  double          zero, size[2] = {width, height};
  LacPlotAxis     axis;
  if (self->session == NULL)
    return;
  gboolean has_reference = get_reference(self->session, &zero);
  if (!has_reference)
    zero = get_last(self->session, "energy_hartree");
  if (!isfinite(zero))
    return;
  collect(self->session, zero, &points);
  for (gsize i = 0; has_reference && i < points.n; i++)
    if (points.y[i] < LEAST_SHOWN)
      points.y[i] = NAN;
  double hartree_fock = MILLI * (find_hartree_fock(self->session) - zero);
  double levels[2][2] = {{CHEMICAL_ACCURACY, CHEMICAL_ACCURACY}, {hartree_fock, hartree_fock}};
  double ends[2] = {points.n > 0 ? points.x[0] : 0,
                    (double) lac_session_get_status(self->session)->n_steps};
  g_autofree char *of_hartree_fock = dup_level(_("Hartree-Fock"), hartree_fock);
  g_autofree char *of_accuracy = dup_level(_("chemical accuracy"), CHEMICAL_ACCURACY);
  LacSeries        series[] = {
           {.x = points.x,
            .y = points.y,
            .n = points.n,
            .look = 1,
            .low = points.low,
            .high = points.high},
           {.x = ends, .y = levels[0], .n = 2, .look = 3, .dashed = TRUE, .label = of_accuracy},
           {.x = ends,
            .y = levels[1],
            .n = 2,
            .look = LAC_LOOK_TRUTH,
            .dashed = TRUE,
            .label = of_hartree_fock},
  };
  LacPlotStyle style = {
    .log_y = has_reference, .x_from = ends[0], .x_to = ends[1], .font_size = LAC_DRAWING_FONT - 1};
  gsize n = !has_reference ? 1 : isfinite(hartree_fock) ? 3 : 2;
  if (lac_plot_find_axis(size, series, n, &style, &axis) && points.measured >= 0)
    shade(drawing, &axis, points.x[points.measured]);
  lac_plot_curves(drawing, 0, 0, width, height, series, n, &style, lac_style_palette());
  draw_step(drawing, &axis, self->step);
}

static void
lac_energy_curve_class_init(LacEnergyCurveClass *class)
{
  LAC_DRAWING_VIEW_CLASS(class)->draw = lac_energy_curve_draw;
}

static void
lac_energy_curve_init(LacEnergyCurve *self)
{
  self->step = -1;
  lac_accessible_name(self, _("Energy by step"));
}

/* ---- the card ---- */

enum { ENERGY, REFERENCE, CORRELATION, N_ROWS };

struct _LacEnergyCard {
  GtkWidget       parent_instance;
  GtkWidget      *box, *plot;
  GtkBox         *numbers;
  GtkLabel       *caption, *answer, *axis, *names[N_ROWS], *values[N_ROWS];
  LacEnergyCurve *curve;
  LacSession     *session;
  guint           refresh;
};

G_DEFINE_FINAL_TYPE(LacEnergyCard, lac_energy_card, GTK_TYPE_WIDGET)

static void
set_text(GtkLabel *label, const char *text)
{
  if (g_strcmp0(gtk_label_get_text(label), text) != 0)
    gtk_label_set_text(label, text);
}

/* Returns: (transfer full): "−76.4215(12) Ha", in the unit displayed. */
static char *
dup_energy(double energy, double error)
{
  const LacShown   shown = lac_shown("Ha");
  g_autofree char *number =
    lac_number_with_error_text(lac_shown_value(&shown, energy), error * shown.factor);
  return isfinite(energy) ? lac_text_with_unit(number, shown.unit) : g_strdup("–");
}

/* Returns: (transfer full): "17.4 ± 1.2 mHa". */
static char *
dup_above(double above, double error)
{
  g_autofree char *number = lac_number_plus_minus_text(MILLI * above, MILLI * error);
  return isfinite(above) ? lac_text_with_unit(number, "mHa") : g_strdup("–");
}

static void
show_row(LacEnergyCard *self, int row, const char *text)
{
  gtk_widget_set_visible(GTK_WIDGET(self->names[row]), text != NULL);
  gtk_widget_set_visible(GTK_WIDGET(self->values[row]), text != NULL);
  if (text != NULL)
    set_text(self->values[row], text);
}

/* Returns: (transfer full) (nullable): the part of the correlation energy that is found, with its standard error. */
static char *
dup_correlation(LacSession *session, double energy, double error, double reference)
{
  double whole = find_hartree_fock(session) - reference;
  if (!isfinite(whole) || !isfinite(energy) || !(whole > 0))
    return NULL;
  g_autofree char *number =
    lac_number_with_error_text(100 * (1 - (energy - reference) / whole), 100 * error / whole);
  return lac_text_with_unit(number, "%");
}

static void
show(LacEnergyCard *self)
{
  double           reference, energy = get_last(self->session, "energy_hartree");
  double           error = get_last(self->session, "energy_standard_error_hartree");
  gboolean         has_reference = get_reference(self->session, &reference);
  g_autofree char *whole = dup_energy(energy, error);
  g_autofree char *above = dup_above(energy - reference, error);
  g_autofree char *of_reference = has_reference ? dup_energy(reference, REFERENCE_ERROR) : NULL;
  set_text(self->caption, has_reference ? _("above the reference") : _("energy"));
  set_text(self->answer, has_reference ? above : whole);
  set_text(self->axis, has_reference ? _("Energy above the reference, mHa; shaded: measured, ± 2 σ")
                                     : _("Energy relative to the last value, mHa"));
  show_row(self, ENERGY, has_reference ? whole : NULL);
  g_autofree char *correlation =
    has_reference ? dup_correlation(self->session, energy, error, reference) : NULL;
  show_row(self, REFERENCE, of_reference);
  show_row(self, CORRELATION, correlation);
  gtk_widget_queue_draw(GTK_WIDGET(self->curve));
}

static gboolean
on_refresh(gpointer user_data)
{
  LacEnergyCard *self = user_data;
  self->refresh = 0;
  show(self);
  return G_SOURCE_REMOVE;
}

static void
show_soon(LacEnergyCard *self)
{
  if (self->refresh == 0)
    self->refresh = g_timeout_add(REFRESH_MS, on_refresh, self);
}

static void
disconnect_session(LacEnergyCard *self)
{
  g_clear_handle_id(&self->refresh, g_source_remove);
  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data(self->session, self);
  g_clear_object(&self->session);
  g_clear_object(&self->curve->session);
}

void
lac_energy_card_set_session(LacEnergyCard *self, LacSession *session)
{
  g_return_if_fail(LAC_IS_ENERGY_CARD(self));
  disconnect_session(self);
  gboolean has_energy = session != NULL && find_metric(session, "energy_hartree") >= 0;
  gtk_widget_set_visible(GTK_WIDGET(self), has_energy);
  if (!has_energy)
    return;
  self->session = g_object_ref(session);
  self->curve->session = g_object_ref(session);
  self->curve->step = -1;
  g_signal_connect_object(session, "series-changed", G_CALLBACK(show_soon), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(session, "ended", G_CALLBACK(show_soon), self, G_CONNECT_SWAPPED);
  show(self);
}

void
lac_energy_card_set_compact(LacEnergyCard *self, gboolean is_compact)
{
  g_return_if_fail(LAC_IS_ENERGY_CARD(self));
  gtk_widget_set_visible(self->plot, !is_compact);
  gtk_widget_set_size_request(self->box, -1, is_compact ? COMPACT_HEIGHT : HEIGHT);
  gtk_orientable_set_orientation(GTK_ORIENTABLE(self->numbers), is_compact
                                                                  ? GTK_ORIENTATION_HORIZONTAL
                                                                  : GTK_ORIENTATION_VERTICAL);
  gtk_box_set_spacing(self->numbers, is_compact ? 18 : 6);
}

void
lac_energy_card_set_step(LacEnergyCard *self, gint64 step)
{
  g_return_if_fail(LAC_IS_ENERGY_CARD(self));
  if (self->curve->step == step)
    return;
  self->curve->step = step;
  gtk_widget_queue_draw(GTK_WIDGET(self->curve));
}

/* ---- the object ---- */

static void
lac_energy_card_dispose(GObject *object)
{
  LacEnergyCard *self = LAC_ENERGY_CARD(object);
  if (self->box != NULL) {
    disconnect_session(self);
    gtk_widget_unparent(self->box);
  }
  self->box = NULL;
  G_OBJECT_CLASS(lac_energy_card_parent_class)->dispose(object);
}

static void
lac_energy_card_class_init(LacEnergyCardClass *class)
{
  G_OBJECT_CLASS(class)->dispose = lac_energy_card_dispose;
  gtk_widget_class_set_layout_manager_type(GTK_WIDGET_CLASS(class), GTK_TYPE_BIN_LAYOUT);
}

static GtkLabel *
make_label(const char *text, const char *css, float xalign)
{
  GtkWidget *label = gtk_label_new(text);
  gtk_label_set_xalign(GTK_LABEL(label), xalign);
  gtk_label_set_ellipsize(GTK_LABEL(label), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class(label, css);
  return GTK_LABEL(label);
}

static GtkWidget *
make_numbers(LacEnergyCard *self)
{
  static const char *const names[N_ROWS] = {N_("Energy"), N_("Reference"),
                                            N_("Correlation energy")};
  GtkWidget               *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 6), *grid = gtk_grid_new();
  GtkWidget               *answer = gtk_box_new(GTK_ORIENTATION_VERTICAL, 3);
  self->caption = make_label(NULL, "dim-label", 0);
  self->answer = make_label(NULL, "title-1", 0);
  gtk_widget_add_css_class(GTK_WIDGET(self->answer), "numeric");
  gtk_label_set_ellipsize(self->answer, PANGO_ELLIPSIZE_NONE);
  gtk_grid_set_column_spacing(GTK_GRID(grid), 12);
  gtk_grid_set_row_spacing(GTK_GRID(grid), 3);
  for (int i = 0; i < N_ROWS; i++) {
    self->names[i] = make_label(_(names[i]), "dim-label", 0);
    self->values[i] = make_label(NULL, "numeric", 0);
    gtk_label_set_ellipsize(self->values[i], PANGO_ELLIPSIZE_NONE);
    gtk_grid_attach(GTK_GRID(grid), GTK_WIDGET(self->names[i]), 0, i, 1, 1);
    gtk_grid_attach(GTK_GRID(grid), GTK_WIDGET(self->values[i]), 1, i, 1, 1);
  }
  gtk_box_append(GTK_BOX(answer), GTK_WIDGET(self->caption));
  gtk_box_append(GTK_BOX(answer), GTK_WIDGET(self->answer));
  gtk_box_append(GTK_BOX(box), answer);
  gtk_box_append(GTK_BOX(box), grid);
  gtk_widget_set_valign(answer, GTK_ALIGN_CENTER);
  self->numbers = GTK_BOX(box);
  gtk_widget_set_valign(box, GTK_ALIGN_CENTER);
  return box;
}

static void
on_unit(GtkWidget *widget)
{
  if (LAC_ENERGY_CARD(widget)->session != NULL)
    show(LAC_ENERGY_CARD(widget));
}

static void
lac_energy_card_init(LacEnergyCard *self)
{
  GtkWidget *right = gtk_box_new(GTK_ORIENTATION_VERTICAL, 3), *numbers = make_numbers(self);
  self->plot = right;
  self->box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 18);
  self->curve = g_object_new(LAC_TYPE_ENERGY_CURVE, NULL);
  self->axis = make_label(NULL, "caption", 1);
  gtk_widget_add_css_class(GTK_WIDGET(self->axis), "dim-label");
  gtk_widget_set_vexpand(GTK_WIDGET(self->curve), TRUE);
  gtk_widget_set_hexpand(right, TRUE);
  gtk_box_append(GTK_BOX(right), GTK_WIDGET(self->axis));
  gtk_box_append(GTK_BOX(right), GTK_WIDGET(self->curve));
  gtk_widget_set_margin_start(numbers, 18);
  gtk_widget_set_margin_top(right, 9);
  gtk_widget_set_margin_end(right, 6);
  gtk_box_append(GTK_BOX(self->box), numbers);
  gtk_box_append(GTK_BOX(self->box), right);
  gtk_widget_add_css_class(self->box, "card");
  gtk_widget_set_size_request(self->box, -1, HEIGHT);
  gtk_widget_set_parent(self->box, GTK_WIDGET(self));
  gtk_widget_set_visible(GTK_WIDGET(self), FALSE);
  lac_style_follow_units(GTK_WIDGET(self), on_unit);
}
