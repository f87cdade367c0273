/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small systems and walkers away from nodes and nuclei, for the tests of the wavefunction. */
#pragma once

#include "experiment/quantum/wavefunction.h"

typedef struct {
  const char *name;
  guint       n_nuclei, n_up, n_down;
  LacNucleus  nuclei[3];
  LacAnsatz   ansatz;
} System;

/* Ten systems: one electron to nine, one nucleus to three, every switch of the ansatz on and off. */
#define N_SYSTEMS 10
extern const System systems[N_SYSTEMS];

LacWavefunction *system_new(const System *system, const char *precision, LacPool *pool);

/* [n][N][3] around the nuclei. */
double *system_walkers(const System *system, guint64 seed, gsize n);

/* Initial parameters, moved by @noise normal deviates so that none is special: [P]. */
double *system_theta(const LacWavefunction *wavefunction, guint64 seed, double noise);

/* Of one walker in place. */
double log_abs_at(LacWavefunction *wavefunction, const double *theta, const double *walker);

/* Derivatives at 0 of @func by central differences of widths h, 2 h and 4 h, extrapolated to order h^6. */
typedef double (*Curve)(double x, gpointer user_data);
void curve_derivatives(Curve func, gpointer user_data, double h, double *first, double *second);
