/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Planes on the bench, as backend/planes.h has them. */
#pragma once

#include "backend-bench.h"

#include "backend/plane-layers.h"
#include "base/pool.h"

const LacPlaneLayers *plane_layers_of(const Bench *bench);

/* Zeros with random planes of @side in them; the first number of the first plane is at shape.lead. */
Buffer *planes_random(Bench *bench, gsize side, gsize n);
/* Where it is on the device. */
void *planes_first(const Bench *bench, const Buffer *buffer, gsize side);
/* Number (i, j) of plane c of a buffer's `host`, or of one like it. */
double *planes_pixel(double *planes, gsize side, gsize c, gsize i, gsize j);
