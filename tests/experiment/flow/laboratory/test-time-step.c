/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Unstable forecasts are rejected before the run, with a stable step in the message. */
#include "base/error.h"
#include "experiment/experiment.h"

#include <math.h>
#include <string.h>

typedef struct {
  const char *methods, *time_step, *interval;
} Try;

/* Returns: TRUE when a run can be set up. A viscous flow: its truth is stable with steps that are rejected for a
 * forecast. */
static gboolean
try(const Try *settings, GError **error)
{
  const LacExperiment *experiment = lac_experiment_find("kolmogorov", error);
  g_autoptr(LacDraft)  draft = lac_draft_new(&experiment->params);
  const char *const    pairs[][2] = {
       {"grid", "64"},
       {"reynolds", "20"},
       {"spin_up", "4"},
       {"snapshots", "20"},
       {"observations", "4"},
       {"members", "4"},
       {"sensors", "3"},
       {"time_step", settings->time_step},
       {"interval", settings->interval},
       {"engines", settings->methods},
  };
  LacContext context = {.precision = "auto"};
  gpointer   state;

  for (gsize i = 0; i < G_N_ELEMENTS(pairs); i++)
    g_assert_true(lac_draft_set(draft, pairs[i][0], pairs[i][1], error));
  g_assert_true(experiment->check(experiment, lac_draft_get_values(draft), error));
  g_assert_true(lac_device_open(&context.device, "cpu", error));
  context.pool = lac_pool_new(1);
  state = experiment->create(experiment, lac_draft_get_values(draft), &context, error);
  if (state)
    experiment->destroy(state);
  lac_pool_free(context.pool);
  lac_device_close(&context.device);
  return state != NULL;
}

static void
test_refusal(void)
{
  static const char *const methods[] = {"enkf", "solver", "pod,enkf"};

  for (gsize i = 0; i < G_N_ELEMENTS(methods); i++) {
    static const char phrase[] = "points per side is ";
    const Try         coarse = {methods[i], "0.1", "0.2"};
    g_autoptr(GError) error = NULL, again = NULL;
    const char       *where;
    double            largest;
    char              finer[32], interval[32];

    g_assert_false(try(&coarse, &error));
    g_assert_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE);
    where = strstr(error->message, phrase);
    g_assert_nonnull(where);
    largest = g_ascii_strtod(where + strlen(phrase), NULL);
    g_assert_cmpfloat(largest, >, 0.01);
    g_assert_cmpfloat(largest, <, 0.1);
    /* slightly below the reported value, because the maximum differs for a flow observed at other times */
    g_ascii_formatd(finer, sizeof finer, "%.6f", 0.8 * largest);
    g_ascii_formatd(interval, sizeof interval, "%.6f", 4 * g_ascii_strtod(finer, NULL));
    g_assert_true(try(&(Try){methods[i], finer, interval}, &again));
    g_assert_no_error(again);
  }
}

/* Methods without forecasts are not checked. */
static void
test_others(void)
{
  g_autoptr(GError) error = NULL;

  g_assert_true(try(&(Try){"pod", "0.1", "0.2"}, &error));
  g_assert_no_error(error);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/experiment/time-step/one-that-blows-up-is-refused-with-the-largest",
                  test_refusal);
  g_test_add_func("/experiment/time-step/engines-that-do-not-forecast-are-free", test_others);
  return g_test_run();
}
