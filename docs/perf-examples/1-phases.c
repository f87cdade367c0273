/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Phases of a program, one row each. cc 1-phases.c $(pkg-config --cflags --libs lacuna-perf) */
#include "work.h"

#include <lacuna-perf.h>

enum { N = 1000000 };

int
main(void)
{
  LacTracker *tracker = lac_tracker_new(true);
  double     *data, total;
  {
    LAC_TRACK(tracker, "data loading");
    data = make_data(N);
  }
  {
    LAC_TRACK(tracker, "preprocessing");
    for (size_t i = 0; i < N; i++)
      data[i] *= data[i];
  }
  {
    LAC_TRACK(tracker, "model forward");
    total = sum(data, N, 5);
  }
  printf("sum %.6f\n", total);
  lac_tracker_print(tracker, LAC_TRACK_ALL, stdout);
  free(data);
  lac_tracker_free(tracker);
  return 0;
}
