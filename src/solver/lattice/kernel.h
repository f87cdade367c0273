/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The loops of the lattice Boltzmann solver, one table for each element type and instruction set. Plain C: no inline code of
 * another library may be compiled for a processor that this one may not be.
 *
 * Populations are kept as deviations h = f - w from rest, nine planes, with a ring of ghosts around the cells and the cells of
 * a body among them: what a cell pulls from a ghost is the boundary condition, so that the sweep knows no boundary.
 * Directions: 0 rest, 1 E, 2 N, 3 W, 4 S, 5 NE, 6 NW, 7 SW, 8 SE. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define LAC_LATTICE_N 9

/* Offsets count elements; cell (x, y) of population i is at i * plane + origin + y * stride + x, also for x or y -1. */
typedef struct {
  size_t nx, ny, stride, plane, origin;
} LacLatticeGrid;

/* One ghost: to = a from1 + b from2 + c. */
typedef struct {
  uint32_t to, from1, from2;
  double   a, b, c;
} LacLatticeLink;

typedef struct {
  /* Pulls and collides rows first ... last-1: two relaxation times (of the even and of the odd part), equilibrium of
   * He and Luo. */
  void (*collide)(const LacLatticeGrid *grid,
                  const double          omega[2],
                  const void           *from,
                  void                 *to,
                  size_t                first,
                  size_t                last);
  /* In the order of the list: later ones may read what earlier ones wrote. */
  void (*link)(const LacLatticeLink *links, size_t n, void *populations);
  /* Rests the cells at @offsets of a plane. */
  void (*rest)(const LacLatticeGrid *grid, const uint32_t *offsets, size_t n, void *populations);
  /* What linked walls took up in a step, direction by direction: adds h(from1) + h(to) to sums[direction]. */
  void (*impulse)(const LacLatticeLink *links,
                  const uint8_t        *directions,
                  size_t                n,
                  const void           *populations,
                  double                sums[LAC_LATTICE_N]);
  /* Of every cell the deviation of density, and momentum: [3][ny][nx]. */
  void (*measure)(const LacLatticeGrid *grid, const void *populations, double *moments);
  /* Sets every cell to its equilibrium at @moments. */
  void (*start)(const LacLatticeGrid *grid, const double *moments, void *populations);
} LacLatticeKernel;

extern const LacLatticeKernel lac_lattice_kernel_baseline_f32, lac_lattice_kernel_baseline_f64;
#ifdef __x86_64__
extern const LacLatticeKernel lac_lattice_kernel_v3_f32, lac_lattice_kernel_v3_f64;
extern const LacLatticeKernel lac_lattice_kernel_v4_f32, lac_lattice_kernel_v4_f64;
#endif
