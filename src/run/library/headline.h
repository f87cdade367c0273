/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Summary of one run for lists, from its journal and notes. Immutable and shared; any thread. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  char  *key, *label, *unit;
  double value; /* last finite value; NaN: none */
} LacHeadlineMetric;

/* Sizes and times of the files a headline was read from; unchanged files are not read again. */
typedef struct {
  guint64 journal_bytes, notes_bytes, h5_bytes;
  gint64  journal_ns, notes_ns, h5_ns; /* modification times */
} LacHeadlineStamp;

typedef struct {
  gint             ref_count;
  LacHeadlineStamp stamp;
  char            *path, *name;
  char *experiment, *title, *laboratory; /* laboratory: "" for an unregistered experiment */
  char                  *
    outcome; /* finished, stopped, diverged, failed, running, interrupted; unreadable: the reason is in @detail */
  char              *detail, *backend, *precision;
  char              *started;   /* ISO 8601, local time */
  gint64             started_s; /* seconds since 1970; 0: unknown */
  guint64            seed;
  guint              threads;
  gint64             steps;
  guint64            bytes; /* of all files in its folder, at the time of reading */
  double             seconds, setup_seconds;
  gsize              n_metrics;
  LacHeadlineMetric *metrics;  /* results, in the order the run declares them */
  char              *settings; /* "\nkey=text\nkey=text\n" */
  char    *changed; /* those of @settings that differ from the default, "key=text\nkey=text" */
  char    *sweep;   /* what the runs of its sweep share (lac_sweep_dup_identity()); "": no sweep */
  GStrv    tags;
  char    *note;
  gboolean is_baseline;
  char    *words; /* searchable text, case folded */
} LacRunHeadline;

/* Reads journal and notes. Returns: (nullable): NULL if @folder has no journal (not a run, or only just started). */
LacRunHeadline *lac_run_headline_read(const char *folder);
/* Stats the files. Returns: FALSE without a journal. */
gboolean lac_run_headline_stamp(const char *folder, LacHeadlineStamp *stamp);

LacRunHeadline *lac_run_headline_ref(LacRunHeadline *headline);
void            lac_run_headline_unref(LacRunHeadline *headline);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacRunHeadline, lac_run_headline_unref)

/* Serialised form for the index of a library. @folder: folder of the library. */
#define LAC_HEADLINE_FORMAT "(stxtxtxssssssssxtuxtddbassa(sssd)sss)"
GVariant       *lac_run_headline_pack(const LacRunHeadline *headline); /* floating */
LacRunHeadline *lac_run_headline_unpack(const char *folder, GVariant *packed);

/* Returns: (nullable): the key result of the run, its first metric. */
const LacHeadlineMetric *lac_run_headline_get_result(const LacRunHeadline *headline);

/* Returns: (transfer full) (nullable): the value of a setting as text. */
char *lac_run_headline_dup_setting(const LacRunHeadline *headline, const char *key);
/* Finds the settings that differ among @runs (LacRunHeadline) or are missing from some of them, in order of
 * appearance. Returns: (transfer full). */
GStrv lac_run_headlines_differing(GPtrArray *runs);
/* Finds a metric by its key, or by the part of its key after a dot. Returns: (nullable). */
const LacHeadlineMetric *lac_run_headline_find_metric(const LacRunHeadline *headline,
                                                      const char           *key);

typedef enum {
  LAC_RUNS_BY_NAME,
  LAC_RUNS_BY_EXPERIMENT,
  LAC_RUNS_BY_LABORATORY,
  LAC_RUNS_BY_STARTED,
  LAC_RUNS_BY_OUTCOME,
  LAC_RUNS_BY_METRIC, /* by value; runs without one come last */
  LAC_RUNS_BY_SECONDS,
  LAC_RUNS_BY_STEPS,
  LAC_RUNS_BY_TAGS,
  LAC_RUNS_BY_BYTES,
  LAC_N_RUN_ORDERS
} LacRunOrder;

/* Comparison for qsort(), ascending; ties in @order are broken by start time. */
int lac_run_headline_compare(const LacRunHeadline *a, const LacRunHeadline *b, LacRunOrder order);

/* Returns "name", "started", "metric" ...: names on the command line. */
const char *lac_run_order_key(LacRunOrder order);

G_END_DECLS
