/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lattice: its memory, its state and its step. */
#include "solver/lattice/lattice-boltzmann.h"

#include "backend/cpu/cpu.h"
#include "base/error.h"
#include "solver/lattice/lattice-private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LINE 64 /* bytes of a cache line */
#define ROWS 8  /* rows an item of work */
#define MAGIC \
  (3.0 /      \
   16) /* of the two relaxation times: plane walls lie midway between cells for any viscosity */

static const LacLatticeKernel *
find_kernel(LacType type)
{
  static const LacLatticeKernel *const kernels[][2] = {
    [LAC_CPU_BASELINE] = {&lac_lattice_kernel_baseline_f32, &lac_lattice_kernel_baseline_f64},
#ifdef __x86_64__
    [LAC_CPU_V3] = {&lac_lattice_kernel_v3_f32, &lac_lattice_kernel_v3_f64},
    [LAC_CPU_V4] = {&lac_lattice_kernel_v4_f32, &lac_lattice_kernel_v4_f64},
#endif
  };

  return kernels[lac_cpu_level()][type == LAC_F64];
}

static gboolean
check_disc(const LacLatticeSettings *settings, const LacLatticeDisc *disc, GError **error)
{
  const double reach = disc->radius + 1;

  if (disc->radius > 0 && disc->centre[0] >= reach && disc->centre[1] >= reach &&
      disc->centre[0] <= (double) settings->nx - 1 - reach &&
      disc->centre[1] <= (double) settings->ny - 1 - reach)
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
              "The disc of radius %g at (%g, %g) does not fit into %" G_GSIZE_FORMAT
              " by %" G_GSIZE_FORMAT " cells with a cell to spare.",
              disc->radius, disc->centre[0], disc->centre[1], settings->nx, settings->ny);
  return FALSE;
}

static gboolean
check(const LacLatticeSettings *settings, GError **error)
{
  if (!(settings->viscosity > 0)) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "The viscosity on the lattice must be above 0, not %g.", settings->viscosity);
    return FALSE;
  }
  for (guint i = 0; i < LAC_LATTICE_N_SIDES; i += 2)
    if ((settings->sides[i] == LAC_LATTICE_PERIODIC) !=
        (settings->sides[i + 1] == LAC_LATTICE_PERIODIC)) {
      g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                  "A side of the lattice is periodic only together with the one opposite.");
      return FALSE;
    }
  for (gsize i = 0; i < settings->n_discs; i++)
    if (!check_disc(settings, &settings->discs[i], error))
      return FALSE;
  return TRUE;
}

/* Rows begin on a cache line; the ghost before one is the last number of the line before. */
static LacLatticeGrid
lay_out(const LacLatticeSettings *settings)
{
  const gsize line = LINE / lac_type_size(settings->type);
  const gsize stride = (settings->nx + 1 + line - 1) / line * line + line;

  return (LacLatticeGrid){
    .nx = settings->nx,
    .ny = settings->ny,
    .stride = stride,
    .plane = stride * (settings->ny + 2) + line,
    .origin = stride + line,
  };
}

LacLattice *
lac_lattice_new(const LacLatticeSettings *settings, GError **error)
{
  LacLattice  *lattice;
  const double tau = 3 * settings->viscosity; /* less one half */

  if (!check(settings, error))
    return NULL;
  lattice = g_new0(LacLattice, 1);
  lattice->settings = *settings;
  lattice->kernel = find_kernel(settings->type);
  lattice->grid = lay_out(settings);
  lattice->omega[0] = 1 / (0.5 + tau);
  lattice->omega[1] = 1 / (0.5 + MAGIC / tau);
  lattice->n_bytes =
    (LAC_LATTICE_N * lattice->grid.plane + LINE) * lac_type_size(settings->type) / LINE * LINE;
  lattice->from = g_aligned_alloc0(lattice->n_bytes, 1, LINE);
  lattice->to = g_aligned_alloc0(lattice->n_bytes, 1, LINE);
  lattice->links = g_array_new(FALSE, FALSE, sizeof(LacLatticeLink));
  lattice->directions = g_array_new(FALSE, FALSE, sizeof(guint8));
  lattice->solid = g_array_new(FALSE, FALSE, sizeof(guint32));
  lattice->mask = g_new(guint8, settings->nx * settings->ny);
  lac_lattice_build(lattice);
  memset(lattice->settings.velocities, 0, sizeof lattice->settings.velocities);
  return lattice;
}

void
lac_lattice_free(LacLattice *lattice)
{
  if (!lattice)
    return;
  g_aligned_free(lattice->from);
  g_aligned_free(lattice->to);
  g_array_unref(lattice->links);
  g_array_unref(lattice->directions);
  g_array_unref(lattice->solid);
  g_free(lattice->mask);
  g_free(lattice);
}

static void
rest_discs(LacLattice *lattice, void *populations)
{
  lattice->kernel->rest(&lattice->grid, (const guint32 *) lattice->solid->data, lattice->solid->len,
                        populations);
}

void
lac_lattice_set(LacLattice *lattice, const double *moments)
{
  lattice->kernel->start(&lattice->grid, moments, lattice->from);
  rest_discs(lattice, lattice->from);
}

void
lac_lattice_get(const LacLattice *lattice, double *moments)
{
  const gsize n = lattice->grid.nx * lattice->grid.ny;

  lattice->kernel->measure(&lattice->grid, lattice->from, moments);
  for (gsize i = 0; i < 3 * n; i++)
    if (!lattice->mask[i % n])
      moments[i] = 0;
}

static void
collide_rows(gsize item, guint worker, gpointer user_data)
{
  LacLattice *lattice = user_data;

  lattice->kernel->collide(&lattice->grid, lattice->omega, lattice->from, lattice->to, item * ROWS,
                           MIN((item + 1) * ROWS, lattice->grid.ny));
}

/* By exchange of momentum: what goes into the discs and what comes back, both along the link. */
static void
add_up_force(const LacLattice *lattice, double *force)
{
  const LacLatticeLink *links = (const LacLatticeLink *) lattice->links->data;
  double                sums[LAC_LATTICE_N] = {0};

  lattice->kernel->impulse(links + lattice->n_side_links,
                           (const guint8 *) lattice->directions->data, lattice->directions->len,
                           lattice->from, sums);
  force[0] = force[1] = 0;
  for (guint k = 1; k < LAC_LATTICE_N; k++) {
    force[0] += lac_lattice_x[k] * sums[k];
    force[1] += lac_lattice_y[k] * sums[k];
  }
}

void
lac_lattice_advance(LacLattice *lattice, gsize n_steps, double *forces)
{
  const LacLatticeLink *links = (const LacLatticeLink *) lattice->links->data;
  const gsize           n_items = (lattice->grid.ny + ROWS - 1) / ROWS;

  for (gsize i = 0; i < n_steps; i++) {
    void *from = lattice->from;

    lattice->kernel->link(links, lattice->links->len, from);
    if (forces)
      add_up_force(lattice, forces + 2 * i);
    lac_pool_run(lattice->settings.pool, n_items, collide_rows, lattice);
    rest_discs(lattice, lattice->to);
    lattice->from = lattice->to;
    lattice->to = from;
  }
}
