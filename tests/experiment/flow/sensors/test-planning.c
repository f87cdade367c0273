/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Layouts evaluated before a run, and positions parsed from text and located on a grid. */
#include "base/error.h"
#include "base/rng.h"
#include "experiment/experiment.h"
#include "experiment/flow/laboratory/laboratory.h"
#include "experiment/flow/sensors/positions.h"

#include <math.h>
#include <string.h>

static const char *const small[][2] = {
  {"grid", "16"},         {"forcing", "2"}, {"snapshots", "60"},
  {"observations", "20"}, {"spin_up", "5"}, {"sensors", "4"},
};

typedef struct {
  const LacExperiment *experiment;
  LacContext           context;
  gpointer             plan;
} Subject;

static void
subject_init(Subject *subject)
{
  g_autoptr(GError)   error = NULL;
  g_autoptr(LacDraft) draft = NULL;

  memset(subject, 0, sizeof *subject);
  subject->experiment = lac_experiment_find("kolmogorov", &error);
  draft = lac_draft_new(&subject->experiment->params);
  for (gsize i = 0; i < G_N_ELEMENTS(small); i++)
    g_assert_true(lac_draft_set(draft, small[i][0], small[i][1], &error));
  lac_device_open(&subject->context.device, "cpu", &error);
  g_assert_no_error(error);
  subject->context.pool = lac_pool_new(1);
  subject->context.precision = "f64";
  subject->plan = subject->experiment->planning->open(
    subject->experiment, lac_draft_get_values(draft), &subject->context, &error);
  g_assert_no_error(error);
}

static void
subject_clear(Subject *subject)
{
  subject->experiment->planning->close(subject->plan);
  lac_pool_free(subject->context.pool);
  lac_device_close(&subject->context.device);
}

/* The chosen layout is better than one with clustered sensors, and removing a sensor never improves it. */
static void
test_figures(void)
{
  const LacPlanning  *planning;
  g_autoptr(LacFrame) frame = NULL;
  g_autoptr(GError)   error = NULL;
  double              places[4][2], huddled[4][2];
  LacLayoutFigures    chosen, fewer, close;
  Subject             subject;

  subject_init(&subject);
  planning = subject.experiment->planning;
  frame = planning->draw(subject.plan);
  g_assert_cmpuint(frame->n_markers, ==, 4);
  g_assert_cmpuint(frame->planes[0].n_not_finite, ==, 0);
  for (gsize i = 0; i < 4; i++) {
    places[i][0] = frame->markers[i].x;
    places[i][1] = frame->markers[i].y;
    huddled[i][0] = places[0][0] + 0.02 * (double) i;
    huddled[i][1] = places[0][1] + 0.03 * (double) (i % 2);
  }
  g_assert_true(planning->score(subject.plan, (const double(*)[2]) places, 4, &chosen, &error));
  g_assert_true(planning->score(subject.plan, (const double(*)[2]) places, 3, &fewer, &error));
  g_assert_true(planning->score(subject.plan, (const double(*)[2]) huddled, 4, &close, &error));
  g_assert_no_error(error);
  g_assert_cmpfloat(chosen.values[LAC_FLOW_FIGURE_ERROR], >, 0);
  g_assert_cmpfloat(chosen.values[LAC_FLOW_FIGURE_ERROR], <, fewer.values[LAC_FLOW_FIGURE_ERROR]);
  g_assert_cmpfloat(chosen.values[LAC_FLOW_FIGURE_ERROR], <, close.values[LAC_FLOW_FIGURE_ERROR]);
  g_assert_cmpfloat(chosen.values[LAC_FLOW_FIGURE_CONDITION], <,
                    close.values[LAC_FLOW_FIGURE_CONDITION]);
  subject_clear(&subject);
}

/* Chooses again with @value of @key beside the small settings. */
static LacFrame *
replace(Subject *subject, const char *key, const char *value)
{
  const LacPlanning  *planning = subject->experiment->planning;
  g_autoptr(LacDraft) draft = lac_draft_new(&subject->experiment->params);
  g_autoptr(GError)   error = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS(small); i++)
    g_assert_true(lac_draft_set(draft, small[i][0], small[i][1], &error));
  g_assert_true(lac_draft_set(draft, key, value, &error));
  g_assert_true(planning->replace(subject->plan, lac_draft_get_values(draft), &error));
  g_assert_no_error(error);
  return planning->draw(subject->plan);
}

static gboolean
is_same(const LacFrame *a, const LacFrame *b)
{
  gboolean same = a->n_markers == b->n_markers;

  for (gsize i = 0; same && i < a->n_markers; i++)
    same = a->markers[i].x == b->markers[i].x && a->markers[i].y == b->markers[i].y;
  return same;
}

/* Choosing again is as choosing at first; the number of sensors follows. */
static void
test_replaced(void)
{
  Subject subject;

  subject_init(&subject);
  g_autoptr(LacFrame) first = subject.experiment->planning->draw(subject.plan);
  g_autoptr(LacFrame) more = replace(&subject, "sensors", "7");
  g_autoptr(LacFrame) again = replace(&subject, "sensors", "4");
  g_assert_cmpuint(more->n_markers, ==, 7);
  g_assert_true(is_same(first, again));
  subject_clear(&subject);
}

static gsize
count_within(const LacFrame *frame, const LacMarker *middle, double radius)
{
  gsize n = 0;

  for (gsize i = 0; i < frame->n_markers; i++)
    n += hypot(frame->markers[i].x - middle->x, frame->markers[i].y - middle->y) <= radius;
  return n;
}

/* No sensor is put into a forbidden region or one that costs more than it gains; a small cost or an erased region
 * changes nothing. */
static void
test_regions(void)
{
  static const struct {
    const char *cost;
    gboolean    is_left;
  } cases[] = {{"never", TRUE}, {"150", TRUE}, {"0", FALSE}, {"0.01", FALSE}};
  const double radius = 1;
  Subject      subject;

  subject_init(&subject);
  g_autoptr(LacFrame) before = subject.experiment->planning->draw(subject.plan);
  const LacMarker     middle = before->markers[0];
  g_assert_cmpuint(count_within(before, &middle, radius), >, 0);
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_autofree char *text =
      g_strdup_printf("%.17g %.17g %g %s", middle.x, middle.y, radius, cases[i].cost);
    g_autoptr(LacFrame) after = replace(&subject, "sensor_regions", text);

    if (cases[i].is_left)
      g_assert_cmpuint(count_within(after, &middle, radius), ==, 0);
    else
      g_assert_true(is_same(before, after));
  }
  subject_clear(&subject);
}

static void
test_texts(void)
{
  static const struct {
    const char *text;
    guint       n_axes;
    const char *part; /* expected part of the error message; NULL: valid */
  } cases[] = {
    {"1 2; 3 4;", 2, NULL},    {" 1e-3 , 2 ", 2, NULL},     {"1; 2; 3", 1, NULL},
    {"", 2, "0 positions"},    {"1 2; 3", 2, "position 2"}, {"1 2 3", 2, "position 1"},
    {"1 x", 2, "two numbers"}, {"1 2", 1, "a number"},      {"1 2;; 3 4", 2, "position 2"},
  };

  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_autoptr(GError)  error = NULL;
    gsize              n;
    g_autofree double *places = lac_positions_parse(cases[i].text, cases[i].n_axes, &n, &error);

    g_assert_true((places != NULL) == (cases[i].part == NULL));
    if (cases[i].part) {
      g_assert_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE);
      g_assert_nonnull(strstr(error->message, cases[i].part));
    }
  }
}

/* A bilinear function is interpolated exactly anywhere; on a periodic axis the last cell is next to the first. */
static void
test_stencils(void)
{
  static const char *const fields[] = {"u", "v"};
  g_autoptr(LacTruth)      truth = lac_truth_new(2, fields, 5, 4, 0, 1);
  LacRng                   rng = lac_rng(3, 1);
  LacSensor                sensor = {.x = 9, .y = 1};
  g_autoptr(GError)        error = NULL;

  truth->upper[0] = 2;
  truth->upper[1] = 1.5;
  for (gsize i = 0; i < 20; i++)
    truth->observed[20 + i] =
      1 + 2 * lac_truth_get_x(truth, i % 5) - 3 * lac_truth_get_y(truth, i / 5);
  for (gsize i = 0; i < 50; i++) {
    LacSensor at = {.x = 2 * lac_rng_uniform(&rng), .y = 1.5 * lac_rng_uniform(&rng), .field = 1};

    g_assert_true(lac_positions_stencil(truth, &at, &error));
    g_assert_cmpfloat_with_epsilon(lac_sensor_read(&at, truth->observed), 1 + 2 * at.x - 3 * at.y,
                                   1e-12);
  }
  g_assert_false(lac_positions_stencil(truth, &sensor, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE);
  truth->periodic[0] = TRUE;
  sensor.x = 2.25; /* half-way from the last column to the first, one cell further */
  g_assert_true(lac_positions_stencil(truth, &sensor, NULL));
  g_assert_cmpfloat_with_epsilon(sensor.weights[0] + sensor.weights[2], 0.5, 1e-12);
  g_assert_cmpuint(sensor.rows[1] % 5, ==, 0);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/experiment/planning/choosing-again-is-as-at-first", test_replaced);
  g_test_add_func("/experiment/planning/regions-keep-sensors-away", test_regions);
  g_test_add_func("/experiment/planning/better-layouts-have-better-figures", test_figures);
  g_test_add_func("/experiment/planning/places-are-read-or-refused", test_texts);
  g_test_add_func("/experiment/planning/a-sensor-between-grid-points-reads-both", test_stencils);
  return g_test_run();
}
