/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An OpenGL area under a widget that draws axes and labels; without OpenGL that widget also renders the volume on the
 * CPU. The resolution of a moving picture follows from the time of the last one. */
#include "app/field/volume-canvas.h"

#include "app/field/volume-gl.h"
#include "app/toolkit/accessible.h"
#include "app/toolkit/drawing-view.h"
#include "app/toolkit/gestures.h"
#include "app/toolkit/gl-area.h"
#include "app/toolkit/style.h"
#include "app/toolkit/texture.h"
#include "base/clock.h"
#include "base/number-display.h"

#include <glib/gi18n-lib.h>

#include <math.h>

#define A_PIXEL    0.009 /* radians */
#define A_KEY      (G_PI / 36)
#define WHEEL_STEP 1.2
#define BUDGET_NS \
  14e6 /* per moving picture: leaves half of a thirtieth of a second for everything else */
#define COARSEST   8
#define SETTLE_MS  160
#define FINE_SHARE 8 /* pause before a fine picture, as a multiple of its rendering time */

struct _LacVolumeCanvas {
  GtkWidget             parent_instance;
  LacGlArea             area;
  GtkWidget            *overlay;
  const LacVolumeScene *scene;
  LacVolumeView        *volume_view;
  LacOrbit              drag_from;
  gboolean              electrons, is_moving;
  int                   coarse;  /* pixels per ray of a moving picture */
  double                fine_ns; /* time of a full-resolution picture */
  guint                 settle;
  LacVolumePainted      painted; /* (nullable) */
  gpointer              painted_data;
};

G_DEFINE_FINAL_TYPE(LacVolumeCanvas, lac_volume_canvas, GTK_TYPE_WIDGET)

enum { VIEW_CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

#define LAC_TYPE_VOLUME_OVERLAY (lac_volume_overlay_get_type())
G_DECLARE_FINAL_TYPE(LacVolumeOverlay, lac_volume_overlay, LAC, VOLUME_OVERLAY, LacDrawingView)

struct _LacVolumeOverlay {
  LacDrawingView parent_instance;
};

G_DEFINE_FINAL_TYPE(LacVolumeOverlay, lac_volume_overlay, LAC_TYPE_DRAWING_VIEW)

/* ---- resolution ---- */

static int
get_coarse(LacVolumeCanvas *self)
{
  return self->is_moving ? self->coarse : 1;
}

static void
note_cost(LacVolumeCanvas *self, int coarse, gint64 ns)
{
  const double squares = (double) (coarse * coarse);
  self->fine_ns = (double) ns * squares;
  self->coarse = (int) CLAMP(ceil(sqrt(self->fine_ns / BUDGET_NS)), 1, COARSEST);
}

static void
queue_draw(LacVolumeCanvas *self)
{
  lac_gl_area_queue_render(&self->area);
  gtk_widget_queue_draw(self->overlay);
}

static gboolean
on_settled(gpointer user_data)
{
  LacVolumeCanvas *self = user_data;
  self->settle = 0;
  self->is_moving = FALSE;
  queue_draw(self);
  return G_SOURCE_REMOVE;
}

void
lac_volume_canvas_redraw(LacVolumeCanvas *self)
{
  g_return_if_fail(LAC_IS_VOLUME_CANVAS(self));
  self->is_moving = TRUE;
  g_clear_handle_id(&self->settle, g_source_remove);
  self->settle =
    g_timeout_add(MAX(SETTLE_MS, (guint) (FINE_SHARE * self->fine_ns / 1e6)), on_settled, self);
  queue_draw(self);
}

/* ---- the picture ---- */

static void
notify_painted(LacVolumeCanvas *self, gint64 begin_ns, gint64 upload_ns)
{
  if (self->painted != NULL)
    self->painted(begin_ns, upload_ns, lac_clock_ns(), self->painted_data);
}

static gboolean
has_picture(LacVolumeCanvas *self)
{
  return self->scene != NULL && self->scene->frame != NULL;
}

static gpointer
make_painter(gboolean es, GError **error)
{
  return lac_volume_gl_new(es, error);
}

static void
free_painter(gpointer gl)
{
  lac_volume_gl_free(gl);
}

static gboolean
render(GtkGLArea *area, gpointer gl, GtkWidget *owner)
{
  LacVolumeCanvas *self = LAC_VOLUME_CANVAS(owner);
  int              scale = gtk_widget_get_scale_factor(GTK_WIDGET(area));
  int              columns = gtk_widget_get_width(GTK_WIDGET(area)) * scale;
  int    rows = gtk_widget_get_height(GTK_WIDGET(area)) * scale, coarse = get_coarse(self);
  gint64 begin_ns = lac_clock_ns();
  if (self->scene == NULL)
    return TRUE;
  lac_volume_gl_draw(gl, self->scene, self->volume_view, columns, rows, coarse);
  if (!has_picture(self))
    return TRUE;
  note_cost(self, coarse, lac_clock_ns() - begin_ns);
  notify_painted(self, begin_ns, lac_volume_gl_get_upload_ns(gl));
  return TRUE;
}

static LacVolumePlace
get_place(LacVolumeCanvas *self)
{
  double width = gtk_widget_get_width(GTK_WIDGET(self));
  double height = gtk_widget_get_height(GTK_WIDGET(self)) - LAC_VOLUME_TOP - LAC_VOLUME_BOTTOM;
  return (LacVolumePlace){
    0, LAC_VOLUME_TOP, width, MAX(height, 1), LAC_DRAWING_FONT, self->electrons};
}

static void
lac_volume_overlay_paint_under(LacDrawingView *view, GtkSnapshot *snapshot)
{
  LacVolumeCanvas *self = LAC_VOLUME_CANVAS(gtk_widget_get_parent(GTK_WIDGET(view)));
  if (!has_picture(self) || self->area.area != NULL)
    return;
  const LacVolumePlace place = get_place(self);
  int                  coarse = MAX(get_coarse(self), self->fine_ns > 50 * BUDGET_NS ? 2 : 1);
  gsize                columns = (gsize) MAX(place.width / coarse, 1);
  gsize                rows = (gsize) MAX(place.height / coarse, 1);
  guint8              *rgba = g_malloc(4 * columns * rows);
  gint64               begin_ns = lac_clock_ns();
  graphene_rect_t      bounds =
    GRAPHENE_RECT_INIT((float) place.x, (float) place.y, (float) place.width, (float) place.height);
  lac_volume_scene_paint(self->scene, self->volume_view, columns, rows, rgba);
  note_cost(self, coarse, lac_clock_ns() - begin_ns);
  g_autoptr(GdkTexture) texture = lac_texture_new_opaque(rgba, columns, rows);
  gtk_snapshot_append_texture(snapshot, texture, &bounds);
  notify_painted(self, begin_ns, 0);
}

static void
lac_volume_overlay_draw(LacDrawingView *view, LacDrawing *drawing, double width, double height)
{
  LacVolumeCanvas *self = LAC_VOLUME_CANVAS(gtk_widget_get_parent(GTK_WIDGET(view)));
  LacVolumePlace   place = get_place(self);
  if (!has_picture(self))
    return;
  const char      *label = g_dgettext(GETTEXT_PACKAGE, self->scene->channel.label);
  g_autofree char *title = lac_text_dup_fitted(label, LAC_DRAWING_FONT + 1, TRUE, place.width);
  lac_draw_text_bold(drawing, 0, LAC_VOLUME_TOP - 9, LAC_ALIGN_LEFT, LAC_DRAWING_FONT + 1,
                     lac_style_palette()->foreground, title);
  lac_volume_scene_draw_things(drawing, self->scene, self->volume_view, &place);
  LacVolumePlace bar = {LAC_VOLUME_BAR_INSET,
                        place.y + place.height + 8,
                        MAX(place.width - 2 * LAC_VOLUME_BAR_INSET, 1),
                        0,
                        LAC_DRAWING_FONT - 1,
                        FALSE};
  lac_volume_scene_draw_bar(drawing, self->scene, LAC_VOLUME_LINES, &bar, lac_style_palette());
}

static void
lac_volume_overlay_class_init(LacVolumeOverlayClass *class)
{
  LAC_DRAWING_VIEW_CLASS(class)->draw = lac_volume_overlay_draw;
  LAC_DRAWING_VIEW_CLASS(class)->paint_under = lac_volume_overlay_paint_under;
  /* part of its parent, which has the image role */
  gtk_widget_class_set_accessible_role(GTK_WIDGET_CLASS(class), GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
lac_volume_overlay_init(LacVolumeOverlay *self)
{
  gtk_widget_set_can_target(GTK_WIDGET(self), FALSE);
}

/* ---- pointer and keys ---- */

static void
describe(LacVolumeCanvas *self)
{
  const LacOrbit  *orbit = &self->volume_view->orbit;
  g_autofree char *words =
    g_strdup_printf(_("rotated %.0f degrees, tilted %.0f degrees, zoomed %.2f times"),
                    orbit->turn * 180 / G_PI, orbit->tilt * 180 / G_PI, orbit->zoom);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                 lac_number_localise(words), -1);
}

static void
notify_view(LacVolumeCanvas *self)
{
  describe(self);
  lac_volume_canvas_redraw(self);
  g_signal_emit(self, signals[VIEW_CHANGED], 0);
}

static gboolean
on_scroll(GtkEventControllerScroll *scroll, double dx, double dy, LacVolumeCanvas *self)
{
  double clicks =
    gtk_event_controller_scroll_get_unit(scroll) == GDK_SCROLL_UNIT_WHEEL ? dy : dy / 40;
  lac_orbit_zoom(&self->volume_view->orbit, pow(WHEEL_STEP, -clicks));
  notify_view(self);
  return GDK_EVENT_STOP;
}

static void
on_drag_begin(GtkGestureDrag *drag, double x, double y, LacVolumeCanvas *self)
{
  self->drag_from = self->volume_view->orbit;
  gtk_widget_grab_focus(GTK_WIDGET(self));
}

static void
on_drag_update(GtkGestureDrag *drag, double dx, double dy, LacVolumeCanvas *self)
{
  LacOrbit *orbit = &self->volume_view->orbit;
  orbit->turn = self->drag_from.turn;
  orbit->tilt = self->drag_from.tilt;
  lac_orbit_rotate(orbit, -A_PIXEL * dx, A_PIXEL * dy);
  notify_view(self);
}

static void
on_pressed(GtkGestureClick *click, int n_press, double x, double y, LacVolumeCanvas *self)
{
  if (n_press != 2)
    return;
  self->volume_view->orbit = LAC_ORBIT_START;
  notify_view(self);
}

static gboolean
on_key(GtkEventControllerKey *keys,
       guint                  key,
       guint                  code,
       GdkModifierType        state,
       LacVolumeCanvas       *self)
{
  LacOrbit *orbit = &self->volume_view->orbit;
  switch (key) {
  case GDK_KEY_0:
  case GDK_KEY_KP_0: *orbit = LAC_ORBIT_START; break;
  case GDK_KEY_plus:
  case GDK_KEY_equal:
  case GDK_KEY_KP_Add: lac_orbit_zoom(orbit, 1.25); break;
  case GDK_KEY_minus:
  case GDK_KEY_KP_Subtract: lac_orbit_zoom(orbit, 0.8); break;
  case GDK_KEY_Left: lac_orbit_rotate(orbit, A_KEY, 0); break;
  case GDK_KEY_Right: lac_orbit_rotate(orbit, -A_KEY, 0); break;
  case GDK_KEY_Up: lac_orbit_rotate(orbit, 0, -A_KEY); break;
  case GDK_KEY_Down: lac_orbit_rotate(orbit, 0, A_KEY); break;
  default: return GDK_EVENT_PROPAGATE;
  }
  notify_view(self);
  return GDK_EVENT_STOP;
}

/* ---- the object ---- */

static void
lac_volume_canvas_size_allocate(GtkWidget *widget, int width, int height, int baseline)
{
  LacVolumeCanvas *self = LAC_VOLUME_CANVAS(widget);
  int              least, top = (int) LAC_VOLUME_TOP;
  lac_gl_area_allocate(&self->area, top, width, height - top - (int) LAC_VOLUME_BOTTOM);
  gtk_widget_measure(self->overlay, GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
  gtk_widget_size_allocate(self->overlay, &(GtkAllocation){0, 0, width, height}, -1);
}

static void
lac_volume_canvas_dispose(GObject *object)
{
  LacVolumeCanvas *self = LAC_VOLUME_CANVAS(object);
  g_clear_handle_id(&self->settle, g_source_remove);
  lac_gl_area_clear(&self->area);
  g_clear_pointer(&self->overlay, gtk_widget_unparent);
  G_OBJECT_CLASS(lac_volume_canvas_parent_class)->dispose(object);
}

static void
lac_volume_canvas_class_init(LacVolumeCanvasClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  G_OBJECT_CLASS(class)->dispose = lac_volume_canvas_dispose;
  widget_class->size_allocate = lac_volume_canvas_size_allocate;
  gtk_widget_class_set_accessible_role(widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  gtk_widget_class_set_css_name(widget_class, "fieldview");
  signals[VIEW_CHANGED] = g_signal_new("view-changed", LAC_TYPE_VOLUME_CANVAS, G_SIGNAL_RUN_LAST, 0,
                                       NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
lac_volume_canvas_init(LacVolumeCanvas *self)
{
  static const LacGestures gestures = {
    .scroll = G_CALLBACK(on_scroll),
    .axes = GTK_EVENT_CONTROLLER_SCROLL_VERTICAL,
    .drag_begin = G_CALLBACK(on_drag_begin),
    .drag_update = G_CALLBACK(on_drag_update),
    .pressed = G_CALLBACK(on_pressed),
    .key_pressed = G_CALLBACK(on_key),
  };
  static const LacGlPainter painter = {make_painter, free_painter, render};
  self->electrons = TRUE;
  self->coarse = 3;
  gtk_widget_set_focusable(GTK_WIDGET(self), TRUE);
  gtk_widget_set_overflow(GTK_WIDGET(self), GTK_OVERFLOW_HIDDEN);
  self->overlay = g_object_new(LAC_TYPE_VOLUME_OVERLAY, NULL);
  gtk_widget_set_parent(self->overlay, GTK_WIDGET(self));
  lac_gl_area_add(&self->area, GTK_WIDGET(self), self->overlay, &painter);
  lac_gestures_connect(GTK_WIDGET(self), &gestures);
  lac_accessible_name(self, _("Volume in 3D"));
}

void
lac_volume_canvas_set_scene(LacVolumeCanvas      *self,
                            const LacVolumeScene *scene,
                            LacVolumeView        *volume_view)
{
  g_return_if_fail(LAC_IS_VOLUME_CANVAS(self));
  self->scene = scene;
  self->volume_view = volume_view;
  describe(self);
}

void
lac_volume_canvas_set_electrons(LacVolumeCanvas *self, gboolean shown)
{
  g_return_if_fail(LAC_IS_VOLUME_CANVAS(self));
  self->electrons = shown;
  gtk_widget_queue_draw(self->overlay);
}

void
lac_volume_canvas_set_painted(LacVolumeCanvas *self, LacVolumePainted painted, gpointer user_data)
{
  g_return_if_fail(LAC_IS_VOLUME_CANVAS(self));
  self->painted = painted;
  self->painted_data = user_data;
}
