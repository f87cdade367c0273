/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One event of Chrome's format as its members say it, in whatever order they come. Used by io/trace/ alone. */
#pragma once

#include "io/format/json-scan.h"
#include "io/trace/builder.h"

G_BEGIN_DECLS

enum { LAC_CHROME_MOST_SERIES = 32 };

typedef struct {
  char       phase;    /* 0: it has none */
  gboolean   is_empty; /* not one member */
  gboolean   has_time, has_name, has_memory, has_total, is_far;
  guint32    name, category; /* interned */
  LacTraceId process, thread, id;
  gint64     time_ns, duration_ns;
  /* of its arguments */
  gboolean  has_arg_name;
  guint32   arg_name;           /* interned */
  gint64    rank;               /* sort_index */
  gint64    begin_ns, total_ns; /* of an aggregate */
  LacRecord record;             /* numbers alone */
  LacRecord memory;             /* likewise */
  guint     n_series;
  /* Numbers by their keys, for a counter; only the first n_series are set. */
  struct {
    guint32 name;
    double  value;
  } series[LAC_CHROME_MOST_SERIES];
} LacChromeEvent;

/* Nothing but what an event has that says nothing. */
void lac_chrome_event_clear(LacChromeEvent *event);

/* A numeric argument, where its key is one that is kept. */
void lac_chrome_event_take(LacChromeEvent *event, LacJsonText key, double value);

/* Takes the next value, an object. What went wrong is in @scan; then @event is not whole. */
void lac_chrome_read_event(LacJsonScan *scan, LacTraceBuilder *builder, LacChromeEvent *event);

G_END_DECLS
