/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sensors placed by hand: a list of places within a box, as text and as what a pointer or the keys do to it, with undo. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define LAC_NO_SENSOR G_MAXUINT

typedef struct {
  double x, y;
} LacPlace;

typedef struct {
  double     x_min, x_max, y_min, y_max; /* where sensors may stand */
  gboolean   is_line;                    /* there is no y */
  GArray    *places;                     /* LacPlace */
  guint      selected;                   /* or LAC_NO_SENSOR */
  GPtrArray *past, *future;              /* what @places was, the latest last */
  guint      edit;                       /* the edit that goes on; 0: none */
} LacSensorLayout;

/* @box: x_min, x_max, y_min, y_max; on a line y_max = y_min */
void lac_sensor_layout_init(LacSensorLayout *layout, const double box[4]);
void lac_sensor_layout_clear(LacSensorLayout *layout);

/* "x y; x y; ...", on a line "x; x; ...", each within the box. One edit.
 * Returns: FALSE with %LAC_ERROR_OUT_OF_RANGE and the layout as before. */
gboolean lac_sensor_layout_parse(LacSensorLayout *layout, const char *text, GError **error);
/* Returns: (transfer full): as lac_sensor_layout_parse() takes it, rounded to a ten-thousandth of the box. */
char *lac_sensor_layout_dup_text(const LacSensorLayout *layout);

guint           lac_sensor_layout_get_n(const LacSensorLayout *layout);
const LacPlace *lac_sensor_layout_get(const LacSensorLayout *layout, guint i);
/* The nearest place within the box is taken. Selects it. */
void lac_sensor_layout_add(LacSensorLayout *layout, double x, double y);
/* @edit: moves in a row with the same number other than 0 are undone as one. */
void lac_sensor_layout_move(LacSensorLayout *layout, guint i, double x, double y, guint edit);
void lac_sensor_layout_remove(LacSensorLayout *layout, guint i);
/* Selects the next one (+1) or the one before (-1), around the end. */
void lac_sensor_layout_step(LacSensorLayout *layout, int step);

/* Returns: FALSE where there is nothing left to undo or redo. */
gboolean lac_sensor_layout_undo(LacSensorLayout *layout);
gboolean lac_sensor_layout_redo(LacSensorLayout *layout);
void     lac_sensor_layout_forget(LacSensorLayout *layout); /* nothing can be undone from here */

G_END_DECLS
