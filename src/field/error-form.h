/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is shown of an error e = reconstruction - truth, cell by cell. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  LAC_ERRORS_SIGNED,   /* e, in the unit of the quantity */
  LAC_ERRORS_ABSOLUTE, /* |e|, in that unit */
  LAC_ERRORS_RELATIVE, /* 100 |e| / max |truth|, in %: the largest truth of the frame, so that nothing blows up where the truth passes
                        * through 0; no value (NaN) where it is 0 everywhere */
  LAC_ERRORS_LOG, /* log10 max(|e|, LAC_ERRORS_LEAST), |e| in that unit: exact cells have a value too */
  LAC_N_ERROR_FORMS
} LacErrorForm;

#define LAC_ERRORS_LEAST 1e-37F /* the smallest single precision knows, nearly */

/* The factor of the relative form. @low, @high: of the truth. Returns: 100 / max |truth|; 0 where there is none. */
float lac_error_form_factor(float low, float high);

/* @factor: as above. NaN where @error is. Also what the shader does, term by term. */
float lac_error_form_apply(LacErrorForm form, float factor, float error);

/* "signed", "absolute", "relative", "log"; the inverse gives signed for an unknown word */
const char  *lac_error_form_word(LacErrorForm form);
LacErrorForm lac_error_form_find(const char *word);

G_END_DECLS
