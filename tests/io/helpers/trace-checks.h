/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Common checks for tests of trace import. */
#pragma once

#include "perf/recorder/capture.h"

G_BEGIN_DECLS

/* Folder of the test; made and removed in its main(). */
extern char *trace_folder;

/* Returns: (transfer full): the path of a new file in the folder with these bytes; @n: -1: a text */
char *trace_put(const char *name, const char *text, gssize n);

const char *trace_name_of(const LacCapture *capture, const LacRecord *record);

/* Asserts that within a lane every span lies within the previous span of lower depth, and that none of equal depth
 * overlap. */
void trace_assert_nested(const LacCapture *capture);
/* Asserts that the records of a lane are numbered from 0, without gaps. */
void trace_assert_sequences(const LacCapture *capture);

G_END_DECLS
