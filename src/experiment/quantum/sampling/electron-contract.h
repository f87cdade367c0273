/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Test contract of a device's kernels for walkers of electrons (backend/electrons.h): rows like those of
 * backend/contract/contract.h, checked against the CPU in double precision. Also defines the small test systems that
 * the tests of the wavefunction use. */
#pragma once

#include "backend/contract/contract.h"
#include "experiment/quantum/wavefunction/wavefunction.h"

G_BEGIN_DECLS

typedef struct {
  const char *name;
  guint       n_nuclei, n_up, n_down;
  LacNucleus  nuclei[3];
  LacAnsatz   ansatz;
} LacElectronSystem;

/* The small systems have one to nine electrons and one to three nuclei, with every switch of the ansatz on and off.
 * Of the others, one has fourteen electrons in full determinants, which exceed the shared memory of a thread block;
 * one has layers so wide that their matrix products use the BLAS library. */
enum { LAC_N_SMALL_SYSTEMS = 10, LAC_N_ELECTRON_SYSTEMS = 13 };
extern const LacElectronSystem lac_electron_systems[LAC_N_ELECTRON_SYSTEMS];

/* @precision: "f64" or "f32"; @pool: (nullable) */
LacWavefunction *
lac_electron_system_new(const LacElectronSystem *system, const char *precision, LacPool *pool);

/* Returns: (transfer full): [n][N][3]: walkers away from the nuclei */
double *lac_electron_system_walkers(const LacElectronSystem *system, guint64 seed, gsize n);

/* Returns: (transfer full): [P]: initial parameters plus normal deviates scaled by @noise, so that no parameter has a
 * special value */
double *lac_electron_system_theta(const LacWavefunction *wavefunction, guint64 seed, double noise);

/* Rows for devices whose table has `electrons`; the last row has no name. */
extern const LacContractRow lac_electron_contract_rows[];

G_END_DECLS
