/* SPDX-License-Identifier: GPL-3.0-or-later */
/* State of a run folder that is being written. */
#pragma once

#include "io/format/segment.h"
#include "io/runfile/folder.h"
#include "io/runfile/format.h"
#include "io/runfile/replay.h"

G_BEGIN_DECLS

struct _LacRunFolder {
  char             *path;
  char             *started; /* (nullable): start time in the header of a new folder */
  int               lock;
  gsize             n_metrics;
  LacSegmentWriter *journal, *records, *frames;
  char         *left_out[LAC_N_RUN_STREAMS]; /* why each stream is suspended; NULL: not suspended */
  guint64       checkpoint_bytes;
  LacRunSession session;
  gint64        stride;     /* interval of saved frames, in steps */
  gint64        last_frame; /* step of the last saved frame when the folder was opened; -1: none */
  guint32       n_names, n_lanes; /* number of names and lanes already written to the records */
  GByteArray   *scratch;          /* buffer for frame headers, grows once */
};

/* Syncs all streams except suspended ones. */
gboolean lac_run_folder_sync(LacRunFolder *folder, GError **error);

G_END_DECLS
