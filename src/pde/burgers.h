/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Burgers' equation in one space dimension. */
#pragma once

#include "pde/pde.h"

extern const LacPde lac_pde_burgers;
