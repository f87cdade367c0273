/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Independent samples of electrons in exp(-2 z |r - centre|). */
#pragma once

#include "base/rng.h"

#include <glib.h>

G_BEGIN_DECLS

void hydrogenic_draw(LacRng *rng, double z, const double centre[3], double position[3]);

G_END_DECLS
