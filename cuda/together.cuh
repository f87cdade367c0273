/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Merging of small kernels. *done: the kernel was merged with others; else the caller launches it, after those
 * enqueued before. */
#pragma once

#include "cuda/device.cuh"

LacStatus strided_together(CudaDevice *device, const LacStrided *args, bool *done);
LacStatus
fill_together(CudaDevice *device, LacType type, void *y, double value, size_t n, bool *done);
/* y = a b + beta y for two factors of args, or for y_bar and one of them. */
LacStatus product_together(CudaDevice      *device,
                           const LacMulJet *args,
                           const void      *a,
                           const void      *b,
                           void            *y,
                           double           beta,
                           bool            *done);
