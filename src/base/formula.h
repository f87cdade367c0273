/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Marker for functions shared by CPU and device code: inline for gcc, __host__ __device__ for nvcc. */
#pragma once

#ifdef __CUDACC__
#  define LAC_FORMULA static __host__ __device__ __forceinline__
#else
#  define LAC_FORMULA static inline
#endif
