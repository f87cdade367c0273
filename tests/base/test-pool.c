/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every item once, bitwise identical for any number of threads, no allocation, denormals flushed and restored. */
#define _GNU_SOURCE /* syscall */
#include "base/pool.h"
#include "base/processors.h"

#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#if defined(__SSE2__)
#  include <xmmintrin.h>
#endif

static const guint thread_counts[] = {1, 2, 3, 8};

typedef struct {
  guint32     *times; /* by item; not atomic: an item has one worker */
  guint        n_threads;
  atomic_uint  foreign; /* calls with an invalid worker index */
  atomic_ulong sum;
} Count;

static void
count_item(gsize item, guint worker, gpointer user_data)
{
  Count *count = user_data;
  count->times[item]++;
  if (worker >= count->n_threads)
    atomic_fetch_add(&count->foreign, 1);
  atomic_fetch_add_explicit(&count->sum, item, memory_order_relaxed);
}

static void
test_every_item_once(void)
{
  enum { MOST = 1000, ROUNDS = 300 };
  guint32 *times = g_new0(guint32, MOST);
  for (gsize t = 0; t < G_N_ELEMENTS(thread_counts); t++) {
    g_autoptr(LacPool) pool = lac_pool_new(thread_counts[t]);
    g_assert_cmpuint(lac_pool_get_n_threads(pool), ==, thread_counts[t]);
    for (gsize round = 0; round < ROUNDS; round++) {
      gsize n = round < 20 ? round : (gsize) g_test_rand_int_range(0, MOST);
      Count count = {.times = times, .n_threads = thread_counts[t]};
      memset(times, 0, MOST * sizeof *times);
      lac_pool_run(pool, n, count_item, &count);
      for (gsize i = 0; i < MOST; i++)
        g_assert_cmpuint(times[i], ==, i < n);
      g_assert_cmpuint(count.foreign, ==, 0);
      g_assert_cmpuint(count.sum, ==, n == 0 ? 0 : n * (n - 1) / 2);
    }
  }
  g_free(times);
}

/* Runs without a pause catch workers that wake late for the previous run; pauses let them fall asleep. */
static void
test_short_runs(void)
{
  for (gsize t = 1; t < G_N_ELEMENTS(thread_counts); t++) {
    g_autoptr(LacPool) pool = lac_pool_new(thread_counts[t]);
    guint32            times[3] = {0};
    Count              count = {.times = times, .n_threads = thread_counts[t]};
    guint32            rounds = 2000;
    for (guint32 round = 0; round < rounds; round++) {
      lac_pool_run(pool, 3, count_item, &count);
      if (round % 100 == 0)
        g_usleep((gulong) g_test_rand_int_range(1, 200));
      for (gsize i = 0; i < 3; i++)
        g_assert_cmpuint(times[i], ==, round + 1);
    }
  }
}

static void
sleep_item(gsize item, guint worker, gpointer user_data)
{
  guint                *workers = user_data;
  const struct timespec pause = {0, 20 * 1000 * 1000};
  workers[item] = worker;
  nanosleep(&pause, NULL);
}

/* While one worker sleeps in its item another takes the rest: with two threads and two items each gets one. */
static void
test_work_is_shared(void)
{
  g_autoptr(LacPool) pool = lac_pool_new(2);
  guint              shared = 0;
  for (int i = 0; i < 5; i++) {
    guint workers[2] = {9, 9};
    lac_pool_run(pool, 2, sleep_item, workers);
    g_assert_cmpuint(workers[0], <, 2);
    g_assert_cmpuint(workers[1], <, 2);
    shared += workers[0] != workers[1];
  }
  g_assert_cmpuint(shared, >, 0);
}

enum { CHUNKS = 64, PER_CHUNK = 1000 };

static void
sum_chunk(gsize item, guint worker, gpointer user_data)
{
  double *sums = user_data, sum = 0;
  for (gsize i = 0; i < PER_CHUNK; i++)
    sum += sin((double) (item * PER_CHUNK + i)) / (1 + (double) i);
  sums[item] = sum;
}

static void
test_same_bits(void)
{
  double first[CHUNKS], sums[CHUNKS];
  for (gsize t = 0; t < G_N_ELEMENTS(thread_counts); t++) {
    g_autoptr(LacPool) pool = lac_pool_new(thread_counts[t]);
    lac_pool_run(pool, CHUNKS, sum_chunk, t == 0 ? first : sums);
    if (t > 0)
      g_assert_cmpmem(first, sizeof first, sums, sizeof sums);
  }
}

static void
halve_item(gsize item, guint worker, gpointer user_data)
{
  volatile double *halves = user_data;
  volatile double  smallest = 2.2250738585072014e-308; /* the smallest normal number */
  halves[item] = smallest / 2;
}

/* During a run denormals are flushed on every thread; the caller's mode is restored afterwards. */
static void
test_denormals(void)
{
#if defined(__SSE2__)
  for (gsize t = 0; t < G_N_ELEMENTS(thread_counts); t++) {
    g_autoptr(LacPool) pool = lac_pool_new(thread_counts[t]);
    volatile double    halves[256], again;
    guint              mode = _mm_getcsr() & ~0x3fu; /* without the sticky exception flags */
    for (gsize i = 0; i < G_N_ELEMENTS(halves); i++)
      halves[i] = 1;
    lac_pool_run(pool, G_N_ELEMENTS(halves), halve_item, (gpointer) halves);
    for (gsize i = 0; i < G_N_ELEMENTS(halves); i++)
      g_assert_cmpfloat(halves[i], ==, 0);
    g_assert_cmphex(_mm_getcsr() & ~0x3fu, ==, mode);
    halve_item(0, 0, (gpointer) &again);
    g_assert_cmpfloat(again, >, 0);
  }
#else
  g_test_skip("the mode is checked on x86-64 only");
#endif
}

static void
ask_signals(gsize item, guint worker, gpointer user_data)
{
  gboolean *blocked = user_data;
  sigset_t  mask;
  if (worker == 0)
    return;
  pthread_sigmask(SIG_SETMASK, NULL, &mask);
  blocked[item] = sigismember(&mask, SIGTERM) == 1 && sigismember(&mask, SIGINT) == 1;
}

static void
ask_then_wait(gsize item, guint worker, gpointer user_data)
{
  const struct timespec pause = {0, 5 * 1000 * 1000};
  ask_signals(item, worker, user_data);
  nanosleep(&pause, NULL);
}

/* A signal that terminates the program is never delivered to a worker. */
static void
test_signals(void)
{
  g_autoptr(LacPool) pool = lac_pool_new(2);
  gboolean           blocked[20] = {FALSE}, any = FALSE;
  sigset_t           mask;
  lac_pool_run(pool, G_N_ELEMENTS(blocked), ask_then_wait, blocked);
  for (gsize i = 0; i < G_N_ELEMENTS(blocked); i++)
    any |= blocked[i];
  g_assert_true(any);
  pthread_sigmask(SIG_SETMASK, NULL, &mask);
  g_assert_cmpint(sigismember(&mask, SIGTERM), ==, 0);
}

static void
test_default(void)
{
  g_autoptr(LacPool) pool = lac_pool_new(0);
  g_assert_cmpuint(lac_pool_available(), >=, 1);
  g_assert_cmpuint(lac_pool_available(), <=, g_get_num_processors());
  g_assert_cmpuint(lac_pool_get_n_threads(pool), ==, lac_pool_available());
}

static void
test_quota(void)
{
  static const struct {
    const char *text;
    guint       n;
  } rows[] = {
    {"max 100000\n", 0},  {"100000 100000\n", 1}, {"150000 100000\n", 2},
    {"200000 100000", 2}, {"5000 100000\n", 1},   {"", 0},
    {"50000", 0},         {"50000 0", 0},
  };
  for (gsize i = 0; i < G_N_ELEMENTS(rows); i++)
    g_assert_cmpuint(lac_processors_of_quota(rows[i].text), ==, rows[i].n);
}

static void
note_priority(gsize item, guint worker, gpointer user_data)
{
  gint *nice = user_data;
  nice[worker] = getpriority(PRIO_PROCESS, (id_t) syscall(SYS_gettid));
  g_usleep(100); /* so that others get items */
}

enum { NICE_WORKERS = 3, UNSEEN = 100 };

/* Returns: TRUE when all workers that took items ran at nice level @expected. */
static gboolean
work_is_at(LacPool *pool, gint expected)
{
  gint     nice[NICE_WORKERS] = {UNSEEN, UNSEEN, UNSEEN};
  gboolean same = TRUE;
  lac_pool_run(pool, 300, note_priority, nice);
  for (guint i = 0; i < NICE_WORKERS; i++)
    same = same && (nice[i] == UNSEEN || nice[i] == expected);
  return same && nice[0] == expected;
}

static gpointer
give_way(gpointer user_data)
{
  gint               own = getpriority(PRIO_PROCESS, 0);
  g_autoptr(LacPool) pool = lac_pool_new(NICE_WORKERS);
  g_assert_true(work_is_at(pool, own));
  lac_pool_give_way(pool);
  guint left =
    100; /* a worker late for the previous run may still take items at its old priority */
  while (!work_is_at(pool, MIN(own + LAC_GIVES_WAY, 19)))
    g_assert_cmpuint(--left, >, 0);
  return NULL;
}

/* On a thread of its own: it is irreversible. */
static void
test_give_way(void)
{
  gint own = getpriority(PRIO_PROCESS, 0);
  g_thread_join(g_thread_new("gives-way", give_way, NULL));
  g_assert_cmpint(getpriority(PRIO_PROCESS, 0), ==, own);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/base/pool/every-item-is-done-once", test_every_item_once);
  g_test_add_func("/base/pool/short-runs-follow-each-other", test_short_runs);
  g_test_add_func("/base/pool/work-is-shared", test_work_is_shared);
  g_test_add_func("/base/pool/same-bits-for-any-number-of-threads", test_same_bits);
  g_test_add_func("/base/pool/denormals-are-flushed-and-the-mode-restored", test_denormals);
  g_test_add_func("/base/pool/signals-stay-with-the-caller", test_signals);
  g_test_add_func("/base/pool/gives-way-with-its-workers-alone", test_give_way);
  g_test_add_func("/base/pool/default-is-what-may-be-used", test_default);
  g_test_add_func("/base/pool/quota-counts-as-processors", test_quota);
  return g_test_run();
}
