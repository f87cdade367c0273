/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The field of gappy POD from sensor values, as the methods compute it. */
#pragma once

#include "sensor/gappy.h"

/* @found: (out): [pod->n] */
void reconstruct(LacGappy *gappy, const LacPod *pod, const double *values, double *found);
