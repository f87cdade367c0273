/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Known work for tests of measurements: minimum duration, bytes held, bytes left on a device. */
#pragma once

#include "perf/recorder/memory-scope.h"

#include <stdio.h>

void work_for(gint64 ns); /* busy for at least this long */

/* Maps and touches pages; release with work_give_back(). */
gpointer work_take(gsize n_bytes);
void     work_give_back(gpointer pages, gsize n_bytes);

/* A mock device whose memory is only counted. */
typedef struct {
  gint64 used, reserved, peak;
} WorkDevice;

void           work_device_take(WorkDevice *device, gint64 n_bytes);
LacMemoryProbe work_device_probe(WorkDevice *device);

/* A file in memory that captures output. */
typedef struct {
  FILE *file;
  char *text;
  gsize length;
} WorkSink;

void  work_sink_open(WorkSink *sink);
char *work_sink_close(WorkSink *sink); /* Returns: (transfer full): the captured output. */

/* Fails with the text unless @pattern (a regular expression, PCRE) matches all of it. Returns: the value of the named
 * group "x", -1 without one. */
double work_assert_matches(const char *text, const char *pattern);
