/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading back the data of a running run from its folder. Any thread; the writer need not stop. */
#pragma once

#include "io/runfile/folder.h"
#include "io/runfile/run-file.h"

G_BEGIN_DECLS

/* Offsets of this session's first entries, fixed when the folder was opened. */
typedef struct {
  guint64 journal, records;
} LacRunSession;
LacRunSession lac_run_folder_get_session(const LacRunFolder *folder);

typedef void (*LacReplayFunc)(gconstpointer elements, gsize n, gpointer user_data);

/* Passes the records [first, first + n) of the session to @func, as LacRecord. Returns: the number of records
 * passed. */
gsize lac_run_replay_records(const char          *folder,
                             const LacRunSession *session,
                             guint64              first,
                             guint64              n,
                             LacReplayFunc        func,
                             gpointer             user_data);

/* Passes rows of metrics to @func one at a time, each as a LacMetricsEntry (io/runfile/format.h) followed by its
 * metrics. */
gsize lac_run_replay_metrics(const char          *folder,
                             const LacRunSession *session,
                             guint64              first,
                             guint64              n,
                             LacReplayFunc        func,
                             gpointer             user_data);

/* Reads the run up to the last complete segments. Returns: %NULL with %LAC_ERROR_BAD_FILE set. */
LacRunFile *lac_run_file_peek(const LacRunFolder *folder, GError **error);

G_END_DECLS
