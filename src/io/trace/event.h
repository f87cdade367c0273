/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One event of a Chrome trace, whose members may come in any order. Used by io/trace/ alone. */
#pragma once

#include "io/format/json-scan.h"
#include "io/trace/builder.h"

G_BEGIN_DECLS

enum { LAC_CHROME_MOST_SERIES = 32 };

typedef struct {
  char       phase;    /* 0: missing */
  gboolean   is_empty; /* TRUE when it has no members */
  gboolean   has_time, has_name, has_memory, has_total, is_far;
  guint32    name, category; /* interned */
  LacTraceId process, thread, id;
  gint64     time_ns, duration_ns;
  /* values among its arguments */
  gboolean  has_arg_name;
  guint32   arg_name;           /* interned: a name, or the labels of a process */
  gint64    rank;               /* sort_index */
  gint64    begin_ns, total_ns; /* start and total duration of an aggregate */
  LacRecord record;             /* numeric fields only */
  LacRecord memory;             /* numeric fields only */
  guint     n_series;
  /* Series of a counter, each with its key; only the first n_series are set. */
  struct {
    guint32 name;
    double  value;
  } series[LAC_CHROME_MOST_SERIES];
} LacChromeEvent;

/* Resets @event to an event without members. */
void lac_chrome_event_clear(LacChromeEvent *event);

/* Stores a numeric argument if @key is known. */
void lac_chrome_event_take(LacChromeEvent *event, LacJsonText key, double value);

/* Reads the next value of @scan, an event object. After an error, which @scan holds, @event is incomplete. */
void lac_chrome_read_event(LacJsonScan *scan, LacTraceBuilder *builder, LacChromeEvent *event);

G_END_DECLS
