/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One block that prints its time and memory when it ends. cc 3-block.c $(pkg-config --cflags --libs lacuna-perf) */
#include "work.h"

#include <lacuna-perf.h>

enum { N = 4000000 };

int
main(void)
{
  double *data, total;
  {
    LAC_TRACK_PRINTED("critical_operation", stdout, NULL);
    data = make_data(N);
    total = sum(data, N, 2);
  }
  printf("sum %.6f\n", total);
  free(data);
  return 0;
}
