/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Diagrams that show how well methods know their own errors: a curve for each method that has it, and the curve of a
 * calibrated one.
 *   reliability     for every probability, the share of the errors within the central interval that is to hold it: below
 *                   the diagonal for an overconfident method. Known at the end of a run; without a truth from the
 *                   readings that the method left out. Source: Gneiting, Balabdaoui,
 *                   Raftery (2007), doi:10.1111/j.1467-9868.2007.00587.x, section 3
 *   rank histogram  see LacFlowMethod; known from the readings as they are assimilated */
#include "experiment/flow/laboratory/laboratory-private.h"

#include <glib/gi18n-lib.h>

#include <math.h>

static gboolean
has_reliability(const LacLaboratory *laboratory,
                guint                e,
                gconstpointer        params,
                const LacCase       *subject)
{
  const LacCommonParams *common = lac_laboratory_common(laboratory, params);
  const LacKnowledge     knowledge = lac_laboratory_find_knowledge(laboratory, e, params, subject);

  return common->reliability_diagram &&
         (lac_laboratory_has_truth(common)
            ? lac_laboratory_is_calibrated(laboratory, params, subject, &knowledge)
            : knowledge.deviates && common->held_out_turn > 0);
}

static gboolean
has_ranks(const LacLaboratory   *laboratory,
          guint                  e,
          gconstpointer          params,
          const LacCase *subject G_GNUC_UNUSED)
{
  const LacFlowMethod *method = lac_laboratory_method(laboratory, e);

  return method->ranks && method->ranked(lac_laboratory_method_params(laboratory, e, params));
}

/* clang-format off */
static const struct {
  const char *key, *label, *axis_x;
  gsize       n;           /* points */
  double      first, last; /* their first and last position */
  gboolean    is_diagonal; /* the curve of a calibrated method; otherwise 1 */
  gboolean  (*has)(const LacLaboratory *laboratory, guint e, gconstpointer params, const LacCase *subject);
} kinds[LAC_N_DIAGRAMS] = {
  [LAC_DIAGRAM_RELIABILITY] = {"reliability_diagram", N_("Reliability diagram"), N_("claimed share of the errors"), LAC_DIAGRAM_POINTS, 1. / LAC_CALIBRATION_LEVELS, 1 - 1. / LAC_CALIBRATION_LEVELS, TRUE, has_reliability},
  [LAC_DIAGRAM_RANKS] = {"rank_histogram", N_("Rank histogram"), N_("rank of the reading among the members"), LAC_RANK_BINS, 0.5 / LAC_RANK_BINS, 1 - 0.5 / LAC_RANK_BINS, FALSE, has_ranks},
};
/* clang-format on */

static double
get_calibrated(guint kind, gsize point)
{
  const double step = (kinds[kind].last - kinds[kind].first) / (double) (kinds[kind].n - 1);

  return kinds[kind].is_diagonal ? kinds[kind].first + (double) point * step : 1;
}

void
lac_laboratory_add_diagrams(GArray              *channels,
                            const LacLaboratory *laboratory,
                            gconstpointer        params,
                            const LacCase       *subject)
{
  const gint64 methods = lac_laboratory_common(laboratory, params)->methods;

  G_STATIC_ASSERT(LAC_LABORATORY_MAX_METHODS + 1 <= LAC_MOST_CURVES);
  for (guint d = 0; d < LAC_N_DIAGRAMS; d++) {
    LacChannel channel = {
      .key = kinds[d].key,
      .label = kinds[d].label,
      .unit = "1",
      .quantity = kinds[d].key,
      .role = LAC_ROLE_OTHER,
      .colour_map = "ember",
      .axis_x = kinds[d].axis_x,
      .axis_y = N_("curve"),
      .axis_unit_x = "1",
      .axis_unit_y = "1",
      .without_markers = TRUE,
    };

    for (guint i = 0; lac_list_get(methods, i) >= 0; i++) {
      const guint e = (guint) lac_list_get(methods, i);

      if (kinds[d].has(laboratory, e, params, subject))
        channel.chart.labels[channel.chart.n++] = lac_laboratory_method(laboratory, e)->title;
    }
    if (!channel.chart.n)
      continue;
    channel.chart.labels[channel.chart.n++] = N_("Calibrated");
    g_array_append_val(channels, channel);
  }
}

gsize
lac_laboratory_count_points(const LacChannel *channel)
{
  for (guint d = 0; d < LAC_N_DIAGRAMS; d++)
    if (g_str_equal(channel->key, kinds[d].key))
      return kinds[d].n;
  g_return_val_if_reached(0);
}

void
lac_laboratory_prepare_diagrams(LacLaboratoryState *state)
{
  const gint64 methods = lac_laboratory_common(state->laboratory, state->params)->methods;

  for (guint d = 0; d < LAC_N_DIAGRAMS; d++) {
    LacDiagram *diagram = &state->diagrams[d];

    for (guint s = 0; s < state->scheduler.n; s++)
      if (kinds[d].has(state->laboratory, (guint) lac_list_get(methods, s), state->params,
                       &state->subject))
        state->slots[s].diagram_rows[d] = ++diagram->n_rows;
    if (!diagram->n_rows)
      continue;
    diagram->n_rows++;
    diagram->values = g_new(float, diagram->n_rows *kinds[d].n);
    for (gsize row = 0; row < diagram->n_rows; row++)
      for (gsize i = 0; i < kinds[d].n; i++)
        diagram->values[row * kinds[d].n + i] =
          row + 1 == diagram->n_rows ? (float) get_calibrated(d, i) : NAN;
  }
}

/* Returns the method's curve; NULL: it has none. */
static float *
get_curve(const LacLaboratoryState *state, const LacFlowSlot *slot, guint kind)
{
  const gsize row = slot->diagram_rows[kind];

  return row ? state->diagrams[kind].values + (row - 1) * kinds[kind].n : NULL;
}

void
lac_laboratory_record_reliability(LacLaboratoryState   *state,
                                  const LacFlowSlot    *slot,
                                  const LacCalibration *calibration)
{
  float *curve = get_curve(state, slot, LAC_DIAGRAM_RELIABILITY);

  for (gsize i = 0; i < LAC_DIAGRAM_POINTS && curve; i++)
    curve[i] = (float) lac_calibration_get_share(calibration, (guint) i);
}

static void
record_ranks(const LacLaboratoryState *state)
{
  for (guint s = 0; s < state->scheduler.n; s++) {
    float *curve = get_curve(state, &state->slots[s], LAC_DIAGRAM_RANKS);
    double shares[LAC_RANK_BINS];

    if (!curve)
      continue;
    state->slots[s].method->ranks(state->slots[s].self, shares);
    for (gsize i = 0; i < LAC_RANK_BINS; i++)
      curve[i] = (float) shares[i];
  }
}

void
lac_laboratory_shape_diagrams(const LacLaboratoryState *state, gsize (*sizes)[2])
{
  gsize n = 0;

  for (guint d = 0; d < LAC_N_DIAGRAMS; d++)
    if (state->diagrams[d].n_rows) {
      sizes[n][0] = kinds[d].n;
      sizes[n++][1] = state->diagrams[d].n_rows;
    }
}

void
lac_laboratory_fill_diagrams(const LacLaboratoryState *state, LacFrame *frame)
{
  LacPlane *plane = frame->planes + frame->n_planes;

  record_ranks(state);
  for (guint d = LAC_N_DIAGRAMS; d-- > 0;) {
    const LacDiagram *diagram = &state->diagrams[d];

    if (!diagram->n_rows)
      continue;
    plane--;
    plane->x_min = kinds[d].first;
    plane->x_max = kinds[d].last;
    plane->y_min = 0;
    plane->y_max = (double) diagram->n_rows - 1;
    for (gsize i = 0; i < diagram->n_rows * kinds[d].n; i++)
      plane->data[i] = diagram->values[i];
  }
}
