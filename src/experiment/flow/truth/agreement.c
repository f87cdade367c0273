/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Comparison of a file with the conditions of a scene. */
#include "experiment/flow/truth/agreement.h"

#include "base/error.h"

#include <math.h>
#include <string.h>

#define N_SAMPLES 256 /* per condition */
#define TOLERANCE 0.1 /* of a value, relative to the RMS of the given ones */
#define MOST_OFF \
  0.2 /* share of the samples beyond it: between the points of a file, a jump is not sharp */
#define STREAM ((guint64) 0x61677265u << 32) /* random streams: one per condition */

/* Differences at one condition in one field. */
typedef struct {
  double apart[N_SAMPLES];
  gsize  n;
  double most, x[LAC_PDE_MAX_AXES], file, given; /* the largest, and where */
} Differences;

static void
add_difference(Differences   *sums,
               const LacCase *subject,
               const double  *x,
               double         file,
               double         given)
{
  const double apart = fabs(file - given);

  sums->apart[sums->n++] = apart;
  if (apart < sums->most)
    return;
  sums->most = apart;
  sums->file = file;
  sums->given = given;
  memcpy(sums->x, x, subject->pde->n_axes * sizeof *x);
}

static gboolean
has_values(const LacCondition *condition)
{
  for (guint axis = 0; axis < LAC_PDE_MAX_AXES; axis++)
    if (condition->slopes[axis])
      return FALSE;
  return condition->fields != 0;
}

/* @squares, @n: sums over the given values of each field, [n_fields]; @sums: [n_fields] of this condition */
static void
compare(const LacCase       *subject,
        guint                c,
        const LacFileValues *values,
        Differences         *sums,
        double              *squares,
        gsize               *n)
{
  const LacCondition *condition = &subject->conditions[c];
  LacRng              rng = lac_rng(0, STREAM + c);

  for (guint i = 0; i < N_SAMPLES; i++) {
    double x[LAC_PDE_MAX_AXES], given[LAC_CONDITION_VALUES] = {0}, file;

    condition->sample(subject, &rng, x, given);
    for (guint f = 0; f < subject->n_fields; f++)
      if (condition->fields & ~subject->gauged & 1u << f &&
          values->get(values->data, x, f, &file)) {
        add_difference(&sums[f], subject, x, file, given[f]);
        squares[f] += given[f] * given[f];
        n[f]++;
      }
  }
}

static void
refuse(const LacCase       *subject,
       guint                c,
       guint                field,
       const LacFileValues *values,
       const Differences   *sums,
       GError             **error)
{
  g_autoptr(GString) place = g_string_new(NULL);

  for (guint axis = 0; axis < subject->pde->n_axes; axis++)
    g_string_append_printf(place, "%s%s = %.3g", axis ? ", " : "", subject->pde->axes[axis],
                           sums->x[axis]);
  g_set_error(
    error, LAC_ERROR, LAC_ERROR_BAD_FILE,
    "%s contradicts the condition \"%s\" of this scene: at %s it has %s = %.3g, the scene "
    "%.3g; change the scene's parameters to those of the file",
    values->name, subject->conditions[c].name, place->str, subject->pde->fields[field], sums->file,
    sums->given);
}

static double
count_off(const Differences *sums, double tolerance)
{
  double n = 0;

  for (gsize i = 0; i < sums->n; i++)
    n += sums->apart[i] > tolerance;
  return n;
}

gboolean
lac_agreement_check(const LacCase *subject, const LacFileValues *values, GError **error)
{
  Differences sums[LAC_CASE_MAX_CONDITIONS][LAC_PDE_MAX_FIELDS] = {0};
  double      squares[LAC_PDE_MAX_FIELDS] = {0};
  gsize       n[LAC_PDE_MAX_FIELDS] = {0};
  double      largest = 0;

  for (guint c = 0; c < subject->n_conditions; c++)
    if (has_values(&subject->conditions[c]))
      compare(subject, c, values, sums[c], squares, n);
  for (guint f = 0; f < subject->n_fields; f++)
    largest = fmax(largest, sqrt(squares[f] / (double) MAX(1, n[f])));
  for (guint c = 0; c < subject->n_conditions; c++)
    for (guint f = 0; f < subject->n_fields; f++) {
      const Differences *apart = &sums[c][f];
      /* a field of which nothing but zeros is given has the scale of the others, or of its differences */
      const double zeros = largest > 0 ? largest : apart->most;
      const double scale = squares[f] > 0 ? sqrt(squares[f] / (double) n[f]) : zeros;

      if (count_off(apart, TOLERANCE * scale) > MOST_OFF * (double) apart->n) {
        refuse(subject, c, f, values, apart, error);
        return FALSE;
      }
    }
  return TRUE;
}
