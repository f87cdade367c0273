/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of the cpu backend share. */
#pragma once

#include "backend/cpu/cpu.h"
#include "backend/cpu/loops/loops.h"

/* An opened cpu backend: immutable, so that any thread may use it. */
typedef struct {
  LacCpuLevel        level;
  const LacCpuLoops *loops[2]; /* by LacType */
} LacCpu;

size_t    lac_cpu_layer_pack_bytes(void *self, const LacLayer *args);
LacStatus lac_cpu_layer_pack(void *self, const LacLayer *args, void *w_forward, void *w_reverse);
size_t    lac_cpu_layer_work_bytes(void *self, const LacLayer *args);
LacStatus lac_cpu_layer(void *self, const LacLayer *args);
LacStatus lac_cpu_layer_reverse(void *self, const LacLayer *args);

/* Transforms that keep no plans. */
LacStatus lac_cpu_fft_prepare_nothing(void *self, const LacFft *args);
LacStatus lac_cpu_fft_forward_planning(void *self, const LacFft *args);
LacStatus lac_cpu_fft_inverse_planning(void *self, const LacFft *args);

LacStatus lac_cpu_fft_prepare(void *self, const LacFft *args);
LacStatus lac_cpu_fft_forward(void *self, const LacFft *args);
LacStatus lac_cpu_fft_inverse(void *self, const LacFft *args);
