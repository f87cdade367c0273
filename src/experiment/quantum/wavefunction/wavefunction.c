/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Public functions of the wavefunction: each is one call of the kernels of a device, the CPU's among them. */
#include "experiment/quantum/wavefunction/wavefunction.h"

#include "backend/registry.h"
#include "base/error.h"
#include "base/rng.h"
#include "experiment/quantum/wavefunction/wavefunction-private.h"

#include <math.h>
#include <string.h>

enum { MAX_WIDTH = 4096, MAX_DETERMINANTS = 256 };

static gboolean
check_count(const char *what, guint n, guint most, GError **error)
{
  if (n >= 1 && n <= most)
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE, "%s is %u; it may be 1 to %u.", what, n,
              most);
  return FALSE;
}

gboolean
lac_ansatz_check(const LacAnsatz *ansatz, GError **error)
{
  return check_count("The width of the stream of electrons", ansatz->one_width, MAX_WIDTH, error) &&
         check_count("The width of the stream of pairs", ansatz->pair_width, MAX_WIDTH, error) &&
         check_count("The number of layers", ansatz->n_layers, LAC_ANSATZ_MAX_LAYERS, error) &&
         check_count("The number of determinants", ansatz->n_determinants, MAX_DETERMINANTS, error);
}

void
lac_electron_shape_init(LacElectronShape  *shape,
                        const LacMolecule *molecule,
                        const LacAnsatz   *ansatz,
                        const double (*nuclei)[3])
{
  const gsize n_spin[LAC_N_SPINS] = {molecule->n_up, molecule->n_down};

  *shape = (LacElectronShape){.full_determinant = ansatz->full_determinant,
                              .jastrow = ansatz->jastrow,
                              .rescale = ansatz->rescale,
                              .nuclei = nuclei,
                              .n_electrons = lac_molecule_get_n_electrons(molecule),
                              .n_nuclei = molecule->n_nuclei,
                              .n_layers = ansatz->n_layers,
                              .n_determinants = ansatz->n_determinants};
  for (gsize s = 0, first = 0; s < LAC_N_SPINS; first += n_spin[s++])
    if (n_spin[s]) {
      shape->first[shape->n_channels] = first;
      shape->n[shape->n_channels++] = n_spin[s];
    }
  lac_electron_shape_lay_out(shape, ansatz->one_width, ansatz->pair_width);
}

LacWavefunction *
lac_wavefunction_new(LacMolecule     *molecule,
                     const LacAnsatz *ansatz,
                     const char      *precision,
                     LacPool         *pool,
                     GError         **error)
{
  return lac_wavefunction_new_without(molecule, ansatz, precision, pool, 0, error);
}

static LacType
type_of(const char *precision)
{
  return g_str_equal(precision, "f64") ? LAC_F64 : LAC_F32;
}

/* Returns: memory on @device, or on the CPU if @device is NULL. */
static LacWavefunctionDevice *
open_device(const LacWavefunction *self, const LacDevice *device, GError **error)
{
  const LacWavefunctionDeviceSettings settings = {
    .device = device,
    .shape = &self->shape,
    .type = self->type,
    .pool = self->pool,
    .without = self->without,
  };

  return lac_wavefunction_device_new(&settings, error);
}

LacWavefunction *
lac_wavefunction_new_without(LacMolecule     *molecule,
                             const LacAnsatz *ansatz,
                             const char      *precision,
                             LacPool         *pool,
                             guint            without,
                             GError         **error)
{
  g_autoptr(LacWavefunction) self = NULL;

  g_return_val_if_fail(lac_molecule_get_n_electrons(molecule) > 0, NULL);
  if (!lac_ansatz_check(ansatz, error))
    return NULL;
  self = g_new0(LacWavefunction, 1);
  self->molecule = lac_molecule_ref(molecule);
  self->ansatz = *ansatz;
  self->type = type_of(precision);
  self->pool = pool;
  self->without = without;
  self->nuclei = g_malloc_n(molecule->n_nuclei, sizeof *self->nuclei);
  for (guint a = 0; a < molecule->n_nuclei; a++)
    memcpy(self->nuclei[a], molecule->nuclei[a].position, sizeof *self->nuclei);
  lac_electron_shape_init(&self->shape, molecule, ansatz, (const double(*)[3]) self->nuclei);
  self->n_blocks = lac_electron_shape_get_blocks(&self->shape, self->blocks);
  self->cost = lac_wavefunction_count(&self->shape);
  self->walkers = self->derivatives = open_device(self, NULL, error);
  return self->walkers ? g_steal_pointer(&self) : NULL;
}

static void
close_devices(LacWavefunction *self)
{
  if (self->derivatives != self->walkers)
    lac_wavefunction_device_free(self->derivatives);
  lac_wavefunction_device_free(self->walkers);
  self->walkers = self->derivatives = NULL;
}

void
lac_wavefunction_free(LacWavefunction *self)
{
  if (!self)
    return;
  close_devices(self);
  g_free(self->nuclei);
  lac_molecule_unref(self->molecule);
  g_free(self);
}

gboolean
lac_wavefunction_set_device(LacWavefunction *self, const LacDevice *device, GError **error)
{
  LacWavefunctionDevice *there;

  if (!device->table || !device->table->electrons ||
      device->table->electrons == lac_wavefunction_device_get_kernels(self->walkers))
    return TRUE;
  there = open_device(self, device, error);
  if (!there)
    return FALSE;
  close_devices(self);
  self->walkers = self->derivatives = there;
  return TRUE;
}

gboolean
lac_wavefunction_keep_derivatives(LacWavefunction *self, GError **error)
{
  if (!lac_wavefunction_device_get_kernels(self->derivatives)->factors)
    self->derivatives = open_device(self, NULL, error);
  return self->derivatives != NULL;
}

gboolean
lac_wavefunction_check_device(const LacWavefunction *self, GError **error)
{
  return lac_wavefunction_device_check(self->walkers, error) &&
         lac_wavefunction_device_check(self->derivatives, error);
}

void
lac_wavefunction_forget_theta(LacWavefunction *self)
{
  lac_wavefunction_device_forget_theta(self->walkers);
}

guint64
lac_wavefunction_estimate(const LacMolecule *molecule,
                          const LacAnsatz   *ansatz,
                          const char        *precision,
                          guint              n_threads,
                          gsize              n_walkers)
{
  LacElectronShape shape;
  LacElectronBatch batch = {
    .type = type_of(precision), .shape = &shape, .n = n_walkers, .n_threads = n_threads};

  lac_electron_shape_init(&shape, molecule, ansatz, NULL);
  return lac_wavefunction_device_estimate(&batch);
}

LacWavefunctionCost
lac_wavefunction_get_cost(const LacWavefunction *self)
{
  return self->cost;
}

gsize
lac_wavefunction_get_n_params(const LacWavefunction *self)
{
  return self->shape.n_params;
}

gsize
lac_wavefunction_get_n_electrons(const LacWavefunction *self)
{
  return self->shape.n_electrons;
}

const LacMolecule *
lac_wavefunction_get_molecule(const LacWavefunction *self)
{
  return self->molecule;
}

const LacAnsatz *
lac_wavefunction_get_ansatz(const LacWavefunction *self)
{
  return &self->ansatz;
}

const LacParameterBlock *
lac_wavefunction_get_blocks(const LacWavefunction *self, gsize *n_blocks)
{
  *n_blocks = self->n_blocks;
  return self->blocks;
}

void
lac_wavefunction_init(const LacWavefunction *self, guint64 seed, double *theta)
{
  for (gsize i = 0; i < self->n_blocks; i++) {
    const LacParameterBlock *block = &self->blocks[i];
    const gsize              n_inputs = block->rows - (block->kind == LAC_BLOCK_LAYER);
    const double             width = 1 / sqrt((double) n_inputs);
    LacRng                   rng = lac_rng(seed, i);

    for (gsize k = 0; k < block->rows * block->columns; k++) {
      double *number = theta + block->offset + k;
      if (block->kind == LAC_BLOCK_SINGLE)
        *number = 1;
      else
        *number = lac_rng_normal(&rng) * (k < n_inputs * block->columns ? width : 1);
    }
  }
}

/* ---- walkers ---- */

static void
end(LacWavefunction *self, LacSpan span, LacWavefunctionOperation operation, double n)
{
  lac_wavefunction_end(self, span, lac_wavefunction_find_flops(self, operation, n));
}

void
lac_wavefunction_value(LacWavefunction *self,
                       const double    *theta,
                       const double    *positions,
                       gsize            n_walkers,
                       double          *log_abs,
                       gint8           *sign)
{
  const LacLocal out = {.log_abs = log_abs, .sign = sign};
  LacSpan        span = lac_wavefunction_begin(self, LAC_WAVEFUNCTION_VALUE);

  lac_wavefunction_device_take_theta(self->walkers, theta);
  lac_wavefunction_device_value(self->walkers, positions, n_walkers, &out);
  end(self, span, LAC_WAVEFUNCTION_VALUE, (double) n_walkers);
}

void
lac_wavefunction_local(LacWavefunction *self,
                       const double    *theta,
                       const double    *positions,
                       gsize            n_walkers,
                       const LacLocal  *out)
{
  LacSpan span = lac_wavefunction_begin(self, LAC_WAVEFUNCTION_LOCAL);

  lac_wavefunction_device_take_theta(self->walkers, theta);
  lac_wavefunction_device_local(self->walkers, positions, n_walkers, out);
  end(self, span, LAC_WAVEFUNCTION_LOCAL, (double) n_walkers);
}

void
lac_wavefunction_move(LacWavefunction        *self,
                      const double           *theta,
                      const LacElectronMoves *moves,
                      gsize                   n_walkers)
{
  LacSpan span = lac_wavefunction_begin(self, LAC_WAVEFUNCTION_MOVE);

  lac_wavefunction_device_take_theta(self->walkers, theta);
  lac_wavefunction_device_move(self->walkers, moves, n_walkers);
  end(self, span, moves->gradient ? LAC_WAVEFUNCTION_LOCAL : LAC_WAVEFUNCTION_VALUE,
      (double) (moves->n_moves * n_walkers));
}

void
lac_wavefunction_orbitals(LacWavefunction *self,
                          const double    *theta,
                          const double    *positions,
                          gsize            n_walkers,
                          double          *phi)
{
  LacSpan span = lac_wavefunction_begin(self, LAC_WAVEFUNCTION_ORBITALS);

  lac_wavefunction_device_take_theta(self->derivatives, theta);
  lac_wavefunction_device_orbitals(self->derivatives, positions, n_walkers, phi);
  end(self, span, LAC_WAVEFUNCTION_ORBITALS, (double) n_walkers);
}

/* ---- derivatives with respect to the parameters ---- */

/* Returns the walkers on the tape. */
static double
get_n_taped(const LacWavefunction *self)
{
  return (double) lac_wavefunction_device_get_n_taped(self->derivatives);
}

static void
run_tape(LacWavefunction *self,
         const double    *theta,
         const double    *positions,
         gsize            n_walkers,
         const double    *phi_bar,
         const LacLocal  *out)
{
  LacSpan span = lac_wavefunction_begin(self, LAC_WAVEFUNCTION_TAPE);

  lac_wavefunction_device_take_theta(self->derivatives, theta);
  lac_wavefunction_device_tape(self->derivatives, positions, n_walkers, phi_bar, out);
  end(self, span, LAC_WAVEFUNCTION_TAPE, (double) n_walkers);
}

void
lac_wavefunction_tape(LacWavefunction *self,
                      const double    *theta,
                      const double    *positions,
                      gsize            n_walkers,
                      double          *log_abs,
                      gint8           *sign)
{
  run_tape(self, theta, positions, n_walkers, NULL, &(LacLocal){.log_abs = log_abs, .sign = sign});
}

void
lac_wavefunction_gradient(LacWavefunction *self, const double *seed, double *theta_bar)
{
  LacSpan span = lac_wavefunction_begin(self, LAC_WAVEFUNCTION_GRADIENT);

  lac_wavefunction_device_gradient(self->derivatives, seed, theta_bar);
  end(self, span, LAC_WAVEFUNCTION_GRADIENT, get_n_taped(self));
}

void
lac_wavefunction_orbitals_reverse(LacWavefunction *self,
                                  const double    *theta,
                                  const double    *positions,
                                  gsize            n_walkers,
                                  const double    *phi_bar,
                                  double          *theta_bar)
{
  run_tape(self, theta, positions, n_walkers, phi_bar, &(LacLocal){0});
  lac_wavefunction_gradient(self, NULL, theta_bar);
}

void
lac_wavefunction_apply(LacWavefunction *self, const double *v, double *y)
{
  LacSpan span = lac_wavefunction_begin(self, LAC_WAVEFUNCTION_APPLY);

  lac_wavefunction_device_apply(self->derivatives, v, y);
  end(self, span, LAC_WAVEFUNCTION_APPLY, get_n_taped(self));
}

void
lac_wavefunction_gram(LacWavefunction *self, double *k)
{
  LacSpan span = lac_wavefunction_begin(self, LAC_WAVEFUNCTION_GRAM);

  lac_wavefunction_device_gram(self->derivatives, k);
  end(self, span, LAC_WAVEFUNCTION_GRAM, get_n_taped(self));
}

gboolean
lac_wavefunction_solve(LacWavefunction *self, double damping, double *right)
{
  LacSpan        span = lac_wavefunction_begin(self, LAC_WAVEFUNCTION_SOLVE);
  const gboolean is_solved = lac_wavefunction_device_solve(self->derivatives, damping, right);

  end(self, span, LAC_WAVEFUNCTION_SOLVE, get_n_taped(self));
  return is_solved;
}

void
lac_wavefunction_factors(LacWavefunction *self, gsize block, double *a, double *g)
{
  const LacParameterBlock *which = &self->blocks[block];
  const double             rows = (double) which->rows, columns = (double) which->columns;
  LacSpan                  span = lac_wavefunction_begin(self, LAC_WAVEFUNCTION_FACTORS);
  const LacElectronFactors factors = {
    .block = block,
    .n_rows = which->rows,
    .n_columns = which->columns,
    .a = which->kind == LAC_BLOCK_SINGLE ? NULL : a,
    .g = g,
  };

  lac_wavefunction_device_factors(self->derivatives, &factors);
  lac_wavefunction_end(self, span,
                       2 * (rows * rows + columns * columns) * (double) which->repeats *
                         get_n_taped(self));
}
