/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the sensor editor and its pointer handling. */
#pragma once

#include "app/field/view.h"
#include "app/setup/sensor-editor.h"

G_BEGIN_DECLS

struct _LacSensorEditor {
  GtkWidget     parent_instance;
  LacFieldView *view;
  GtkWidget    *menu; /* context menu at the pointer */
  LacChannel    channel;
  LacFrame     *field; /* (nullable): its markers are the initial layout, to which reset returns */
  LacSensorLayout layout;
  LacPlace        drag_from; /* position of the selected sensor when the drag began */
  gboolean        dragging;
  guint       edit; /* edit number of the last drag or series of nudges, which undo treats as one */
  double      brush_cost, brush_size; /* see lac_sensor_editor_set_brush() */
  double      painted_at[2];          /* position of the last disc of a stroke */
  double      pressed[2];             /* point of the last press */
  gboolean    is_painting;
  char       *text, *regions; /* as announced last */
  GdkTexture *shade;          /* (nullable): the regions, drawn over the field */
  GSimpleActionGroup *actions;
  char               *words;
};

/* _show() redraws after a change of view; _announce() redraws and emits "changed" after an edit. */
void lac_sensor_editor_show(LacSensorEditor *self);
void lac_sensor_editor_announce(LacSensorEditor *self);

void lac_sensor_editor_add_in_the_middle(LacSensorEditor *self);
void lac_sensor_editor_remove_selected(LacSensorEditor *self);

/* sensor-editor-brush.c: paints while the pointer is down; both return TRUE when the event is consumed. */
gboolean lac_sensor_editor_begin_stroke(LacSensorEditor *self, double x, double y);
gboolean lac_sensor_editor_go_on_stroke(LacSensorEditor *self, double x, double y);
void     lac_sensor_editor_shade(LacSensorEditor *self); /* after the regions have changed */
void     lac_sensor_editor_draw_regions(LacSensorEditor *self, GtkSnapshot *snapshot);

/* Finds the physical position under a point of the editor. Returns: FALSE outside the field. */
gboolean lac_sensor_editor_find_place(LacSensorEditor *self, double x, double y, double at[2]);

/* sensor-editor-pointer.c: controllers that run before the viewer's own, which pan and fit. */
void lac_sensor_editor_add_pointer(LacSensorEditor *self);

G_END_DECLS
