/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A row of the timeline: bars one after the other, with sums over ever larger chunks of them, so that what is folded can say what
 * it stands for in a time that does not grow with it. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  gint64  begin_ns, end_ns;
  guint32 record; /* of the capture */
  guint32 name;
} LacBar;

/* Time by name, gathered to find the name with most. Empty between uses. */
typedef struct {
  GArray *times;   /* of gint64, by name */
  GArray *touched; /* of guint32: the names with a time */
} LacStepTimes;

void lac_step_times_init(LacStepTimes *step_times);
void lac_step_times_clear(LacStepTimes *step_times);

/* The names that are searched for. */
typedef struct {
  const guint8 *names; /* by name: whether it is */
  gsize         n;
} LacMatch;

#define LAC_ROW_NO_NAME G_MAXUINT32

/* What a stretch of bars holds. */
typedef struct {
  gint64  busy_ns, longest_ns;
  guint32 name;    /* with the largest share; LAC_ROW_NO_NAME where nothing searched for is there */
  gint64  name_ns; /* its time */
  gint64  matched_ns; /* time of the names searched for; busy_ns where nothing is searched */
} LacStretch;

#define LAC_ROW_FAN    64 /* chunks of so many bars, then of so many chunks */
#define LAC_ROW_LEVELS 4

typedef struct {
  GArray *chunks; /* of LacChunk, in order, whole chunks only */
  GArray *shares; /* of LacShare, chunk after chunk */
} LacLevel;

/* Bars that do not overlap, sorted by end. */
typedef struct {
  GArray  *bars; /* of LacBar */
  LacLevel levels[LAC_ROW_LEVELS];
  gboolean unsorted; /* since the last lac_row_summarise() */
} LacRow;

LacRow *lac_row_new(void);
void    lac_row_free(LacRow *row);

/* Rows are read only after lac_row_summarise(), which a bar added makes due. */
void lac_row_add(LacRow *row, LacBar bar);
void lac_row_summarise(LacRow *row, LacStepTimes *step_times);

/* Index of the first bar that ends at or after @time_ns. */
gsize lac_row_find(const LacRow *row, gint64 time_ns);
/* The same, for an answer that is near @from and not before it. */
gsize lac_row_find_near(const LacRow *row, gsize from, gint64 time_ns);

/* Consecutive bars drawn as one: first ... first + n - 1; n is 1 for a bar wide enough to be drawn itself. */
typedef struct {
  gsize  first, n;
  gint64 begin_ns, end_ns;
} LacFold;

/* The fold that starts with bar @first: bars narrower than @least_ns and nearer than that to each other join. */
LacFold lac_row_fold(const LacRow *row, gsize first, gint64 view_end_ns, gint64 least_ns);

/* The part of a fold that is drawn in one colour: from bar @first on what begins before the next multiple of @cell_ns, or a
 * little more so that whole chunks are summed. Returns: how many bars. */
gsize lac_row_cell(const LacRow *row, const LacFold *fold, gsize first, gint64 cell_ns);

/* Bars first ... first + n - 1. @match: (nullable): only what is searched for has a share; @favoured: a name, of the stretch before,
 * that is kept where another has hardly more time; LAC_ROW_NO_NAME: none */
LacStretch lac_row_sum(const LacRow   *row,
                       gsize           first,
                       gsize           n,
                       LacStepTimes   *step_times,
                       const LacMatch *match,
                       guint32         favoured);

/* The first bar from @from on or, @direction -1, the last one up to it, that is searched for. Returns: its index; -1 without one. */
gssize lac_row_seek(const LacRow *row, gssize from, int direction, const LacMatch *match);

G_END_DECLS
