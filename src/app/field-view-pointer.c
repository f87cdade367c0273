/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pointer and keys of the field viewer: a probe, a camera that is dragged and zoomed. */
#include "app/field-view-private.h"
#include "app/gestures.h"

#include <math.h>

#define WHEEL_STEP 1.2

static void
on_motion(GtkEventControllerMotion *motion, double x, double y, LacFieldView *self)
{
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
  double place[2] = {self->camera.u, self->camera.v};
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
  gtk_widget_grab_focus(GTK_WIDGET(self));
}

static void
on_drag_update(GtkGestureDrag *drag, double dx, double dy, LacFieldView *self)
{
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

static gboolean
on_key(GtkEventControllerKey *keys,
       guint                  key,
       guint                  code,
       GdkModifierType        state,
       LacFieldView          *self)
{
  double step = 0.1 / self->camera.zoom;
  switch (key) {
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
    .axes = GTK_EVENT_CONTROLLER_SCROLL_VERTICAL,
    .drag_begin = G_CALLBACK(on_drag_begin),
    .drag_update = G_CALLBACK(on_drag_update),
    .pressed = G_CALLBACK(on_pressed),
    .key_pressed = G_CALLBACK(on_key),
  };

  lac_gestures_connect(GTK_WIDGET(self), &gestures);
}
