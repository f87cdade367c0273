/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Detection of the processor's level, limited by LACUNA_CPU_LEVEL. */
#include "backend/cpu/cpu.h"

#include <glib.h>

#ifdef __x86_64__
#  ifdef __clang__ /* before 17 it lacks level names: tests the last feature each level added */
#    define HAS_V4                                                                 \
      (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&  \
       __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") && \
       __builtin_cpu_supports("avx512vl"))
#    define HAS_V3                                                         \
      (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") && \
       __builtin_cpu_supports("fma"))
#  else
#    define HAS_V4 __builtin_cpu_supports("x86-64-v4")
#    define HAS_V3 __builtin_cpu_supports("x86-64-v3")
#  endif
#endif

static LacCpuLevel
level_of_processor(void)
{
#ifdef __x86_64__
  __builtin_cpu_init();
  if (HAS_V4)
    return LAC_CPU_V4;
  if (HAS_V3)
    return LAC_CPU_V3;
#endif
  return LAC_CPU_BASELINE;
}

LacCpuLevel
lac_cpu_level(void)
{
  const char *asked = g_getenv("LACUNA_CPU_LEVEL");
  LacCpuLevel level = level_of_processor();

  if (g_strcmp0(asked, "baseline") == 0)
    return LAC_CPU_BASELINE;
  if (g_strcmp0(asked, "v3") == 0)
    return MIN(level, LAC_CPU_V3);
  return level;
}
