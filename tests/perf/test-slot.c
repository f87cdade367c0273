/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Newest wins between two threads: never torn, never older than before, and the last one always arrives. */
#include "perf/slot.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { WORDS = 64 };

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
enum { FRAMES = 50000 };
#else
enum { FRAMES = 1000000 };
#endif

typedef struct {
  guint64 words[WORDS]; /* all the number of the frame */
} Frame;

typedef struct {
  LacSlot    *slot;
  atomic_uint ended;
} Producer;

static void *
produce(void *data)
{
  Producer *producer = data;
  Frame    *frame = lac_slot_filling(producer->slot);
  for (guint64 i = 1; i <= FRAMES; i++) {
    for (gsize w = 0; w < WORDS; w++)
      frame->words[w] = i;
    frame = lac_slot_publish(producer->slot);
  }
  atomic_store(&producer->ended, TRUE);
  return NULL;
}

static void
test_threads(void)
{
  Frame             *frames = g_new0(Frame, 3);
  g_autoptr(LacSlot) slot = lac_slot_new((gpointer[]){&frames[0], &frames[1], &frames[2]});
  Producer           producer = {.slot = slot};
  pthread_t          thread;
  guint64            newest = 0, shown = 0, skipped = 0;
  gboolean           ended = FALSE;
  g_assert_cmpint(pthread_create(&thread, NULL, produce, &producer), ==, 0);
  while (!ended) {
    ended = atomic_load(&producer.ended) != 0;
    const Frame *frame = lac_slot_take(slot);
    if (frame == NULL) {
      sched_yield();
      continue;
    }
    guint64 number = frame->words[0];
    g_assert_cmpuint(number, >, newest);
    skipped += number - newest - 1;
    shown++;
    newest = number;
    for (gsize w = 0; w < WORDS; w++)
      g_assert_cmpuint(frame->words[w], ==, number);
  }
  pthread_join(thread, NULL);
  g_assert_cmpuint(newest, ==, FRAMES);
  g_assert_cmpuint(shown + skipped, ==, FRAMES);
  g_assert_null(lac_slot_take(slot));
  g_free(frames);
}

/* Neither side is ever given what the other has. */
static void
test_one_thread(void)
{
  int                payloads[3];
  g_autoptr(LacSlot) slot = lac_slot_new((gpointer[]){&payloads[0], &payloads[1], &payloads[2]});
  gpointer           filling = lac_slot_filling(slot), taken = NULL;
  g_assert_null(lac_slot_take(slot));
  for (int i = 0; i < 1000; i++) {
    guint publish = (guint) g_test_rand_int_range(0, 3);
    for (guint k = 0; k < publish; k++) {
      gpointer newest = filling;
      filling = lac_slot_publish(slot);
      g_assert_true(filling == lac_slot_filling(slot));
      g_assert_true(filling != newest && filling != taken);
    }
    gpointer now = lac_slot_take(slot);
    g_assert_true((now != NULL) == (publish > 0));
    taken = now != NULL ? now : taken;
    g_assert_true(taken != filling);
  }
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/perf/slot/shown-and-skipped-are-all-that-were-published", test_threads);
  g_test_add_func("/perf/slot/no-slot-is-on-both-sides", test_one_thread);
  return g_test_run();
}
