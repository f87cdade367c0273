/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Peak measurements: independent chains of multiply-adds in registers; memory read and copied. */
#include "backend/cpu/peak.h"

#include "base/clock.h"

#include <string.h>
#include <time.h>
#ifdef __x86_64__
#  include <immintrin.h>
#endif

#define PROBE_NS ((gint64) 50 * 1000 * 1000)
#define LATE_NS \
  ((gint64) 1000 * 1000 * 1000) /* the measurement starts without threads later than this */
#define N_ROUNDS ((gsize) 20000)
#define N_BYTES  ((gsize) 128 << 20)

typedef struct _Probe Probe;

struct _Probe {
  double (*work)(Probe *probe); /* does a portion of work; returns its amount: FLOP or bytes */
  double (*chains)(gsize n_rounds);
  guint64 *numbers; /* [n_numbers]: this thread's own range */
  gsize    n_numbers;
  gint    *waiting; /* threads still to arrive */
  double   done;
  gint64   begin_ns, end_ns, cpu_ns;
};

/* ---- multiply-adds ---- */

/* Rounds of sixteen bytes, multiplied and added separately: for processors without the instructions below. */
#define PLAIN_CHAINS(name, Real)                                                             \
  static double name(gsize n_rounds)                                                         \
  {                                                                                          \
    typedef Real Vector __attribute__((vector_size(16)));                                    \
    Vector       sum[12] = {{0}};                                                            \
    const Vector factor = (Vector){0} + (Real) 0.9999, term = (Vector){0} + (Real) 1e-4;     \
    for (gsize round = 0; round < n_rounds; round++) {                                       \
      _Pragma("GCC unroll 16") for (int i = 0; i < 12; i++) sum[i] = sum[i] * factor + term; \
    }                                                                                        \
    _Pragma("GCC unroll 16") for (int i = 1; i < 12; i++) sum[0] += sum[i];                  \
    __asm__ volatile("" : : "m"(sum[0]));                                                    \
    return 2.0 * 12 * (double) (sizeof(Vector) / sizeof(Real));                              \
  }

PLAIN_CHAINS(chains_128_f32, float)
PLAIN_CHAINS(chains_128_f64, double)

#ifdef __x86_64__
/* One chain per register; the assembly prevents the compiler from folding or moving the loop. Returns: FLOP per
 * round */
#  define CHAINS(name, features, Vector, prefix, suffix, n_chains)                 \
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
#endif

static double (*widest(LacType type))(gsize)
{
#ifdef __x86_64__
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f"))
    return type == LAC_F32 ? chains_512_f32 : chains_512_f64;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return type == LAC_F32 ? chains_256_f32 : chains_256_f64;
#endif
  return type == LAC_F32 ? chains_128_f32 : chains_128_f64;
}

static double
multiply_and_add(Probe *probe)
{
  return probe->chains(N_ROUNDS) * (double) N_ROUNDS;
}

/* ---- memory ---- */

static double
read_numbers(Probe *probe)
{
  const guint64 *numbers = probe->numbers;
  guint64        all = 0;

#pragma omp simd reduction(^ : all)
  for (gsize i = 0; i < probe->n_numbers; i++)
    all ^= numbers[i];
  __asm__ volatile("" : : "r"(all));
  return (double) (probe->n_numbers * sizeof *numbers);
}

static double
copy_numbers(Probe *probe)
{
  const gsize half = probe->n_numbers / 2;

  memcpy(probe->numbers + half, probe->numbers, half * sizeof *probe->numbers);
  __asm__ volatile("" : : "r"(probe->numbers) : "memory");
  return 2.0 * (double) (half * sizeof *probe->numbers);
}

/* ---- all threads at once ---- */

static gint64
thread_cpu_ns(void)
{
  struct timespec t;

  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (gint64) t.tv_sec * 1000000000 + t.tv_nsec;
}

static gpointer
probe_run(gpointer data)
{
  Probe       *probe = data;
  const gint64 start_ns = lac_clock_ns();

  g_atomic_int_add(probe->waiting, -1);
  while (g_atomic_int_get(probe->waiting) > 0 && lac_clock_ns() < start_ns + LATE_NS)
    ;
  probe->begin_ns = lac_clock_ns();
  probe->cpu_ns = -thread_cpu_ns();
  do {
    probe->done += probe->work(probe);
    probe->end_ns = lac_clock_ns();
  } while (probe->end_ns < probe->begin_ns + PROBE_NS);
  probe->cpu_ns += thread_cpu_ns();
  return NULL;
}

static LacCpuRate
run_all(Probe *probes, guint n)
{
  g_autofree GThread **threads = g_new(GThread *, n);
  gint                 waiting = (gint) n;
  gint64               begin_ns = G_MAXINT64, end_ns = 0;
  double               done = 0;
  LacCpuRate           rate = {0};

  for (guint i = 0; i < n; i++) {
    probes[i].waiting = &waiting;
    threads[i] = g_thread_new("peak", probe_run, &probes[i]);
  }
  for (guint i = 0; i < n; i++)
    g_thread_join(threads[i]);
  for (guint i = 0; i < n; i++) {
    begin_ns = MIN(begin_ns, probes[i].begin_ns);
    end_ns = MAX(end_ns, probes[i].end_ns);
    done += probes[i].done;
    rate.cpu += probes[i].done / (1e-9 * (double) probes[i].cpu_ns);
  }
  rate.wall = done / (1e-9 * (double) (end_ns - begin_ns));
  return rate;
}

LacCpuRate
lac_cpu_peak_flops(LacType type, guint n_threads)
{
  const guint       n = MAX(n_threads, 1);
  g_autofree Probe *probes = g_new0(Probe, n);

  for (guint i = 0; i < n; i++) {
    probes[i].work = multiply_and_add;
    probes[i].chains = widest(type);
  }
  return run_all(probes, n);
}

LacCpuRate
lac_cpu_peak_bytes(guint n_threads)
{
  const guint         n = MAX(n_threads, 1);
  const gsize         n_numbers = N_BYTES / sizeof(guint64), part = n_numbers / n;
  g_autofree guint64 *numbers = g_new(guint64, n_numbers);
  LacCpuRate          rates[2];
  double (*const works[2])(Probe *) = {read_numbers, copy_numbers};

  memset(numbers, 1, N_BYTES); /* unwritten zero pages would all map to one page of memory */
  for (int w = 0; w < 2; w++) {
    g_autofree Probe *probes = g_new0(Probe, n);

    for (guint i = 0; i < n; i++) {
      probes[i].work = works[w];
      probes[i].numbers = numbers + i * part;
      probes[i].n_numbers = part;
    }
    rates[w] = run_all(probes, n);
  }
  return rates[rates[1].cpu > rates[0].cpu];
}
