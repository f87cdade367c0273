/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inner loops of the lattice Boltzmann solver, one table per element type and instruction set. Plain C without
 * headers of other libraries, whose inline code would be compiled for an instruction set the processor may lack.
 *
 * Populations are stored as deviations h = f - w from rest, nine planes, with a ring of ghost cells around the domain
 * and ghosts inside bodies. Boundary conditions are the values pulled from ghosts, so the sweep has no boundary code.
 * Directions: 0 rest, 1 E, 2 N, 3 W, 4 S, 5 NE, 6 NW, 7 SW, 8 SE. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define LAC_LATTICE_N 9

/* Layout of the populations, in elements: cell (x, y) of population i is at i * plane + origin + y * stride + x, also
 * for x or y = -1. */
typedef struct {
  size_t nx, ny, stride, plane, origin;
} LacLatticeGrid;

/* One ghost: to = a from1 + b from2 + c. */
typedef struct {
  uint32_t to, from1, from2;
  double   a, b, c;
} LacLatticeLink;

typedef struct {
  /* Streams and collides rows first ... last-1: two relaxation times (of the even and of the odd part), equilibrium
   * of He and Luo. */
  void (*collide)(const LacLatticeGrid *grid,
                  const double          omega[2],
                  const void           *from,
                  void                 *to,
                  size_t                first,
                  size_t                last);
  /* Applies the links in list order: later ones may read values written by earlier ones. */
  void (*link)(const LacLatticeLink *links, size_t n, void *populations);
  /* Sets the cells at @offsets of a plane to rest. */
  void (*rest)(const LacLatticeGrid *grid, const uint32_t *offsets, size_t n, void *populations);
  /* Accumulates the momentum exchange at linked walls per direction: adds h(from1) + h(to) to sums[direction]. */
  void (*impulse)(const LacLatticeLink *links,
                  const uint8_t        *directions,
                  size_t                n,
                  const void           *populations,
                  double                sums[LAC_LATTICE_N]);
  /* Computes density deviation and momentum of every cell: [3][ny][nx]. */
  void (*measure)(const LacLatticeGrid *grid, const void *populations, double *moments);
  /* Sets every cell to its equilibrium at @moments. */
  void (*start)(const LacLatticeGrid *grid, const double *moments, void *populations);
} LacLatticeKernel;

extern const LacLatticeKernel lac_lattice_kernel_baseline_f32, lac_lattice_kernel_baseline_f64;
#ifdef __x86_64__
extern const LacLatticeKernel lac_lattice_kernel_v3_f32, lac_lattice_kernel_v3_f64;
extern const LacLatticeKernel lac_lattice_kernel_v4_f32, lac_lattice_kernel_v4_f64;
#endif
