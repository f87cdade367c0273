/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A formula that is written once: an inline function for gcc, and for nvcc one of the host and of the device. */
#pragma once

#ifdef __CUDACC__
#  define LAC_FORMULA static __host__ __device__ __forceinline__
#else
#  define LAC_FORMULA static inline
#endif
