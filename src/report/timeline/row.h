/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A timeline row: consecutive bars, with sums over chunks of increasing size, so that the time to summarise folded
 * bars is independent of their number. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  gint64  begin_ns, end_ns;
  guint32 record; /* index in the capture */
  guint32 name;
} LacBar;

/* Time by name, to find the name with the largest share. Empty between uses. */
typedef struct {
  GArray *times;   /* of gint64, indexed by name */
  GArray *touched; /* of guint32: names with a non-zero time */
} LacStepTimes;

void lac_step_times_init(LacStepTimes *step_times);
void lac_step_times_clear(LacStepTimes *step_times);

/* Names that match the search. */
typedef struct {
  const guint8 *names; /* indexed by name: TRUE for a match */
  gsize         n;
} LacMatch;

#define LAC_ROW_NO_NAME G_MAXUINT32

/* Summary of a range of bars. */
typedef struct {
  gint64  busy_ns, longest_ns;
  guint32 name;       /* name with the largest share; LAC_ROW_NO_NAME without a match */
  gint64  name_ns;    /* time of @name */
  gint64  matched_ns; /* time of matching names; busy_ns without a search */
} LacStretch;

#define LAC_ROW_FAN    64 /* bars per chunk, and chunks per chunk of the next level */
#define LAC_ROW_LEVELS 4

typedef struct {
  GArray *chunks; /* of LacChunk, in order, complete chunks only */
  GArray *shares; /* of LacShare, grouped by chunk */
} LacLevel;

/* Bars that do not overlap, sorted by end. */
typedef struct {
  GArray  *bars; /* of LacBar */
  LacLevel levels[LAC_ROW_LEVELS];
  gboolean unsorted; /* TRUE: bars were added out of order since the last lac_row_summarise() */
} LacRow;

LacRow *lac_row_new(void);
void    lac_row_free(LacRow *row);

/* Call lac_row_summarise() after lac_row_add() and before reading a row. */
void lac_row_add(LacRow *row, LacBar bar);
void lac_row_summarise(LacRow *row, LacStepTimes *step_times);

/* Returns the index of the first bar that ends at or after @time_ns. */
gsize lac_row_find(const LacRow *row, gint64 time_ns);
/* Like lac_row_find(), searching forward from bar @from; fast when the result is close to it. */
gsize lac_row_find_near(const LacRow *row, gsize from, gint64 time_ns);

/* Consecutive bars drawn as one: first ... first + n - 1; n is 1 for a bar wide enough to be drawn itself. */
typedef struct {
  gsize  first, n;
  gint64 begin_ns, end_ns;
} LacFold;

/* Returns the fold that starts with bar @first: it joins bars that are narrower than @least_ns, with gaps narrower
 * than @least_ns. */
LacFold lac_row_fold(const LacRow *row, gsize first, gint64 view_end_ns, gint64 least_ns);

/* Returns the number of bars drawn in one colour: from bar @first to the next multiple of @cell_ns, or slightly more
 * so that complete chunks are summed. */
gsize lac_row_cell(const LacRow *row, const LacFold *fold, gsize first, gint64 cell_ns);

/* Summarises bars first ... first + n - 1. @match: (nullable): only matching names can have the largest share;
 * @favoured: name of the previous cell, retained unless another has clearly more time; LAC_ROW_NO_NAME: none */
LacStretch lac_row_sum(const LacRow   *row,
                       gsize           first,
                       gsize           n,
                       LacStepTimes   *step_times,
                       const LacMatch *match,
                       guint32         favoured);

/* Finds the next matching bar from @from on or, with @direction -1, the previous one. Returns: its index; -1 without
 * one. */
gssize lac_row_seek(const LacRow *row, gssize from, int direction, const LacMatch *match);

G_END_DECLS
