/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the tests of traces that are opened have in common. */
#pragma once

#include "perf/recorder/capture.h"

G_BEGIN_DECLS

/* Of the test; made and removed in its main(). */
extern char *trace_folder;

/* Returns: (transfer full): the path of a file in the folder with these bytes; @n: -1: a text */
char *trace_put(const char *name, const char *text, gssize n);

const char *trace_name_of(const LacCapture *capture, const LacRecord *record);

/* Within a lane every span lies within the one before it that is less deep, and none of one depth overlap. */
void trace_assert_nested(const LacCapture *capture);
/* Records of a lane are numbered from 0, without a gap. */
void trace_assert_sequences(const LacCapture *capture);

G_END_DECLS
