/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values of the wavefunction, on the systems of the electrons' contract. */
#pragma once

#include "experiment/quantum/sampling/electron-contract.h"
#include "helpers/curve.h"

/* Returns log |psi| of one walker. */
double log_abs_at(LacWavefunction *wavefunction, const double *theta, const double *walker);
