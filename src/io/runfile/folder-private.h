/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of a run folder that is being written. */
#pragma once

#include "io/format/segment.h"
#include "io/runfile/folder.h"
#include "io/runfile/format.h"
#include "io/runfile/replay.h"

G_BEGIN_DECLS

struct _LacRunFolder {
  char             *path;
  char             *started; /* (nullable): of a new one, as the header has it */
  int               lock;
  gsize             n_metrics;
  LacSegmentWriter *journal, *records, *frames;
  char             *left_out[LAC_N_RUN_STREAMS]; /* why; NULL: it is not */
  guint64           checkpoint_bytes;
  LacRunSession     session;
  gint64            stride;     /* of kept frames */
  gint64            last_frame; /* step of the last one when the folder was opened; -1: none */
  guint32           n_names, n_lanes; /* already in the records */
  GByteArray       *scratch;          /* of the head of a frame; grows once */
};

/* All streams but those that are left out. */
gboolean lac_run_folder_sync(LacRunFolder *folder, GError **error);

G_END_DECLS
