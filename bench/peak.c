/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The probe of the floating-point peak: independent chains of multiply-adds that never leave the registers. For x86-64. */
#include "peak.h"

#include <immintrin.h>
#include <stdlib.h>
#include <time.h>

#define MAX_THREADS 64
#define PROBE       0.05

static double
seconds(clockid_t clock)
{
  struct timespec t;

  clock_gettime(clock, &t);
  return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

double
bench_wall_seconds(void)
{
  return seconds(CLOCK_MONOTONIC);
}

double
bench_process_seconds(void)
{
  return seconds(CLOCK_PROCESS_CPUTIME_ID);
}

static int
compare(const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

double
bench_median(double *numbers, gsize n)
{
  qsort(numbers, n, sizeof *numbers, compare);
  return n % 2 ? numbers[n / 2] : (numbers[n / 2 - 1] + numbers[n / 2]) / 2;
}

typedef double (*Chains)(gsize n_rounds); /* returns FLOP per round */

/* One chain per register; the assembly keeps the compiler from folding or moving the loop. */
#define CHAINS(name, features, Vector, prefix, suffix, n_chains)                 \
  __attribute__((target(features), noinline)) static double name(gsize n_rounds) \
  {                                                                              \
    Vector sum[n_chains], factor = prefix##set1##suffix(0.9999f),                \
                          term = prefix##set1##suffix(1e-4f);                    \
    _Pragma("GCC unroll 16") for (int i = 0; i < n_chains; i++) sum[i] =         \
      prefix##set1##suffix(1 + (float) i / 64);                                  \
    for (gsize round = 0; round < n_rounds; round++) {                           \
      _Pragma("GCC unroll 16") for (int i = 0; i < n_chains; i++) sum[i] =       \
        prefix##fmadd##suffix(sum[i], factor, term);                             \
      __asm__ volatile("" : "+v"(sum[0]), "+v"(sum[n_chains - 1]));              \
    }                                                                            \
    _Pragma("GCC unroll 16") for (int i = 1; i < n_chains; i++) sum[0] =         \
      prefix##add##suffix(sum[0], sum[i]);                                       \
    __asm__ volatile("" : "+v"(sum[0]));                                         \
    return 2.0 * n_chains * (double) (sizeof factor / sizeof factor[0]);         \
  }

CHAINS(chains_512_f32, "avx512f", __m512, _mm512_, _ps, 16)
CHAINS(chains_512_f64, "avx512f", __m512d, _mm512_, _pd, 16)
CHAINS(chains_256_f32, "avx2,fma", __m256, _mm256_, _ps, 12)
CHAINS(chains_256_f64, "avx2,fma", __m256d, _mm256_, _pd, 12)

static Chains
widest(LacType type)
{
  __builtin_cpu_init();
  if (__builtin_cpu_supports("x86-64-v4"))
    return type == LAC_F32 ? chains_512_f32 : chains_512_f64;
  if (__builtin_cpu_supports("x86-64-v3"))
    return type == LAC_F32 ? chains_256_f32 : chains_256_f64;
  g_error("the peak is probed with AVX2 and FMA or AVX-512, which this processor lacks");
}

typedef struct {
  Chains chains;
  gint  *waiting; /* threads that have not arrived yet */
  double flops, begin, end, cpu;
} Probe;

static gpointer
probe_run(gpointer data)
{
  Probe       *probe = data;
  const gsize  n_rounds = 20000;
  const double start = bench_wall_seconds();

  g_atomic_int_add(probe->waiting, -1);
  while (g_atomic_int_get(probe->waiting) > 0 && bench_wall_seconds() < start + 1)
    ;
  probe->begin = bench_wall_seconds();
  probe->cpu = -seconds(CLOCK_THREAD_CPUTIME_ID);
  do {
    probe->flops += probe->chains(n_rounds) * (double) n_rounds;
    probe->end = bench_wall_seconds();
  } while (probe->end < probe->begin + PROBE);
  probe->cpu += seconds(CLOCK_THREAD_CPUTIME_ID);
  return NULL;
}

BenchClocks
bench_peak(LacType type, guint n_threads)
{
  GThread    *threads[MAX_THREADS];
  Probe       probes[MAX_THREADS] = {{0}};
  gint        waiting = (gint) CLAMP(n_threads, 1, MAX_THREADS);
  const guint n = (guint) waiting;
  double      begin, end, flops = 0;
  BenchClocks peak = {0};

  for (guint i = 0; i < n; i++) {
    probes[i] = (Probe){.chains = widest(type), .waiting = &waiting};
    threads[i] = g_thread_new("peak", probe_run, &probes[i]);
  }
  for (guint i = 0; i < n; i++)
    g_thread_join(threads[i]);
  begin = probes[0].begin, end = probes[0].end;
  for (guint i = 0; i < n; i++) {
    begin = MIN(begin, probes[i].begin);
    end = MAX(end, probes[i].end);
    flops += probes[i].flops;
    peak.cpu += probes[i].flops / probes[i].cpu;
  }
  peak.wall = flops / (end - begin);
  return peak;
}
