/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Series of batch means: dipole, spin, forces. */
#include "experiment/quantum/observables/observables.h"

#include "experiment/quantum/observables/blocking.h"

#include <math.h>
#include <string.h>

#define SYMMETRY_SLACK 1e-4 /* bohr */

/* Indices of series: three for the dipole, one for S^2, three per nucleus. */
enum { DIPOLE, SPIN = 3, FORCES = 4 };

struct _LacObservables {
  LacMolecule *molecule;
  gsize        n_steps, n_series, n_batches;
  double      *series;  /* [n_series][n_steps] */
  double      *scratch; /* [n_steps] */
  double      *walker;  /* [n_series]: values of the current walker */
};

LacObservables *
lac_observables_new(const LacMolecule *molecule, gsize n_steps)
{
  LacObservables *observables = g_new0(LacObservables, 1);

  observables->molecule = lac_molecule_new(molecule->name, molecule->n_nuclei, molecule->nuclei,
                                           molecule->n_up, molecule->n_down);
  observables->n_steps = n_steps;
  observables->n_series = FORCES + 3 * molecule->n_nuclei;
  observables->series = g_new0(double, observables->n_series *n_steps);
  observables->scratch = g_new0(double, n_steps);
  observables->walker = g_new0(double, observables->n_series);
  return observables;
}

void
lac_observables_free(LacObservables *observables)
{
  if (observables == NULL)
    return;
  lac_molecule_unref(observables->molecule);
  g_free(observables->series);
  g_free(observables->scratch);
  g_free(observables->walker);
  g_free(observables);
}

gsize
lac_observables_get_n_batches(const LacObservables *observables)
{
  return observables->n_batches;
}

static void
dipole_of(const LacMolecule *molecule, const double *positions, double *dipole)
{
  for (guint k = 0; k < 3; k++) {
    dipole[k] = 0;
    for (guint a = 0; a < molecule->n_nuclei; a++)
      dipole[k] += molecule->nuclei[a].charge * molecule->nuclei[a].position[k];
    for (guint i = 0; i < lac_molecule_get_n_electrons(molecule); i++)
      dipole[k] -= positions[3 * i + k];
  }
}

/* (grad_i Q)_kl = Z (delta_kl - u_k u_l) / |r - R|, u: direction from nucleus to electron. */
static void
force_on(const LacMolecule *molecule,
         guint              a,
         const double      *positions,
         const double      *gradient,
         double            *force)
{
  const LacNucleus *here = &molecule->nuclei[a];

  memset(force, 0, 3 * sizeof *force);
  for (guint b = 0; b < molecule->n_nuclei; b++) {
    const LacNucleus *there = &molecule->nuclei[b];
    double            offset[3], square = 0;

    if (b == a)
      continue;
    for (guint k = 0; k < 3; k++) {
      offset[k] = here->position[k] - there->position[k];
      square += offset[k] * offset[k];
    }
    for (guint k = 0; k < 3; k++)
      force[k] += here->charge * there->charge * offset[k] / (square * sqrt(square));
  }
  for (guint i = 0; i < lac_molecule_get_n_electrons(molecule); i++) {
    double offset[3], square = 0, along = 0, distance;

    for (guint k = 0; k < 3; k++) {
      offset[k] = positions[3 * i + k] - here->position[k];
      square += offset[k] * offset[k];
      along += offset[k] * gradient[3 * i + k];
    }
    distance = sqrt(square);
    for (guint k = 0; k < 3; k++)
      force[k] += here->charge * (gradient[3 * i + k] - offset[k] * along / square) / distance;
  }
}

static gboolean
observe_walker(LacObservables *observables, const LacObservedBatch *batch, gsize b)
{
  const LacMolecule *molecule = observables->molecule;
  gsize              offset = 3 * b * lac_molecule_get_n_electrons(molecule);
  double            *walker = observables->walker;

  dipole_of(molecule, batch->positions + offset, walker + DIPOLE);
  walker[SPIN] = batch->spin_squared != NULL ? batch->spin_squared[b] : 0;
  for (guint a = 0; a < molecule->n_nuclei; a++) {
    memset(walker + FORCES + 3 * a, 0, 3 * sizeof *walker);
    if (batch->gradients != NULL)
      force_on(molecule, a, batch->positions + offset, batch->gradients + offset,
               walker + FORCES + 3 * a);
  }
  for (gsize s = 0; s < observables->n_series; s++)
    if (!isfinite(walker[s]))
      return FALSE;
  return TRUE;
}

void
lac_observables_add(LacObservables *observables, const LacObservedBatch *batch)
{
  gsize t = observables->n_batches, n = 0;

  g_return_if_fail(t < observables->n_steps);
  for (gsize s = 0; s < observables->n_series; s++)
    observables->series[s * observables->n_steps + t] = 0;
  for (gsize b = 0; b < batch->n_walkers; b++) {
    if (!observe_walker(observables, batch, b))
      continue;
    n++;
    for (gsize s = 0; s < observables->n_series; s++)
      observables->series[s * observables->n_steps + t] += observables->walker[s];
  }
  if (n == 0)
    return;
  for (gsize s = 0; s < observables->n_series; s++) {
    gboolean is_known =
      s == SPIN ? batch->spin_squared != NULL : s < FORCES || batch->gradients != NULL;
    double *entry = &observables->series[s * observables->n_steps + t];

    *entry = is_known ? *entry / (double) n : (double) NAN;
  }
  observables->n_batches++;
}

/* Applies blocking to the scratch. */
static LacObserved
block(LacObservables *observables)
{
  LacBlocking blocking;

  lac_blocking_find(observables->scratch, observables->n_batches, &blocking);
  return (LacObserved){blocking.mean, blocking.error};
}

static LacObserved
observed(LacObservables *observables, gsize series)
{
  memcpy(observables->scratch, observables->series + series * observables->n_steps,
         observables->n_batches * sizeof(double));
  return block(observables);
}

LacObserved
lac_observables_get_dipole(LacObservables *observables, guint component)
{
  return observed(observables, DIPOLE + component);
}

/* Returns TRUE when the nuclei about @centre stay in place where the coordinates with a bit in @turned change sign. */
static gboolean
is_invariant(const LacMolecule *molecule, const double *centre, guint turned)
{
  for (guint a = 0; a < molecule->n_nuclei; a++) {
    const LacNucleus *nucleus = &molecule->nuclei[a];
    gboolean          has_image = FALSE;

    for (guint b = 0; b < molecule->n_nuclei && !has_image; b++) {
      double apart = 0;

      for (guint c = 0; c < 3; c++) {
        const double x = nucleus->position[c] - centre[c];
        const double image = molecule->nuclei[b].position[c] - centre[c];

        apart = fmax(apart, fabs(image - (turned & 1u << c ? -x : x)));
      }
      has_image = molecule->nuclei[b].charge == nucleus->charge && apart < SYMMETRY_SLACK;
    }
    if (!has_image)
      return FALSE;
  }
  return TRUE;
}

guint
lac_dipole_find_forbidden(const LacMolecule *molecule, double centre[3])
{
  double charge = 0;
  guint  forbidden = 0;

  for (guint c = 0; c < 3; c++)
    centre[c] = 0;
  for (guint a = 0; a < molecule->n_nuclei; a++) {
    charge += molecule->nuclei[a].charge;
    for (guint c = 0; c < 3; c++)
      centre[c] += molecule->nuclei[a].charge * molecule->nuclei[a].position[c];
  }
  for (guint c = 0; c < 3; c++)
    centre[c] /= charge;
  for (guint turned = 1; turned < 8; turned++)
    if (is_invariant(molecule, centre, turned))
      forbidden |= turned;
  return forbidden;
}

double
lac_observables_get_forbidden_dipole(LacObservables *observables)
{
  const LacMolecule *molecule = observables->molecule;
  double             centre[3], most = 0;
  const guint        forbidden = lac_dipole_find_forbidden(molecule, centre);

  for (guint c = 0; c < 3; c++) {
    const LacObserved along = lac_observables_get_dipole(observables, c);
    const double      off = along.value - lac_molecule_get_charge(molecule) * centre[c];

    if (forbidden & 1u << c && along.error > 0)
      most = fmax(most, fabs(off) / along.error);
  }
  return most;
}

LacObserved
lac_observables_get_force(LacObservables *observables, guint nucleus, guint component)
{
  return observed(observables, FORCES + 3 * nucleus + component);
}

LacObserved
lac_observables_get_spin_squared(LacObservables *observables)
{
  return observed(observables, SPIN);
}

void
lac_observables_pack(gpointer data, LacPacking *packing)
{
  LacObservables *observables = data;

  lac_packing_index(packing, &observables->n_batches);
  lac_packing_values(packing, observables->series, observables->n_series * observables->n_steps);
}

static void
exchange(double *walker, gsize a, gsize b)
{
  for (guint k = 0; k < 3; k++) {
    double held = walker[3 * a + k];

    walker[3 * a + k] = walker[3 * b + k];
    walker[3 * b + k] = held;
  }
}

void
lac_spin_squared(const LacSpinSquared *spin,
                 const double         *positions,
                 const double         *log_abs,
                 const gint8          *sign,
                 double               *values)
{
  gsize  n = spin->n_walkers, n_up = spin->molecule->n_up, n_down = spin->molecule->n_down;
  gsize  width = 3 * (n_up + n_down);
  double z = 0.5 * ((double) n_up - (double) n_down);
  g_autofree gpointer own =
    spin->scratch ? NULL : g_malloc(LAC_SPIN_SQUARED_SCRATCH(n, n_up + n_down));
  double *exchanged = spin->scratch ? spin->scratch : own, *other = exchanged + n * width;
  gint8  *other_sign = (gint8 *) (other + n);

  memcpy(exchanged, positions, n * width * sizeof *positions);
  for (gsize w = 0; w < n; w++)
    values[w] = z * (z + 1) + (double) n_down;
  for (gsize a = 0; a < n_up; a++)
    for (gsize b = n_up; b < n_up + n_down; b++) {
      for (gsize w = 0; w < n; w++)
        exchange(exchanged + w * width, a, b);
      spin->amplitude(exchanged, n, other, other_sign, spin->user_data);
      for (gsize w = 0; w < n; w++) {
        values[w] -= sign[w] * other_sign[w] * exp(other[w] - log_abs[w]);
        exchange(exchanged + w * width, a, b);
      }
    }
}
