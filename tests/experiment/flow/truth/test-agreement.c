/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A truth from a file that contradicts the scene is refused with the reason: another lid, another domain, another initial
 * condition, another equation, another unit of length and time. */
#include "base/error.h"
#include "experiment/flow/laboratory/laboratory-private.h"
#include "experiment/flow/truth/term-fit.h"
#include "solver/cole-hopf.h"

#include <math.h>
#include <string.h>

enum { SIDE = 41 };

static gboolean
agrees(const char            *scene,
       const char            *settings,
       const char            *key,
       const LacGridField    *field,
       const LacMeasurements *points,
       GError               **error)
{
  const LacExperiment *experiment = lac_experiment_find(scene, NULL);
  g_autoptr(LacDraft)  draft = lac_draft_new(&experiment->params);
  g_auto(GStrv)        pairs = g_strsplit(settings, " ", -1);

  for (gsize i = 0; pairs[i] && pairs[i][0]; i++) {
    g_auto(GStrv) words = g_strsplit(pairs[i], "=", 2);

    g_assert_true(lac_draft_set(draft, words[0], words[1], NULL));
  }
  return experiment->agrees(experiment, lac_draft_get_values(draft),
                            lac_param_find(&experiment->params, key), field, points, error);
}

/* A flow whose lid has the speed @lid(x): only its values at the walls matter. */
static LacMeasurements *
make_cavity(double side, double (*lid)(double x))
{
  static const char *const names[] = {"u", "v", "p"};
  LacMeasurements         *points = lac_measurements_new("cavity.dat", 3 * SIDE * SIDE);

  for (guint q = 0; q < 3; q++)
    lac_measurements_quantity(points, names[q]);
  for (gsize i = 0; i < SIDE * SIDE; i++)
    for (guint q = 0; q < 3; q++) {
      const double x = (double) (i % SIDE) / (SIDE - 1), y = (double) (i / SIDE) / (SIDE - 1);
      const double inside = x > 0 && x < 1 ? 1 : 0;

      points->rows[3 * i + q] = (LacMeasurement){.x = side * x,
                                                 .y = side * y,
                                                 .sigma = NAN,
                                                 .quantity = q,
                                                 .value = q == 0 ? inside * lid(x) * pow(y, 4) : 0};
    }
  points->has_y = TRUE;
  return points;
}

static double
round_lid(double x)
{
  return 4 * x * (1 - x);
}

static double
even_lid(double x G_GNUC_UNUSED)
{
  return 1;
}

static void
test_lid(void)
{
  g_autoptr(LacMeasurements) rounded = make_cavity(1, round_lid), even = make_cavity(1, even_lid);
  g_autoptr(LacMeasurements) large = make_cavity(8, round_lid);
  g_autoptr(GError)          error = NULL;

  g_assert_true(agrees("cavity", "", "reference", NULL, rounded, &error));
  g_assert_true(agrees("cavity", "lid=even", "reference", NULL, even, &error));
  g_assert_no_error(error);
  g_assert_false(agrees("cavity", "", "reference", NULL, even, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE);
  g_assert_nonnull(strstr(error->message, "the condition \"lid\""));
  g_clear_error(&error);
  g_assert_false(agrees("cavity", "lid=even", "reference", NULL, rounded, &error));
  g_assert_nonnull(strstr(error->message, "the condition \"lid\""));
  g_clear_error(&error);
  g_assert_false(agrees("cavity", "", "reference", NULL, large, &error));
  g_assert_nonnull(strstr(error->message, "from x = 0 to 8"));
  g_clear_error(&error);
  g_assert_false(agrees("obstacles", "", "reference", NULL, large, &error));
  g_assert_nonnull(strstr(error->message, "inside the disc"));
  g_clear_error(&error);
  /* as measurements they need only lie in the domain */
  g_assert_true(agrees("cavity", "lid=even", "measurements", NULL, rounded, &error));
  g_assert_false(agrees("cavity", "", "measurements", NULL, large, &error));
  g_assert_nonnull(strstr(error->message, "outside the domain"));
}

/* u over t and x, from t = 0 in steps of @interval and over @low ... @high. */
static LacGridField *
make_field(gsize n_t, gsize n_x, double interval, double low, double high)
{
  static const char *const names[] = {"t", "x"}, *const units[] = {"1", "1"};
  const gsize   sizes[] = {n_t, n_x};
  LacGridField *field = lac_field_new("u", "1", 2, names, units, sizes);

  for (gsize k = 0; k < n_t; k++)
    field->axes[0].values[k] = interval * (double) k;
  for (gsize i = 0; i < n_x; i++)
    field->axes[1].values[i] = low + (high - low) * (double) i / (double) (n_x - 1);
  return field;
}

static void
test_burgers(void)
{
  g_autoptr(LacGridField) file = make_field(60, 101, 0.01, -1, 1);
  g_autoptr(LacColeHopf)  exact = lac_cole_hopf_new(0.05, 140);
  g_autoptr(GError)       error = NULL;

  for (gsize i = 0; i < 60 * 101; i++)
    file->data[i] =
      lac_cole_hopf_at(exact, file->axes[0].values[i / 101], file->axes[1].values[i % 101]);
  g_assert_true(agrees("burgers", "viscosity=0.05", "truth", file, NULL, &error));
  g_assert_no_error(error);
  for (gsize i = 0; i < 60 * 101; i++)
    file->data[i] *= -1; /* a wave of the other sign does not solve it either */
  g_assert_false(agrees("burgers", "", "truth", file, NULL, &error));
  g_assert_nonnull(strstr(error->message, "\"initial values\""));
  g_clear_error(&error);
  for (gsize i = 0; i < 60 * 101; i++) /* decays without steepening */
    file->data[i] =
      -sin(G_PI * file->axes[1].values[i % 101]) * exp(-file->axes[0].values[i / 101]);
  g_assert_false(agrees("burgers", "", "truth", file, NULL, &error));
  g_assert_nonnull(strstr(error->message, "no solution of u_t + u u_x"));
}

/* Returns the scene's own truth, observed every @interval, as a file in other units of x and t. */
static LacGridField *
make_front(const char *interval)
{
  const LacExperiment *experiment = lac_experiment_find("kuramoto-sivashinsky", NULL);
  const LacLaboratory *laboratory = experiment->data;
  g_autoptr(LacDraft)  draft = lac_draft_new(&experiment->params);
  g_autoptr(LacPool)   pool = lac_pool_new(1);
  LacContext           context = {.pool = pool, .precision = "f64"};
  LacGridField        *file = make_field(100, 64, 0.02, -1, 1 - 2.0 / 64);
  g_autoptr(GError)    error = NULL;
  LacCase              subject;

  g_assert_true(lac_device_open(&context.device, "cpu", NULL));
  g_assert_true(lac_draft_set(draft, "training", "10", NULL));
  g_assert_true(lac_draft_set(draft, "interval", interval, NULL));
  lac_case_configure(&subject, laboratory->scene, lac_draft_get_values(draft));
  g_autoptr(LacTruth) truth =
    laboratory->scene->truth(lac_draft_get_values(draft), &subject, &context, &error);
  g_assert_no_error(error);
  for (gsize k = 0; k < 100; k++)
    memcpy(file->data + 64 * k, lac_truth_at(truth, k), 64 * sizeof(double));
  lac_case_clear(&subject);
  lac_device_close(&context.device);
  return file;
}

/* The stretch that fits is named; a file whose times are too far apart for a fit is accepted. */
static void
test_stretch(void)
{
  g_autoptr(LacGridField) file = make_front("0.5"), coarse = make_front("5");
  g_autoptr(GError)       error = NULL;

  g_assert_true(agrees("kuramoto-sivashinsky", "", "truth", file, NULL, &error));
  g_assert_true(agrees("kuramoto-sivashinsky", "interval=5", "truth", coarse, NULL, &error));
  g_assert_no_error(error);
  g_assert_false(
    agrees("kuramoto-sivashinsky", "length=44 interval=2", "truth", file, NULL, &error));
  g_test_message("%s", error->message);
  const double length = g_ascii_strtod(strstr(error->message, "set length to ") + 14, NULL);
  const double interval = g_ascii_strtod(strstr(error->message, "interval to ") + 12, NULL);
  g_assert_cmpfloat_with_epsilon(length, 22, 0.6);
  g_assert_cmpfloat_with_epsilon(interval, 0.5, 0.04);
}

/* Coefficients of a sum of terms come back, and the share that they explain. */
static void
test_fit(void)
{
  LacTermFit fit = {.n = 3}, same = {.n = 2};
  double     c[3];

  for (gsize i = 0; i < 50; i++) {
    const double x = 0.1 * (double) i, terms[] = {sin(x), cos(2 * x), x};

    const double rate = 2 * terms[0] - 3 * terms[1] + 0.5 * terms[2];

    lac_term_fit_add(&fit, terms, (const double[]){-rate, 0, rate}, 2);
    lac_term_fit_add(&same, (const double[]){terms[0], 2 * terms[0]},
                     (const double[]){0, terms[1], terms[1]}, 1);
  }
  g_assert_cmpfloat_with_epsilon(lac_term_fit_solve(&fit, c), 1, 1e-12);
  g_assert_cmpfloat_with_epsilon(c[0], 2, 1e-10);
  g_assert_cmpfloat_with_epsilon(c[1], -3, 1e-10);
  g_assert_cmpfloat_with_epsilon(c[2], 0.5, 1e-10);
  g_assert_cmpfloat(lac_term_fit_solve(&same, c), <, 0.5);
  g_assert_cmpfloat(c[1], ==, 0);
  g_assert_true(lac_term_fit_is_resolved(&fit));
  g_assert_false(lac_term_fit_is_resolved(&same)); /* it bends as much as it changes */
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/experiment/agreement/the-lid-of-a-file-is-that-of-the-scene", test_lid);
  g_test_add_func("/experiment/agreement/a-file-starts-and-goes-on-as-the-equation-does",
                  test_burgers);
  g_test_add_func("/experiment/agreement/the-right-stretch-of-a-trajectory-is-named", test_stretch);
  g_test_add_func("/experiment/agreement/coefficients-of-terms-are-found", test_fit);
  return g_test_run();
}
