/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Clocks and medians. */
#include "clocks.h"

#include <stdlib.h>
#include <time.h>

static double
seconds(clockid_t clock)
{
  struct timespec t;

  clock_gettime(clock, &t);
  return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

double
bench_wall_seconds(void)
{
  return seconds(CLOCK_MONOTONIC);
}

double
bench_process_seconds(void)
{
  return seconds(CLOCK_PROCESS_CPUTIME_ID);
}

static int
compare(const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

double
bench_median(double *numbers, gsize n)
{
  qsort(numbers, n, sizeof *numbers, compare);
  return n % 2 ? numbers[n / 2] : (numbers[n / 2 - 1] + numbers[n / 2]) / 2;
}
