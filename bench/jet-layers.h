/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A layer of jets on a device, in one kernel beside product and formula one after the other. */
#pragma once

#include "backend/registry.h"

#include <glib.h>

/* Prints rows "device/jet-layer-WIDTHxWIDTH-TYPE": time of a call each way and their ratio, forward and in reverse, the latter with the
 * gradients of weights and bias. @is_small: sizes for a device that is emulated. Nothing where the device has one way alone. */
void bench_jet_layers(LacDevice device, gboolean is_small);
