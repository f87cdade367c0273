/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Manual sensor placement on a field: drag, add, remove and undo with the pointer, the keys or its actions (add,
 * add-at, remove, reset, undo, redo). With a brush, the pointer paints regions for the automatic placement instead.
 * Signals: changed, after each edit of the positions; painted, after each edit of the regions. Property: words, a
 * description of the layout for labels. */
#pragma once

#include "app/setup/sensor-layout.h"
#include "field/frame.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_SENSOR_EDITOR (lac_sensor_editor_get_type())
G_DECLARE_FINAL_TYPE(LacSensorEditor, lac_sensor_editor, LAC, SENSOR_EDITOR, GtkWidget)

/* @channel: channel of the single plane of @frame, with static strings; its markers are the initial layout, to which
 * reset returns. A plane of one row is a line. */
void
lac_sensor_editor_set_field(LacSensorEditor *editor, const LacChannel *channel, LacFrame *frame);

/* Replaces the initial layout by the markers of @frame, a frame of the same field; a layout that has not been edited
 * follows. The edits can still be undone. */
void lac_sensor_editor_set_chosen(LacSensorEditor *editor, LacFrame *frame);

/* Returns to the initial layout; this cannot be undone. */
void lac_sensor_editor_use_chosen(LacSensorEditor *editor);

/* Sets another layout; this cannot be undone. Returns: FALSE with an error when @text is not a list of
 * positions within the field. */
gboolean lac_sensor_editor_set_text(LacSensorEditor *editor, const char *text, GError **error);
/* Returns: (transfer full): "x y; x y"; empty for the initial layout. */
char *lac_sensor_editor_dup_text(LacSensorEditor *editor);

/* The regions, in the syntax of experiment/regions.h. Setting them cannot be undone. Returns: FALSE with an error. */
gboolean lac_sensor_editor_set_regions(LacSensorEditor *editor, const char *text, GError **error);
char    *lac_sensor_editor_dup_regions(LacSensorEditor *editor); /* (transfer full) */

/* @cost: painted by the pointer, as in LacRegion; NaN: the pointer moves sensors. @size: radius as a share of the
 * field's width */
void lac_sensor_editor_set_brush(LacSensorEditor *editor, double cost, double size);

const LacSensorLayout *lac_sensor_editor_get_layout(LacSensorEditor *editor);
GActionGroup          *lac_sensor_editor_get_actions(LacSensorEditor *editor); /* (transfer none) */

/* Handle pointer and keys, in the editor's pixels. Returns: TRUE when the editor consumes the event. */
gboolean lac_sensor_editor_press(LacSensorEditor *editor, double x, double y, int n_press);
gboolean
lac_sensor_editor_drag(LacSensorEditor *editor, double dx, double dy); /* offset since the press */
void     lac_sensor_editor_release(LacSensorEditor *editor); /* ends a stroke of the brush */
gboolean lac_sensor_editor_key(LacSensorEditor *editor, guint key, GdkModifierType state);
/* Gets the point, in the editor's pixels, at which a sensor is drawn. Returns: FALSE without a field. */
gboolean lac_sensor_editor_find(LacSensorEditor *editor, guint sensor, double point[2]);

G_END_DECLS
