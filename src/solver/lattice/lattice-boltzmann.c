/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lattice Boltzmann solver: memory, state and step. */
#include "solver/lattice/lattice-boltzmann.h"

#include "backend/cpu/cpu.h"
#include "base/error.h"
#include "solver/lattice/lattice-private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- boundary conditions, as a list of links: which ghost is made of which populations ---- */

/* Fraction of the free stream in the outflow's ghost populations, the rest being their neighbours; it fixes the mean pressure. */
#define LEAK 0.05

const int    lac_lattice_x[LAC_LATTICE_N] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
const int    lac_lattice_y[LAC_LATTICE_N] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
const guint8 lac_lattice_opposite[LAC_LATTICE_N] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
const double lac_lattice_weight[LAC_LATTICE_N] = {4.0 / 9,  1.0 / 9,  1.0 / 9,  1.0 / 9, 1.0 / 9,
                                                  1.0 / 36, 1.0 / 36, 1.0 / 36, 1.0 / 36};

/* A side: the axis normal to it, the coordinate of its cells on that axis, and the inward direction. */
typedef struct {
  LacLatticeSide kind;
  guint          axis; /* 0: left or right */
  gssize         edge; /* x or y of its cells */
  int            inwards;
  gssize         n; /* cells along it */
  const double  *velocities;
} Side;

static Side
get_side(const LacLattice *lattice, guint i)
{
  const LacLatticeSettings *settings = &lattice->settings;
  const guint               axis = i / 2;
  const gsize               across = axis == 0 ? settings->nx : settings->ny;

  return (Side){
    .kind = settings->sides[i],
    .axis = axis,
    .edge = i % 2 ? (gssize) across - 1 : 0,
    .inwards = i % 2 ? -1 : 1,
    .n = (gssize) (axis == 0 ? settings->ny : settings->nx),
    .velocities = settings->velocities[i],
  };
}

static int
along(const Side *side, guint k)
{
  return side->axis == 0 ? lac_lattice_y[k] : lac_lattice_x[k];
}

static int
across(const Side *side, guint k)
{
  return side->axis == 0 ? lac_lattice_x[k] : lac_lattice_y[k];
}

/* Returns the offset of population @k at @place along the side and @depth cells inwards; depth -1: the ghosts. */
static guint32
at(const LacLattice *lattice, const Side *side, guint k, gssize place, gssize depth)
{
  const gssize here = side->edge + side->inwards * depth;

  return side->axis == 0 ? lac_lattice_at(lattice, k, here, place)
                         : lac_lattice_at(lattice, k, place, here);
}

/* Returns the direction that mirrors @k at the side. */
static guint
mirror(const Side *side, guint k)
{
  for (guint m = 0; m < LAC_LATTICE_N; m++)
    if (along(side, m) == along(side, k) && across(side, m) == -across(side, k))
      return m;
  g_assert_not_reached();
}

static void
add(LacLattice *lattice, guint32 to, guint32 from, double a, double c)
{
  const LacLatticeLink link = {to, from, from, a, 0, c};

  g_array_append_val(lattice->links, link);
}

/* Equilibrium deviation at density 1. */
static double
equilibrium(guint k, const double *velocity)
{
  const double speed = lac_lattice_x[k] * velocity[0] + lac_lattice_y[k] * velocity[1];
  const double square = velocity[0] * velocity[0] + velocity[1] * velocity[1];

  return lac_lattice_weight[k] * (3 * speed + 4.5 * speed * speed - 1.5 * square);
}

/* Computes the wall velocity where the link of @k from the cell at @place crosses it, midway to the next cell;
 * extrapolated linearly at the ends. */
static void
wall_velocity(const Side *side, guint k, gssize place, double velocity[2])
{
  const gssize next = place - along(side, k);

  for (guint axis = 0; axis < 2; axis++) {
    const double *at = side->velocities ? side->velocities + axis : NULL;

    if (!at)
      velocity[axis] = 0;
    else if (next >= 0 && next < side->n)
      velocity[axis] = (at[2 * place] + at[2 * next]) / 2;
    else
      velocity[axis] = 1.5 * at[2 * place] - 0.5 * at[2 * CLAMP(2 * place - next, 0, side->n - 1)];
  }
}

/* Adds the links for everything that cells of the side pull in direction @k. */
static void
link_direction(LacLattice *lattice, const Side *side, guint k)
{
  static const double rest[2] = {0, 0};
  const gssize        last = side->n - 1,
               period = side->axis == 0 ? (gssize) lattice->grid.nx : (gssize) lattice->grid.ny;

  for (gssize place = -1; place <= side->n; place++) {
    const double *velocity = side->velocities ? side->velocities + 2 * CLAMP(place, 0, last) : rest;
    const guint32 ghost = at(lattice, side, k, place, -1);

    switch (side->kind) {
    case LAC_LATTICE_PERIODIC:
      add(lattice, ghost, at(lattice, side, k, place, period - 1), 1, 0);
      break;
    case LAC_LATTICE_OUTFLOW:
      add(lattice, ghost, at(lattice, side, k, place, 0), 1 - LEAK,
          LEAK * equilibrium(k, velocity));
      break;
    case LAC_LATTICE_SLIP:
      add(lattice, ghost, at(lattice, side, mirror(side, k), place, 0), 1, 0);
      break;
    case LAC_LATTICE_WALL:
      if (place >= 0 && place <= last) {
        double wall[2], speed;

        wall_velocity(side, k, place, wall);
        speed = lac_lattice_x[k] * wall[0] + lac_lattice_y[k] * wall[1];
        add(lattice, at(lattice, side, k, place - along(side, k), -1),
            at(lattice, side, lac_lattice_opposite[k], place, 0), 1,
            6 * lac_lattice_weight[k] * speed);
      }
      break;
    }
  }
}

/* Walls come last because corners belong to them; slip sides read the ghosts of the outflow. */
static void
link_sides(LacLattice *lattice)
{
  static const LacLatticeSide order[] = {LAC_LATTICE_PERIODIC, LAC_LATTICE_OUTFLOW,
                                         LAC_LATTICE_SLIP, LAC_LATTICE_WALL};

  for (gsize turn = 0; turn < G_N_ELEMENTS(order); turn++)
    for (guint i = 0; i < LAC_LATTICE_N_SIDES; i++) {
      const Side side = get_side(lattice, i);

      for (guint k = 1; k < LAC_LATTICE_N && side.kind == order[turn]; k++)
        if (across(&side, k) == side.inwards)
          link_direction(lattice, &side, k);
    }
}

/* Returns: (nullable): the disc that covers the cell. */
static const LacLatticeDisc *
find_disc(const LacLattice *lattice, gssize x, gssize y)
{
  const LacLatticeSettings *settings = &lattice->settings;

  for (gsize i = 0; i < settings->n_discs; i++) {
    const LacLatticeDisc *disc = &settings->discs[i];
    const double          dx = (double) x - disc->centre[0], dy = (double) y - disc->centre[1];

    if (dx * dx + dy * dy < disc->radius * disc->radius)
      return disc;
  }
  return NULL;
}

/* Returns the distance from (x, y) along @k to the disc, as a fraction of the link. */
static double
distance_to_disc(const LacLatticeDisc *disc, gssize x, gssize y, guint k)
{
  const double px = (double) x - disc->centre[0], py = (double) y - disc->centre[1];
  const double cx = lac_lattice_x[k], cy = lac_lattice_y[k], square = cx * cx + cy * cy;
  const double half = px * cx + py * cy;
  const double rest = px * px + py * py - disc->radius * disc->radius;

  return CLAMP((-half - sqrt(MAX(half * half - square * rest, 0))) / square, 0, 1);
}

/* Bouzidi's linear interpolation of the population reflected to (x, y) from @disc opposite to @k. */
static void
link_disc(LacLattice *lattice, const LacLatticeDisc *disc, gssize x, gssize y, guint k)
{
  const guint8   direction = (guint8) k, back = lac_lattice_opposite[k];
  const gssize   cx = lac_lattice_x[k], cy = lac_lattice_y[k];
  const gboolean alone = find_disc(lattice, x - cx, y - cy) != NULL;
  const double   q = lattice->settings.staircase ? 0.5 : distance_to_disc(disc, x, y, k);
  LacLatticeLink link = {.to = lac_lattice_at(lattice, back, x + cx, y + cy),
                         .from1 = lac_lattice_at(lattice, k, x, y)};

  if (q < 0.5 && !alone) {
    link.from2 = lac_lattice_at(lattice, k, x - cx, y - cy);
    link.a = 2 * q;
    link.b = 1 - 2 * q;
  } else {
    link.from2 = lac_lattice_at(lattice, back, x, y);
    link.a = 1 / (2 * MAX(q, 0.5));
    link.b = 1 - link.a;
  }
  g_array_append_val(lattice->links, link);
  g_array_append_val(lattice->directions, direction);
}

/* Fills mask, links, directions and solid. */
static void
lattice_build(LacLattice *lattice)
{
  const gssize nx = (gssize) lattice->grid.nx, ny = (gssize) lattice->grid.ny;

  link_sides(lattice);
  lattice->n_side_links = lattice->links->len;
  for (gssize y = 0; y < ny; y++)
    for (gssize x = 0; x < nx; x++) {
      const guint32  here = lac_lattice_at(lattice, 0, x, y);
      const gboolean solid = find_disc(lattice, x, y) != NULL;

      lattice->mask[y * nx + x] = !solid;
      if (solid)
        g_array_append_val(lattice->solid, here);
      for (guint k = 1; k < LAC_LATTICE_N && !solid; k++) {
        const LacLatticeDisc *disc = find_disc(lattice, x + lac_lattice_x[k], y + lac_lattice_y[k]);

        if (disc)
          link_disc(lattice, disc, x, y, k);
      }
    }
}

/* ---- steps ---- */

#define LINE 64 /* bytes of a cache line */
#define ROWS 8  /* rows per work item */
#define MAGIC \
  (3.0 /      \
   16) /* magic parameter of the two relaxation times: straight walls are midway between cells for any viscosity */

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
              " by %" G_GSIZE_FORMAT " cells with a margin of one cell.",
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
                  "A side of the lattice can be periodic only together with the opposite one.");
      return FALSE;
    }
  for (gsize i = 0; i < settings->n_discs; i++)
    if (!check_disc(settings, &settings->discs[i], error))
      return FALSE;
  return TRUE;
}

/* Aligns rows to cache lines; the ghost before a row is the last element of the preceding line. */
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
  const double tau = 3 * settings->viscosity; /* minus one half */

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
  lattice_build(lattice);
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

/* Momentum exchange: sums the populations entering and leaving the discs along each link. */
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
