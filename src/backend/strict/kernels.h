/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kernels in the strict backend's table. */
#pragma once

#include "backend/backend.h"

#define K(name, Args) LacStatus lac_strict_##name(void *self, const Args *args);
LAC_BACKEND_KERNELS(K)
#undef K

LacStatus lac_strict_fill(void *self, LacType type, void *y, double value, size_t n);
size_t    lac_strict_layer_pack_bytes(void *self, const LacLayer *args);
size_t    lac_strict_layer_work_bytes(void *self, const LacLayer *args);
LacStatus lac_strict_layer_pack(void *self, const LacLayer *args, void *w_forward, void *w_reverse);
LacStatus lac_strict_fft_prepare(void *self, const LacFft *args);
