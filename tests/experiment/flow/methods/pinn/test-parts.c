/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of the physics-informed network that need no network: points, point weights, causal weights, stages. */
#include "experiment/flow/methods/pinn/training-data.h"
#include "pde/pde.h"

#include <glib.h>

#include <math.h>
#include <string.h>

#define N_POINTS 512

static LacCase
make_case(void)
{
  return (LacCase){
    .pde = lac_pde_find("navier-stokes-2d"),
    .lower = {0, -1, -2},
    .upper = {4, 3, 2},
  };
}

/* ---- points ---- */

static void
assert_inside(const LacCase *subject, const double *x, gsize n)
{
  for (gsize i = 0; i < n * subject->pde->n_axes; i++) {
    g_assert_cmpfloat(x[i], >=, subject->lower[i % subject->pde->n_axes]);
    g_assert_cmpfloat(x[i], <=, subject->upper[i % subject->pde->n_axes]);
  }
}

static void
test_holes(void)
{
  static double corners[] = {1, 1,   2,   1, 2,
                             2, 1.5, 1.5, 1, 2}; /* a square with a notch at the top */
  LacCase       subject = make_case();
  gsize         order[N_POINTS];
  double        x[N_POINTS * 3];

  subject.n_holes = 2;
  subject.holes[0] = (LacHole){.centre = {0, -1}, .radius = 0.75};
  subject.holes[1] = (LacHole){.n_corners = 5, .corners = corners};
  for (LacSampling sampling = LAC_SAMPLING_UNIFORM; sampling <= LAC_SAMPLING_SOBOL; sampling++) {
    const LacPinnDomain domain = {.subject = &subject, .last = 0.5, .order = order};
    LacRng              rng = lac_rng(3, sampling);
    g_autoptr(GError)   error = NULL;
    gsize               n_in_notch = 0;

    g_assert_true(lac_pinn_domain_sample(&domain, sampling, &rng, N_POINTS, x, &error));
    g_assert_no_error(error);
    assert_inside(&subject, x, N_POINTS);
    for (gsize i = 0; i < N_POINTS; i++) {
      const double  *place = x + 3 * i + 1;
      const gboolean in_square = place[0] > 1 && place[0] < 2 && place[1] > 1 && place[1] < 2;

      g_assert_cmpfloat(x[3 * i], <=, 2);
      g_assert_cmpfloat(hypot(place[0], place[1] + 1), >=, 0.75);
      if (in_square)
        g_assert_cmpfloat(place[1], >=, 1.5);
      n_in_notch += in_square ? 1 : 0;
    }
    g_assert_cmpuint(n_in_notch, >, 0);
  }
}

static void
test_mask(void)
{
  static guint8       mask[] = {1, 0}; /* two columns: only the left half of x */
  LacTruth            grid = {.nx = 2, .ny = 1, .mask = mask, .lower = {0, 0}, .upper = {2, 0}};
  LacCase             subject = make_case();
  gsize               order[N_POINTS];
  double              x[N_POINTS * 3];
  const LacPinnDomain domain = {.subject = &subject, .grid = &grid, .last = 1, .order = order};
  LacRng              rng = lac_rng(4, 1);
  g_autoptr(GError)   error = NULL;

  g_assert_true(lac_pinn_domain_sample(&domain, LAC_SAMPLING_UNIFORM, &rng, N_POINTS, x, &error));
  for (gsize i = 0; i < N_POINTS; i++)
    g_assert_cmpfloat(x[3 * i + 1], <=, 1);
  mask[0] = 0;
  g_assert_false(lac_pinn_domain_sample(&domain, LAC_SAMPLING_UNIFORM, &rng, N_POINTS, x, &error));
  g_assert_nonnull(error);
  mask[0] = 1;
}

/* Each of n slices of every axis contains one of the n points. */
static void
test_slices(void)
{
  const LacSampling samplings[] = {LAC_SAMPLING_LATIN, LAC_SAMPLING_SOBOL};
  gsize             order[N_POINTS];
  double            unit[N_POINTS * 4];

  for (gsize s = 0; s < G_N_ELEMENTS(samplings); s++) {
    LacRng rng = lac_rng(5, s);

    lac_sampling_fill(samplings[s], &rng, N_POINTS, 4, order, unit);
    for (guint axis = 0; axis < 4; axis++) {
      gboolean seen[N_POINTS] = {FALSE};

      for (gsize i = 0; i < N_POINTS; i++) {
        const gsize slice = (gsize) (unit[4 * i + axis] * N_POINTS);

        g_assert_cmpuint(slice, <, N_POINTS);
        g_assert_false(seen[slice]);
        seen[slice] = TRUE;
      }
    }
  }
}

/* Two axes of a Sobol sequence: every rectangle of 16 by 32 slices contains one of 512 points. */
static void
test_sobol_pairs(void)
{
  gboolean seen[N_POINTS] = {FALSE};
  gsize    order[N_POINTS];
  double   unit[N_POINTS * 2];
  LacRng   rng = lac_rng(6, 1);

  lac_sampling_fill(LAC_SAMPLING_SOBOL, &rng, N_POINTS, 2, order, unit);
  for (gsize i = 0; i < N_POINTS; i++) {
    const gsize cell = (gsize) (unit[2 * i] * 16) * 32 + (gsize) (unit[2 * i + 1] * 32);

    g_assert_false(seen[cell]);
    seen[cell] = TRUE;
  }
}

/* ---- weights ---- */

static const LacPointRule *
find_rule(const char *name)
{
  for (guint i = 0; lac_point_rule_names[i]; i++) {
    g_assert_cmpstr(lac_point_rule(i)->name, ==, lac_point_rule_names[i]);
    if (g_str_equal(lac_point_rule_names[i], name))
      return lac_point_rule(i);
  }
  g_assert_not_reached();
}

/* RBA with constant misfits: lambda tends to eta q / (1 - gamma) = 10 |r| / max |r|, and many updates at once equal
 * single ones. */
static void
test_rba(void)
{
  static const double misfits[] = {-4, 2, 0, 1};
  const LacPointRule *rule = find_rule("rba");
  double              single[] = {1, 1, 1, 1}, at_once[] = {1, 1, 1, 1};

  for (gint64 k = 0; k < 30000; k++)
    rule->update(misfits, 4, k, 1, single);
  rule->update(misfits, 4, 0, 30000, at_once);
  for (gsize i = 0; i < 4; i++) {
    g_assert_cmpfloat_with_epsilon(single[i], 10 * fabs(misfits[i]) / 4, 1e-9);
    g_assert_cmpfloat_with_epsilon(at_once[i], single[i], 1e-9);
  }
}

/* Every rule gives a larger weight to the point with the larger misfit, and equal weights to equal ones. */
static void
test_order_of_weights(void)
{
  static const double rising[] = {0.1, -0.2, 0.4, -0.8}, same[] = {0.3, -0.3, 0.3, 0.3};

  for (guint r = 1; lac_point_rule_names[r]; r++) {
    const LacPointRule *rule = lac_point_rule(r);
    double              lambda[4], equal[4];

    for (gsize i = 0; i < 4; i++)
      lambda[i] = equal[i] = rule->start;
    for (gint64 k = 0; k < 300; k++) {
      rule->update(rising, 4, k, 1, lambda);
      rule->update(same, 4, k, 1, equal);
    }
    for (gsize i = 1; i < 4; i++) {
      g_assert_cmpfloat(rule->weight(lambda[i]), >, rule->weight(lambda[i - 1]));
      g_assert_cmpfloat_with_epsilon(equal[i], equal[0], 1e-12 * equal[0]);
    }
  }
}

static void
test_causal(void)
{
  static const double losses[] = {0.5, 0, 2, 7};
  double              weights[4];

  lac_causal_weights(losses, 4, 2, weights);
  g_assert_cmpfloat(weights[0], ==, 1);
  g_assert_cmpfloat_with_epsilon(weights[1], exp(-1), 1e-15);
  g_assert_cmpfloat_with_epsilon(weights[2], exp(-1), 1e-15);
  g_assert_cmpfloat_with_epsilon(weights[3], exp(-5), 1e-15);
}

/* ---- stages ---- */

static void
test_stages(void)
{
  const LacPinnStages stages = {
    .n_stages = 2,
    .list = {{LAC_OPTIMISER_ADAM, TRUE, 3}, {LAC_OPTIMISER_SSBROYDEN, FALSE, 4}},
  };
  LacPinnProgress progress;

  lac_pinn_progress_init(&progress, &stages);
  for (gint64 k = 0; k < lac_pinn_stages_get_n_steps(&stages); k++) {
    g_assert_false(progress.finished);
    g_assert_cmpint(progress.iteration, ==, k);
    g_assert_cmpint(progress.stage, ==, k < 3 ? 0 : 1);
    g_assert_true(lac_pinn_progress_advance(&progress, &stages, 1) == (k == 2));
  }
  g_assert_true(progress.finished);
}

/* Stages without iterations are skipped; patience ends one stage, the target ends all. */
static void
test_ends(void)
{
  LacPinnStages stages = {
    .n_stages = 2,
    .list = {{LAC_OPTIMISER_ADAM, TRUE, 0}, {LAC_OPTIMISER_SSBROYDEN, FALSE, 100}},
    .patience = 5,
  };
  LacPinnProgress progress;

  lac_pinn_progress_init(&progress, &stages);
  g_assert_cmpint(progress.stage, ==, 1);
  for (guint k = 0; k < 10; k++)
    lac_pinn_progress_advance(&progress, &stages, 1.0 / (k + 1));
  for (guint k = 0; k < 5; k++) {
    g_assert_false(progress.finished);
    lac_pinn_progress_advance(&progress, &stages, 0.0995); /* improves by less than 1 % */
  }
  g_assert_true(progress.finished);
  stages.target = 0.5;
  lac_pinn_progress_init(&progress, &stages);
  lac_pinn_progress_advance(&progress, &stages, 0.6);
  g_assert_false(progress.finished);
  lac_pinn_progress_advance(&progress, &stages, 0.4);
  g_assert_true(progress.finished);
}

/* ---- calibration ---- */

/* The scaled deviation explains the residuals at the held-out positions: sum e^2 = sum (s^2 d^2 + sigma^2). */
static void
test_calibration(void)
{
  const LacCase              subject = {.pde = lac_pde_find("burgers"), .upper = {1, 1}};
  const guint8               held_out[] = {1, 0, 1};
  g_autoptr(LacObservations) observations = lac_observations_new(3, 3, 4);
  double                     x[16], mean[8], deviation[8], left = 0, right = 0, scale;

  for (gsize k = 0; k < 4; k++) {
    observations->times[k] = (double) k;
    for (gsize i = 0; i < 3; i++) {
      observations->sensors[i].station = i;
      observations->stations[2 * i] = 0.25 * (double) i;
      observations->values[3 * k + i] = i == 1 ? 1e6 : sin((double) (3 * k + i));
      observations->sigma[3 * k + i] = 0.05;
    }
  }
  observations->values[3 * 2 + 2] = (double) NAN;
  g_assert_cmpuint(lac_pinn_held_points(&subject, observations, held_out, x), ==, 8);
  for (gsize i = 0; i < 8; i++) {
    g_assert_cmpfloat(x[2 * i], ==, (double) (i / 2));
    g_assert_cmpfloat(x[2 * i + 1], ==, i % 2 ? 0.5 : 0);
    mean[i] = cos(5.0 * (double) i);
    deviation[i] = 0.1 + 0.02 * (double) i;
  }
  scale = lac_pinn_held_scale(&subject, observations, held_out, mean, deviation);
  for (gsize i = 0; i < 8; i++) {
    const double value = observations->values[3 * (i / 2) + (i % 2 ? 2 : 0)];

    if (!isfinite(value))
      continue;
    left += (value - mean[i]) * (value - mean[i]);
    right += scale * scale * deviation[i] * deviation[i] + 0.05 * 0.05;
  }
  g_assert_cmpfloat_with_epsilon(left, right, 1e-12 * left);
  g_assert_cmpfloat(lac_pinn_held_scale(&subject, NULL, held_out, mean, deviation), ==, 1);
}

/* ---- rows ---- */

static void
test_architectures(void)
{
  gboolean found = FALSE;

  for (gsize i = 0; i < LAC_PINN_N_ROWS; i++)
    if (g_str_equal(lac_pinn_rows[i].key, "architecture")) {
      for (guint k = 0; k < LAC_N_ARCHITECTURES; k++)
        g_assert_cmpstr(lac_pinn_rows[i].choices[k], ==, lac_architecture_name(k));
      g_assert_null(lac_pinn_rows[i].choices[LAC_N_ARCHITECTURES]);
      found = TRUE;
    }
  g_assert_true(found);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/experiment/pinn/points-keep-out-of-holes", test_holes);
  g_test_add_func("/experiment/pinn/points-keep-inside-the-mask", test_mask);
  g_test_add_func("/experiment/pinn/every-slice-holds-one-point", test_slices);
  g_test_add_func("/experiment/pinn/every-rectangle-holds-one-point-of-sobol", test_sobol_pairs);
  g_test_add_func("/experiment/pinn/rba-tends-to-its-limit", test_rba);
  g_test_add_func("/experiment/pinn/larger-misfits-weigh-more", test_order_of_weights);
  g_test_add_func("/experiment/pinn/causal-weights-follow-what-came-before", test_causal);
  g_test_add_func("/experiment/pinn/stages-follow-each-other", test_stages);
  g_test_add_func("/experiment/pinn/patience-and-target-end-a-stage", test_ends);
  g_test_add_func("/experiment/pinn/deviation-explains-what-was-held-out", test_calibration);
  g_test_add_func("/experiment/pinn/architectures-have-the-names-of-networks", test_architectures);
  return g_test_run();
}
