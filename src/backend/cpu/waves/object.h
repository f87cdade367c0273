/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Entries of the cpu table: structural losses, and descents over the pixels of an object. */
#pragma once

#include "backend/waves.h"

#include <glib.h>

G_BEGIN_DECLS

LacStatus lac_cpu_structure(void *self, const LacWaves *args);
LacStatus lac_cpu_reparametrise(void *self, const LacWaveVariables *args);
LacStatus lac_cpu_reparametrise_reverse(void *self, const LacWaveVariables *args);
LacStatus lac_cpu_penalise(void *self, const LacWaveVariables *args);
LacStatus lac_cpu_conjugate(void *self, const LacWaveConjugate *args);
LacStatus lac_cpu_newton(void *self, const LacWaveNewton *args);

G_END_DECLS
