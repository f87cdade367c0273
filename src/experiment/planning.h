/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Planning where to measure, before a run: a scene is prepared once, then a layout is judged again and again, fast enough to
 * follow a hand that drags a sensor. */
#pragma once

#include "field/frame.h"

#include <glib.h>

G_BEGIN_DECLS

/* The key of the text row that takes a layout: "x y; x y; ...", on a line "x; x; ...". */
#define LAC_PLANNING_ROW "sensor_positions"

typedef struct {
  double condition; /* of the modes at the sensors; infinite where they cannot be told apart */
  double
    expected_error; /* of the static reconstruction, relative to the fluctuation, under the training spread */
} LacLayoutFigures;

typedef struct _LacExperiment LacExperiment;
typedef struct _LacContext    LacContext;

/* One thread at a time for each plan; different plans are independent. */
typedef struct {
  /* Returns: %NULL with an error, also when cancelled. May take seconds: for a thread of its own. Reports progress. */
  gpointer (*open)(const LacExperiment *self,
                   gconstpointer        params,
                   const LacContext    *context,
                   GError             **error);
  void (*close)(gpointer plan);

  /* The domain with the rms of the fluctuation that the sensors would see; NaN where no sensor can stand.
   * Returns: (transfer full): to be freed with lac_frame_unref(): one plane, and as markers the places that the settings
   * choose. */
  LacFrame *(*backdrop)(gpointer plan);

  /* @places: [n][2]. Some milliseconds. Returns: FALSE with an error that says which place cannot be. */
  gboolean (*judge)(gpointer plan,
                    const double (*places)[2],
                    gsize             n,
                    LacLayoutFigures *figures,
                    GError          **error);
} LacPlanning;

G_END_DECLS
