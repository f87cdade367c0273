/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Planes on the contract, as backend/planes.h has them. */
#pragma once

#include "backend/contract/private.h"
#include "backend/plane-layers.h"
#include "base/pool.h"

const LacPlaneLayers *lac_contract_plane_layers(const LacContract *contract);

/* Zeros with random planes of @side in them; the first number of the first plane is at shape.lead. */
LacContractBuffer *lac_contract_planes_random(LacContract *contract, gsize side, gsize n);
/* Where it is on the device. */
void *
lac_contract_planes_first(const LacContract *contract, const LacContractBuffer *buffer, gsize side);
/* Number (i, j) of plane c of a buffer's `host`, or of one like it. */
double *lac_contract_planes_pixel(double *planes, gsize side, gsize c, gsize i, gsize j);
