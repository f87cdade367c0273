/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A layer of jets on a device: one fused kernel against separate product and formula. */
#pragma once

#include "backend/registry.h"

#include <glib.h>

/* Prints rows "device/jet-layer-WIDTHxWIDTH-TYPE": time per call of both variants and their ratio, forward and in
 * reverse, the latter with the gradients of weights and bias. @is_small: sizes for an emulated device. Prints nothing
 * where the device has only one variant. */
void bench_jet_layers(LacDevice device, gboolean is_small);
