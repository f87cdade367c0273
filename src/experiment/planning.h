/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sensor planning before a run: a scene is prepared once, then layouts are evaluated fast enough to follow a sensor
 * being dragged. */
#pragma once

#include "field/frame.h"

#include <glib.h>

G_BEGIN_DECLS

/* Key of the text parameter that holds a layout: "x y; x y; ...", in one dimension "x; x; ...". */
#define LAC_PLANNING_ROW "sensor_positions"

#define LAC_LAYOUT_N_FIGURES 2

/* Quality figure of a layout. */
typedef struct {
  const char *label, *help; /* translatable */
  const char *unit;
  gboolean    more_is_better;
} LacLayoutFigure;

typedef struct {
  double values[LAC_LAYOUT_N_FIGURES]; /* in the order of LacPlanning.figures; may be infinite */
} LacLayoutFigures;

typedef struct _LacExperiment LacExperiment;
typedef struct _LacContext    LacContext;

/* Each plan is used by one thread at a time; different plans are independent. */
typedef struct {
  const char     *title;                         /* translatable: "Manual Scan Positions" */
  LacLayoutFigure figures[LAC_LAYOUT_N_FIGURES]; /* the main one first */
  LacChannel      backdrop;                      /* channel of the plane that draw() returns */
  const char     *chooser; /* key of the choice that says how positions are found */
  const char *
    regions; /* (nullable): key of the text with forbidden regions and costs: experiment/regions.h */
  const char *const
    *light; /* (nullable): keys of the parameters that replace() can follow; NULL-terminated */

  /* Prepares the scene and reports progress. May take seconds: call it from a worker thread. Returns: %NULL with an
   * error, also when cancelled. */
  gpointer (*open)(const LacExperiment *self,
                   gconstpointer        params,
                   const LacContext    *context,
                   GError             **error);
  void (*close)(gpointer plan);

  /* (nullable): chooses the positions again with @params, which differ from those of open() only in the parameters
   * named by @light; draw() shows the result. Returns: FALSE with an error; call it again before any other function. */
  gboolean (*replace)(gpointer plan, gconstpointer params, GError **error);

  /* Draws the background of the layout, NaN where no sensor is allowed. Returns: (transfer full): one plane, with the
   * positions chosen by the settings as markers; free with lac_frame_unref(). */
  LacFrame *(*draw)(gpointer plan);

  /* Evaluates the layout @places, [n][2], in some milliseconds. Returns: FALSE with an error naming the invalid
   * position. */
  gboolean (*score)(gpointer plan,
                    const double (*places)[2],
                    gsize             n,
                    LacLayoutFigures *figures,
                    GError          **error);
} LacPlanning;

G_END_DECLS
