/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state that the forecasting methods are given: the true one, a forecast from the last snapshot before it, which in a
 * twin experiment is the same, or none. */
#include "base/error.h"
#include "experiment/flow/laboratory/laboratory-private.h"

#include <math.h>
#include <string.h>

typedef struct {
  const LacExperiment *experiment;
  LacDraft            *draft;
  LacContext           context;
  LacLaboratoryState  *state;
} Bed;

/* Returns: the error of the check; NULL: the state is ready. */
static GError *
bed_open(Bed *bed, const char *experiment, const char *start)
{
  GError *error = NULL;

  bed->experiment = lac_experiment_find(experiment, NULL);
  bed->draft = lac_draft_new(&bed->experiment->params);
  bed->context = (LacContext){.precision = "f64", .pool = lac_pool_new(1)};
  bed->state = NULL;
  g_assert_true(lac_device_open(&bed->context.device, "cpu", NULL));
  g_assert_true(lac_draft_set(bed->draft, "start", start, NULL));
  if (g_str_equal(experiment, "kuramoto-sivashinsky")) { /* with known coefficients */
    g_assert_true(lac_draft_set(bed->draft, "training", "40", NULL));
    g_assert_true(lac_draft_set(bed->draft, "instability_unknown", "no", NULL));
    g_assert_true(lac_draft_set(bed->draft, "damping_unknown", "no", NULL));
  }
  gconstpointer values = lac_draft_get_values(bed->draft);
  if (bed->experiment->check(bed->experiment, values, &error)) {
    bed->state = lac_laboratory_prepare(bed->experiment, values, &bed->context, &error);
    g_assert_no_error(error);
  }
  return error;
}

static void
bed_close(Bed *bed)
{
  if (bed->state)
    lac_laboratory_destroy(bed->state);
  lac_draft_free(bed->draft);
  lac_device_close(&bed->context.device);
  lac_pool_free(bed->context.pool);
}

/* Returns the largest difference of the given state from the first observation. */
static double
find_distance(const Bed *bed)
{
  const LacCase     *subject = &bed->state->subject;
  const LacTruth    *truth = bed->state->truth;
  const gsize        n = truth->nx * truth->ny;
  g_autofree double *state = g_new0(double, n);
  double             most = 0;

  subject->initial(subject, state);
  for (gsize i = 0; i < n; i++)
    most = fmax(most, fabs(state[i] - truth->observed[i]));
  return most;
}

static void
test_twin(void)
{
  static const char *const starts[] = {"exact", "last"};
  Bed                      bed;

  for (gsize i = 0; i < G_N_ELEMENTS(starts); i++) {
    g_assert_no_error(bed_open(&bed, "kuramoto-sivashinsky", starts[i]));
    g_assert_cmpfloat(find_distance(&bed), <=, i ? 1e-11 : 0);
    bed_close(&bed);
  }
  g_assert_no_error(bed_open(&bed, "kuramoto-sivashinsky", "climatology"));
  g_assert_null(bed.state->subject.initial);
  bed_close(&bed);
}

/* A scene with an initial condition has an exact start of its own; a family does not lead up to the observations. */
static void
test_family(void)
{
  Bed bed;

  g_assert_no_error(bed_open(&bed, "kdv", "exact"));
  g_assert_false(lac_laboratory_gives_start(&bed.state->subject));
  g_assert_cmpfloat(find_distance(&bed), <, 1e-12);
  bed_close(&bed);
  g_assert_no_error(bed_open(&bed, "kdv", "climatology"));
  g_assert_null(bed.state->subject.initial);
  bed_close(&bed);
  g_autoptr(GError) error = bed_open(&bed, "kdv", "last");
  g_assert_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE);
  g_assert_nonnull(strstr(error->message, "start = last"));
  bed_close(&bed);
}

static void
test_sentence(void)
{
  static const struct {
    const char *experiment, *start, *part;
  } cases[] = {{"kolmogorov", "scene", "earlier snapshots"},
               {"kolmogorov", "last", "a forecast from the last"},
               {"kolmogorov", "exact", "the exact initial state."},
               {"kdv", "scene", "the exact initial state."},
               {"kdv", "climatology", "other coefficients"}};

  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    const LacExperiment *experiment = lac_experiment_find(cases[i].experiment, NULL);
    g_autoptr(LacDraft)  draft = lac_draft_new(&experiment->params);

    g_assert_true(lac_draft_set(draft, "start", cases[i].start, NULL));
    g_autofree char *given = experiment->dup_given(experiment, lac_draft_get_values(draft));
    g_assert_nonnull(strstr(given, cases[i].part));
  }
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/experiment/start/a-twin-starts-at-the-truth", test_twin);
  g_test_add_func("/experiment/start/a-family-has-no-last-snapshot", test_family);
  g_test_add_func("/experiment/start/what-is-given-is-said", test_sentence);
  return g_test_run();
}
