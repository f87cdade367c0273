/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Publication figures: truth, reconstruction and signed error, laid out in millimetres. */
#pragma once

#include "io/run-file.h"
#include "report/canvas.h"

G_BEGIN_DECLS

#define LAC_FIGURE_VERSION 1

/* What a figure is made of; a side file in JSON keeps it. A member that is 0 or NULL takes its default. */
typedef struct {
  char  *run;       /* the run folder; only of a side file */
  char  *channel;   /* the first reconstruction */
  gint64 step;      /* the kept frame nearest to it; -1: the last */
  double width_mm;  /* 183 */
  double font_size; /* points; 7 */
  double dpi;       /* of a PNG; 300 */
} LacFigureSpec;

void lac_figure_spec_clear(LacFigureSpec *spec);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(LacFigureSpec, lac_figure_spec_clear)

/* Reads a side file. Returns: FALSE with %LAC_ERROR_BAD_FILE set. */
gboolean lac_figure_spec_load(const char *path, LacFigureSpec *spec, GError **error);

/**
 * lac_figure_write:
 * @channel: (nullable): a channel key; NULL: the first reconstruction
 * @step: the kept frame nearest to it is drawn; -1: the last
 * @path: its ending chooses the format: .pdf .svg .png; PATH.json is written beside it
 *
 * Returns: FALSE with %LAC_ERROR_USAGE, %LAC_ERROR_UNKNOWN_KEY, %LAC_ERROR_BAD_FILE, %LAC_ERROR_UNWRITABLE or
 *   %LAC_ERROR_DISK_FULL set.
 */
gboolean lac_figure_write(const LacRunFile *run,
                          const char       *channel,
                          gint64            step,
                          const char       *path,
                          GError          **error);
gboolean lac_figure_write_spec(const LacRunFile    *run,
                               const LacFigureSpec *spec,
                               const char          *path,
                               GError             **error);

/* Returns: index of the channel with that key, or with NULL the one that is shown first; -1 with an error. */
gssize lac_figure_choose_channel(const LacRunFile *run, const char *key, GError **error);

/* Colour scales: of the fields, and of the error, which is symmetric. */
typedef struct {
  double low, high, error_high;
} LacFigureScales;

/* Those of one frame, and what holds both. */
LacFigureScales lac_figure_measure(const LacRunFile *run, const LacFrame *frame, gsize channel);
LacFigureScales lac_figure_join(const LacFigureScales *a, const LacFigureScales *b);

/**
 * lac_figure_draw:
 * @x, @y: upper left corner; @width: points; @font_size: points
 * @channel: index of the channel to show
 * @caption: draw panels and caption, or the panels alone
 * @scales: (nullable): NULL: those of the frame
 *
 * Returns: the height used. @drawing: NULL to measure only.
 */
typedef struct {
  double                 x, y, width, font_size;
  gsize                  channel;
  gboolean               caption;
  const LacFigureScales *scales;
} LacFigurePlace;
double lac_figure_draw(LacDrawing           *drawing,
                       const LacRunFile     *run,
                       const LacFrame       *frame,
                       const LacFigurePlace *place);

G_END_DECLS
