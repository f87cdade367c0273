/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A lane with a late consumer: records go on in other rings, in order, and rings are recycled. */
#include "perf/recorder/lane.h"

#define N_PREPARED 3 /* rings made with the lane */

typedef struct {
  guint64 n;
  gsize   most; /* in one batch */
} Taken;

/* The lane itself asserts consecutive sequence numbers; the payload is checked here. */
static void
take(const LacRecord *records, gsize n, gpointer user_data)
{
  Taken *taken = user_data;
  for (gsize i = 0; i < n; i++) {
    g_assert_cmpuint(records[i].sequence, ==, taken->n + i);
    g_assert_cmpint(records[i].step, ==, (gint64) (taken->n + i) * 3);
    g_assert_cmpuint(records[i].lane, ==, 5);
  }
  taken->n += n;
  taken->most = MAX(taken->most, n);
}

static void
push(LacLane *lane, guint64 *pushed, guint64 n)
{
  for (guint64 i = 0; i < n; i++, (*pushed)++)
    lac_lane_push(lane, (LacRecord){.step = (gint64) *pushed * 3, .sequence = 99, .lane = 9});
}

static LacLane *
new_lane(gsize capacity)
{
  return lac_lane_new(
    &(LacLaneSettings){.id = 5, .name = "lane", .capacity = capacity, .start = G_MAXUINT64 - 7});
}

/* Against a plain count, with a ring that is nearly always full. */
static void
test_overflow(gconstpointer data)
{
  gsize    capacity = GPOINTER_TO_SIZE(data);
  LacLane *lane = new_lane(capacity);
  Taken    taken = {0, 0};
  guint64  pushed = 0;
  for (int round = 0; round < 300; round++) {
    push(lane, &pushed, (guint64) g_test_rand_int_range(0, 3 * (gint32) capacity));
    if (g_test_rand_int_range(0, 3) == 0) {
      guint64 before = taken.n;
      gsize   n = lac_lane_drain(lane, take, &taken);
      g_assert_cmpuint(n, ==, taken.n - before);
      g_assert_cmpuint(taken.n, ==, pushed);
    }
    g_assert_cmpuint(lac_lane_get_n_pushed(lane), ==, pushed);
    g_assert_cmpuint(lac_lane_get_n_drained(lane), ==, taken.n);
  }
  lac_lane_drain(lane, take, &taken);
  g_assert_cmpuint(taken.n, ==, pushed);
  g_assert_cmpuint(lac_lane_get_n_spilled(lane), >, 0);
  g_assert_cmpuint(lac_lane_get_n_spilled(lane), <, pushed / capacity);
  lac_lane_free(lane);
}

/* Nothing is drained until the end: the chain has many rings. Afterwards there are spares again. */
static void
test_consumer_comes_at_the_end(void)
{
  LacLane *lane = new_lane(64);
  Taken    taken = {0, 0};
  guint64  pushed = 0;
  push(lane, &pushed, 100000);
  const guint64 n_rings = (pushed + 63) / 64;
  g_assert_cmpuint(lac_lane_get_n_spilled(lane), ==, n_rings - N_PREPARED);
  g_assert_cmpuint(lac_lane_drain(lane, take, &taken), ==, 100000);
  g_assert_cmpuint(lac_lane_drain(lane, take, &taken), ==, 0);
  push(lane, &pushed, 2 * 64);
  g_assert_cmpuint(lac_lane_get_n_spilled(lane), ==, n_rings - N_PREPARED);
  g_assert_cmpuint(lac_lane_drain(lane, take, &taken), ==, 2 * 64);
  lac_lane_free(lane);
}

/* A consumer that is a ring or two late makes no producer allocate. */
static void
test_rings_are_recycled(void)
{
  LacLane *lane = new_lane(64);
  Taken    taken = {0, 0};
  guint64  pushed = 0;
  for (int round = 0; round < 1000; round++) {
    push(lane, &pushed, (guint64) g_test_rand_int_range(0, 2 * 64 + 1));
    lac_lane_drain(lane, take, &taken);
    g_assert_cmpuint(taken.n, ==, pushed);
  }
  g_assert_cmpuint(lac_lane_get_n_spilled(lane), ==, 0);
  lac_lane_free(lane);
}

/* Records never drained are freed with the lane: AddressSanitizer would report a leak. */
static void
test_never_drained(void)
{
  LacLane *lane = new_lane(2);
  guint64  pushed = 0;
  push(lane, &pushed, 10000);
  g_assert_cmpuint(lac_lane_get_n_pushed(lane), ==, 10000);
  lac_lane_free(lane);
}

typedef struct {
  LacLane *lane;
  Taken    taken;
  guint64  pushed;
} Echo;

static void
take_and_push(const LacRecord *records, gsize n, gpointer user_data)
{
  Echo *echo = user_data;
  take(records, n, &echo->taken);
  push(echo->lane, &echo->pushed, n);
}

/* A drain terminates although every record triggers another: it takes only the earlier ones. */
static void
test_drain_is_bounded(void)
{
  Echo echo = {.lane = new_lane(64)};
  push(echo.lane, &echo.pushed, 40);
  for (int i = 0; i < 10; i++)
    g_assert_cmpuint(lac_lane_drain(echo.lane, take_and_push, &echo), ==, 40);
  push(echo.lane, &echo.pushed, 1000);
  for (int i = 0; i < 3; i++)
    g_assert_cmpuint(lac_lane_drain(echo.lane, take_and_push, &echo), ==, 1040);
  lac_lane_free(echo.lane);
}

static void
test_muted(void)
{
  LacLane *lane = lac_lane_new(&(LacLaneSettings){.name = "off", .muted = TRUE});
  Taken    taken = {0, 0};
  lac_lane_push(lane, (LacRecord){.step = 1});
  LacSpan span = lac_span_begin(lane, 3);
  lac_span_end(lane, span, 4);
  g_assert_cmpuint(lac_lane_get_n_pushed(lane), ==, 0);
  g_assert_cmpuint(lac_lane_drain(lane, take, &taken), ==, 0);
  g_assert_cmpstr(lac_lane_get_name(lane), ==, "off");
  lac_lane_free(lane);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_data_func("/perf/lane/late-consumer/capacity-2", GSIZE_TO_POINTER(2), test_overflow);
  g_test_add_data_func("/perf/lane/late-consumer/capacity-64", GSIZE_TO_POINTER(64), test_overflow);
  g_test_add_data_func("/perf/lane/late-consumer/capacity-16384", GSIZE_TO_POINTER(16384),
                       test_overflow);
  g_test_add_func("/perf/lane/consumer-comes-at-the-end", test_consumer_comes_at_the_end);
  g_test_add_func("/perf/lane/rings-are-recycled", test_rings_are_recycled);
  g_test_add_func("/perf/lane/never-drained-is-freed", test_never_drained);
  g_test_add_func("/perf/lane/drain-takes-what-was-there-before", test_drain_is_bounded);
  g_test_add_func("/perf/lane/muted-lane-records-nothing", test_muted);
  return g_test_run();
}
