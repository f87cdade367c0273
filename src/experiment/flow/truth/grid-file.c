/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Multilinear interpolation of a file. */
#include "experiment/flow/truth/grid-file.h"

#include "base/error.h"
#include "experiment/flow/truth/agreement.h"

#include <math.h>

#define SLACK 1e-6 /* of the length of an axis */

/* A file with its axes in the order of the equation. */
typedef struct {
  const LacGridField *file;
  const LacCase      *subject;
  guint               n_axes;
  guint               axes[LAC_PDE_MAX_AXES];    /* of the file */
  gsize               strides[LAC_PDE_MAX_AXES]; /* of its data */
} Lattice;

/* One for each field of the truth. */
typedef struct {
  guint   n;
  Lattice each[LAC_TRUTH_MAX_FIELDS];
} Lattices;

int
lac_grid_file_find_time(const LacGridField *file)
{
  for (int i = 0; i < 2; i++)
    if (file->axes[i].name[0] == 't' || g_str_equal(file->axes[1 - i].name, "x"))
      return i;
  if (file->axes[0].n == file->axes[1].n)
    return -1;
  return file->axes[0].n < file->axes[1].n ? 0 : 1;
}

/* Returns the file's axis whose name begins with that of the equation's axis; -1: none. */
static int
find_axis(const LacGridField *file, const char *name)
{
  for (guint i = 0; i < file->n_axes; i++)
    if (g_ascii_tolower(file->axes[i].name[0]) == name[0])
      return (int) i;
  return -1;
}

static gboolean
find_axes(Lattice *lattice)
{
  const LacGridField *file = lattice->file;
  const LacPde       *pde = lattice->subject->pde;
  guint               taken = 0;

  if (file->n_axes != pde->n_axes)
    return FALSE;
  if (file->n_axes == 2 && pde->axes[0][0] == 't') {
    const int time = lac_grid_file_find_time(file);

    lattice->axes[0] = time > 0 ? 1 : 0;
    lattice->axes[1] = 1 - lattice->axes[0];
    return time >= 0;
  }
  for (guint i = 0; i < pde->n_axes; i++) {
    const int axis = find_axis(file, pde->axes[i]);

    if (axis < 0 || taken & 1u << axis)
      return FALSE;
    taken |= 1u << axis;
    lattice->axes[i] = (guint) axis;
  }
  return TRUE;
}

static gboolean
check_values(const LacGridField *file, GError **error)
{
  const gsize n = lac_field_get_length(file);

  for (gsize i = 0; i < n; i++)
    if (!isfinite(file->data[i])) {
      g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                  "the truth file's field \"%s\" contains a value that is not finite", file->name);
      return FALSE;
    }
  for (guint a = 0; a < file->n_axes; a++)
    for (gsize i = 1; i < file->axes[a].n; i++)
      if (!(file->axes[a].values[i] > file->axes[a].values[i - 1])) {
        g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                    "the truth file's axis \"%s\" does not ascend at value %" G_GSIZE_FORMAT,
                    file->axes[a].name, i + 1);
        return FALSE;
      }
  return TRUE;
}

static gboolean
open_lattice(Lattice *lattice, const LacCase *subject, const LacGridField *file, GError **error)
{
  g_autofree char *names =
    g_strjoinv(", ", (char *[]){(char *) subject->pde->axes[0], (char *) subject->pde->axes[1],
                                (char *) subject->pde->axes[2], NULL});

  *lattice = (Lattice){.file = file, .subject = subject, .n_axes = file->n_axes};
  if (!file->data || !find_axes(lattice)) {
    g_set_error(
      error, LAC_ERROR, LAC_ERROR_BAD_FILE,
      "the truth file's field \"%s\" has %u axes; this scene needs it over %s, identified "
      "by name or by length",
      file->name, file->n_axes, names);
    return FALSE;
  }
  for (guint i = 0; i < lattice->n_axes; i++) {
    lattice->strides[i] = 1;
    for (guint a = lattice->axes[i] + 1; a < file->n_axes; a++)
      lattice->strides[i] *= file->axes[a].n;
  }
  return check_values(file, error);
}

/* Returns: the field of the file that is named like that of the equation, also as runs export it, "u.truth"; where one is
 * needed and the file has one, that; NULL with an error. */
static const LacGridField *
find_field(const LacCase *subject, const LacGridField *file, guint f, GError **error)
{
  const char        *name = subject->pde->fields[f];
  g_autofree char   *exported = g_strconcat(name, ".truth", NULL);
  g_autoptr(GString) holds = g_string_new(NULL);

  for (guint pass = 0; pass < 2; pass++)
    for (const LacGridField *at = file; at; at = at->next)
      if (g_str_equal(at->name, pass ? exported : name))
        return at;
  if (subject->n_fields <= 1 && !file->next)
    return file;
  for (const LacGridField *at = file; at; at = at->next)
    g_string_append_printf(holds, "%s%s", holds->len ? ", " : "", at->name);
  g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
              "the truth file has the fields %s; this scene needs %s too, named \"%s\" or \"%s\"",
              holds->str, name, name, exported);
  return NULL;
}

static gboolean
open_lattices(Lattices *lattices, const LacCase *subject, const LacGridField *file, GError **error)
{
  lattices->n = MAX(1, subject->n_fields);
  for (guint f = 0; f < lattices->n; f++) {
    const LacGridField *field = find_field(subject, file, f, error);

    if (!field || !open_lattice(&lattices->each[f], subject, field, error))
      return FALSE;
  }
  return TRUE;
}

/* ---- interpolation ---- */

/* Two neighbouring points of an axis, and the share of the second. */
typedef struct {
  gsize  first, second;
  double share;
} Between;

/* Returns FALSE beyond the ends. */
static gboolean
locate(const Lattice *lattice, guint i, double at, Between *between)
{
  const LacAxis *axis = &lattice->file->axes[lattice->axes[i]];
  const double   low = axis->values[0], high = axis->values[axis->n - 1];
  const double   period =
    lattice->subject->periodic[i] ? lattice->subject->upper[i] - lattice->subject->lower[i] : 0;
  const double slack = SLACK * fmax(high - low, period);
  gsize        first = 0, last = axis->n - 1;

  if (at > high + slack && low + period > at - slack) { /* around */
    *between = (Between){axis->n - 1, 0, (at - high) / (low + period - high)};
    return TRUE;
  }
  if (at < low - slack || at > high + slack)
    return FALSE;
  while (last - first > 1) {
    const gsize middle = first + (last - first) / 2;

    if (axis->values[middle] <= at)
      first = middle;
    else
      last = middle;
  }
  *between = (Between){first, last, 0};
  if (last > first)
    between->share =
      CLAMP((at - axis->values[first]) / (axis->values[last] - axis->values[first]), 0, 1);
  return TRUE;
}

/* Returns FALSE where the file has no value. @x: [n_axes] */
static gboolean
interpolate(const Lattice *lattice, const double *x, double *value)
{
  Between between[LAC_PDE_MAX_AXES];

  *value = 0;
  for (guint i = 0; i < lattice->n_axes; i++)
    if (!locate(lattice, i, x[i], &between[i]))
      return FALSE;
  for (guint corner = 0; corner < 1u << lattice->n_axes; corner++) {
    double weight = 1;
    gsize  index = 0;

    for (guint i = 0; i < lattice->n_axes; i++) {
      const gboolean is_second = (corner & 1u << i) != 0;

      weight *= is_second ? between[i].share : 1 - between[i].share;
      index += lattice->strides[i] * (is_second ? between[i].second : between[i].first);
    }
    if (weight != 0)
      *value += weight * lattice->file->data[index];
  }
  return TRUE;
}

/* Names the axis that does not reach as far as the scene. */
static void
refuse_range(const Lattice *lattice, const double *x, GError **error)
{
  for (guint i = 0; i < lattice->n_axes; i++) {
    const LacAxis *axis = &lattice->file->axes[lattice->axes[i]];
    Between        between;

    if (locate(lattice, i, x[i], &between))
      continue;
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                "the truth file covers %s from %g to %g; this scene needs it at %g",
                lattice->subject->pde->axes[i], axis->values[0], axis->values[axis->n - 1], x[i]);
    return;
  }
}

/* @values: (out): [ny][nx]: one field at observation @k */
static gboolean
fill_plane(const LacTruth *truth, const Lattice *lattice, gsize k, double *values, GError **error)
{
  const guint first = lac_case_first_axis(lattice->subject);

  for (gsize i = 0; i < truth->nx * truth->ny; i++) {
    double x[LAC_PDE_MAX_AXES] = {truth->times[k]};

    if (truth->mask && !truth->mask[i])
      continue;
    x[first] = lac_truth_get_x(truth, i % truth->nx);
    if (lattice->n_axes > first + 1)
      x[first + 1] = lac_truth_get_y(truth, i / truth->nx);
    if (!interpolate(lattice, x, &values[i])) {
      refuse_range(lattice, x, error);
      return FALSE;
    }
  }
  return TRUE;
}

gboolean
lac_grid_file_take(LacTruth           *truth,
                   const LacCase      *subject,
                   const LacGridField *file,
                   GError            **error)
{
  const gsize cells = truth->nx * truth->ny;
  Lattices    lattices;

  if (!open_lattices(&lattices, subject, file, error))
    return FALSE;
  g_return_val_if_fail(truth->n_fields == lattices.n, FALSE);
  if (!truth->observed)
    truth->observed = g_new0(double, truth->n_times *lattices.n *cells);
  for (gsize k = 0; k < truth->n_times; k++)
    for (guint f = 0; f < lattices.n; f++)
      if (!fill_plane(truth, &lattices.each[f], k, truth->observed + (k * lattices.n + f) * cells,
                      error))
        return FALSE;
  truth->error = 0;
  return TRUE;
}

/* ---- agreement with the scene ---- */

static gboolean
get_value(gconstpointer data, const double *x, guint field, double *value)
{
  const Lattices *lattices = data;

  return field < lattices->n && interpolate(&lattices->each[field], x, value);
}

gboolean
lac_grid_file_agrees(const LacCase *subject, const LacGridField *file, GError **error)
{
  Lattices lattices;

  return open_lattices(&lattices, subject, file, error) &&
         lac_agreement_check(subject, &(LacFileValues){"the truth file", &lattices, get_value},
                             error);
}

static gboolean
spans(const Lattice *lattice, GError **error)
{
  const LacCase *subject = lattice->subject;

  for (guint i = lac_case_first_axis(subject); i < lattice->n_axes; i++) {
    const LacAxis *axis = &lattice->file->axes[lattice->axes[i]];
    Between        between;

    if (locate(lattice, i, subject->lower[i], &between) &&
        locate(lattice, i, subject->upper[i], &between))
      continue;
    g_set_error(
      error, LAC_ERROR, LAC_ERROR_BAD_FILE,
      "the truth file runs from %s = %g to %g, but the domain of this scene from %g to %g",
      subject->pde->axes[i], axis->values[0], axis->values[axis->n - 1], subject->lower[i],
      subject->upper[i]);
    return FALSE;
  }
  return TRUE;
}

gboolean
lac_grid_file_spans(const LacCase *subject, const LacGridField *file, GError **error)
{
  Lattices lattices;

  if (!open_lattices(&lattices, subject, file, error))
    return FALSE;
  for (guint f = 0; f < lattices.n; f++)
    if (!spans(&lattices.each[f], error))
      return FALSE;
  return TRUE;
}
