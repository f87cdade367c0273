/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Displayed forms of the error e = reconstruction - truth, cell by cell. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  LAC_ERRORS_SIGNED,   /* e, in the unit of the quantity */
  LAC_ERRORS_ABSOLUTE, /* |e|, in that unit */
  LAC_ERRORS_RELATIVE, /* 100 |e| / max |truth| in %, maximum over the frame; NaN if the truth is 0 everywhere */
  LAC_ERRORS_LOG, /* log10 max(|e|, LAC_ERRORS_LEAST), |e| in that unit; the bound gives exact cells a finite value */
  LAC_N_ERROR_FORMS
} LacErrorForm;

#define LAC_ERRORS_LEAST \
  1e-37F /* just above the smallest normal single-precision number, 1.2e-38 */

/* Returns the factor of the relative form, 100 / max |truth|; 0 if max |truth| is 0 or not finite, or there is no
 * truth. @low, @high: range of the truth. */
float lac_error_form_factor(float low, float high);

/* Returns @error in the displayed form; NaN where @error is NaN. @factor: see lac_error_form_factor(). The shader
 * computes the same expression term by term. */
float lac_error_form_apply(LacErrorForm form, float factor, float error);

/* Return the word for a form, "signed", "absolute", "relative" or "log", and the form for a word; signed for an
 * unknown word. */
const char  *lac_error_form_word(LacErrorForm form);
LacErrorForm lac_error_form_find(const char *word);

G_END_DECLS
