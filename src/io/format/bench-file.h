/* SPDX-License-Identifier: GPL-3.0-or-later */
/* File format of benchmark results, shared by bench, its gate, comparisons and reports. JSON, one object {"format":
 * "lacuna-bench", "version", "machine": {fact: text}, "threads", "passed", "results": [{"name", "metric", "kind",
 * "unit", "value", "spread", "samples", "relative", "limit", "tolerance", "passed", "note"}]}. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define LAC_BENCH_FORMAT  "lacuna-bench"
#define LAC_BENCH_VERSION 1

/* Key of the machine fact whose value identifies the machine. */
#define LAC_BENCH_IDENTITY "identity"

typedef enum {
  LAC_BENCH_TIME,   /* lower is better; compared by the relative samples if there are any */
  LAC_BENCH_MEMORY, /* lower is better */
  LAC_BENCH_QUALITY, /* an error: lower is better; compared by limit and tolerance, without regard to noise */
  LAC_BENCH_SPEEDUP, /* speed ratio of a pair measured together; higher is better, 1 is no gain */
  LAC_BENCH_MERIT,   /* higher is better: a rate, a share of the maximum, decibels */
  LAC_N_BENCH_KINDS,
} LacBenchKind;

/* Returns the name of the kind in the file: "time", "memory" ... */
const char *lac_bench_kind_name(LacBenchKind kind);
gboolean    lac_bench_kind_wants_more(LacBenchKind kind);

/* Duration of the fixed workload on the machine for which limits of time are stated: two cores of an AMD EPYC at
 * x86-64-v4. */
#define LAC_BENCH_PROBE_SECONDS 4.3e-3

/* Texts of a row in a file are owned by the file. */
typedef struct {
  const char *name; /* "flow/small" */
  const char
    *metric; /* includes the unit: "forward_seconds", "peak_resident_bytes", "relative_l2" */
  const char  *unit; /* "s", "B", "1" */
  const char  *note; /* (nullable): a sentence */
  LacBenchKind kind;
  GArray      *samples; /* array of double, in @unit; one per measuring process */
  GArray      *
    relative; /* array of double: each sample divided by the result of a fixed workload measured alongside; may be empty */
  double limit;    /* upper bound of the median, or lower bound when higher is better; 0: none */
  double tolerance; /* for a quality: allowed relative increase over a baseline */
} LacBenchRow;

typedef struct {
  GStrv      machine; /* machine facts: key to value */
  guint      threads;
  GPtrArray *rows; /* LacBenchRow */
} LacBenchFile;

LacBenchFile *lac_bench_file_new(void);
void          lac_bench_file_free(LacBenchFile *file);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacBenchFile, lac_bench_file_free)

/* Adds a row if the file has none of that name and metric. @row: name, metric, unit, note, kind, limit and tolerance
 * are copied; its samples are ignored. Returns: (transfer none): the file's row of that name and metric. */
LacBenchRow *lac_bench_file_add(LacBenchFile *file, const LacBenchRow *row);
void         lac_bench_row_sample(LacBenchRow *row, double sample);
void         lac_bench_row_relative(LacBenchRow *row, double sample);

/* Adds the rows and samples of @more. */
void lac_bench_file_merge(LacBenchFile *file, const LacBenchFile *more);

/* Returns: (transfer none) (nullable): the row of that name and metric. */
const LacBenchRow             *
lac_bench_file_find(const LacBenchFile *file, const char *name, const char *metric);
const char *lac_bench_file_get_fact(const LacBenchFile *file, const char *key);

double lac_bench_row_median(const LacBenchRow *row); /* NaN without samples */
/* Returns the value compared with the limit: of times measured beside the fixed workload, their multiple of it in seconds
 * of the machine of the limits, which neither a slower processor nor other load changes; else the median. */
double lac_bench_row_get_scaled(const LacBenchRow *row);

/* Returns %TRUE when lac_bench_row_get_scaled() is within the row's limit, or the row has no limit. */
gboolean lac_bench_row_passes(const LacBenchRow *row);
gboolean lac_bench_file_passes(const LacBenchFile *file);

/* Returns: (transfer full): the file contents as JSON text, on one line unless @pretty. */
char *lac_bench_file_dup_text(const LacBenchFile *file, gboolean pretty);
/* Parses file contents. @what: name of the source in messages, such as a path. Returns: %NULL with
 * %LAC_ERROR_BAD_FILE. */
LacBenchFile *lac_bench_file_parse(const char *text, const char *what, GError **error);

gboolean      lac_bench_file_write(const LacBenchFile *file, const char *path, GError **error);
LacBenchFile *lac_bench_file_read(const char *path, GError **error);

/* Returns TRUE when the file declares this format; only its first bytes are read. */
gboolean lac_is_bench_file(const char *path);

G_END_DECLS
