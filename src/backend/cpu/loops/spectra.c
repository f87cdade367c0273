/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Combinations and correlations of spectra. Complex numbers are pairs. */
#include "backend/cpu/loops/real.h"

#define STRIP 256 /* modes that are combined at once: their sum stays in the first cache */

/* Modes of one term. */
typedef struct {
  const Real *x, *w;
  Real        factor;
  size_t      count;
} Part;

/* Add a part to the sum, or with `fresh`, a constant, set the sum to it. */
LAC_INLINE void
add_plain(int fresh, const Part *part, Real *sum)
{
  const Real *x = part->x, factor = part->factor;

  LAC_SIMD for (size_t i = 0; i < 2 * part->count; i++) sum[i] =
    (fresh ? 0 : sum[i]) + factor * x[i];
}

LAC_INLINE void
add_real(int fresh, const Part *part, Real *sum)
{
  const Real *x = part->x, *w = part->w, factor = part->factor;

  LAC_SIMD for (size_t j = 0; j < part->count; j++)
  {
    const Real re = factor * w[j];

    sum[2 * j] = (fresh ? 0 : sum[2 * j]) + re * x[2 * j];
    sum[2 * j + 1] = (fresh ? 0 : sum[2 * j + 1]) + re * x[2 * j + 1];
  }
}

LAC_INLINE void
add_imaginary(int fresh, const Part *part, Real *sum)
{
  const Real *x = part->x, *w = part->w, factor = part->factor;

  LAC_SIMD for (size_t j = 0; j < part->count; j++)
  {
    const Real im = factor * w[j], x_re = x[2 * j], x_im = x[2 * j + 1];

    sum[2 * j] = (fresh ? 0 : sum[2 * j]) - im * x_im;
    sum[2 * j + 1] = (fresh ? 0 : sum[2 * j + 1]) + im * x_re;
  }
}

/* sign: -1 for the conjugate of w */
LAC_INLINE void
add_complex(int fresh, Real sign, const Part *part, Real *sum)
{
  const Real *x = part->x, *w = part->w, factor = part->factor;

  LAC_SIMD for (size_t j = 0; j < part->count; j++)
  {
    const Real re = factor * w[2 * j], im = sign * factor * w[2 * j + 1];
    const Real x_re = x[2 * j], x_im = x[2 * j + 1];

    sum[2 * j] = (fresh ? 0 : sum[2 * j]) + re * x_re - im * x_im;
    sum[2 * j + 1] = (fresh ? 0 : sum[2 * j + 1]) + re * x_im + im * x_re;
  }
}

LAC_INLINE void
add_part(int fresh, LacModeKind kind, const Part *part, Real *sum)
{
  switch (kind) {
  case LAC_MODE_ONE: add_plain(fresh, part, sum); break;
  case LAC_MODE_REAL: add_real(fresh, part, sum); break;
  case LAC_MODE_IMAGINARY: add_imaginary(fresh, part, sum); break;
  case LAC_MODE_COMPLEX: add_complex(fresh, 1, part, sum); break;
  case LAC_MODE_CONJUGATE: add_complex(fresh, -1, part, sum); break;
  }
}

/* `weight`, `mode`: the first of the `count` weights and modes */
static Part
part_of(const LacModeTerm *term, size_t weight, size_t mode, size_t count)
{
  const size_t numbers = term->kind >= LAC_MODE_COMPLEX ? 2 : 1;
  const Real  *weights = term->weights;

  return (Part){(const Real *) term->x + 2 * mode, weights ? weights + numbers * weight : NULL,
                R(term->factor), count};
}

/* The result may be written to at once unless it is read by a term after the first. */
static int
is_apart(const LacCombine *args)
{
  for (int t = 1; t < args->n_terms; t++)
    if (args->terms[t].x == args->y)
      return 0;
  return 1;
}

void
LAC_LOOP(combine)(const LacCombine *args)
{
  const int apart = is_apart(args);
  Real      strip[2 * STRIP];

  for (size_t field = 0; field < args->n_fields; field++)
    for (size_t first = 0; first < args->n_modes; first += STRIP) {
      const size_t count = LAC_MIN(STRIP, args->n_modes - first);
      const size_t mode = field * args->n_modes + first, weight = field * args->stride + first;
      Real        *y = (Real *) args->y + 2 * mode, *sum = apart ? y : strip;

      for (size_t i = 0; args->n_terms == 0 && i < 2 * count; i++)
        y[i] = 0;
      for (int t = 0; t < args->n_terms; t++) {
        const Part part = part_of(&args->terms[t], weight, mode, count);

        if (t == 0)
          add_part(1, args->terms[t].kind, &part, sum);
        else
          add_part(0, args->terms[t].kind, &part, sum);
      }
      if (args->mask)
        add_real(1, &(Part){sum, (const Real *) args->mask + first, 1, count}, y);
      else if (!apart)
        add_plain(1, &(Part){sum, NULL, 1, count}, y);
    }
}

void
LAC_LOOP(correlate)(const LacCorrelate *args)
{
  const size_t n = args->n_modes;
  Real        *sum = args->sum;

  for (size_t field = 0; field < args->n_fields; field++) {
    const Real *x = (const Real *) args->x + 2 * field * n;
    const Real *y = (const Real *) args->y + 2 * field * n;

    LAC_SIMD for (size_t j = 0; j < n; j++)
    {
      sum[2 * j] += x[2 * j] * y[2 * j] + x[2 * j + 1] * y[2 * j + 1];
      sum[2 * j + 1] += x[2 * j + 1] * y[2 * j] - x[2 * j] * y[2 * j + 1];
    }
  }
}
