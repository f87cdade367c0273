/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The strict backend over a device whose parts (planes, waves, electrons) have kernels that do nothing, or wait until they are told to
 * go on. */
#pragma once

#include "backend/registry.h"

#define IDLE_WORK_BYTES 256 /* of any work area of electrons */

void idle_device_open(LacDevice *device);

/* Kernels of parts wait from now on; until one does; and no more. */
void idle_device_hold(void);
void idle_device_wait(void);
void idle_device_let_go(void);
