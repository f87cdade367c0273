/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of an optimisation iteration between moves, energies and derivatives. See LacDeviceElectrons. */
#pragma once

#include "backend/electrons.h"

LacStatus lac_cpu_adapt(void *self, const LacElectronBatch *batch, const LacElectronAdapt *args);
LacStatus
lac_cpu_energies(void *self, const LacElectronBatch *batch, const LacElectronEnergies *args);
LacStatus lac_cpu_clip(void *self, const LacElectronBatch *batch, const LacElectronClip *args);
LacStatus lac_cpu_reseed(void *self, const LacElectronBatch *batch, const LacElectronReseed *args);
LacStatus lac_cpu_centre(void *self, const LacElectronBatch *batch, const LacElectronCentre *args);
LacStatus lac_cpu_remember(void *self, const LacElectronBatch *batch, const LacElectronKept *args);
LacStatus lac_cpu_conclude(void *self, const LacElectronBatch *batch, const LacElectronKept *args);
LacStatus lac_cpu_count(void *self, const LacElectronBatch *batch, const LacElectronCount *args);
LacStatus
lac_cpu_descend(void *self, const LacElectronBatch *batch, const LacElectronDescend *args);
