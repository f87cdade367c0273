/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Truth from the user's snapshots: equal whether loaded into memory or left in the file and for any axis order, and
 * an error message for files that are not a series of planes. */
#include "base/error.h"
#include "experiment/flow/sensors/cache.h"
#include "experiment/flow/truth/series.h"

#include <math.h>
#include <string.h>

enum { NT = 30, NZ = 3, NY = 37, NX = 41, N_MODES = 6 }; /* 1517 points: more than one slab */

/* Three travelling waves over a mean; planes differ from each other. */
static double
value(double t, double z, double y, double x)
{
  return 2 + z + sin(3 * x - t) + 0.5 * cos(2 * y + 1.3 * t) + 0.2 * (1 + z) * sin(x + y + 2 * t);
}

static gsize
length_of(char axis)
{
  return axis == 't' ? NT : axis == 'z' ? NZ : axis == 'y' ? NY : NX;
}

/* @order: the axes, the slowest first: "tyx" */
static LacGridField *
make_series(const char *order)
{
  const guint n = (guint) strlen(order);
  char        texts[LAC_FIELD_MAX_AXES][2] = {{0}};
  const char *names[LAC_FIELD_MAX_AXES] = {NULL}, *units[LAC_FIELD_MAX_AXES] = {"1", "1", "1", "1"};
  gsize       sizes[LAC_FIELD_MAX_AXES] = {0};
  LacGridField *field;

  for (guint a = 0; a < n; a++) {
    texts[a][0] = order[a];
    names[a] = texts[a];
    sizes[a] = length_of(order[a]);
  }
  field = lac_field_new("u", "1", n, names, units, sizes);
  field->source = g_strdup(order);
  for (guint a = 0; a < n; a++)
    for (gsize i = 0; i < sizes[a]; i++)
      field->axes[a].values[i] = 0.1 * (double) i;
  for (gsize i = 0; i < lac_field_get_length(field); i++) {
    double at[128] = {0};
    gsize  left = i;

    for (guint a = n; a-- > 0;) {
      at[(int) order[a]] = field->axes[a].values[left % sizes[a]];
      left /= sizes[a];
    }
    field->data[i] = value(at['t'], at['z'], at['y'], at['x']);
  }
  return field;
}

static LacTruth *
make_truth(LacGridField *field, double budget, gsize plane, GError **error)
{
  static const LacContext context;
  const LacSeriesSettings settings = {field, plane, 0.8, 4, budget};

  return lac_series_truth_new(&settings, &context, error);
}

static void
assert_near(const double *a, const double *b, gsize n, double tolerance)
{
  for (gsize i = 0; i < n; i++)
    g_assert_cmpfloat(fabs(a[i] - b[i]), <=, tolerance);
}

/* Compares everything derived from the training part: moments, modes, sensor positions. */
static void
assert_same(const LacTruth *held, const LacTruth *left)
{
  const gsize       n = lac_truth_get_length(held);
  LacPool          *pool = lac_pool_new(2);
  const LacContext  context = {.pool = pool};
  g_autoptr(GError) error = NULL;
  g_autoptr(LacPod) a = lac_cached_pod(held, N_MODES, LAC_POD_SNAPSHOTS, &context, &error);
  g_autoptr(LacPod) b = lac_cached_pod(left, N_MODES, LAC_POD_SNAPSHOTS, &context, &error);

  g_autoptr(LacPod) c = lac_cached_pod(left, N_MODES, LAC_POD_RANDOMISED, &context, &error);

  g_assert_no_error(error);
  g_assert_nonnull(held->training);
  g_assert_null(left->training);
  g_assert_nonnull(left->file);
  g_assert_cmpuint(held->n_training, ==, left->n_training);
  g_assert_cmpuint(held->n_times, ==, left->n_times);
  g_assert_cmpmem(held->times, held->n_times * sizeof(double), left->times,
                  left->n_times * sizeof(double));
  g_assert_cmpmem(held->observed, held->n_times * n * sizeof(double), left->observed,
                  left->n_times * n * sizeof(double));
  /* the same sums in the same order */
  g_assert_cmpuint(a->n_modes, ==, b->n_modes);
  g_assert_cmpmem(a->modes, a->n_modes * n * sizeof(double), b->modes,
                  b->n_modes * n * sizeof(double));
  /* the random subspace holds the leading modes */
  g_assert_cmpuint(c->n_modes, ==, a->n_modes);
  assert_near(c->deviations, a->deviations, a->n_modes, 1e-6 * a->deviations[0]);
  assert_near(left->file->mean, a->mean, n, 1e-13);
  g_assert_cmpfloat(
    fabs(lac_synthetic_rms(held, a->mean, 0) / lac_synthetic_rms(left, a->mean, 0) - 1), <=, 1e-12);
  lac_pool_free(pool);
}

static void
test_same(void)
{
  static const char *const orders[] = {"tyx", "xyt", "ytx", "tzyx", "zxyt"};
  const double             row = 24 * NX * sizeof(double); /* bytes per row of the training part */
  const double             budgets[] = {1, 2.5 * row, 10 * row};

  for (guint o = 0; o < G_N_ELEMENTS(orders); o++) {
    const gsize             plane = strchr(orders[o], 'z') ? 2 : 0;
    g_autoptr(LacGridField) field = make_series(orders[o]), usual = make_series("tzyx");
    g_autoptr(LacTruth)     held = make_truth(field, 1e9, plane, NULL);
    g_autoptr(LacTruth)     reference = make_truth(usual, 1e9, plane, NULL);

    g_assert_cmpuint(held->n_training, ==, 24);
    g_assert_cmpuint(held->n_times, ==, 4);
    g_assert_cmpmem(held->training, 24 * NX * NY * sizeof(double), reference->training,
                    24 * NX * NY * sizeof(double));
    for (guint b = 0; b < G_N_ELEMENTS(budgets); b++) {
      g_autoptr(LacTruth) left = make_truth(field, budgets[b], plane, NULL);

      assert_same(held, left);
    }
  }
}

static void
assert_refused(LacGridField *field, gsize plane, const char *part)
{
  g_autoptr(GError)   error = NULL;
  g_autoptr(LacTruth) truth = make_truth(field, 1e9, plane, &error);

  g_assert_null(truth);
  g_assert_nonnull(error);
  if (!strstr(error->message, part))
    g_error("no \"%s\" in \"%s\"", part, error->message);
  lac_field_unref(field);
}

static void
test_refused(void)
{
  LacGridField *uneven = make_series("tyx"), *broken = make_series("tyx");

  uneven->axes[1].values[3] += 0.03;
  broken->data[25 * NX * NY + 2] = NAN;
  assert_refused(make_series("zyx"), 0, "none is called t or time");
  assert_refused(make_series("tx"), 0, "has 2 axes");
  assert_refused(make_series("tzyx"), 3, "plane = 4");
  assert_refused(uneven, 0, "not evenly spaced");
  assert_refused(broken, 0, "not finite");
}

/* The training part is read first when its modes are computed. */
static void
test_not_numbers(void)
{
  for (guint stays = 0; stays < 2; stays++) {
    g_autoptr(LacGridField) field = make_series("tyx");
    g_autoptr(GError)       error = NULL;
    LacPool                *pool = lac_pool_new(1);
    const LacContext        context = {.pool = pool};

    field->data[5 * NX * NY + 2] = INFINITY;
    g_autoptr(LacTruth) truth = make_truth(field, stays ? 1 : 1e9, 0, &error);
    g_assert_no_error(error);
    g_assert_null(lac_cached_pod(truth, N_MODES, LAC_POD_SNAPSHOTS, &context, &error));
    g_assert_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE);
    lac_pool_free(pool);
  }
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/experiment/series-truth/the-same-held-or-not-in-any-order", test_same);
  g_test_add_func("/experiment/series-truth/no-series-of-planes-is-refused", test_refused);
  g_test_add_func("/experiment/series-truth/not-numbers-are-refused", test_not_numbers);
  return g_test_run();
}
