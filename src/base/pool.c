/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pool: workers spin a little and then sleep on a futex; items are dealt by one atomic counter. */
#define _GNU_SOURCE
#include "base/pool.h"

#include "base/clock.h"

#include <linux/futex.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>
#if defined(__x86_64__)
#  include <immintrin.h>
#endif

#define SPIN_NS    20000
#define CACHE_LINE 64

typedef struct {
  LacPool *pool;
  guint    worker;
  GThread *thread;
} Member;

struct _LacPool {
  guint       n_threads;
  Member     *members; /* n_threads; the first is the caller and has no thread */
  LacPoolFunc func;
  gpointer    user_data;
  gsize       n_items;
  gboolean    quit;
  _Alignas(CACHE_LINE) atomic_size_t next;    /* item to hand out */
  _Alignas(CACHE_LINE) atomic_int generation; /* of the current job */
  _Alignas(CACHE_LINE) atomic_int unfinished; /* workers still at it */
};

/* Flush-to-zero and denormals-are-zero; returns what was there. MXCSR is per thread. */
static guint
flush_denormals(void)
{
#if defined(__x86_64__)
  const guint before = _mm_getcsr();

  _mm_setcsr(before | 0x8040);
  return before;
#else
  return 0;
#endif
}

static void
restore_denormals(guint state)
{
#if defined(__x86_64__)
  _mm_setcsr(state);
#else
  (void) state;
#endif
}

static void
pause_processor(void)
{
#if defined(__x86_64__)
  _mm_pause();
#endif
}

/* Waits until *word differs from @value. */
static int
wait_while(atomic_int *word, int value)
{
  const gint64 give_up = lac_clock_ns() + SPIN_NS;
  int          now;

  do {
    for (int i = 0; i < 64; i++) {
      now = atomic_load_explicit(word, memory_order_acquire);
      if (now != value)
        return now;
      pause_processor();
    }
  } while (lac_clock_ns() < give_up);
  while ((now = atomic_load_explicit(word, memory_order_acquire)) == value)
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
  return now;
}

static void
wake_all(atomic_int *word)
{
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, G_MAXINT, NULL, NULL, 0);
}

static void
work(LacPool *pool, guint worker)
{
  for (;;) {
    const gsize item = atomic_fetch_add_explicit(&pool->next, 1, memory_order_relaxed);

    if (item >= pool->n_items)
      return;
    pool->func(item, worker, pool->user_data);
  }
}

static gpointer
worker_main(gpointer data)
{
  Member  *member = data;
  LacPool *pool = member->pool;
  int      generation = 0;

  flush_denormals();
  for (;;) {
    generation = wait_while(&pool->generation, generation);
    if (pool->quit)
      return NULL;
    work(pool, member->worker);
    if (atomic_fetch_sub_explicit(&pool->unfinished, 1, memory_order_acq_rel) == 1)
      wake_all(&pool->unfinished);
  }
}

/* The quota of the control group in whole processors; 0 when there is none. */
static guint
group_quota(void)
{
  g_autofree char *text = NULL;
  g_auto(GStrv)    parts = NULL;

  if (!g_file_get_contents("/sys/fs/cgroup/cpu.max", &text, NULL, NULL))
    return 0;
  parts = g_strsplit(g_strstrip(text), " ", 2);
  if (g_strv_length(parts) != 2 || g_str_equal(parts[0], "max"))
    return 0;
  return (guint) MAX(1.0,
                     g_ascii_strtod(parts[0], NULL) / MAX(1.0, g_ascii_strtod(parts[1], NULL)));
}

guint
lac_pool_available(void)
{
  cpu_set_t   set;
  guint       n = g_get_num_processors();
  const guint quota = group_quota();

  CPU_ZERO(&set);
  if (!sched_getaffinity(0, sizeof set, &set))
    n = (guint) CPU_COUNT(&set);
  return quota ? MIN(n, quota) : n;
}

LacPool *
lac_pool_new(guint n_threads)
{
  LacPool *pool = g_aligned_alloc0(1, sizeof *pool, CACHE_LINE);

  pool->n_threads = n_threads ? n_threads : lac_pool_available();
  pool->members = g_new0(Member, pool->n_threads);
  for (guint i = 1; i < pool->n_threads; i++) {
    pool->members[i] = (Member){.pool = pool, .worker = i};
    pool->members[i].thread = g_thread_new("lacuna-pool", worker_main, &pool->members[i]);
  }
  return pool;
}

void
lac_pool_free(LacPool *pool)
{
  if (!pool)
    return;
  pool->quit = TRUE;
  atomic_fetch_add_explicit(&pool->generation, 1, memory_order_release);
  wake_all(&pool->generation);
  for (guint i = 1; i < pool->n_threads; i++)
    g_thread_join(pool->members[i].thread);
  g_free(pool->members);
  g_aligned_free(pool);
}

guint
lac_pool_get_n_threads(const LacPool *pool)
{
  return pool->n_threads;
}

void
lac_pool_run(LacPool *pool, gsize n_items, LacPoolFunc func, gpointer user_data)
{
  const guint denormals = flush_denormals();
  int         unfinished;

  pool->func = func;
  pool->user_data = user_data;
  pool->n_items = n_items;
  atomic_store_explicit(&pool->next, 0, memory_order_relaxed);
  if (pool->n_threads > 1 && n_items > 1) {
    atomic_store_explicit(&pool->unfinished, (int) pool->n_threads - 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&pool->generation, 1, memory_order_release);
    wake_all(&pool->generation);
  }
  work(pool, 0);
  if (pool->n_threads > 1 && n_items > 1)
    while ((unfinished = atomic_load_explicit(&pool->unfinished, memory_order_acquire)) > 0)
      wait_while(&pool->unfinished, unfinished);
  restore_denormals(denormals);
}
