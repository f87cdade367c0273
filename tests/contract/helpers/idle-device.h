/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The strict backend over a device whose parts (planes, waves, electrons) have kernels that do nothing, or block
 * until released. */
#pragma once

#include "backend/registry.h"

#define IDLE_WORK_BYTES 256 /* size of every work area of electrons */

void idle_device_open(LacDevice *device);

/* hold: kernels of parts block from now on; wait: until one does; let_go: releases them. */
void idle_device_hold(void);
void idle_device_wait(void);
void idle_device_let_go(void);
