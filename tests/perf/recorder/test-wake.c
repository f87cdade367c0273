/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One wake-up for many messages, none lost: a consumer that sleeps on a semaphore gets everything. */
#include "perf/recorder/ring.h"
#include "perf/recorder/wake.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <time.h>

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
enum { POSTS = 20000 };
#else
enum { POSTS = 300000 };
#endif

enum { TOO_LONG_S = 30 }; /* a wake-up takes microseconds; a lost one never comes */

typedef struct {
  LacRing *ring;
  LacWake  wake;
  sem_t    bell;
  guint    n_wakes; /* written by the producer */
} Channel;

static void *
produce(void *data)
{
  Channel *channel = data;
  for (gint64 i = 0; i < POSTS; i++) {
    LacRecord record = {.step = i};
    while (!lac_ring_push(channel->ring, &record))
      sched_yield();
    if (lac_wake_raise(&channel->wake)) {
      channel->n_wakes++;
      sem_post(&channel->bell);
    }
    if (i % 1000 == 999) { /* lets the consumer fall asleep */
      const struct timespec pause = {0, 50 * 1000};
      nanosleep(&pause, NULL);
    }
  }
  return NULL;
}

static void
sleep_until_rung(Channel *channel)
{
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += TOO_LONG_S;
  int rung;
  do
    rung = sem_timedwait(&channel->bell, &until);
  while (rung != 0 && errno == EINTR);
  g_assert_cmpint(rung, ==, 0);
}

static void
test_threads(void)
{
  g_autoptr(LacRing) ring = lac_ring_new(1024, 0);
  Channel            channel = {.ring = ring};
  pthread_t          producer;
  gint64             taken = 0;
  guint              n_answers = 0;
  sem_init(&channel.bell, 0, 0);
  g_assert_cmpint(pthread_create(&producer, NULL, produce, &channel), ==, 0);
  while (taken < POSTS) {
    const LacRecord *records;
    gsize            n;
    sleep_until_rung(&channel);
    n_answers++;
    lac_wake_clear(&channel.wake);
    while ((n = lac_ring_peek(ring, &records)) > 0) {
      for (gsize i = 0; i < n; i++)
        g_assert_cmpint(records[i].step, ==, taken + (gint64) i);
      lac_ring_drop(ring, n);
      taken += (gint64) n;
    }
  }
  pthread_join(producer, NULL);
  g_assert_cmpuint(channel.n_wakes, >=, n_answers);
  g_assert_cmpuint(channel.n_wakes - n_answers, <=,
                   1); /* one may come after the last message was taken */
  sem_destroy(&channel.bell);
}

static void
test_one_wake_for_many(void)
{
  LacWake wake = {0};
  g_assert_false(lac_wake_is_raised(&wake));
  g_assert_true(lac_wake_raise(&wake));
  for (int i = 0; i < 10; i++)
    g_assert_false(lac_wake_raise(&wake));
  g_assert_true(lac_wake_is_raised(&wake));
  lac_wake_clear(&wake);
  g_assert_false(lac_wake_is_raised(&wake));
  g_assert_true(lac_wake_raise(&wake));
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/perf/wake/no-wake-is-lost", test_threads);
  g_test_add_func("/perf/wake/one-wake-for-many-posts", test_one_wake_for_many);
  return g_test_run();
}
