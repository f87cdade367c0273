/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Forms of an error: their properties, and finite values for any truth. */
#include "field/error-form.h"

#include <math.h>

static void
test_words(void)
{
  for (LacErrorForm form = 0; form < LAC_N_ERROR_FORMS; form++)
    g_assert_cmpint(lac_error_form_find(lac_error_form_word(form)), ==, form);
  g_assert_cmpint(lac_error_form_find("rough"), ==, LAC_ERRORS_SIGNED);
}

/* All forms but the first ignore the sign and increase with the magnitude. */
static void
test_sizes(void)
{
  const float factor = lac_error_form_factor(-4, 2);
  g_assert_cmpfloat(factor, ==, 25);
  for (LacErrorForm form = 0; form < LAC_N_ERROR_FORMS; form++) {
    float before = -INFINITY;
    for (float error = 1e-30F; error < 1e6F; error *= 10) {
      float plus = lac_error_form_apply(form, factor, error);
      float minus = lac_error_form_apply(form, factor, -error);
      g_assert_cmpfloat(minus, ==, form == LAC_ERRORS_SIGNED ? -plus : plus);
      g_assert_cmpfloat(plus, >, before);
      before = plus;
    }
    g_assert_true(isnan(lac_error_form_apply(form, factor, NAN)));
  }
  g_assert_cmpfloat(lac_error_form_apply(LAC_ERRORS_ABSOLUTE, factor, -0.5F), ==, 0.5F);
  g_assert_cmpfloat(lac_error_form_apply(LAC_ERRORS_RELATIVE, factor, -4), ==, 100);
  g_assert_cmpfloat_with_epsilon(lac_error_form_apply(LAC_ERRORS_LOG, factor, -1e-3F), -3, 1e-6);
}

/* An exact cell has a finite value in every form; without a truth there is no relative error. */
static void
test_nothing(void)
{
  const float none[][2] = {{0, 0}, {NAN, NAN}, {-INFINITY, 1}, {0, 1e-45F}};
  for (LacErrorForm form = 0; form < LAC_N_ERROR_FORMS; form++)
    g_assert_true(isfinite(lac_error_form_apply(form, 1, 0)));
  for (gsize i = 0; i < G_N_ELEMENTS(none); i++) {
    float factor = lac_error_form_factor(none[i][0], none[i][1]);
    g_assert_cmpfloat(factor, ==, 0);
    g_assert_true(isnan(lac_error_form_apply(LAC_ERRORS_RELATIVE, factor, 1)));
  }
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/field/error-form/every-form-has-its-word", test_words);
  g_test_add_func("/field/error-form/size-without-sign", test_sizes);
  g_test_add_func("/field/error-form/nothing-blows-up", test_nothing);
  return g_test_run();
}
