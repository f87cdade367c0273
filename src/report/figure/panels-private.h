/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which fields and errors of a quantity a figure has, each in a panel of its own. */
#pragma once

#include "report/figure/figure.h"

G_BEGIN_DECLS

#define LAC_FIGURE_MOST_COLUMNS 5 /* the truth and four reconstructions */

typedef struct {
  const LacPlane *plane;
  char           *title;
  gsize           source;              /* the channel that it is, or whose error it is */
  LacVectorPlane  velocity;            /* of that; no u: none */
  gboolean        is_error, is_lowest; /* nothing below it in its column */
  gsize           column, row;
} LacFigurePanel;

/* One reconstruction: a row of fields ending in the error. Several: fields above, the error of each below it. */
typedef struct {
  LacFigurePanel panels[2 * LAC_FIGURE_MOST_COLUMNS];
  gsize          n_panels, n_fields;              /* the first n_fields share one scale */
  LacPlane       errors[LAC_FIGURE_MOST_COLUMNS]; /* own data */
  gsize          n_errors, n_columns, n_rows;
  double         error_high; /* the largest error of either sign */
} LacFigurePanels;

/* @letter: of the first panel. @frame: borrowed */
void lac_figure_panels_init(LacFigurePanels      *panels,
                            const LacRunFile     *run,
                            const LacFrame       *frame,
                            const LacFigurePlace *place,
                            char                  letter);
void lac_figure_panels_clear(LacFigurePanels *panels);

G_END_DECLS
