/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Metrics as text with as many digits as the standard error supports. */
#include "report/text/metric-text.h"

#include <math.h>

static const LacMetric metrics[] = {
  {.key = "energy_hartree", .unit = "Ha"}, {.key = "energy_standard_error_hartree", .unit = "Ha"},
  {.key = "virial_ratio", .unit = "1"},    {.key = "virial_ratio_standard_error", .unit = "1"},
  {.key = "pie.psnr_db", .unit = "dB"},
};

static void
test_pairs(void)
{
  static const gssize errors[] = {1, -1, 3, -1, -1};
  for (gsize m = 0; m < G_N_ELEMENTS(metrics); m++) {
    g_assert_cmpint(lac_metric_find_error(metrics, G_N_ELEMENTS(metrics), m), ==, errors[m]);
    g_assert_cmpint(lac_metric_is_error(metrics, G_N_ELEMENTS(metrics), m), ==, m == 1 || m == 3);
  }
}

static void
test_digits(void)
{
  static const struct {
    double      value, error;
    const char *text;
  } cases[] = {
    {-1.17446243, 2.66e-5, "−1.174462(27)"},
    {2.0004, 0.0045, "2.0004(45)"},
    {-8.5e-5, 8.571e-4, "−0.00009(86)"},
    {12.3, 2.7, "12.3(27)"},
    {131.2, 14, "131(14)"},
    {44.123, NAN, "44.12"},
    {44.123, 0, "44.12"},
    {NAN, 0.1, "–"},
    {1234567.8, 1e6, "1.235e6"},
  };
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_autofree char *text = lac_number_with_error_text(cases[i].value, cases[i].error);
    g_assert_cmpstr(text, ==, cases[i].text);
  }
}

static void
test_units(void)
{
  const double values[] = {-1.17446243, 2.66e-5, 2.0004, 0.0045, 19.75};
  const char  *texts[] = {"−1.174462(27) Ha", "2.66e−5 Ha", "2.0004(45)", "0.0045", "19.75 dB"};
  for (gsize m = 0; m < G_N_ELEMENTS(metrics); m++) {
    g_autofree char *text = lac_metric_text(metrics, values, G_N_ELEMENTS(metrics), m);
    g_assert_cmpstr(text, ==, texts[m]);
  }
}

/* Digits are kept also where they are zeros; far from one the power of ten is written out. */
static void
test_significant(void)
{
  const struct {
    double      value;
    guint       digits;
    const char *text;
  } cases[] = {{0.04, 2, "0.040"},
               {16, 2, "16"},
               {-0.0312, 2, "−0.031"},
               {0.996, 2, "1.0"},
               {6.859e-6, 2, "6.9·10⁻⁶"},
               {-2e12, 2, "−2.0·10¹²"},
               {0, 2, "0"},
               {NAN, 2, "–"}};
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_autofree char *text = lac_significant_text(cases[i].value, cases[i].digits);
    g_assert_cmpstr(text, ==, cases[i].text);
  }
  g_autofree char *small = lac_percent_text(6.859e-8), *usual = lac_percent_text(0.00208);
  g_assert_cmpstr(small, ==, "6.9·10⁻⁶ %");
  g_assert_cmpstr(usual, ==, "0.208 %");
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/report/metric-text/an-error-belongs-to-its-number", test_pairs);
  g_test_add_func("/report/metric-text/two-digits-of-the-error-are-told", test_digits);
  g_test_add_func("/report/metric-text/units-follow", test_units);
  g_test_add_func("/report/metric-text/significant-digits", test_significant);
  return g_test_run();
}
