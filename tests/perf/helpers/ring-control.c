/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A thousand records through a ring between two threads. Compiled with the real ring and with a planted fault. */
#include "perf/recorder/ring.h"

#include <pthread.h>
#include <sched.h>

enum { RECORDS = 1000 };

static void *
produce(void *data)
{
  LacRing *ring = data;
  for (gint64 i = 0; i < RECORDS; i++) {
    LacRecord record = {.step = i};
    while (!lac_ring_push(ring, &record))
      sched_yield();
  }
  return NULL;
}

int
main(void)
{
  g_autoptr(LacRing) ring = lac_ring_new(64, 0);
  pthread_t          producer;
  gint64             sum = 0, taken = 0;
  if (pthread_create(&producer, NULL, produce, ring) != 0)
    return 1;
  while (taken < RECORDS) {
    const LacRecord *records;
    gsize            n = lac_ring_peek(ring, &records);
    for (gsize i = 0; i < n; i++)
      sum += records[i].step;
    lac_ring_drop(ring, n);
    taken += (gint64) n;
    if (n == 0)
      sched_yield();
  }
  pthread_join(producer, NULL);
  return sum == (gint64) RECORDS * (RECORDS - 1) / 2 ? 0 : 1;
}
