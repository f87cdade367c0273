/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of methods: columns from the declarations, the best method, and missing values. */
#include "report/summary/method-answer.h"
#include "report/summary/method-table.h"

#include <math.h>

#define NOW                              \
  {                                      \
    LAC_COLUMN_NOW, LAC_RANK_LEAST, TRUE \
  }
#define MEAN                                                                       \
  {                                                                                \
    LAC_COLUMN_MEAN, LAC_RANK_LEAST, TRUE, .window_first = 101, .window_last = 150 \
  }

/* As the flow laboratory declares them. */
static const LacMetric flow[] = {
  {.key = "relative_l2", .label = "Relative error", .unit = "1", .is_result = TRUE},
  {.key = "solver.error", .label = "Differentiable solver", .unit = "1", .placing = NOW},
  {.key = "solver.relative_l2", .label = "Relative error", .unit = "1", .placing = MEAN},
  {.key = "enkf.error", .label = "Ensemble Kalman filter", .unit = "1", .placing = NOW},
  {.key = "enkf.relative_l2", .label = "Relative error", .unit = "1", .placing = MEAN},
  {.key = "enkf.spread", .label = "Spread", .unit = "1", .placing = {LAC_COLUMN_SPREAD}},
  {.key = "enkf.inflation", .label = "Inflation; of the members", .unit = "1"},
};
#define N_FLOW G_N_ELEMENTS(flow)

static LacMethodSource
make_source(const LacMetric *metrics, const double *values, gsize n, gboolean is_final)
{
  return (LacMethodSource){
    .metrics = metrics, .values = values, .n_metrics = n, .is_final = is_final};
}

static gssize
find_column(const LacMethodTable *table, const char *key)
{
  for (gsize c = 0; c < table->n_columns; c++)
    if (g_str_equal(table->columns[c].key, key))
      return (gssize) c;
  return -1;
}

static const LacMethodCell *
get_cell(const LacMethodTable *table, const char *group, const char *key)
{
  const gssize c = find_column(table, key);

  g_assert_cmpint(c, >=, 0);
  for (gsize r = 0; r < table->n_rows; r++)
    if (g_str_equal(table->rows[r].group, group))
      return &table->rows[r].cells[c];
  g_assert_not_reached();
}

/* Before the window begins, the mean is missing and the error at the step decides; then the mean does, even if the
 * error at the step says otherwise. */
static void
test_the_mean_decides_once_there_is_one(void)
{
  double                 values[N_FLOW] = {0.5, 0.3, NAN, 0.2, NAN, 0.1, 1.05};
  const LacMethodSource  source = make_source(flow, values, N_FLOW, FALSE);
  g_auto(LacMethodTable) early = {0}, late = {0};

  lac_method_table_fill(&early, &source);
  g_assert_cmpuint(early.n_rows, ==, 2);
  g_assert_cmpstr(early.rows[early.best].group, ==, "enkf");
  g_assert_cmpstr(early.columns[early.ranking].key, ==, "error");
  g_assert_cmpstr(get_cell(&early, "enkf", "relative_l2")->text, ==, "–");
  g_assert_true(isnan(get_cell(&early, "enkf", "relative_l2")->value));
  g_assert_cmpstr(early.columns[0].title, ==, "Mean 101–150");
  g_assert_cmpstr(early.columns[0].explanation, ==, "mean over observations 101–150, so far");
  g_assert_cmpstr(early.columns[1].title, ==, "Now");

  values[2] = 0.00208;
  values[4] = 0.00297;
  lac_method_table_fill(&late, &source);
  g_assert_cmpstr(late.rows[late.best].group, ==, "solver");
  g_assert_cmpint(late.ranking, ==, 0);
  g_assert_cmpstr(get_cell(&late, "solver", "relative_l2")->text, ==, "0.208 %");
  g_assert_cmpstr(get_cell(&late, "solver", "spread")->text, ==, "–");
}

/* The run's own metrics are no row; a metric without a column of its own comes last, under its short label. */
static void
test_columns_follow_the_declarations(void)
{
  static const char *const keys[] = {"relative_l2", "error", "spread", "inflation"};
  const double             values[N_FLOW] = {0.5, 0.3, 0.4, 0.2, 0.1, 0.1, 1.05};
  const LacMethodSource    source = make_source(flow, values, N_FLOW, TRUE);
  g_auto(LacMethodTable)   table = {0};
  g_auto(LacTable)         printed = {0};

  lac_method_table_fill(&table, &source);
  g_assert_cmpuint(table.n_columns, ==,
                   G_N_ELEMENTS(keys)); /* no recording: no duration of a step */
  for (gsize c = 0; c < table.n_columns; c++)
    g_assert_cmpstr(table.columns[c].key, ==, keys[c]);
  g_assert_cmpstr(table.columns[1].title, ==, "Final");
  g_assert_cmpstr(table.columns[3].title, ==, "Inflation");
  g_assert_cmpint(table.columns[3].kind, ==, LAC_COLUMN_FURTHER);
  lac_method_table_print(&table, &printed);
  g_assert_cmpuint(printed.n_columns, ==, 4); /* the name and three columns */
}

static void
test_sorted_by_the_ranking(void)
{
  const double           values[N_FLOW] = {0.5, 0.3, 0.4, 0.2, 0.1, 0.1, 1.05};
  const LacMethodSource  source = make_source(flow, values, N_FLOW, TRUE);
  g_auto(LacMethodTable) table = {0};

  lac_method_table_fill(&table, &source);
  g_assert_cmpint(table.best, ==, 1);
  lac_method_table_sort(&table, table.ranking);
  g_assert_cmpint(table.best, ==, 0);
  g_assert_cmpstr(table.rows[0].name, ==, "Ensemble Kalman filter");
  g_autofree char *answer = lac_method_answer_dup(&table);
  g_assert_cmpstr(answer, ==,
                  "Ensemble Kalman filter is the best of 2 methods with 10.0 % (mean over "
                  "observations 101–150); then Differentiable solver 40.0 %.");
}

/* A value that only one of two methods has ranks neither: as a leave-one-out error, which a filter does not give, or an
 * error beside a method that has diverged. */
static void
test_one_value_of_two_ranks_nothing(void)
{
  const double           values[N_FLOW] = {0.5, 0.3, 0.4, NAN, NAN, NAN, NAN};
  const LacMethodSource  source = make_source(flow, values, N_FLOW, TRUE);
  g_auto(LacMethodTable) table = {0};

  lac_method_table_fill(&table, &source);
  g_assert_cmpint(table.best, ==, -1);
  g_assert_cmpint(table.ranking, ==, -1);
}

/* A comparison is never the best, whatever its value, and stays below the methods. */
static void
test_greatest_is_best_without_comparisons(void)
{
  static const LacMetric metrics[] = {
    {.key = "single.psnr_db",
     .label = "PSNR",
     .unit = "dB",
     .placing = {LAC_COLUMN_MAIN, LAC_RANK_GREATEST, .is_comparison = TRUE, .method = "Single"}},
    {.key = "pie.psnr_db",
     .label = "PSNR",
     .unit = "dB",
     .placing = {LAC_COLUMN_MAIN, LAC_RANK_GREATEST, .method = "PIE"}},
    {.key = "ml.psnr_db",
     .label = "PSNR",
     .unit = "dB",
     .placing = {LAC_COLUMN_MAIN, LAC_RANK_GREATEST, .method = "ML"}},
  };
  const double           values[] = {99, 48.32, 51.3};
  const LacMethodSource  source = make_source(metrics, values, G_N_ELEMENTS(metrics), TRUE);
  g_auto(LacMethodTable) table = {0};

  lac_method_table_fill(&table, &source);
  lac_method_table_sort(&table, table.ranking);
  g_assert_cmpstr(table.rows[0].name, ==, "ML");
  g_assert_cmpstr(table.rows[0].cells[0].text, ==, "51.30 dB"); /* as many decimals as the others */
  g_assert_cmpstr(table.rows[2].name, ==, "Single");
  g_assert_cmpint(table.best, ==, 0);
}

/* One method without a group; known values are rows, as precise as the measured one; the standard error is converted
 * from Ha to mHa. */
static void
test_known_values_are_rows(void)
{
  static const LacMetric metrics[] = {
    {.key = "energy_hartree",
     .label = "Energy",
     .unit = "Ha",
     .is_result = TRUE,
     .placing = {LAC_COLUMN_MAIN, .method = "Wavefunction",
                 .baselines = {{"Hartree-Fock", -1.1336296}, {"Reference", -1.1744757142}}}},
    {.key = "energy_standard_error_hartree", .label = "Error", .unit = "Ha", .is_result = TRUE},
    {.key = "off_millihartree",
     .label = "Energy above the reference",
     .unit = "mHa",
     .placing = {LAC_COLUMN_MAIN, LAC_RANK_LEAST, .heading = "Above reference",
                 .standard_error = "energy_standard_error_hartree",
                 .baselines = {{"Hartree-Fock", 40.8461}, {"Reference", 0}}}},
  };
  const double           values[] = {-1.1571, 0.0012, 17.4};
  const LacMethodSource  source = make_source(metrics, values, G_N_ELEMENTS(metrics), TRUE);
  g_auto(LacMethodTable) table = {0};

  lac_method_table_fill(&table, &source);
  g_assert_cmpuint(table.n_rows, ==, 3);
  g_assert_cmpuint(table.n_columns, ==, 2);
  g_assert_cmpstr(table.columns[0].title, ==, "Above reference");
  g_assert_cmpstr(get_cell(&table, "", "off_millihartree")->text, ==, "17.4 ± 1.2 mHa");
  g_assert_cmpfloat_with_epsilon(get_cell(&table, "", "off_millihartree")->error, 1.2, 1e-12);
  g_assert_cmpstr(get_cell(&table, "", "energy_hartree")->text, ==, "−1.1571(12) Ha");
  g_assert_cmpstr(get_cell(&table, "Hartree-Fock", "energy_hartree")->text, ==, "−1.1336 Ha");
  g_assert_cmpstr(get_cell(&table, "Reference", "off_millihartree")->text, ==, "0.0 mHa");
  g_assert_cmpint(table.best, ==, 0);
  g_autofree char *answer = lac_method_answer_dup(&table);
  g_assert_cmpstr(answer, ==, "Energy above the reference: 17.4 ± 1.2 mHa (Wavefunction).");
}

/* The duration of a step is that of the spans with the name of the method. */
static void
test_time_per_step(void)
{
  const double           values[N_FLOW] = {0.5, 0.3, 0.4, 0.2, 0.1, 0.1, 1.05};
  LacMethodSource        source = make_source(flow, values, N_FLOW, FALSE);
  g_autoptr(LacCapture)  capture = lac_capture_new("");
  g_auto(LacMethodTable) table = {0};
  const LacAggregate     phases[] = {
        {.name = lac_capture_add_name(capture, "step"), .count = 2, .mean_ns = 9e6},
        {.name = lac_capture_add_name(capture, "Ensemble Kalman filter"), .count = 4, .mean_ns = 2.5e6},
  };

  source.capture = capture;
  source.aggregates = phases;
  source.n_aggregates = G_N_ELEMENTS(phases);
  lac_method_table_fill(&table, &source);
  g_assert_cmpstr(get_cell(&table, "enkf", LAC_METHOD_SECONDS)->text, ==, "2.50 ms");
  g_assert_cmpstr(get_cell(&table, "solver", LAC_METHOD_SECONDS)->text, ==, "–");

  /* a method that is alone takes the whole step */
  g_auto(LacMethodTable) single = {0};
  source.n_metrics = 1;
  lac_method_table_fill(&single, &source);
  g_assert_cmpstr(get_cell(&single, "", LAC_METHOD_SECONDS)->text, ==, "9.00 ms");
}

/* Without a truth a filter has the estimated uncertainty of every method and its own spread. */
static void
test_two_spreads_have_two_names(void)
{
  static const LacMetric metrics[] = {
    {.key = "enkf.uncertainty",
     .label = "Estimated uncertainty",
     .unit = "1",
     .placing = {LAC_COLUMN_SPREAD}},
    {.key = "enkf.spread", .label = "Ensemble spread", .unit = "1", .placing = {LAC_COLUMN_SPREAD}},
  };
  const double           values[] = {0.1, 0.2};
  const LacMethodSource  source = make_source(metrics, values, 2, TRUE);
  g_auto(LacMethodTable) table = {0};

  lac_method_table_fill(&table, &source);
  g_assert_cmpstr(table.columns[find_column(&table, "uncertainty")].title, ==, "Spread");
  g_assert_cmpstr(table.columns[find_column(&table, "spread")].title, ==, "Ensemble spread");
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/report/method-table/the-mean-decides-once-there-is-one",
                  test_the_mean_decides_once_there_is_one);
  g_test_add_func("/report/method-table/columns-follow-the-declarations",
                  test_columns_follow_the_declarations);
  g_test_add_func("/report/method-table/sorted-by-the-ranking", test_sorted_by_the_ranking);
  g_test_add_func("/report/method-table/one-value-of-two-ranks-nothing",
                  test_one_value_of_two_ranks_nothing);
  g_test_add_func("/report/method-table/greatest-is-best-without-comparisons",
                  test_greatest_is_best_without_comparisons);
  g_test_add_func("/report/method-table/known-values-are-rows", test_known_values_are_rows);
  g_test_add_func("/report/method-table/time-per-step", test_time_per_step);
  g_test_add_func("/report/method-table/two-spreads-have-two-names",
                  test_two_spreads_have_two_names);
  return g_test_run();
}
