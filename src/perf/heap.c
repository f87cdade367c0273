/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Heap and resident memory: mallinfo2 and /proc/self/statm. */
#include "perf/heap.h"

#include <fcntl.h>
#include <malloc.h>
#include <stdlib.h>
#include <unistd.h>

gsize
lac_heap_in_use(void)
{
  const struct mallinfo2 info = mallinfo2();

  return info.uordblks + info.hblkhd;
}

/* Read without allocating: this is called within steps. */
gsize
lac_heap_get_resident(void)
{
  char          text[128];
  char         *second = NULL;
  const int     file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  const ssize_t n = file < 0 ? -1 : read(file, text, sizeof text - 1);

  if (file >= 0)
    close(file);
  if (n <= 0)
    return 0;
  text[n] = '\0';
  strtoull(text, &second, 10);
  return (gsize) strtoull(second, NULL, 10) * (gsize) sysconf(_SC_PAGESIZE);
}
