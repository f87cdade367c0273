/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Formulas written once: an inline function for gcc, a __host__ __device__ function for nvcc. */
#pragma once

#ifdef __CUDACC__
#  define LAC_FORMULA static __host__ __device__ __forceinline__
#else
#  define LAC_FORMULA static inline
#endif
