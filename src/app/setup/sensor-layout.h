/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Manual sensor placement: a list of positions within a box, and the regions painted for the automatic placement, as
 * text and as edited by pointer and keys, with undo. */
#pragma once

#include "experiment/regions.h"

#include <glib.h>

G_BEGIN_DECLS

#define LAC_NO_SENSOR G_MAXUINT

typedef struct {
  double x, y;
} LacPlace;

typedef struct {
  double     x_min, x_max, y_min, y_max; /* allowed range of positions */
  gboolean   is_line;                    /* no y coordinate */
  GArray    *places;                     /* LacPlace */
  GArray    *regions;                    /* LacRegion */
  gboolean   is_automatic;               /* @places are those that the settings choose */
  guint      selected;                   /* or LAC_NO_SENSOR */
  GPtrArray *past,
    *future;  /* undo and redo stacks: copies of both lists, the next to restore last */
  guint edit; /* current edit; 0: none */
} LacSensorLayout;

/* @box: x_min, x_max, y_min, y_max; on a line y_max = y_min */
void lac_sensor_layout_init(LacSensorLayout *layout, const double box[4]);
void lac_sensor_layout_clear(LacSensorLayout *layout);

/* Sets the positions from "x y; x y; ...", on a line "x; x; ...", each within the box. One edit.
 * Returns: FALSE with %LAC_ERROR_OUT_OF_RANGE and the layout unchanged. */
gboolean lac_sensor_layout_parse(LacSensorLayout *layout, const char *text, GError **error);
/* Returns: (transfer full): in the syntax of lac_sensor_layout_parse(), rounded to a ten-thousandth of the box. */
char *lac_sensor_layout_dup_text(const LacSensorLayout *layout);

/* The same for the regions, in the syntax of experiment/regions.h. */
gboolean lac_sensor_layout_parse_regions(LacSensorLayout *layout, const char *text, GError **error);
char    *lac_sensor_layout_dup_regions(const LacSensorLayout *layout);
/* Paints one disc over the others. @edit: discs with the same non-zero number are undone as one. */
void lac_sensor_layout_paint(LacSensorLayout *layout, const LacRegion *region, guint edit);

/* Sets the positions that the settings choose, [n]; this cannot be undone. */
void lac_sensor_layout_set_automatic(LacSensorLayout *layout, const LacPlace *places, guint n);

guint           lac_sensor_layout_get_n(const LacSensorLayout *layout);
const LacPlace *lac_sensor_layout_get(const LacSensorLayout *layout, guint i);
/* Adds a sensor at the nearest position within the box and selects it. */
void lac_sensor_layout_add(LacSensorLayout *layout, double x, double y);
/* @edit: consecutive moves with the same non-zero number are undone as one. */
void lac_sensor_layout_move(LacSensorLayout *layout, guint i, double x, double y, guint edit);
void lac_sensor_layout_remove(LacSensorLayout *layout, guint i);
/* Selects the next sensor (+1) or the previous one (-1), cyclically. */
void lac_sensor_layout_step(LacSensorLayout *layout, int step);

/* Return FALSE if there is nothing left to undo or redo. */
gboolean lac_sensor_layout_undo(LacSensorLayout *layout);
gboolean lac_sensor_layout_redo(LacSensorLayout *layout);
void     lac_sensor_layout_forget(LacSensorLayout *layout); /* clears the undo history */

G_END_DECLS
