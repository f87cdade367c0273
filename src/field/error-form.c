/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Forms of an error: names and formulas. */
#include "field/error-form.h"

#include <math.h>

static const char *const words[LAC_N_ERROR_FORMS] = {
  [LAC_ERRORS_SIGNED] = "signed",
  [LAC_ERRORS_ABSOLUTE] = "absolute",
  [LAC_ERRORS_RELATIVE] = "relative",
  [LAC_ERRORS_LOG] = "log",
};

const char *
lac_error_form_word(LacErrorForm form)
{
  g_return_val_if_fail(form < LAC_N_ERROR_FORMS, NULL);
  return words[form];
}

LacErrorForm
lac_error_form_find(const char *word)
{
  for (guint i = 0; i < LAC_N_ERROR_FORMS; i++)
    if (g_strcmp0(words[i], word) == 0)
      return (LacErrorForm) i;
  return LAC_ERRORS_SIGNED;
}

float
lac_error_form_factor(float low, float high)
{
  float largest = fmaxf(fabsf(low), fabsf(high));
  float factor = 100 / largest;
  return largest > 0 && isfinite(largest) && isfinite(factor) ? factor : 0;
}

float
lac_error_form_apply(LacErrorForm form, float factor, float error)
{
  if (isnan(error))
    return NAN;
  switch (form) {
  case LAC_ERRORS_ABSOLUTE: return fabsf(error);
  case LAC_ERRORS_RELATIVE: return factor > 0 ? fabsf(error) * factor : NAN;
  case LAC_ERRORS_LOG: return log10f(fmaxf(fabsf(error), LAC_ERRORS_LEAST));
  case LAC_ERRORS_SIGNED:
  case LAC_N_ERROR_FORMS: break;
  }
  return error;
}
