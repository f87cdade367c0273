/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Busy loops, touched pages, a mock device, captured output. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */

#include "work.h"

#include "base/clock.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

void
work_for(gint64 ns)
{
  gint64 end = lac_clock_ns() + ns;

  while (lac_clock_ns() < end)
    continue;
}

gpointer
work_take(gsize n_bytes)
{
  gpointer pages = mmap(NULL, n_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  g_assert_true(pages != MAP_FAILED);
  memset(pages, 1, n_bytes);
  return pages;
}

void
work_give_back(gpointer pages, gsize n_bytes)
{
  g_assert_cmpint(munmap(pages, n_bytes), ==, 0);
}

void
work_device_take(WorkDevice *device, gint64 n_bytes)
{
  device->used += n_bytes;
  device->peak = MAX(device->peak, device->used);
}

static void
read_device(LacDeviceMemory *memory, gpointer user_data)
{
  const WorkDevice *device = user_data;

  *memory = (LacDeviceMemory){device->used, device->reserved, device->peak};
}

static void
reset_device(gpointer user_data)
{
  WorkDevice *device = user_data;

  device->peak = device->used;
}

LacMemoryProbe
work_device_probe(WorkDevice *device)
{
  return (LacMemoryProbe){.read = read_device, .reset_peak = reset_device, .user_data = device};
}

void
work_sink_open(WorkSink *sink)
{
  *sink = (WorkSink){0};
  sink->file = open_memstream(&sink->text, &sink->length);
  g_assert_nonnull(sink->file);
}

char *
work_sink_close(WorkSink *sink)
{
  g_assert_cmpint(fclose(sink->file), ==, 0);
  char *text = g_strdup(sink->text);
  free(sink->text);
  return text;
}

double
work_assert_matches(const char *text, const char *pattern)
{
  g_autofree char      *whole = g_strdup_printf("\\A(?:%s)\\z", pattern);
  g_autoptr(GError)     error = NULL;
  g_autoptr(GRegex)     regex = g_regex_new(whole, 0, 0, &error);
  g_autoptr(GMatchInfo) match = NULL;

  g_assert_no_error(error);
  if (!g_regex_match(regex, text, 0, &match))
    g_error("this text\n%s\ndoes not have the form\n%s", text, pattern);
  g_autofree char *x = g_match_info_fetch_named(match, "x");
  return x != NULL ? g_ascii_strtod(x, NULL) : -1;
}
