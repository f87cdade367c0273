/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small experiment for the tests of run/. */
#include "lorenz.h"

#include "base/error.h"
#include "base/rng.h"
#include "io/runfile/run-file.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

typedef struct {
  gint64 steps, pause_us, fail_at, diverge_at, leak;
  double rho, swell;
} Params;

static const LacParam rows[] = {
  {LAC_FIELD(Params, steps), LAC_PARAM_INTEGER, "1", 1, 1e7, 100, "Steps", "Engine", "", 0},
  {LAC_FIELD(Params, pause_us), LAC_PARAM_INTEGER, "us", 0, 1e7, 0, "Pause", "Engine", "", 0},
  {LAC_FIELD(Params, fail_at), LAC_PARAM_INTEGER, "1", -1, 1e7, -1, "Fail", "Engine", "", 0},
  {LAC_FIELD(Params, diverge_at), LAC_PARAM_INTEGER, "1", -1, 1e7, -1, "Fly", "Engine", "", 0},
  {LAC_FIELD(Params, leak), LAC_PARAM_INTEGER, "B", 0, 1e6, 0, "Leak", "Engine", "", 0},
  {LAC_FIELD(Params, rho), LAC_PARAM_REAL, "1", 0, 100, 28, "Rho", "Scene", "", LAC_PARAM_LIVE},
  {LAC_FIELD(Params, swell), LAC_PARAM_REAL, "1", 1, 10, 1, "Swell", "Scene", "", 0},
};

static const LacChannel channels[] = {
  {"truth", "Truth", "m/s", "wave", LAC_ROLE_TRUTH, "viridis", "x", "y", "m", "m"},
  {"wave", "Reconstruction", "m/s", "wave", LAC_ROLE_RECONSTRUCTION, "viridis", "x", "y", "m", "m"},
};

static const LacMetric metrics[] = {
  {"distance", "Distance", "1", TRUE, TRUE},
  {"now_and_then", "Now and then", "1", FALSE, TRUE},
  {"height", "Height", "1", FALSE, FALSE},
};

#define NX 16
#define NY 8

typedef struct {
  Params params;
  double u[3];
  LacRng rng;
  gint64 step;
  void **leaked; /* (nullable): the last block, which begins with the address of the one before */
} State;

static void
estimate(const LacExperiment *self G_GNUC_UNUSED, gconstpointer params, LacEstimate *out)
{
  *out = (LacEstimate){.n_steps = ((const Params *) params)->steps};
}

static gpointer
create(const LacExperiment *self G_GNUC_UNUSED,
       gconstpointer             params,
       const LacContext         *context,
       GError                  **error)
{
  State *state = g_new0(State, 1);

  state->params = *(const Params *) params;
  state->rng = lac_rng(context->seed, 1);
  for (int i = 0; i < 3; i++)
    state->u[i] = 1 + 0.1 * lac_rng_normal(&state->rng);
  context->progress(1, "Ready", context->user_data);
  return state;
}

static gboolean
step(gpointer data, LacStepReport *report, GError **error)
{
  State       *s = data;
  const double dt = 0.005;

  if (s->params.pause_us > 0)
    g_usleep((gulong) s->params.pause_us);
  if (s->params.leak >= (gint64) sizeof(void *)) {
    void **block = g_malloc((gsize) s->params.leak);
    *block = s->leaked;
    s->leaked = block;
  }
  if (++s->step == s->params.fail_at) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_FAILED, "the butterfly left at step %d", (int) s->step);
    return FALSE;
  }
  double x = s->u[0], y = s->u[1], z = s->u[2];
  s->u[0] += dt * 10 * (y - x) + 1e-3 * lac_rng_normal(&s->rng);
  s->u[1] += dt * (x * (s->params.rho - z) - y);
  s->u[2] += dt * (x * y - 8.0 / 3 * z);
  for (int i = 0; i < 3 && s->params.swell > 1; i++)
    s->u[i] *= s->params.swell;
  report->metrics[0] = sqrt(x * x + y * y + z * z);
  if (s->step % 7 == 0)
    report->metrics[1] = x;
  report->metrics[2] = z;
  if (s->step == s->params.diverge_at) {
    report->outcome = LAC_OUTCOME_DIVERGED;
    g_strlcpy(report->why, "the butterfly flew away", sizeof report->why);
  } else if (s->step >= s->params.steps) {
    report->outcome = LAC_OUTCOME_FINISHED;
  }
  return TRUE;
}

static void
destroy(gpointer data)
{
  State *s = data;

  while (s->leaked != NULL) {
    void **before = *s->leaked;
    g_free(s->leaked);
    s->leaked = before;
  }
  g_free(s);
}

static gint64
n_steps(gconstpointer data)
{
  return ((const State *) data)->params.steps;
}

static void
shapes(gconstpointer data, gsize (*sizes)[2], gsize *n_markers)
{
  for (int c = 0; c < 2; c++) {
    sizes[c][0] = NX;
    sizes[c][1] = NY;
  }
  *n_markers = 2;
}

static void
snapshot(gpointer data, LacFrame *frame, LacPending *pending)
{
  const State *s = data;

  for (int c = 0; c < 2; c++) {
    LacPlane *plane = &frame->planes[c];
    plane->x_min = plane->y_min = 0;
    plane->x_max = 2;
    plane->y_max = 1;
    for (int i = 0; i < NX * NY; i++)
      plane->data[i] = (float) (s->u[c] + 0.01 * i);
  }
  for (int k = 0; k < 2; k++)
    frame->markers[k] = (LacMarker){0.5 * k, 0.25, g_intern_static_string("sensor")};
}

static void
save(gpointer data, LacStore *store)
{
  const State *s = data;

  memcpy(lac_store_put(store, "u", 3, 1, 8), s->u, sizeof s->u);
  memcpy(lac_store_put(store, "rng", 3, 1, 8), &s->rng, sizeof s->rng);
  memcpy(lac_store_put(store, "step", 1, 1, 8), &s->step, sizeof s->step);
}

static gboolean
load(gpointer data, const LacStore *store, GError **error)
{
  State        *s = data;
  gconstpointer u = lac_store_get(store, "u", 3, 1, 8, error);
  gconstpointer rng = u != NULL ? lac_store_get(store, "rng", 3, 1, 8, error) : NULL;
  gconstpointer at = rng != NULL ? lac_store_get(store, "step", 1, 1, 8, error) : NULL;

  if (at == NULL)
    return FALSE;
  memcpy(s->u, u, sizeof s->u);
  memcpy(&s->rng, rng, sizeof s->rng);
  memcpy(&s->step, at, sizeof s->step);
  return TRUE;
}

static void
retune(gpointer data, gconstpointer params)
{
  ((State *) data)->params = *(const Params *) params;
}

const LacExperiment lorenz = {
  .name = "lorenz",
  .title = "Kicked Lorenz system",
  .laboratory = "flow",
  .summary = "For tests.",
  .source = "Lorenz (1963)",
  .params = {rows, G_N_ELEMENTS(rows), sizeof(Params)},
  .channels = channels,
  .n_channels = G_N_ELEMENTS(channels),
  .metrics = metrics,
  .n_metrics = G_N_ELEMENTS(metrics),
  .estimate = estimate,
  .create = create,
  .destroy = destroy,
  .step = step,
  .n_steps = n_steps,
  .shapes = shapes,
  .snapshot = snapshot,
  .save = save,
  .load = load,
  .retune = retune,
};

LacDraft *
lorenz_draft(const char *first_key, ...)
{
  LacDraft *draft = lac_draft_new(&lorenz.params);
  va_list   pairs;

  va_start(pairs, first_key);
  for (const char *key = first_key; key != NULL; key = va_arg(pairs, const char *)) {
    g_autoptr(GError) error = NULL;
    lac_draft_set(draft, key, va_arg(pairs, const char *), &error);
    g_assert_no_error(error);
  }
  va_end(pairs);
  return draft;
}

LacRunSettings
lorenz_settings(LacDraft *draft, const char *out)
{
  return (LacRunSettings){
    .experiment = &lorenz,
    .draft = draft,
    .seed = 11,
    .backend = "cpu",
    .precision = "f64",
    .threads = 1,
    .detail = LAC_PERF_COARSE,
    .out = out,
  };
}

LacRun *
lorenz_run(const LacRunSettings *settings)
{
  g_autoptr(GError) error = NULL;
  LacRun           *run = lac_run_new(settings, &error);

  g_assert_no_error(error);
  lac_run_start(run, FALSE);
  lac_run_wait(run, &error);
  g_assert_no_error(error);
  return run;
}

/* ---- cases ---- */

static void
change_on_the_way(LacRun *run)
{
  g_autoptr(GError) error = NULL;

  for (int i = 0; i < 5; i++)
    lac_run_step(run);
  g_assert_true(lac_run_set_live(run, "rho", "20", &error));
  lac_run_resume(run);
}

static void
stop_at_the_seventh(LacRun *run)
{
  LacRunStatus status;

  for (int i = 0; i < 7; i++)
    lac_run_step(run);
  do {
    g_usleep(1000);
    lac_run_get_status(run, &status);
  } while (status.step < 7);
  lac_run_stop(run);
}

static const LorenzCase lorenz_cases[] = {
  {"left-alone", "80", "0", NULL, 13},
  {"changed-on-the-way", "300", "300", change_on_the_way, 13},
  {"stopped-by-a-person", "4000", "200", stop_at_the_seventh, 2},
};

LacRun *
lorenz_run_case(const LorenzCase *subject, const char *out)
{
  g_autoptr(GError)   error = NULL;
  g_autoptr(LacDraft) draft =
    lorenz_draft("steps", subject->steps, "pause_us", subject->pause_us, "rho", "25", NULL);
  LacRunSettings settings = lorenz_settings(draft, out);
  LacRun        *run = lac_run_new(&settings, &error);

  g_assert_no_error(error);
  lac_run_start(run, subject->steer != NULL);
  if (subject->steer != NULL)
    subject->steer(run);
  g_assert_true(lac_run_wait(run, &error));
  return run;
}

void
lorenz_add_cases(const char *prefix, GTestDataFunc test)
{
  for (gsize i = 0; i < G_N_ELEMENTS(lorenz_cases); i++) {
    g_autofree char *name = g_strconcat(prefix, lorenz_cases[i].name, NULL);
    g_test_add_data_func(name, &lorenz_cases[i], test);
  }
}

/* ---- what is compared ---- */

/* Compares bits, so that NaN equals NaN. */
static void
assert_same_bits(gconstpointer a, gconstpointer b, gsize n_bytes)
{
  g_assert_cmpmem(a, n_bytes, b, n_bytes);
}

void
assert_same_results(const char *folder, const char *other)
{
  g_autoptr(GError)     error = NULL;
  g_autoptr(LacRunFile) a = lac_run_file_open(folder, &error);
  g_assert_no_error(error);
  g_autoptr(LacRunFile) b = lac_run_file_open(other, &error);
  g_assert_no_error(error);

  g_assert_cmpuint(a->n_series, ==, b->n_series);
  assert_same_bits(a->series_step, b->series_step, a->n_series * sizeof(gint64));
  assert_same_bits(a->series, b->series, a->n_series * a->n_metrics * sizeof(double));
  g_assert_cmpuint(a->n_frames, ==, b->n_frames);
  assert_same_bits(a->frame_step, b->frame_step, a->n_frames * sizeof(gint64));
  for (gsize i = 0; i < a->n_frames; i++) {
    g_autoptr(LacFrame) one = lac_run_file_load_frame(a, i, &error);
    g_assert_no_error(error);
    g_autoptr(LacFrame) two = lac_run_file_load_frame(b, i, &error);
    g_assert_no_error(error);
    assert_same_bits(one->metrics, two->metrics, one->n_metrics * sizeof(double));
    for (gsize c = 0; c < one->n_planes; c++)
      assert_same_bits(one->planes[c].data, two->planes[c].data,
                       one->planes[c].nx * one->planes[c].ny * sizeof(float));
  }
}
