/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chunk sums, cells and search of a row against counting every bar. */
#include "report/timeline/row.h"

#include <math.h>

#define N_BARS  20000 /* more than two levels of chunks */
#define N_NAMES 9

static LacRow *
make_row(gsize n)
{
  LacRow *row = lac_row_new();
  gint64  time = -5000;
  for (gsize i = 0; i < n; i++) {
    gint64 duration = (gint64) pow(10, g_test_rand_double_range(0, 4));
    LacBar bar = {time, time + duration, (guint32) i, (guint32) g_test_rand_int_range(0, N_NAMES)};
    lac_row_add(row, bar);
    time += duration + (g_test_rand_bit() ? 0 : g_test_rand_int_range(0, 3000));
  }
  return row;
}

static const LacBar *
bar_at(const LacRow *row, gsize i)
{
  return &g_array_index(row->bars, LacBar, i);
}

static void
check_sum(const LacRow *row, gsize first, gsize n, LacStepTimes *step_times, const LacMatch *match)
{
  gint64     times[N_NAMES] = {0}, busy = 0, longest = 0, matched = 0;
  LacStretch stretch = lac_row_sum(row, first, n, step_times, match, LAC_ROW_NO_NAME);
  for (gsize i = first; i < first + n; i++) {
    gint64 duration = bar_at(row, i)->end_ns - bar_at(row, i)->begin_ns;
    busy += duration;
    longest = MAX(longest, duration);
    if (match == NULL || match->names[bar_at(row, i)->name])
      times[bar_at(row, i)->name] += duration;
  }
  guint32 best = LAC_ROW_NO_NAME;
  for (guint32 k = 0; k < N_NAMES; k++) {
    matched += times[k];
    if (times[k] > (best == LAC_ROW_NO_NAME ? 0 : times[best]))
      best = k;
  }
  g_assert_cmpint(stretch.busy_ns, ==, busy);
  g_assert_cmpint(stretch.longest_ns, ==, longest);
  g_assert_cmpint(stretch.matched_ns, ==, matched);
  g_assert_cmpuint(stretch.name, ==, best);
  g_assert_cmpint(stretch.name_ns, ==, best == LAC_ROW_NO_NAME ? 0 : times[best]);
  g_assert_cmpuint(step_times->touched->len, ==, 0);
}

static void
check_sums(const LacRow *row, LacStepTimes *step_times)
{
  static const guint8 some[N_NAMES] = {[2] = 1, [7] = 1};
  LacMatch            match = {some, N_NAMES};
  for (int round = 0; round < 60; round++) {
    gsize first = (gsize) g_test_rand_int_range(0, (gint32) row->bars->len);
    gsize n = (gsize) g_test_rand_int_range(1, (gint32) (row->bars->len - first) + 1);
    check_sum(row, first, n, step_times, round % 3 == 0 ? &match : NULL);
  }
  check_sum(row, 0, row->bars->len, step_times, NULL);
}

static void
test_sums(void)
{
  LacRow      *row = make_row(N_BARS);
  LacStepTimes step_times;
  lac_step_times_init(&step_times);
  lac_row_summarise(row, &step_times);
  g_assert_cmpuint(row->levels[1].chunks->len, ==, N_BARS / LAC_ROW_FAN / LAC_ROW_FAN);
  check_sums(row, &step_times);
  lac_row_free(row);
  lac_step_times_clear(&step_times);
}

/* A late bar, by a little or a lot, is inserted in order and included in the sums. */
static void
test_late_bars(void)
{
  LacRow      *row = lac_row_new();
  LacStepTimes step_times;
  lac_step_times_init(&step_times);
  for (guint32 i = 0; i < 5000; i++) {
    guint32 place = i % 700 == 699 ? i - 650 : i % 50 == 49 ? i - 20 : i;
    LacBar  bar = {place * 100, place * 100 + 90 + (i != place), i, i % N_NAMES};
    lac_row_add(row, bar);
    if (i % 311 == 0)
      lac_row_summarise(row, &step_times);
  }
  lac_row_summarise(row, &step_times);
  g_assert_cmpuint(row->bars->len, ==, 5000);
  for (gsize i = 1; i < row->bars->len; i++)
    g_assert_cmpint(bar_at(row, i - 1)->end_ns, <=, bar_at(row, i)->end_ns);
  check_sums(row, &step_times);
  lac_row_free(row);
  lac_step_times_clear(&step_times);
}

/* The cells of a fold contain each of its bars once, and are no wider than a cell and a bar unless complete chunks
 * are summed. */
static void
test_cells(void)
{
  LacRow      *row = make_row(N_BARS);
  LacStepTimes step_times;
  lac_step_times_init(&step_times);
  lac_row_summarise(row, &step_times);
  for (int round = 0; round < 100; round++) {
    gint64  least = (gint64) pow(10, g_test_rand_double_range(3, 7));
    gsize   first = (gsize) g_test_rand_int_range(0, N_BARS);
    LacFold fold = lac_row_fold(row, first, G_MAXINT64, least);
    gsize   n = 0;
    while (n < fold.n) {
      gsize         cell = lac_row_cell(row, &fold, fold.first + n, least);
      const LacBar *from = bar_at(row, fold.first + n), *to = from + cell - 1;
      g_assert_cmpuint(cell, >=, 1);
      if (cell < LAC_ROW_FAN)
        g_assert_cmpint(to->begin_ns - from->begin_ns, <=, least);
      n += cell;
    }
    g_assert_cmpuint(n, ==, fold.n);
  }
  lac_row_free(row);
  lac_step_times_clear(&step_times);
}

static void
test_seek(void)
{
  LacRow             *row = make_row(N_BARS);
  LacStepTimes        step_times;
  guint8              rare[N_NAMES + 1] = {[N_NAMES] = 1};
  LacMatch            match = {rare, N_NAMES + 1};
  static const gssize places[] = {0, 63, 64, 4095, 4096, 9000, N_BARS - 1};
  lac_step_times_init(&step_times);
  for (gsize i = 0; i < G_N_ELEMENTS(places); i++)
    g_array_index(row->bars, LacBar, places[i]).name = N_NAMES;
  lac_row_summarise(row, &step_times);
  for (int round = 0; round < 400; round++) {
    gssize from = g_test_rand_int_range(0, N_BARS), after = -1, before = -1;
    for (gsize i = 0; i < G_N_ELEMENTS(places); i++) {
      if (places[i] <= from)
        before = places[i];
      if (places[i] >= from && after < 0)
        after = places[i];
    }
    g_assert_cmpint(lac_row_seek(row, from, 1, &match), ==, after);
    g_assert_cmpint(lac_row_seek(row, from, -1, &match), ==, before);
  }
  rare[N_NAMES] = 0;
  g_assert_cmpint(lac_row_seek(row, 0, 1, &match), ==, -1);
  g_assert_cmpint(lac_row_seek(row, N_BARS - 1, -1, &match), ==, -1);
  lac_row_free(row);
  lac_step_times_clear(&step_times);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/report/timeline-row/sums-are-those-of-every-bar", test_sums);
  g_test_add_func("/report/timeline-row/late-bars-find-their-place", test_late_bars);
  g_test_add_func("/report/timeline-row/cells-hold-every-bar-once", test_cells);
  g_test_add_func("/report/timeline-row/seek-finds-the-next-of-a-name", test_seek);
  return g_test_run();
}
