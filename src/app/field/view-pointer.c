/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pointer and keys of the field viewer: a probe, and a camera that is dragged and zoomed. */
#include "app/field/view-private.h"
#include "app/toolkit/gestures.h"

#include <math.h>

#define WHEEL_STEP 1.2

#define GRIP       9.0 /* half width in pixels of the handle's grab area */
#define SWIPE_STEP 0.02
#define LINE_STEP  0.02

static gboolean
has_handle(LacFieldView *self)
{
  return self->scene.n_panes == 1 && self->scene.panes[0].swipe && self->layout.n_panes == 1;
}

static gboolean
is_at_handle(LacFieldView *self, double x)
{
  double place[2] = {self->scene.swipe, 0.5}, point[2];
  if (!has_handle(self))
    return FALSE;
  lac_pane_layout_from_field(&self->layout, &self->camera, 0, place, point);
  return fabs(point[0] - x) <= GRIP;
}

static void
move_handle(LacFieldView *self, double x, double y)
{
  double point[2] = {x, y}, place[2];
  lac_pane_layout_to_field(&self->layout, &self->camera, 0, point, place);
  lac_field_view_set_swipe(self, place[0]);
}

static void
on_motion(GtkEventControllerMotion *motion, double x, double y, LacFieldView *self)
{
  gtk_widget_set_cursor_from_name(GTK_WIDGET(self), is_at_handle(self, x) ? "col-resize" : NULL);
  lac_field_view_set_probe(self, x, y);
}

static void
on_leave(GtkEventControllerMotion *motion, LacFieldView *self)
{
  lac_field_view_set_probe(self, -1, -1);
}

static gboolean
on_scroll(GtkEventControllerScroll *scroll, double dx, double dy, LacFieldView *self)
{
  double          place[2] = {self->camera.u, self->camera.v};
  GdkModifierType state =
    gtk_event_controller_get_current_event_state(GTK_EVENT_CONTROLLER(scroll));
  if (dx != 0 || (state & GDK_SHIFT_MASK)) {
    double columns = dx != 0 ? dx : dy;
    lac_field_view_scroll(self, (columns > 0) - (columns < 0));
    return GDK_EVENT_STOP;
  }
  if (self->probe.shown) {
    place[0] = self->probe.u;
    place[1] = self->probe.v;
  }
  double clicks =
    gtk_event_controller_scroll_get_unit(scroll) == GDK_SCROLL_UNIT_WHEEL ? dy : dy / 40;
  lac_camera_zoom(&self->camera, place[0], place[1], pow(WHEEL_STEP, -clicks));
  lac_field_view_redraw(self);
  return GDK_EVENT_STOP;
}

static void
on_drag_begin(GtkGestureDrag *drag, double x, double y, LacFieldView *self)
{
  self->drag_from = self->camera;
  GdkModifierType state = gtk_event_controller_get_current_event_state(GTK_EVENT_CONTROLLER(drag));
  double          point[2] = {x, y}, place[2];
  self->line_drag =
    (self->draws_line || (state & GDK_SHIFT_MASK)) && lac_field_view_find_place(self, point, place);
  self->moves_handle =
    has_handle(self) && (is_at_handle(self, x) || lac_camera_is_fit(&self->camera));
  gtk_widget_grab_focus(GTK_WIDGET(self));
}

/* Sets the line; both ends are in coordinates of the pane where the drag began. */
static void
drag_line(LacFieldView *self, double from[2], double to[2])
{
  int    pane = lac_pane_layout_find(&self->layout, from[0], from[1]);
  double line[4];
  if (pane < 0 || hypot(to[0] - from[0], to[1] - from[1]) < 4)
    return;
  lac_pane_layout_to_field(&self->layout, &self->camera, (guint) pane, from, line);
  lac_pane_layout_to_field(&self->layout, &self->camera, (guint) pane, to, line + 2);
  for (gsize i = 0; i < 4; i++)
    line[i] = CLAMP(line[i], 0, 1);
  lac_field_view_set_line(self, line);
}

static void
move_line(LacFieldView *self, double du, double dv)
{
  double line[4];
  if (!lac_field_view_get_line(self, line))
    return;
  du = CLAMP(du, -MIN(line[0], line[2]), 1 - MAX(line[0], line[2]));
  dv = CLAMP(dv, -MIN(line[1], line[3]), 1 - MAX(line[1], line[3]));
  lac_field_view_set_line(self, (double[]){line[0] + du, line[1] + dv, line[2] + du, line[3] + dv});
}

static gboolean
on_line_key(LacFieldView *self, guint key)
{
  switch (key) {
  case GDK_KEY_Left: move_line(self, -LINE_STEP, 0); break;
  case GDK_KEY_Right: move_line(self, LINE_STEP, 0); break;
  case GDK_KEY_Up: move_line(self, 0, LINE_STEP); break;
  case GDK_KEY_Down: move_line(self, 0, -LINE_STEP); break;
  default: return FALSE;
  }
  return TRUE;
}

static void
on_drag_update(GtkGestureDrag *drag, double dx, double dy, LacFieldView *self)
{
  double x, y;
  if (self->line_drag && gtk_gesture_drag_get_start_point(drag, &x, &y)) {
    drag_line(self, (double[]){x, y}, (double[]){x + dx, y + dy});
    return;
  }
  if (self->moves_handle && gtk_gesture_drag_get_start_point(drag, &x, &y)) {
    move_handle(self, x + dx, y + dy);
    return;
  }
  if (self->layout.n_panes == 0 || lac_camera_is_fit(&self->camera))
    return;
  self->camera = self->drag_from;
  lac_camera_move(&self->camera, -dx / (self->layout.field_width * self->camera.zoom),
                  dy / (self->layout.field_height * self->camera.zoom));
  lac_field_view_redraw(self);
}

static void
on_pressed(GtkGestureClick *click, int n_press, double x, double y, LacFieldView *self)
{
  if (n_press == 2)
    lac_field_view_fit(self);
}

/* ---- the probe by keys ---- */

/* Returns: the centre of the cell @cells away from @place, for @n cells per row. */
static double
step_from(double place, gsize n, int cells)
{
  double at = floor(place * (double) n) + cells;
  return (CLAMP(at, 0, (double) n - 1) + 0.5) / (double) n;
}

void
lac_field_view_move_probe(LacFieldView *self, int right, int up)
{
  g_return_if_fail(LAC_IS_FIELD_VIEW(self));
  const LacFieldScene *scene = &self->scene;
  if (scene->frame == NULL || scene->n_panes == 0 || self->without_probe)
    return;
  const LacPlane *plane = &scene->frame->planes[scene->panes[0].plane];
  gboolean        first = !self->probe.shown;
  LacProbe        from = first ? (LacProbe){TRUE, self->camera.u, self->camera.v} : self->probe;
  LacProbe        probe = {TRUE, step_from(from.u, plane->nx, first ? 0 : right),
                           step_from(from.v, plane->ny, first ? 0 : up)};
  double          reach = 0.5 / self->camera.zoom;
  lac_camera_move(&self->camera,
                  probe.u - CLAMP(probe.u, self->camera.u - reach, self->camera.u + reach),
                  probe.v - CLAMP(probe.v, self->camera.v - reach, self->camera.v + reach));
  lac_field_view_put_probe(self, &probe);
  lac_field_view_redraw(self);
  if (self->reading != NULL) /* reports the crosshair position to screen readers */
    gtk_accessible_update_property(GTK_ACCESSIBLE(self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                   self->reading, -1);
}

static gboolean
on_probe_key(LacFieldView *self, guint key, GdkModifierType state)
{
  int cells = (state & GDK_SHIFT_MASK) ? 10 : 1;
  if (key == GDK_KEY_Escape && self->probe.shown) {
    lac_field_view_set_probe(self, -1, -1);
    return TRUE;
  }
  if (!(state & GDK_CONTROL_MASK))
    return FALSE;
  switch (key) {
  case GDK_KEY_Left: lac_field_view_move_probe(self, -cells, 0); break;
  case GDK_KEY_Right: lac_field_view_move_probe(self, cells, 0); break;
  case GDK_KEY_Up: lac_field_view_move_probe(self, 0, cells); break;
  case GDK_KEY_Down: lac_field_view_move_probe(self, 0, -cells); break;
  default: return FALSE;
  }
  return TRUE;
}

static gboolean
on_key(GtkEventControllerKey *keys,
       guint                  key,
       guint                  code,
       GdkModifierType        state,
       LacFieldView          *self)
{
  double step = 0.1 / self->camera.zoom;
  if (on_probe_key(self, key, state))
    return GDK_EVENT_STOP;
  if ((state & GDK_SHIFT_MASK) && self->line.shown && on_line_key(self, key))
    return GDK_EVENT_STOP;
  switch (key) {
  case GDK_KEY_p: lac_field_view_next_line(self); break;
  case GDK_KEY_0:
  case GDK_KEY_KP_0: lac_camera_fit(&self->camera); break;
  case GDK_KEY_plus:
  case GDK_KEY_equal:
  case GDK_KEY_KP_Add: lac_camera_zoom(&self->camera, self->camera.u, self->camera.v, 1.25); break;
  case GDK_KEY_minus:
  case GDK_KEY_KP_Subtract:
    lac_camera_zoom(&self->camera, self->camera.u, self->camera.v, 0.8);
    break;
  case GDK_KEY_Left: lac_camera_move(&self->camera, -step, 0); break;
  case GDK_KEY_Right: lac_camera_move(&self->camera, step, 0); break;
  case GDK_KEY_Up: lac_camera_move(&self->camera, 0, step); break;
  case GDK_KEY_Down: lac_camera_move(&self->camera, 0, -step); break;
  case GDK_KEY_bracketleft: lac_field_view_set_swipe(self, self->scene.swipe - SWIPE_STEP); break;
  case GDK_KEY_bracketright: lac_field_view_set_swipe(self, self->scene.swipe + SWIPE_STEP); break;
  case GDK_KEY_Page_Up: lac_field_view_scroll(self, -1); break;
  case GDK_KEY_Page_Down: lac_field_view_scroll(self, 1); break;
  case GDK_KEY_b: lac_field_view_flip(self); break;
  case GDK_KEY_n: lac_field_view_choose_next(self); break;
  default: return GDK_EVENT_PROPAGATE;
  }
  lac_field_view_redraw(self);
  return GDK_EVENT_STOP;
}

void
lac_field_view_add_pointer(LacFieldView *self)
{
  static const LacGestures gestures = {
    .motion = G_CALLBACK(on_motion),
    .leave = G_CALLBACK(on_leave),
    .scroll = G_CALLBACK(on_scroll),
    .axes = GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES,
    .drag_begin = G_CALLBACK(on_drag_begin),
    .drag_update = G_CALLBACK(on_drag_update),
    .pressed = G_CALLBACK(on_pressed),
    .key_pressed = G_CALLBACK(on_key),
  };

  lac_gestures_connect(GTK_WIDGET(self), &gestures);
}
