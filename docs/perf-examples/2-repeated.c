/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Repeated operations, summed by name. cc 2-repeated.c $(pkg-config --cflags --libs lacuna-perf) */
#include "work.h"

#include <lacuna-perf.h>

enum { EPOCHS = 10, BATCHES = 15, N = 20000 };

int
main(void)
{
  LacTracker *tracker = lac_tracker_new(true);
  double     *data = make_data(N), total = 0;

  for (int i = 0; i < EPOCHS * BATCHES; i++) {
    {
      LAC_TRACK_REPEATED(tracker, "batch_forward");
      total += sum(data, N, i == 0 ? 20 : 2); /* the first is slow */
    }
    {
      LAC_TRACK_REPEATED(tracker, "batch_backward");
      total += sum(data, N, 1);
    }
  }
  printf("sum %.6f\n", total);
  lac_tracker_print(tracker, LAC_TRACK_REPEATED, stdout);
  free(data);
  lac_tracker_free(tracker);
  return 0;
}
