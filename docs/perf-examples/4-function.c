/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One function, measured at its call. cc 4-function.c $(pkg-config --cflags --libs lacuna-perf) */
#include "work.h"

#include <lacuna-perf.h>

enum { N = 100000 };

static double
process_batch(size_t n)
{
  double *data = make_data(n), total = sum(data, n, 10);
  free(data);
  return total;
}

int
main(void)
{
  double result = LAC_TRACK_CALL("data processing", stdout, process_batch(N));
  printf("sum %.6f\n", result);
  return 0;
}
