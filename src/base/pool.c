/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fork-join thread pool. One word counts the unclaimed items: a worker that wakes late finds none and need not be
 * waited for. A run ends when all its items have ended. */
#define _GNU_SOURCE /* syscall, pthread_setname_np */
#include "base/pool.h"

#include "base/clock.h"

#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#if defined(__SSE2__)
#  include <xmmintrin.h>
#endif

enum { LINE = 64, SPIN_NS = 20000, PAUSES_PER_LOOK = 16 };

typedef struct {
  LacPool  *pool;
  guint     index;
  pthread_t thread;
} Worker;

struct _LacPool {
  guint   n_threads;
  gint64  spin_ns;
  Worker *workers; /* [n_threads - 1] */

  /* The current run: written before @unclaimed, read only by threads that hold an unfinished item of it. */
  LacPoolFunc func;
  gpointer    user_data;
  gsize       n_items;
  guint32     run;

  alignas(LINE) atomic_size_t unclaimed;  /* items not yet claimed */
  alignas(LINE) atomic_size_t unfinished; /* items not yet reported as ended */
  alignas(LINE) atomic_uint started;      /* futex: number of the newest run */
  atomic_uint sleepers;                   /* workers asleep on @started, or about to sleep */
  alignas(LINE) atomic_uint ended;        /* futex: number of the run that ended last */
  atomic_uint caller_sleeps;
  atomic_bool stopping, busy, gives_way;
};

static void
futex_wait(atomic_uint *word, guint expected)
{
  syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, expected, NULL, NULL, 0);
}

static void
futex_wake(atomic_uint *word, gsize n)
{
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, (int) MIN(n, G_MAXINT), NULL, NULL, 0);
}

static void
pause_processor(void)
{
#if defined(__SSE2__)
  _mm_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

/* Returns: the previous value of the floating-point control register. */
static guint64
flush_denormals(void)
{
#if defined(__SSE2__)
  guint before = _mm_getcsr();
  _mm_setcsr(before | 0x8040); /* FTZ, DAZ */
  return before;
#elif defined(__aarch64__)
  guint64 before;
  __asm__ volatile("mrs %0, fpcr" : "=r"(before));
  __asm__ volatile("msr fpcr, %0" : : "r"(before | (1u << 24))); /* FZ */
  return before;
#else
  return 0;
#endif
}

static void
restore_denormals(guint64 before)
{
#if defined(__SSE2__)
  _mm_setcsr((guint) before);
#elif defined(__aarch64__)
  __asm__ volatile("msr fpcr, %0" : : "r"(before));
#endif
}

/* Spins until @word differs from @old or the time is up. Returns: the value of @word. */
static guint
spin_while(const LacPool *pool, atomic_uint *word, guint old)
{
  gint64 until = pool->spin_ns > 0 ? lac_clock_ns() + pool->spin_ns : 0;
  for (;;) {
    for (int i = 0; i < PAUSES_PER_LOOK; i++) {
      guint now = atomic_load_explicit(word, memory_order_acquire);
      if (now != old)
        return now;
      pause_processor();
    }
    if (until == 0 || lac_clock_ns() > until)
      return old;
  }
}

static guint
wait_for_start(LacPool *pool, guint seen)
{
  guint now = spin_while(pool, &pool->started, seen);
  if (now != seen)
    return now;
  /* Sequential consistency: either the caller sees the sleeper and wakes it, or the kernel sees the new number and
   * does not put it to sleep. */
  atomic_fetch_add(&pool->sleepers, 1);
  while ((now = atomic_load(&pool->started)) == seen)
    futex_wait(&pool->started, seen);
  atomic_fetch_sub(&pool->sleepers, 1);
  return now;
}

static void
wait_for_end(LacPool *pool, guint before)
{
  if (spin_while(pool, &pool->ended, before) != before)
    return;
  atomic_store(&pool->caller_sleeps, 1);
  while (atomic_load(&pool->ended) == before)
    futex_wait(&pool->ended, before);
  atomic_store(&pool->caller_sleeps, 0);
}

/* Claims an item; the run cannot end until report_end(). */
static gboolean
claim(LacPool *pool, gsize *item)
{
  gsize left = atomic_load_explicit(&pool->unclaimed, memory_order_acquire);
  while (left > 0) {
    if (atomic_compare_exchange_weak_explicit(&pool->unclaimed, &left, left - 1,
                                              memory_order_acq_rel, memory_order_acquire)) {
      *item = pool->n_items - left;
      return TRUE;
    }
  }
  return FALSE;
}

/* Returns: %TRUE for the last item of the run. */
static gboolean
report_end(LacPool *pool, gsize n_items)
{
  guint run = pool->run;
  if (atomic_fetch_sub_explicit(&pool->unfinished, n_items, memory_order_acq_rel) != n_items)
    return FALSE;
  atomic_store(&pool->ended, run);
  return TRUE;
}

static gboolean
work(LacPool *pool, guint worker)
{
  gsize n = 0, item;
  while (claim(pool, &item)) {
    pool->func(item, worker, pool->user_data);
    n++;
  }
  return n > 0 && report_end(pool, n);
}

/* On Linux the nice level is per thread. */
static void
give_way(void)
{
  pid_t thread = (pid_t) syscall(SYS_gettid);
  setpriority(PRIO_PROCESS, (id_t) thread,
              getpriority(PRIO_PROCESS, (id_t) thread) + LAC_GIVES_WAY);
}

static void *
worker_main(void *data)
{
  Worker  *worker = data;
  LacPool *pool = worker->pool;
  char     name[16];
  g_snprintf(name, sizeof name, "lacuna-%u", worker->index);
  pthread_setname_np(pthread_self(), name);
  flush_denormals();
  guint    seen = 0;
  gboolean given_way = FALSE;
  for (;;) {
    seen = wait_for_start(pool, seen);
    if (atomic_load(&pool->stopping))
      return NULL;
    if (!given_way && atomic_load_explicit(&pool->gives_way, memory_order_relaxed)) {
      give_way();
      given_way = TRUE;
    }
    if (work(pool, worker->index) && atomic_load(&pool->caller_sleeps))
      futex_wake(&pool->ended, 1);
  }
}

/* Blocks signals in the workers; existing threads handle them. */
static void
start_workers(LacPool *pool, guint n)
{
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pool->workers = g_new0(Worker, n);
  for (guint i = 0; i < n; i++) {
    Worker *worker = &pool->workers[i];
    *worker = (Worker){.pool = pool, .index = i + 1};
    if (pthread_create(&worker->thread, NULL, worker_main, worker) != 0)
      break; /* results do not depend on the number of threads */
    pool->n_threads++;
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

LacPool *
lac_pool_new(guint n_threads)
{
  guint available = lac_pool_available();
  if (n_threads == 0)
    n_threads = available;
  LacPool *pool = aligned_alloc(LINE, sizeof(LacPool));
  g_assert(pool != NULL);
  *pool = (LacPool){.n_threads = 1};
  pool->spin_ns =
    n_threads <= available
      ? SPIN_NS
      : 0; /* with more threads than processors, spinning would steal time from other workers */
  if (n_threads > 1)
    start_workers(pool, n_threads - 1);
  return pool;
}

void
lac_pool_free(LacPool *pool)
{
  if (pool == NULL)
    return;
  atomic_store(&pool->stopping, TRUE);
  atomic_fetch_add(&pool->started, 1);
  futex_wake(&pool->started, G_MAXINT);
  for (guint i = 0; i + 1 < pool->n_threads; i++)
    pthread_join(pool->workers[i].thread, NULL);
  g_free(pool->workers);
  free(pool);
}

void
lac_pool_give_way(LacPool *pool)
{
  g_return_if_fail(pool != NULL);
  give_way();
  atomic_store(&pool->gives_way, TRUE);
}

guint
lac_pool_get_n_threads(const LacPool *pool)
{
  g_return_val_if_fail(pool != NULL, 0);
  return pool->n_threads;
}

static void
run_shared(LacPool *pool, gsize n_items, LacPoolFunc func, gpointer user_data)
{
  guint before = pool->run;
  pool->func = func;
  pool->user_data = user_data;
  pool->n_items = n_items;
  pool->run = before + 1;
  atomic_store_explicit(&pool->unfinished, n_items, memory_order_relaxed);
  atomic_store_explicit(&pool->unclaimed, n_items, memory_order_release);
  atomic_fetch_add(&pool->started, 1);
  guint sleepers = atomic_load(&pool->sleepers);
  if (sleepers > 0)
    futex_wake(&pool->started, MIN(sleepers, n_items - 1));
  if (!work(pool, 0))
    wait_for_end(pool, before);
}

void
lac_pool_run(LacPool *pool, gsize n_items, LacPoolFunc func, gpointer user_data)
{
  g_return_if_fail(pool != NULL && func != NULL);
  if (n_items == 0)
    return;
  gboolean busy = atomic_exchange(&pool->busy, TRUE);
  g_assert(!busy); /* one caller at a time, no nesting */
  guint64 mode = flush_denormals();
  if (pool->n_threads == 1 || n_items == 1) {
    for (gsize i = 0; i < n_items; i++)
      func(i, 0, user_data);
  } else {
    run_shared(pool, n_items, func, user_data);
  }
  restore_denormals(mode);
  atomic_store(&pool->busy, FALSE);
}
