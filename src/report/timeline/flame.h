/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Flame graph of a recording, or of the change between two. Immutable. */
#pragma once

#include "report/timeline/span-looks.h"

G_BEGIN_DECLS

#define LAC_FLAME_MISSING 3 /* paths that the second recording lacks, at most */

typedef struct {
  guint32  name; /* id in the capture */
  guint    parent, depth;
  gboolean is_operation;
  guint64  count;
  gint64   begin_ns;  /* on the axis, 0 at its left end */
  gint64   total_ns;  /* width */
  gint64   before_ns; /* of a difference: time of the path in the first recording; 0: absent */
} LacFlameBar;

typedef struct {
  LacFlameBar *bars; /* [n]: each after its parent */
  gsize        n;
  guint        n_rows;
  gint64       whole_ns;  /* length of the axis */
  guint32      iteration; /* name; LAC_NO_NAME: none */
  gboolean     is_difference;
  struct {
    char  *name; /* as recorded */
    gint64 ns;
  } missing
    [LAC_FLAME_MISSING]; /* of a difference: paths only the first recording has, longest first */
  gsize n_missing;
} LacFlame;

/* Lays out the tree, siblings from left to right by their first call. Clear after use. */
LacFlame lac_flame_make(const LacCallTree *tree);

/* Lays out the tree of the second recording, with the time of each path in the first. Paths are matched by name. */
LacFlame lac_flame_make_difference(const LacCapture  *before_capture,
                                   const LacCallTree *before,
                                   const LacCapture  *capture,
                                   const LacCallTree *tree);

void lac_flame_clear(LacFlame *flame);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(LacFlame, lac_flame_clear)

/* Returns the change of a bar as log2(time / time before), -1...1: half the time or less ... twice or more; 1 for a
 * path that is new. */
double lac_flame_change(const LacFlameBar *bar);

G_END_DECLS
