/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Taylor-Green vortices: the exact true field, each source with an error of its own amplitude and wavenumber. */
#include "vortices.h"

#include <math.h>

#define N       48
#define SENSORS 6

typedef struct {
  gint64 steps;
} Params;

static const LacParam rows[] = {
  {LAC_FIELD(Params, steps), LAC_PARAM_INTEGER, "1", 1, 1e6, 60, "Steps", "Engine", ".", 0},
};

enum { U, V, VORTICITY, N_FIELDS };

static const char *const fields[N_FIELDS] = {"u", "v", "vorticity"};

typedef struct {
  const char *key, *label;
  LacRole     role;
  double      error;
  int         wavenumber; /* of the error */
} Source;

static const Source sources[] = {
  {"truth", "Truth", LAC_ROLE_TRUTH, 0, 0},
  {"pod", "Gappy POD", LAC_ROLE_RECONSTRUCTION, 0.2, 3},
  {"pinn", "Physics-informed network", LAC_ROLE_BASELINE, 0.1, 5},
  {"solver", "Differentiable solver", LAC_ROLE_BASELINE, 0.02, 7},
  {"enkf", "Ensemble Kalman filter", LAC_ROLE_BASELINE, 0.05, 11},
};

#define N_SOURCES  G_N_ELEMENTS(sources)
#define N_CHANNELS (N_FIELDS * N_SOURCES + 1)

static const LacMetric metrics[] = {
  {"relative_l2", "Relative error", "1", TRUE, TRUE},
  {"pod.error", "Gappy POD", "1", TRUE, FALSE},
  {"pod.relative_l2", "Relative error", "1", TRUE, TRUE},
  {"pinn.error", "Physics-informed network", "1", TRUE, FALSE},
  {"pinn.relative_l2", "Relative error", "1", TRUE, TRUE},
  {"pinn.loss", "Loss", "1", TRUE, FALSE},
  {"pinn.loss_continuity", "Continuity", "1", TRUE, FALSE},
  {"pinn.loss_momentum_x", "Momentum, x", "1", TRUE, FALSE},
  {"pinn.loss_data", "Data", "1", TRUE, FALSE},
  {"pinn.viscosity", "Viscosity", "m^2/s", FALSE, TRUE, TRUE, 0.02},
  {"solver.error", "Differentiable solver", "1", TRUE, FALSE},
  {"solver.relative_l2", "Relative error", "1", TRUE, TRUE},
  {"solver.viscosity", "Viscosity", "m^2/s", FALSE, TRUE, TRUE, 0.02},
  {"enkf.error", "Ensemble Kalman filter", "1", TRUE, FALSE},
  {"enkf.relative_l2", "Relative error", "1", TRUE, TRUE},
  {"enkf.spread", "Ensemble spread", "1", TRUE, FALSE},
};

typedef struct {
  Params params;
  gint64 step;
} State;

static void
outline(const LacExperiment *self, gconstpointer params, LacOutline *out)
{
  LacChannel *channels = g_new0(LacChannel, N_CHANNELS);
  for (gsize f = 0; f < N_FIELDS; f++)
    for (gsize s = 0; s < N_SOURCES; s++) {
      g_autofree char *key = g_strdup_printf("%s.%s", fields[f], sources[s].key);
      channels[f * N_SOURCES + s] = (LacChannel){
        .key = g_intern_string(key),
        .label = sources[s].label,
        .unit = f == VORTICITY ? "1/s" : "m/s",
        .quantity = fields[f],
        .role = sources[s].role,
        .colour_map = "balance",
        .axis_x = "x",
        .axis_y = "y",
        .axis_unit_x = "m",
        .axis_unit_y = "m",
        .periodic = TRUE,
      };
    }
  channels[N_CHANNELS - 1] = channels[VORTICITY * N_SOURCES + 4];
  channels[N_CHANNELS - 1].key = "vorticity.enkf_deviation";
  channels[N_CHANNELS - 1].role = LAC_ROLE_OTHER;
  channels[N_CHANNELS - 1].colour_map = "ember";
  *out =
    (LacOutline){N_CHANNELS, G_N_ELEMENTS(metrics), channels, g_memdup2(metrics, sizeof metrics)};
}

static void
estimate(const LacExperiment *self, gconstpointer params, LacEstimate *out)
{
  *out = (LacEstimate){.n_steps = ((const Params *) params)->steps, .memory_bytes = 1e6};
}

static gpointer
create(const LacExperiment *self, gconstpointer params, const LacContext *context, GError **error)
{
  State *state = g_new0(State, 1);
  state->params = *(const Params *) params;
  return state;
}

static gboolean
step(gpointer data, LacStepReport *report, GError **error)
{
  State *s = data;
  double t = (double) ++s->step / (double) s->params.steps;
  for (gsize m = 0; m < G_N_ELEMENTS(metrics); m++) {
    double phase = (double) m;
    report->metrics[m] = metrics[m].has_reference
                           ? metrics[m].reference * (1 - 0.8 * exp(-4 * t) * cos(6 * t + phase))
                           : pow(10, -1 - 2 * t - 0.2 * phase) * (1.2 + sin(20 * t + phase));
  }
  if (s->step >= s->params.steps)
    report->outcome = LAC_OUTCOME_FINISHED;
  return TRUE;
}

static gint64
n_steps(gconstpointer data)
{
  return ((const State *) data)->params.steps;
}

static void
shapes(gconstpointer data, gsize (*sizes)[2], gsize *n_markers)
{
  for (gsize i = 0; i < N_CHANNELS; i++)
    sizes[i][0] = sizes[i][1] = N;
  *n_markers = SENSORS;
}

static double
value_at(gsize field, const Source *source, double x, double y)
{
  double k = source->wavenumber, wrong = source->error;
  switch (field) {
  case U: return sin(x) * cos(y) + wrong * sin(k * x) * cos(k * y);
  case V: return -cos(x) * sin(y) - wrong * cos(k * x) * sin(k * y);
  default: return 2 * sin(x) * sin(y) + 2 * k * wrong * sin(k * x) * sin(k * y);
  }
}

static void
fill(LacPlane *plane, gsize field, const Source *source)
{
  double cell = 2 * G_PI / N;
  plane->x_min = plane->y_min = cell / 2;
  plane->x_max = plane->y_max = 2 * G_PI - cell / 2;
  for (gsize j = 0; j < N; j++)
    for (gsize i = 0; i < N; i++)
      plane->data[j * N + i] =
        (float) value_at(field, source, ((double) i + 0.5) * cell, ((double) j + 0.5) * cell);
  lac_plane_measure(plane);
}

static void
snapshot(gpointer data, LacFrame *frame, LacPending *pending)
{
  for (gsize f = 0; f < N_FIELDS; f++)
    for (gsize s = 0; s < N_SOURCES; s++)
      fill(&frame->planes[f * N_SOURCES + s], f, &sources[s]);
  LacPlane *deviation = &frame->planes[N_CHANNELS - 1];
  fill(deviation, VORTICITY, &sources[4]);
  for (gsize i = 0; i < N * N; i++)
    deviation->data[i] = 0.1F * fabsf(deviation->data[i]);
  lac_plane_measure(deviation);
  for (gsize k = 0; k < SENSORS; k++)
    frame->markers[k] = (LacMarker){0.7 + 0.9 * (double) k, 1 + 4 * fabs(sin((double) k)),
                                    g_intern_static_string("sensor")};
}

static void
save(gpointer data, LacStore *store)
{
  *(gint64 *) lac_store_put(store, "step", 1, 1, 8) = ((State *) data)->step;
}

static gboolean
load(gpointer data, const LacStore *store, GError **error)
{
  const gint64 *at = lac_store_get(store, "step", 1, 1, 8, error);
  if (at != NULL)
    ((State *) data)->step = *at;
  return at != NULL;
}

const LacExperiment vortices = {
  .name = "vortices",
  .title = "Taylor-Green vortices",
  .laboratory = "flow",
  .summary = "For tests.",
  .source = "Taylor, Green (1937)",
  .params = {rows, G_N_ELEMENTS(rows), sizeof(Params)},
  .metrics = metrics,
  .n_metrics = G_N_ELEMENTS(metrics),
  .outline = outline,
  .estimate = estimate,
  .create = create,
  .destroy = g_free,
  .step = step,
  .n_steps = n_steps,
  .shapes = shapes,
  .snapshot = snapshot,
  .save = save,
  .load = load,
};

LacRun *
vortices_run(const char *out)
{
  g_autoptr(GError)   error = NULL;
  g_autoptr(LacDraft) draft = lac_draft_new(&vortices.params);
  LacRunSettings      settings = {
         .experiment = &vortices,
         .draft = draft,
         .backend = "cpu",
         .precision = "f64",
         .threads = 1,
         .detail = LAC_PERF_COARSE,
         .out = out,
  };
  LacRun *run = lac_run_new(&settings, &error);
  g_assert_no_error(error);
  lac_run_start(run, FALSE);
  lac_run_wait(run, &error);
  g_assert_no_error(error);
  return run;
}
