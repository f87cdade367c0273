/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Growth of cost: an operation of known growth has that exponent, and fails when it grows faster than its theory says;
 * cheap rows of the program leave their results. */
#include "base/error.h"
#include "bench/tiers/growth-private.h"
#include "report/bench/table.h"

#include <math.h>
#include <string.h>

/* ---- operations of known growth ---- */

typedef struct {
  gsize   n;
  double *values;
} Numbers;

static gpointer
begin(gsize size, GError **error)
{
  Numbers *numbers = g_new0(Numbers, 1);

  *numbers = (Numbers){size, g_new0(double, 64 * size)};
  return numbers;
}

static void
end(gpointer subject)
{
  Numbers *numbers = subject;

  g_free(numbers->values);
  g_free(numbers);
}

static gboolean
touch(Numbers *numbers)
{
  for (gsize i = 0; i < 64 * numbers->n; i++)
    numbers->values[i] += 1;
  return numbers->values[0] > 0;
}

/* A chain of divisions, which no vector and no cache shortens. */
static gboolean
act_square(gpointer subject, GError **error)
{
  Numbers        *numbers = subject;
  volatile double sum = 2;

  for (gsize i = 0; i < numbers->n * numbers->n; i++)
    sum = 1 + 1 / sum;
  numbers->values[0] = sum;
  return touch(numbers);
}

static gboolean
act_failing(gpointer subject, GError **error)
{
  g_set_error(error, LAC_ERROR, LAC_ERROR_FAILED, "as planned");
  return FALSE;
}

static double
square_work(gsize size, gconstpointer subject)
{
  return (double) size * (double) size;
}

static double
linear_work(gsize size, gconstpointer subject)
{
  return (double) size;
}

#define SIZES            \
  {                      \
    256, 512, 1024, 2048 \
  }

static const LacGrowthRow quadratic = {"planted",   "size",      "n^2", "1/s",      SIZES,
                                       square_work, linear_work, begin, act_square, end};
static const LacGrowthRow too_fast = {"planted",   "size",      "n",   "1/s",      SIZES,
                                      linear_work, linear_work, begin, act_square, end};
static const LacGrowthRow explained = {
  "planted",   "size", "n",        "1/s", SIZES,        linear_work,
  linear_work, begin,  act_square, end,   .extra = 1.1, .why = "it is quadratic"};
static const LacGrowthRow failing = {"planted",   "size",      "n",   "1/s",       SIZES,
                                     linear_work, linear_work, begin, act_failing, end};

static const LacBenchRow *
find(const LacBenchFile *file, const char *metric)
{
  return lac_bench_file_find(file, "growth/planted/size", metric);
}

/* 0.25 is far from the next whole exponent: the machine may be busy. */
static LacBenchFile *
measure(const LacGrowthRow *row)
{
  LacBenchFile      *file = lac_bench_file_new();
  g_autoptr(GError)  error = NULL;
  const LacBenchRow *time, *memory;

  g_assert_true(lac_growth_measure(row, file, &error));
  g_assert_no_error(error);
  time = find(file, "time_exponent");
  memory = find(file, "memory_exponent");
  g_assert_cmpfloat_with_epsilon(lac_bench_row_median(time), 2, 0.25);
  g_assert_cmpfloat_with_epsilon(lac_bench_row_median(memory), 1, 0.25);
  g_assert_cmpfloat(lac_bench_row_median(find(file, "time_deviation")), >=, 0);
  g_assert_nonnull(lac_bench_file_find(file, "growth/planted/size/2048", "seconds"));
  return file;
}

static void
test_quadratic(void)
{
  g_autoptr(LacBenchFile) file = measure(&quadratic);
  g_autofree char        *text = lac_bench_text(file);

  g_assert_cmpfloat_with_epsilon(lac_bench_row_median(find(file, "time_theory")), 2, 1e-12);
  g_assert_cmpfloat_with_epsilon(lac_bench_row_median(find(file, "memory_theory")), 1, 1e-12);
  g_assert_cmpfloat_with_epsilon(find(file, "time_exponent")->limit, 2 + LAC_GROWTH_MAY, 1e-12);
  g_assert_true(lac_bench_is_growth(file));
  g_assert_nonnull(strstr(text, "planted/size"));
  g_assert_nonnull(strstr(text, "256 to 2048"));
}

static void
test_above(void)
{
  g_autoptr(LacBenchFile) file = measure(&too_fast);
  g_autofree char        *text = lac_bench_text(file);

  g_assert_false(lac_bench_row_passes(find(file, "time_exponent")));
  g_assert_false(lac_bench_file_passes(file));
  g_assert_nonnull(strstr(text, "ABOVE"));
}

static void
test_explained(void)
{
  g_autoptr(LacBenchFile) file = measure(&explained);
  g_autofree char        *text = lac_bench_text(file);

  g_assert_true(lac_bench_row_passes(find(file, "time_exponent")));
  g_assert_nonnull(strstr(text, "explained"));
  g_assert_nonnull(strstr(text, "it is quadratic"));
}

static void
test_failing(void)
{
  g_autoptr(LacBenchFile) file = lac_bench_file_new();
  g_autoptr(GError)       error = NULL;

  g_assert_false(lac_growth_measure(&failing, file, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_FAILED);
}

/* ---- rows of the program ---- */

static gboolean
grow(const char *only, LacBenchFile *file, GError **error)
{
  const LacBenchSettings settings = {.n_threads = 1, .n_rounds = 1, .only = only};

  return lac_bench_grow(&settings, file, error);
}

static void
test_rows(void)
{
  static const char *const rows[] = {"enkf_analysis/members", "profile/records",
                                     "wavefunction/walkers"};

  for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
    g_autoptr(LacBenchFile) file = lac_bench_file_new();
    g_autoptr(GError)       error = NULL;
    g_autofree char        *name = g_strconcat("growth/", rows[i], NULL);
    const LacBenchRow      *row;

    g_assert_true(grow(rows[i], file, &error));
    g_assert_no_error(error);
    row = lac_bench_file_find(file, name, "time_exponent");
    g_assert_nonnull(row);
    g_assert_true(isfinite(lac_bench_row_median(row)));
    g_assert_cmpfloat(lac_bench_row_median(lac_bench_file_find(file, name, "rate_at_largest")), >,
                      0);
  }
}

/* Every quantity that is varied has a row. */
static void
test_complete(void)
{
  static const LacGrowthRow *const tables[] = {lac_growth_flow_rows, lac_growth_imaging_rows,
                                               lac_growth_quantum_rows, lac_growth_record_rows};
  static const char *const         wanted[] = {"members",   "grid",    "sensors",   "snapshots",
                                               "points",    "width",   "exposures", "walkers",
                                               "electrons", "records", "runs"};

  for (gsize w = 0; w < G_N_ELEMENTS(wanted); w++) {
    guint n = 0;

    for (gsize t = 0; t < G_N_ELEMENTS(tables); t++)
      for (const LacGrowthRow *row = tables[t]; row->name; row++)
        n += g_str_equal(row->over, wanted[w]);
    g_assert_cmpuint(n, >, 0);
  }
}

static void
test_unknown(void)
{
  g_autoptr(LacBenchFile) file = lac_bench_file_new();
  g_autoptr(GError)       error = NULL;

  g_assert_false(grow("nonsense", file, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_USAGE);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/bench/growth/a-quadratic-operation-is-quadratic", test_quadratic);
  g_test_add_func("/bench/growth/growth-above-theory-fails", test_above);
  g_test_add_func("/bench/growth/an-explained-exponent-holds", test_explained);
  g_test_add_func("/bench/growth/an-error-ends-the-measurement", test_failing);
  g_test_add_func("/bench/growth/operations-leave-their-rows", test_rows);
  g_test_add_func("/bench/growth/every-quantity-is-varied", test_complete);
  g_test_add_func("/bench/growth/an-unknown-operation-is-refused", test_unknown);
  return g_test_run();
}
