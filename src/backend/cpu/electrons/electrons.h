/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "backend/electrons.h"

extern const LacDeviceElectrons lac_cpu_electrons;
