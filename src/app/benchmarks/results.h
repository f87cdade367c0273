/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stored results of the benchmark: one file per measurement in the user's data folder, in the format of `lacuna bench
 * --output`, and the baseline of each machine. Any thread; a list is immutable after it has been read. */
#pragma once

#include "io/format/bench-file.h"

G_BEGIN_DECLS

/* The benchmark of a result: results of one family are listed, and compared, together. */
typedef enum {
  LAC_BENCH_OF_TIERS,
  LAC_BENCH_OF_ABLATION,
  LAC_BENCH_OF_GROWTH, /* single operations at several sizes, on one thread */
} LacBenchFamily;

typedef struct {
  char          *path;
  LacBenchFile  *file;
  LacBenchFamily family;
  char          *version; /* of the program: its commit, or else its release */
  GDateTime     *started; /* local time */
} LacBenchResult;

typedef struct {
  GPtrArray            *all;      /* LacBenchResult, oldest first */
  const LacBenchResult *baseline; /* (nullable): borrowed from @all */
  GDateTime            *pinned;   /* (nullable) */
} LacBenchResults;

/* Returns: (transfer full): the folder of the results; it need not exist. */
char *lac_bench_results_dup_folder(void);
/* Creates the folder. Returns: (transfer full): the path of a new result; NULL with %LAC_ERROR_UNWRITABLE. */
char *lac_bench_results_dup_path(const char *folder, GError **error);

/* Reads the results that were measured on this machine with all its cores, or of growth; unreadable files are left out. Returns:
 * (transfer full) */
LacBenchResults *lac_bench_results_read(const char *folder);
void             lac_bench_results_free(LacBenchResults *results);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacBenchResults, lac_bench_results_free)

/* Stores @result as the baseline of this machine. Returns: FALSE with %LAC_ERROR_UNWRITABLE. */
gboolean lac_bench_results_pin(const LacBenchResult *result, GError **error);

/* Returns: (transfer full): the results that contain a row with samples, oldest first; elements are borrowed. */
GPtrArray *
lac_bench_results_dup_with(const LacBenchResults *results, const char *name, const char *metric);

G_END_DECLS
