/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Contract helpers for planes as defined in backend/planes.h. */
#pragma once

#include "backend/contract/private.h"
#include "backend/plane-layers.h"
#include "base/pool.h"

const LacPlaneLayers *lac_contract_plane_layers(const LacContract *contract);

/* Returns a buffer of @n planes of @side x @side random values, zero elsewhere; the first value of the first plane is
 * at shape.lead. */
LacContractBuffer *lac_contract_planes_random(LacContract *contract, gsize side, gsize n);
/* Returns the device address of the first value of the first plane. */
void *
lac_contract_planes_first(const LacContract *contract, const LacContractBuffer *buffer, gsize side);
/* Returns the address of value (i, j) of plane c in a buffer's `host`, or in an array laid out like it. */
double *lac_contract_planes_pixel(double *planes, gsize side, gsize c, gsize i, gsize j);
