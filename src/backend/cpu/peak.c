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
#define CACHE_NS ((gint64) 20 * 1000 * 1000)
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
  gsize    n_rounds; /* of the numbers in a portion of work */
  gint64   least_ns;
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

/* Sixteen-byte reads keep memory busy; a cache delivers more to the widest vectors. Eight chains hide the latency. */
#define READ_NUMBERS(name, features, width)                                             \
  features static double name(Probe *probe)                                             \
  {                                                                                     \
    typedef guint64 Vector __attribute__((vector_size(width), aligned(8)));             \
    const Vector   *numbers = (const Vector *) (gconstpointer) probe->numbers;          \
    const gsize     n = probe->n_numbers * sizeof(guint64) / sizeof(Vector) / 8 * 8;    \
    Vector          all[8] = {{0}};                                                     \
    for (gsize round = 0; round < probe->n_rounds; round++) {                           \
      for (gsize i = 0; i < n; i += 8) {                                                \
        _Pragma("GCC unroll 8") for (gsize k = 0; k < 8; k++) all[k] ^= numbers[i + k]; \
      }                                                                                 \
      __asm__ volatile("" : : "r"(probe->numbers) : "memory");                          \
    }                                                                                   \
    for (gsize k = 1; k < 8; k++)                                                       \
      all[0] ^= all[k];                                                                 \
    __asm__ volatile("" : : "m"(all[0]));                                               \
    return (double) (n * sizeof(Vector)) * (double) probe->n_rounds;                    \
  }

READ_NUMBERS(read_128, , 16)
#ifdef __x86_64__
READ_NUMBERS(read_256, __attribute__((target("avx2"), noinline)), 32)
READ_NUMBERS(read_512, __attribute__((target("avx512f"), noinline)), 64)
#endif

static double (*widest_read(void))(Probe *)
{
#ifdef __x86_64__
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f"))
    return read_512;
  if (__builtin_cpu_supports("avx2"))
    return read_256;
#endif
  return read_128;
}

static double
copy_numbers(Probe *probe)
{
  const gsize half = probe->n_numbers / 2;

  for (gsize round = 0; round < probe->n_rounds; round++) {
    memcpy(probe->numbers + half, probe->numbers, half * sizeof *probe->numbers);
    __asm__ volatile("" : : "r"(probe->numbers) : "memory");
  }
  return 2.0 * (double) (half * sizeof *probe->numbers) * (double) probe->n_rounds;
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
  } while (probe->end_ns < probe->begin_ns + probe->least_ns);
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
    probes[i].least_ns = PROBE_NS;
  }
  return run_all(probes, n);
}

/* Measures reading and copying. @n_rounds: over the numbers of a thread in a portion of work */
static LacCpuRate
measure_bytes(guint n, gsize n_numbers, gsize n_rounds, gint64 least_ns)
{
  const gsize         n_bytes = n * n_numbers * sizeof(guint64);
  g_autofree guint64 *numbers = g_malloc(n_bytes);
  LacCpuRate          rates[2];
  double (*const works[2])(Probe *) = {widest_read(), copy_numbers};

  memset(numbers, 1, n_bytes); /* unwritten zero pages would all map to one page of memory */
  for (int w = 0; w < 2; w++) {
    g_autofree Probe *probes = g_new0(Probe, n);

    for (guint i = 0; i < n; i++) {
      probes[i].work = works[w];
      probes[i].numbers = numbers + i * n_numbers;
      probes[i].n_numbers = n_numbers;
      probes[i].n_rounds = n_rounds;
      probes[i].least_ns = least_ns;
    }
    rates[w] = run_all(probes, n);
  }
  return rates[rates[1].cpu > rates[0].cpu];
}

LacCpuRate
lac_cpu_peak_bytes(guint n_threads)
{
  const guint n = MAX(n_threads, 1);

  return measure_bytes(n, N_BYTES / sizeof(guint64) / n, 1, PROBE_NS);
}

LacCpuRate
lac_cpu_peak_cache_bytes(guint n_threads, gsize n_bytes)
{
  g_return_val_if_fail(n_bytes >= 1024, ((LacCpuRate){0}));
  const gsize n_numbers = n_bytes / sizeof(guint64);

  return measure_bytes(MAX(n_threads, 1), n_numbers, MAX(((gsize) 4 << 20) / n_bytes, 1), CACHE_NS);
}
