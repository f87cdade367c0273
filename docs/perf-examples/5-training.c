/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A training loop with epochs and batches. cc 5-training.c $(pkg-config --cflags --libs lacuna-perf) */
#include "work.h"

#include <lacuna-perf.h>

enum { EPOCHS = 3, BATCHES = 8, N = 50000 };

int
main(void)
{
  LacTracker *tracker = lac_tracker_new(true);
  double     *data = make_data(N);

  lac_tracker_set_log(tracker, stdout, 5);
  for (unsigned epoch = 0; epoch < EPOCHS; epoch++) {
    lac_tracker_begin_epoch(tracker);
    for (unsigned batch = 0; batch < BATCHES; batch++) {
      lac_tracker_begin_batch(tracker, batch);
      double work = sum(data, N, epoch + batch == 0 ? 20 : 2); /* the first is slow */
      lac_tracker_end_batch(tracker, work / (1 + batch + BATCHES * epoch));
    }
    lac_tracker_end_epoch(tracker);
  }
  LacTrackRow batches = lac_tracker_get_sum(tracker, "batch");
  printf("Average batch time: %.6fs\n", batches.mean_seconds);
  printf("Min batch time: %.6fs\n", batches.min_seconds);
  printf("Max batch time: %.6fs\n", batches.max_seconds);
  if (batches.max_seconds > 2 * batches.min_seconds)
    printf("High variance (%.1fx): look for outliers\n", batches.max_seconds / batches.min_seconds);
  free(data);
  lac_tracker_free(tracker);
  return 0;
}
