/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One run as a list of runs shows it: what its journal and its notes say, in little. Frozen and shared; any thread. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  char  *key, *label, *unit;
  double value; /* the last finite one; NaN: there was none */
} LacHeadlineMetric;

/* Of the files it was read from: what has the same is not read again. */
typedef struct {
  guint64 journal_bytes, notes_bytes, h5_bytes;
  gint64  journal_ns, notes_ns, h5_ns; /* when they were changed */
} LacHeadlineStamp;

typedef struct {
  gint             ref_count;
  LacHeadlineStamp stamp;
  char            *path, *name;
  char *experiment, *title, *laboratory; /* laboratory: "" where the experiment is in no list */
  char                  *
    outcome; /* finished, stopped, diverged, failed, running, interrupted; unreadable, then @detail says why */
  char              *detail, *backend, *precision;
  char              *started;   /* ISO 8601, local */
  gint64             started_s; /* since 1970; 0: not known */
  guint64            seed;
  guint              threads;
  gint64             steps;
  guint64            bytes; /* of all files of its folder, when it was read */
  double             seconds, setup_seconds;
  gsize              n_metrics;
  LacHeadlineMetric *metrics;  /* the results, as the run declared them */
  char              *settings; /* "\nkey=text\nkey=text\n" */
  char              *changed;  /* of these what is not the default, "key=text\nkey=text" */
  GStrv              tags;
  char              *note;
  gboolean           is_baseline;
  char              *words; /* of what is searched, case folded */
} LacRunHeadline;

/* From journal and notes. Returns: (nullable): NULL where @folder has no journal: it is none, or only just begun. */
LacRunHeadline *lac_run_headline_read(const char *folder);
/* Of the files as they are now. Returns: FALSE without a journal. */
gboolean lac_run_headline_stamp(const char *folder, LacHeadlineStamp *stamp);

LacRunHeadline *lac_run_headline_ref(LacRunHeadline *headline);
void            lac_run_headline_unref(LacRunHeadline *headline);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacRunHeadline, lac_run_headline_unref)

/* For the index of a library. @folder: of the library. */
#define LAC_HEADLINE_FORMAT "(stxtxtxssssssssxtuxtddbassa(sssd)ss)"
GVariant       *lac_run_headline_pack(const LacRunHeadline *headline); /* floating */
LacRunHeadline *lac_run_headline_unpack(const char *folder, GVariant *packed);

/* Returns: (nullable): the result that stands for the run: the first. */
const LacHeadlineMetric *lac_run_headline_get_result(const LacRunHeadline *headline);

/* Returns: (transfer full) (nullable): the text of a setting. */
char *lac_run_headline_dup_setting(const LacRunHeadline *headline, const char *key);
/* The settings that are not the same in all of @runs (LacRunHeadline), or that some do not have, in the order in which they come.
 * Returns: (transfer full). */
GStrv lac_run_headlines_differing(GPtrArray *runs);
/* By its key, or by the end of it after a point. Returns: (nullable). */
const LacHeadlineMetric *lac_run_headline_find_metric(const LacRunHeadline *headline,
                                                      const char           *key);

typedef enum {
  LAC_RUNS_BY_NAME,
  LAC_RUNS_BY_EXPERIMENT,
  LAC_RUNS_BY_LABORATORY,
  LAC_RUNS_BY_STARTED,
  LAC_RUNS_BY_OUTCOME,
  LAC_RUNS_BY_METRIC, /* the value; what has none comes last */
  LAC_RUNS_BY_SECONDS,
  LAC_RUNS_BY_STEPS,
  LAC_RUNS_BY_TAGS,
  LAC_RUNS_BY_BYTES,
  LAC_N_RUN_ORDERS
} LacRunOrder;

/* As qsort() wants it, ascending; what is equal by @order goes by when it started. */
int lac_run_headline_compare(const LacRunHeadline *a, const LacRunHeadline *b, LacRunOrder order);

/* "name", "started", "metric" ...: on the command line. */
const char *lac_run_order_key(LacRunOrder order);

G_END_DECLS
