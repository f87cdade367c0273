/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Element types with the names of CUDA's libraries. */
#pragma once

typedef enum {
  CUDA_R_32F = 0,
  CUDA_R_64F = 1,
  CUDA_R_16BF = 14,
} cudaDataType_t;
typedef cudaDataType_t cudaDataType;
