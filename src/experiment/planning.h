/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Planning where to measure, before a run: a scene is prepared once, then a layout is judged again and again, fast enough to
 * follow a hand that drags a sensor. */
#pragma once

#include "field/frame.h"

#include <glib.h>

G_BEGIN_DECLS

/* The key of the text row that takes a layout: "x y; x y; ...", on a line "x; x; ...". */
#define LAC_PLANNING_ROW "sensor_positions"

#define LAC_LAYOUT_N_FIGURES 2

/* What a layout is judged by. */
typedef struct {
  const char *label, *help; /* translatable */
  const char *unit;
} LacLayoutFigure;

typedef struct {
  double values[LAC_LAYOUT_N_FIGURES]; /* as LacPlanning.figures; may be infinite */
} LacLayoutFigures;

typedef struct _LacExperiment LacExperiment;
typedef struct _LacContext    LacContext;

/* One thread at a time for each plan; different plans are independent. */
typedef struct {
  const char     *title; /* translatable: "Sensors by Hand" */
  LacLayoutFigure figures[LAC_LAYOUT_N_FIGURES];
  LacChannel      backdrop; /* what the one plane is */

  /* Returns: %NULL with an error, also when cancelled. May take seconds: for a thread of its own. Reports progress. */
  gpointer (*open)(const LacExperiment *self,
                   gconstpointer        params,
                   const LacContext    *context,
                   GError             **error);
  void (*close)(gpointer plan);

  /* What the layout stands on; NaN where nothing can stand.
   * Returns: (transfer full): to be freed with lac_frame_unref(): one plane, and as markers the places that the settings
   * choose. */
  LacFrame *(*draw)(gpointer plan);

  /* @places: [n][2]. Some milliseconds. Returns: FALSE with an error that says which place cannot be. */
  gboolean (*score)(gpointer plan,
                    const double (*places)[2],
                    gsize             n,
                    LacLayoutFigures *figures,
                    GError          **error);
} LacPlanning;

G_END_DECLS
