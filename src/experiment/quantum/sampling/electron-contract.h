/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The contract of a device's kernels for walkers of electrons (backend/electrons.h): rows as those of backend/contract/contract.h, against
 * the processor in double precision. With the small systems that they and the tests of the wavefunction are about. */
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

/* One electron to nine, one nucleus to three, every switch of the ansatz on and off; then fourteen electrons under full determinants,
 * more than a block's own memory holds, and layers whose products are the library's. */
enum { LAC_N_SMALL_SYSTEMS = 10, LAC_N_ELECTRON_SYSTEMS = 12 };
extern const LacElectronSystem lac_electron_systems[LAC_N_ELECTRON_SYSTEMS];

/* @precision: "f64" or "f32"; @pool: (nullable) */
LacWavefunction *
lac_electron_system_new(const LacElectronSystem *system, const char *precision, LacPool *pool);

/* Walkers away from nuclei. Returns: (transfer full): [n][N][3] */
double *lac_electron_system_walkers(const LacElectronSystem *system, guint64 seed, gsize n);

/* Initial parameters, moved by @noise normal deviates so that none is special. Returns: (transfer full): [P] */
double *lac_electron_system_theta(const LacWavefunction *wavefunction, guint64 seed, double noise);

/* For devices whose table has `electrons`; ends with a row without a name. */
extern const LacContractRow lac_electron_contract_rows[];

G_END_DECLS
