/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Panels of a figure: the fields and errors of a quantity, one panel each. */
#pragma once

#include "report/figure/figure.h"

G_BEGIN_DECLS

#define LAC_FIGURE_MOST_COLUMNS 5 /* true field and four reconstructions */

typedef struct {
  const LacPlane *plane;
  char           *title;
  gsize           source;              /* channel shown, or whose error is shown */
  LacVectorPlane  velocity;            /* velocity of that channel; u is NULL: none */
  gboolean        is_error, is_lowest; /* is_lowest: last panel of its column */
  gsize           column, row;
} LacFigurePanel;

/* Layout. One reconstruction: a row of fields ending in the error. Several: fields above, the error of each below
 * it. */
typedef struct {
  LacFigurePanel panels[2 * LAC_FIGURE_MOST_COLUMNS];
  gsize          n_panels, n_fields;              /* the first n_fields share one scale */
  LacPlane       errors[LAC_FIGURE_MOST_COLUMNS]; /* owned */
  gsize          n_errors, n_columns, n_rows;
  double         error_high; /* largest absolute error */
} LacFigurePanels;

/* @letter: letter of the first panel. @frame: borrowed */
void lac_figure_panels_init(LacFigurePanels      *panels,
                            const LacRunFile     *run,
                            const LacFrame       *frame,
                            const LacFigurePlace *place,
                            char                  letter);
void lac_figure_panels_clear(LacFigurePanels *panels);

G_END_DECLS
