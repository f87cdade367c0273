/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Dummy work for the examples: allocated and touched memory, and slow sums. Replace it with your own code. */
#pragma once

#include <stdlib.h>

static inline double *
make_data(size_t n)
{
  double *data = malloc(n * sizeof *data);
  if (data == NULL)
    abort();
  for (size_t i = 0; i < n; i++)
    data[i] = 1.0 / (double) (i + 1);
  return data;
}

static inline double
sum(const double *data, size_t n, int n_times)
{
  volatile double total = 0;
  for (int k = 0; k < n_times; k++)
    for (size_t i = 0; i < n; i++)
      total = total + data[i];
  return total;
}
