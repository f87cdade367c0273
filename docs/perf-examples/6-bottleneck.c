/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bottlenecks, the fastest of several batch sizes, and a CSV file for other programs.
 * cc 6-bottleneck.c $(pkg-config --cflags --libs lacuna-perf) && ./a.out blocks.csv */
#include "work.h"

#include <lacuna-perf.h>

enum { N = 200000 };

static void
find_bottleneck(LacTracker *tracker)
{
  const double       total = lac_tracker_get_total_time(tracker);
  size_t             n_rows;
  const LacTrackRow *rows = lac_tracker_get_rows(tracker, LAC_TRACK_ONCE, &n_rows);

  for (size_t i = 0; i < n_rows; i++) {
    double percentage = 100 * rows[i].total_seconds / total;
    if (percentage > 50)
      printf("BOTTLENECK: %s (%.1f%%)\n", rows[i].operation, percentage);
    else if (percentage > 20)
      printf("Consider optimizing: %s (%.1f%%)\n", rows[i].operation, percentage);
  }
}

/* Times the same total work at several batch sizes; each batch has a fixed cost. */
static void
find_batch_size(const double *data)
{
  size_t best = 0;
  double least = 0;

  for (size_t batch_size = 8; batch_size <= 64; batch_size *= 2) {
    LacTracker *tracker = lac_tracker_new(true);
    {
      LAC_TRACK(tracker, "training");
      for (size_t i = 0; i < 256; i += batch_size)
        sum(data, N / 64 + 200 * batch_size, 1);
    }
    double seconds = lac_tracker_get_sum(tracker, "training").total_seconds;
    if (best == 0 || seconds < least) {
      best = batch_size;
      least = seconds;
    }
    lac_tracker_free(tracker);
  }
  printf("Optimal batch size: %zu (%.6fs)\n", best, least);
}

int
main(int argc, char **argv)
{
  LacTracker *tracker = lac_tracker_new(true);
  double     *data;
  {
    LAC_TRACK(tracker, "data_loading");
    data = make_data(N);
  }
  {
    LAC_TRACK(tracker, "model_forward");
    sum(data, N, 100);
  }
  {
    LAC_TRACK(tracker, "post_processing");
    sum(data, N, 1);
  }
  lac_tracker_print(tracker, LAC_TRACK_ALL, stdout);
  find_bottleneck(tracker);
  find_batch_size(data);
  char *problem = argc > 1 ? lac_tracker_write(tracker, argv[1]) : NULL;
  if (problem != NULL)
    fprintf(stderr, "%s\n", problem);
  int status = problem != NULL;
  free(problem);
  free(data);
  lac_tracker_free(tracker);
  return status;
}
