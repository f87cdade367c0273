/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pointer, key and menu handling of the sensor editor. */
#include "app/setup/sensor-editor-private.h"

#include <glib/gi18n-lib.h>

#include <math.h>

#define REACH 10.0 /* pixels around a sensor that hit it */

gboolean
lac_sensor_editor_find_place(LacSensorEditor *self, double x, double y, double at[2])
{
  double inner[2];
  return gtk_widget_translate_coordinates(GTK_WIDGET(self), GTK_WIDGET(self->view), x, y, &inner[0],
                                          &inner[1]) &&
         lac_field_view_find_place(self->view, inner, at);
}

static guint
find_sensor(LacSensorEditor *self, double x, double y)
{
  guint  nearest = LAC_NO_SENSOR;
  double least = REACH;
  for (guint i = 0; i < lac_sensor_layout_get_n(&self->layout); i++) {
    double point[2];
    if (!lac_sensor_editor_find(self, i, point) || hypot(point[0] - x, point[1] - y) > least)
      continue;
    least = hypot(point[0] - x, point[1] - y);
    nearest = i;
  }
  return nearest;
}

gboolean
lac_sensor_editor_press(LacSensorEditor *self, double x, double y, int n_press)
{
  g_return_val_if_fail(LAC_IS_SENSOR_EDITOR(self), FALSE);
  double at[2];
  guint  sensor = find_sensor(self, x, y);
  self->pressed[0] = x;
  self->pressed[1] = y;
  if (!isnan(self->brush_cost))
    return lac_sensor_editor_begin_stroke(self, x, y);
  self->dragging = sensor != LAC_NO_SENSOR;
  if (sensor != LAC_NO_SENSOR) {
    self->layout.selected = sensor;
    self->edit++;
    self->drag_from = *lac_sensor_layout_get(&self->layout, sensor);
    lac_sensor_editor_show(self);
    return TRUE;
  }
  if (n_press < 2 || !lac_sensor_editor_find_place(self, x, y, at))
    return FALSE;
  lac_sensor_layout_add(&self->layout, at[0], at[1]);
  lac_sensor_editor_announce(self);
  return TRUE;
}

gboolean
lac_sensor_editor_drag(LacSensorEditor *self, double dx, double dy)
{
  g_return_val_if_fail(LAC_IS_SENSOR_EDITOR(self), FALSE);
  if (self->is_painting)
    return lac_sensor_editor_go_on_stroke(self, self->pressed[0] + dx, self->pressed[1] + dy);
  if (!self->dragging || self->layout.selected == LAC_NO_SENSOR)
    return FALSE;
  double from[2] = {self->drag_from.x, self->drag_from.y}, point[2], at[2];
  if (!lac_field_view_find_point(self->view, from, point))
    return FALSE;
  point[0] += dx;
  point[1] += dy;
  lac_field_view_unproject(self->view, point, at);
  lac_sensor_layout_move(&self->layout, self->layout.selected, at[0], at[1], self->edit);
  lac_sensor_editor_announce(self);
  return TRUE;
}

/* ---- keys ---- */

/* Moves the sensor by cells of the field: one, or ten with Shift. */
static void
nudge(LacSensorEditor *self, int columns, int rows, GdkModifierType state)
{
  const LacPlane *plane = &self->field->planes[0];
  const LacPlace *place = lac_sensor_layout_get(&self->layout, self->layout.selected);
  double          cells = state & GDK_SHIFT_MASK ? 10 : 1;
  double          dx = (plane->x_max - plane->x_min) / (double) MAX(plane->nx - 1, 1);
  double          dy = (plane->y_max - plane->y_min) / (double) MAX(plane->ny - 1, 1);
  lac_sensor_layout_move(&self->layout, self->layout.selected, place->x + cells * columns * dx,
                         place->y + cells * rows * dy, self->edit);
  lac_sensor_editor_announce(self);
}

static gboolean
key_of_selected(LacSensorEditor *self, guint key, GdkModifierType state)
{
  if (self->layout.selected == LAC_NO_SENSOR)
    return FALSE;
  switch (key) {
  case GDK_KEY_Delete:
  case GDK_KEY_BackSpace: lac_sensor_editor_remove_selected(self); return TRUE;
  case GDK_KEY_Left: nudge(self, -1, 0, state); return TRUE;
  case GDK_KEY_Right: nudge(self, 1, 0, state); return TRUE;
  case GDK_KEY_Up: nudge(self, 0, 1, state); return TRUE;
  case GDK_KEY_Down: nudge(self, 0, -1, state); return TRUE;
  case GDK_KEY_Escape:
    self->layout.selected = LAC_NO_SENSOR;
    lac_sensor_editor_show(self);
    return TRUE;
  default: return FALSE;
  }
}

gboolean
lac_sensor_editor_key(LacSensorEditor *self, guint key, GdkModifierType state)
{
  g_return_val_if_fail(LAC_IS_SENSOR_EDITOR(self), FALSE);
  if (self->field == NULL)
    return FALSE;
  switch (key) {
  case GDK_KEY_Insert: lac_sensor_editor_add_in_the_middle(self); return TRUE;
  case GDK_KEY_Page_Down:
  case GDK_KEY_Page_Up:
    lac_sensor_layout_step(&self->layout, key == GDK_KEY_Page_Down ? 1 : -1);
    self->edit++;
    lac_sensor_editor_show(self);
    return TRUE;
  default: return key_of_selected(self, key, state);
  }
}

/* ---- controllers: before the viewer's own, which pan and fit ---- */

static void
on_drag_begin(GtkGestureDrag *drag, double x, double y, LacSensorEditor *self)
{
  gboolean taken = lac_sensor_editor_press(self, x, y, 1);
  gtk_widget_grab_focus(GTK_WIDGET(self->view));
  gtk_gesture_set_state(GTK_GESTURE(drag),
                        taken ? GTK_EVENT_SEQUENCE_CLAIMED : GTK_EVENT_SEQUENCE_DENIED);
}

static void
on_drag_update(GtkGestureDrag *drag, double dx, double dy, LacSensorEditor *self)
{
  lac_sensor_editor_drag(self, dx, dy);
}

static void
on_drag_end(GtkGestureDrag *drag, double dx, double dy, LacSensorEditor *self)
{
  lac_sensor_editor_release(self);
}

static void
on_pressed(GtkGestureClick *click, int n_press, double x, double y, LacSensorEditor *self)
{
  if (n_press == 2 && isnan(self->brush_cost) && lac_sensor_editor_press(self, x, y, 2))
    gtk_gesture_set_state(GTK_GESTURE(click), GTK_EVENT_SEQUENCE_CLAIMED);
}

static GMenu *
make_menu(double x, double y)
{
  GMenu               *menu = g_menu_new();
  g_autoptr(GMenu)     edits = g_menu_new();
  g_autoptr(GMenuItem) item = g_menu_item_new(_("Add Sensor Here"), NULL);
  g_menu_item_set_action_and_target(item, "sensors.add-at", "(dd)", x, y);
  g_menu_append_item(menu, item);
  g_menu_append(menu, _("Remove Sensor"), "sensors.remove");
  g_menu_append(edits, _("Undo"), "sensors.undo");
  g_menu_append(edits, _("Redo"), "sensors.redo");
  g_menu_append(edits, _("Reset to Automatic Layout"), "sensors.reset");
  g_menu_append_section(menu, NULL, G_MENU_MODEL(edits));
  return menu;
}

static void
on_secondary(GtkGestureClick *click, int n_press, double x, double y, LacSensorEditor *self)
{
  double at[2];
  if (!lac_sensor_editor_find_place(self, x, y, at))
    return;
  if (!isnan(self->brush_cost) || !lac_sensor_editor_press(self, x, y, 1)) {
    self->layout.selected = LAC_NO_SENSOR;
    lac_sensor_editor_show(self);
  }
  self->dragging = FALSE;
  gtk_gesture_set_state(GTK_GESTURE(click), GTK_EVENT_SEQUENCE_CLAIMED);
  g_autoptr(GMenu) menu = make_menu(at[0], at[1]);
  gtk_popover_menu_set_menu_model(GTK_POPOVER_MENU(self->menu), G_MENU_MODEL(menu));
  gtk_popover_set_pointing_to(GTK_POPOVER(self->menu), &(GdkRectangle){(int) x, (int) y, 1, 1});
  gtk_popover_popup(GTK_POPOVER(self->menu));
}

static void
on_motion(GtkEventControllerMotion *motion, double x, double y, LacSensorEditor *self)
{
  gboolean paints = !isnan(self->brush_cost);
  gboolean over = find_sensor(self, x, y) != LAC_NO_SENSOR;
  gtk_widget_set_cursor_from_name(GTK_WIDGET(self), paints ? "crosshair" : over ? "grab" : NULL);
}

static gboolean
on_key(GtkEventControllerKey *keys,
       guint                  key,
       guint                  code,
       GdkModifierType        state,
       LacSensorEditor       *self)
{
  return lac_sensor_editor_key(self, key, state);
}

void
lac_sensor_editor_add_pointer(LacSensorEditor *self)
{
  GtkEventController *controllers[] = {
    GTK_EVENT_CONTROLLER(gtk_gesture_drag_new()),
    GTK_EVENT_CONTROLLER(gtk_gesture_click_new()),
    GTK_EVENT_CONTROLLER(gtk_gesture_click_new()),
    gtk_event_controller_key_new(),
    gtk_event_controller_motion_new(),
  };
  gtk_gesture_single_set_button(GTK_GESTURE_SINGLE(controllers[2]), GDK_BUTTON_SECONDARY);
  g_signal_connect(controllers[0], "drag-begin", G_CALLBACK(on_drag_begin), self);
  g_signal_connect(controllers[0], "drag-update", G_CALLBACK(on_drag_update), self);
  g_signal_connect(controllers[0], "drag-end", G_CALLBACK(on_drag_end), self);
  g_signal_connect(controllers[1], "pressed", G_CALLBACK(on_pressed), self);
  g_signal_connect(controllers[2], "pressed", G_CALLBACK(on_secondary), self);
  g_signal_connect(controllers[3], "key-pressed", G_CALLBACK(on_key), self);
  g_signal_connect(controllers[4], "motion", G_CALLBACK(on_motion), self);
  for (gsize i = 0; i < G_N_ELEMENTS(controllers); i++) {
    gtk_event_controller_set_propagation_phase(controllers[i], GTK_PHASE_CAPTURE);
    gtk_widget_add_controller(GTK_WIDGET(self), controllers[i]);
  }
}
