/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Work of a known kind for tests that measure: it takes at least so long, holds so many bytes, leaves so many on a device. */
#pragma once

#include "perf/recorder/memory-scope.h"

#include <stdio.h>

void work_for(gint64 ns); /* busy for at least this long */

/* Maps and touches pages; given back with work_give_back(). */
gpointer work_take(gsize n_bytes);
void     work_give_back(gpointer pages, gsize n_bytes);

/* A device whose memory is a number. */
typedef struct {
  gint64 used, reserved, peak;
} WorkDevice;

void           work_device_take(WorkDevice *device, gint64 n_bytes);
LacMemoryProbe work_device_probe(WorkDevice *device);

/* A file in memory: what is printed into it. */
typedef struct {
  FILE *file;
  char *text;
  gsize length;
} WorkSink;

void  work_sink_open(WorkSink *sink);
char *work_sink_close(WorkSink *sink); /* Returns: (transfer full): what was printed. */

/* Fails with the text unless @pattern (a regular expression, PCRE) is the whole of it. Returns: what the named group "x" is,
 * -1 where there is none. */
double work_assert_matches(const char *text, const char *pattern);
