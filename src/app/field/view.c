/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The field viewer. A single GtkGLArea renders all panes: one context and one upload per plane, so panes are always
 * in sync. Without OpenGL the same pixels are painted on the CPU. Titles, sensors and colour bars are drawn by an
 * overlay above the area. */
#include "app/field/view.h"

#include "app/field/raster.h"
#include "app/field/view-private.h"
#include "app/toolkit/accessible.h"
#include "app/toolkit/drawing-view.h"
#include "app/toolkit/style.h"
#include "app/toolkit/texture.h"
#include "base/clock.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

#define LEAST_WIDTH  240
#define LEAST_HEIGHT 128
#define DEFAULT_RATE 1.5 /* flicker in cycles per second: well below the safe limit */

G_DEFINE_FINAL_TYPE(LacFieldView, lac_field_view, GTK_TYPE_WIDGET)

enum { PROP_READING = 1, PROP_SWIPE, N_PROPS };
static GParamSpec *props[N_PROPS];
enum { PICTURE_CHANGED, LINE_CHANGED, LOOK_CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

/* The overlay above the area: a separate widget, because children are drawn after their parent. */
#define LAC_TYPE_FIELD_OVERLAY (lac_field_overlay_get_type())
G_DECLARE_FINAL_TYPE(LacFieldOverlay, lac_field_overlay, LAC, FIELD_OVERLAY, LacDrawingView)

struct _LacFieldOverlay {
  LacDrawingView parent_instance;
};

G_DEFINE_FINAL_TYPE(LacFieldOverlay, lac_field_overlay, LAC_TYPE_DRAWING_VIEW)

LacFieldView2d
lac_field_view_describe(LacFieldView *self, double height, const LacPaneLayout *layout)
{
  return (LacFieldView2d){
    .layout = layout,
    .camera = self->camera,
    .height = height,
    .scale = gtk_widget_get_scale_factor(GTK_WIDGET(self)),
    .backdrop = lac_style_backdrop(),
    .smears = lac_field_flow_get_smears(self->flow, &self->scene),
  };
}

/* ---- the processor's painter ---- */

static void
lac_field_overlay_paint_under(LacDrawingView *overlay, GtkSnapshot *snapshot)
{
  LacFieldView *self = LAC_FIELD_VIEW(gtk_widget_get_parent(GTK_WIDGET(overlay)));
  const gint64  begin_ns = lac_clock_ns();
  if (self->area.area != NULL || self->scene.frame == NULL)
    return;
  LacFieldView2d view =
    lac_field_view_describe(self, gtk_widget_get_height(GTK_WIDGET(self)), &self->layout);
  for (guint i = 0; i < self->layout.n_panes; i++) {
    const LacBox *box = &self->layout.panes[i];
    if (box->width == 0)
      continue;
    int     columns = (int) box->width * view.scale, rows = (int) box->height * view.scale;
    guint8 *rgba = g_malloc((gsize) columns * (gsize) rows * 4);
    lac_field_raster_pane(&self->scene, &view, i, rgba);
    g_autoptr(GdkTexture) texture = lac_texture_new_opaque(rgba, (gsize) columns, (gsize) rows);
    graphene_rect_t       bounds =
      GRAPHENE_RECT_INIT((float) box->x, (float) box->y, (float) box->width, (float) box->height);
    gtk_snapshot_append_texture(snapshot, texture, &bounds);
  }
  lac_field_view_notify_painted(self, begin_ns, 0);
}

static void
count_clipped(LacFieldView *self)
{
  for (guint errors = 0; errors < 2 && !self->is_counted; errors++)
    self->clipped[errors] = lac_field_scene_count_clipped(&self->scene, errors > 0);
  self->is_counted = TRUE;
}

static void
draw_overlay(LacDrawingView *view, LacDrawing *drawing, double width, double height)
{
  LacFieldView *self = LAC_FIELD_VIEW(gtk_widget_get_parent(GTK_WIDGET(view)));
  count_clipped(self);
  const LacPaneView   shown = {&self->scene, &self->layout, &self->camera};
  const LacFieldMarks marks = {
    self->flow,     &self->probe,     &self->line,   {self->clipped[0], self->clipped[1]},
    self->captions, self->n_captions, self->is_bare,
  };
  lac_field_overlay_draw(drawing, &shown, &marks);
}

static void
lac_field_overlay_class_init(LacFieldOverlayClass *class)
{
  LAC_DRAWING_VIEW_CLASS(class)->draw = draw_overlay;
  LAC_DRAWING_VIEW_CLASS(class)->paint_under = lac_field_overlay_paint_under;
  /* part of its parent, which has the image role */
  gtk_widget_class_set_accessible_role(GTK_WIDGET_CLASS(class), GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
lac_field_overlay_init(LacFieldOverlay *self)
{
  gtk_widget_set_can_target(GTK_WIDGET(self), FALSE);
}

/* ---- what changes the picture ---- */

void
lac_field_view_set_painted(LacFieldView *self, LacFieldPainted painted, gpointer user_data)
{
  g_return_if_fail(LAC_IS_FIELD_VIEW(self));
  self->painted = painted;
  self->painted_data = user_data;
}

void
lac_field_view_notify_painted(LacFieldView *self, gint64 begin_ns, gint64 upload_ns)
{
  if (self->painted != NULL)
    self->painted(begin_ns, upload_ns, lac_clock_ns(), self->painted_data);
}

void
lac_field_view_redraw(LacFieldView *self)
{
  const LacCamera *now = &self->camera, *reported = &self->reported;
  lac_gl_area_queue_render(&self->area);
  gtk_widget_queue_draw(self->overlay);
  if (now->u == reported->u && now->v == reported->v && now->zoom == reported->zoom)
    return;
  self->reported = self->camera;
  g_signal_emit(self, signals[LOOK_CHANGED], 0);
}

static void
update_reading(LacFieldView *self)
{
  g_autofree char *reading = lac_field_overlay_dup_reading(&self->scene, &self->probe);
  if (g_strcmp0(reading, self->reading) == 0)
    return;
  g_free(self->reading);
  self->reading = g_steal_pointer(&reading);
  g_object_notify_by_pspec(G_OBJECT(self), props[PROP_READING]);
}

static void
on_flow(gpointer user_data)
{
  lac_field_view_redraw(user_data);
}

void
lac_field_view_show_change(LacFieldView *self)
{
  self->is_counted = FALSE;
  lac_field_flow_follow(self->flow, &self->scene);
  update_reading(self);
  lac_field_view_redraw(self);
  g_signal_emit(self, signals[PICTURE_CHANGED], 0);
}

/* Places error panes below their fields if there is room, with the table of the probe below the true field. */
static LacPaneLayout
lay_out(LacFieldView *self, double width, double height, double aspect)
{
  const LacFieldScene *scene = &self->scene;
  LacPaneLayout        layout;
  double               top = lac_field_view_get_top(self);
  double               left = scene->overlays.axes ? LAC_FIELD_LEFT : 0;
  double               under = scene->overlays.axes ? LAC_FIELD_UNDER_AXES : 0;
  double               beside = self->is_bare ? 0 : lac_field_beside();
  under += self->is_bare ? 0 : lac_field_under();
  LacBox area = {left, top, MAX(width - left - beside, 1), MAX(height - top - under, 1)};
  lac_pane_layout_place(&layout, scene->n_panes, &area, aspect);
  area.height = MAX(height - top, 1);
  if (scene->n_below > 0 && !scene->overlays.axes)
    lac_pane_layout_place_below(&layout, scene->n_below, self->first_source, &area, aspect);
  return layout;
}

double
lac_field_view_get_top(LacFieldView *self)
{
  return self->is_bare ? 0 : lac_field_top();
}

void
lac_field_view_set_bare(LacFieldView *self, gboolean bare)
{
  g_return_if_fail(LAC_IS_FIELD_VIEW(self));
  self->is_bare = bare;
  gtk_widget_queue_resize(GTK_WIDGET(self));
}

void
lac_field_view_place(LacFieldView *self)
{
  double aspect = lac_field_scene_get_aspect(&self->scene);
  self->layout = lay_out(self, gtk_widget_get_width(GTK_WIDGET(self)),
                         gtk_widget_get_height(GTK_WIDGET(self)), aspect);
}

void
lac_field_view_scroll(LacFieldView *self, int columns)
{
  g_return_if_fail(LAC_IS_FIELD_VIEW(self));
  int most = (int) self->scene.n_panes - LAC_MAX_COLUMNS;
  if (self->layout.corner.width == 0 || most <= 0)
    return;
  self->first_source = (guint) CLAMP((int) self->first_source + columns, 0, most);
  lac_field_view_place(self);
  lac_field_view_redraw(self);
}

int
lac_field_view_fit_height(LacFieldView *self, int width, int most)
{
  g_return_val_if_fail(LAC_IS_FIELD_VIEW(self), most);
  double aspect = lac_field_scene_get_aspect(&self->scene);
  if (self->scene.n_panes == 0)
    return most;
  LacPaneLayout layout = lay_out(self, width, most, aspect > 0 ? aspect : LAC_STRETCHED_ASPECT);
  double        below = layout.corner.width > 0 ? 0 : lac_field_under();
  if (self->scene.overlays.axes)
    below += LAC_FIELD_UNDER_AXES;
  return MIN((int) ceil(lac_pane_layout_get_bottom(&layout) + below), most);
}

void
lac_field_view_set_captions(LacFieldView *self, const LacFieldCaption *captions, gsize n)
{
  g_return_if_fail(LAC_IS_FIELD_VIEW(self));
  const gsize size = n * sizeof *captions;
  if (n == self->n_captions && n > 0 && memcmp(self->captions, captions, size) == 0)
    return;
  g_free(self->captions);
  self->captions = n > 0 ? g_memdup2(captions, size) : NULL;
  self->n_captions = n;
  gtk_widget_queue_draw(self->overlay);
}

guint
lac_field_view_find_look(LacFieldView *self, const char *label)
{
  g_return_val_if_fail(LAC_IS_FIELD_VIEW(self) && label != NULL, 0);
  for (gsize i = 0; i < self->n_captions && i < self->scene.n_channels; i++)
    if (self->captions[i].is_source && g_str_equal(self->scene.channels[i].label, label))
      return self->captions[i].look;
  return 0;
}

void
lac_field_view_set_ranks(LacFieldView *self, const guint *ranks)
{
  g_return_if_fail(LAC_IS_FIELD_VIEW(self) && ranks != NULL);
  if (lac_field_scene_set_ranks(&self->scene, ranks))
    lac_field_view_show_change(self);
}

static void
lac_field_view_size_allocate(GtkWidget *widget, int width, int height, int baseline)
{
  LacFieldView *self = LAC_FIELD_VIEW(widget);
  lac_field_view_place(self);
  int least;
  int top = (int) lac_field_view_get_top(self);
  lac_gl_area_allocate(&self->area, top, width, height - top);
  gtk_widget_measure(self->overlay, GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
  gtk_widget_size_allocate(self->overlay, &(GtkAllocation){0, 0, width, height}, -1);
}

/* Requests the height at which the panes show the whole field; the rest is for the curves. */
static void
lac_field_view_measure(GtkWidget     *widget,
                       GtkOrientation orientation,
                       int            for_size,
                       int           *minimum,
                       int           *natural,
                       int           *minimum_baseline,
                       int           *natural_baseline)
{
  LacFieldView *self = LAC_FIELD_VIEW(widget);
  double        aspect = lac_field_scene_get_aspect(&self->scene);
  guint         n = MAX(self->scene.n_panes, 1);
  guint         n_rows = n > 3 ? 2 : 1, n_columns = (n + n_rows - 1) / n_rows;
  if (orientation == GTK_ORIENTATION_HORIZONTAL) {
    *minimum = self->is_bare ? 1 : LEAST_WIDTH;
    *natural = self->is_bare ? 1 : 2 * LEAST_WIDTH;
    return;
  }
  double width = for_size > 0 ? (double) for_size / n_columns : LEAST_WIDTH;
  double height = width / (aspect > 0 ? aspect : LAC_STRETCHED_ASPECT);
  double whole = height * n_rows + LAC_PANE_ROW_GAP * (n_rows - 1);
  *minimum = self->is_bare ? 1 : LEAST_HEIGHT;
  *natural = self->is_bare ? MAX((int) whole, 1)
                           : MAX((int) (whole + lac_field_top() + lac_field_under()), LEAST_HEIGHT);
}

static GtkSizeRequestMode
lac_field_view_get_request_mode(GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

/* ---- the probe ---- */

static gboolean
find_place(LacFieldView *self, double x, double y, double place[2])
{
  int pane = lac_pane_layout_find(&self->layout, x, y);
  if (pane < 0 || self->scene.frame == NULL)
    return FALSE;
  double point[2] = {x, y};
  lac_pane_layout_to_field(&self->layout, &self->camera, (guint) pane, point, place);
  return TRUE;
}

void
lac_field_view_put_probe(LacFieldView *self, const LacProbe *probe)
{
  self->probe = *probe;
  gtk_widget_queue_draw(self->overlay);
  update_reading(self);
}

const char *
lac_field_view_get_reading(LacFieldView *self)
{
  g_return_val_if_fail(LAC_IS_FIELD_VIEW(self), NULL);
  return self->reading;
}

void
lac_field_view_set_probe(LacFieldView *self, double x, double y)
{
  double   place[2] = {0};
  gboolean inside = !self->without_probe && find_place(self, x, y, place) && place[0] >= 0 &&
                    place[0] < 1 && place[1] >= 0 && place[1] < 1;
  if (inside || self->probe.shown)
    lac_field_view_put_probe(self, &(LacProbe){inside, place[0], place[1]});
}

/* ---- the object ---- */

static void
lac_field_view_get_property(GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_SWIPE)
    g_value_set_double(value, LAC_FIELD_VIEW(object)->scene.swipe);
  else
    g_value_set_string(value, LAC_FIELD_VIEW(object)->reading);
}

static void
lac_field_view_set_property(GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  lac_field_view_set_swipe(LAC_FIELD_VIEW(object), g_value_get_double(value));
}

static void
lac_field_view_dispose(GObject *object)
{
  LacFieldView *self = LAC_FIELD_VIEW(object);
  g_clear_handle_id(&self->flicker, g_source_remove);
  lac_gl_area_clear(&self->area);
  g_clear_pointer(&self->overlay, gtk_widget_unparent);
  g_clear_pointer(&self->flow, lac_field_flow_free);
  lac_field_scene_clear(&self->scene);
  g_clear_pointer(&self->reading, g_free);
  g_clear_pointer(&self->captions, g_free);
  g_clear_pointer(&self->kept, g_hash_table_unref);
  G_OBJECT_CLASS(lac_field_view_parent_class)->dispose(object);
}

static void
lac_field_view_class_init(LacFieldViewClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  G_OBJECT_CLASS(class)->dispose = lac_field_view_dispose;
  G_OBJECT_CLASS(class)->get_property = lac_field_view_get_property;
  G_OBJECT_CLASS(class)->set_property = lac_field_view_set_property;
  widget_class->size_allocate = lac_field_view_size_allocate;
  widget_class->measure = lac_field_view_measure;
  widget_class->get_request_mode = lac_field_view_get_request_mode;
  props[PROP_READING] =
    g_param_spec_string("reading", NULL, NULL, NULL, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  props[PROP_SWIPE] =
    g_param_spec_double("swipe", NULL, NULL, 0, 1, 0.5,
                        G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties(G_OBJECT_CLASS(class), N_PROPS, props);
  static const char *const names[N_SIGNALS] = {"picture-changed", "line-changed", "look-changed"};
  for (guint i = 0; i < N_SIGNALS; i++)
    signals[i] = g_signal_new(names[i], LAC_TYPE_FIELD_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                              G_TYPE_NONE, 0);
  gtk_widget_class_set_accessible_role(widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  gtk_widget_class_set_css_name(widget_class, "fieldview");
}

static void
on_unit(GtkWidget *widget)
{
  lac_field_view_redraw(LAC_FIELD_VIEW(widget));
}

static void
lac_field_view_init(LacFieldView *self)
{
  self->kept = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
  lac_camera_fit(&self->camera);
  self->reported = self->camera;
  self->scene.swipe = 0.5;
  self->rate = DEFAULT_RATE;
  self->flow = lac_field_flow_new(on_flow, self);
  gtk_widget_set_focusable(GTK_WIDGET(self), TRUE);
  gtk_widget_set_overflow(GTK_WIDGET(self), GTK_OVERFLOW_HIDDEN);
  self->overlay = g_object_new(LAC_TYPE_FIELD_OVERLAY, NULL);
  gtk_widget_set_parent(self->overlay, GTK_WIDGET(self));
  lac_field_view_add_area(self);
  lac_field_view_add_pointer(self);
  g_signal_connect_object(adw_style_manager_get_default(), "notify::dark",
                          G_CALLBACK(lac_field_view_redraw), self, G_CONNECT_SWAPPED);
  lac_style_follow_units(GTK_WIDGET(self), on_unit);
  lac_accessible_name(self, _("Fields of truth and reconstructions"));
}

void
lac_field_view_set_channels(LacFieldView *self, const LacChannel *channels, gsize n_channels)
{
  g_return_if_fail(LAC_IS_FIELD_VIEW(self));
  LacFieldScene before = self->scene;
  self->first_source = 0;
  self->line.shown = FALSE; /* it belongs to the fields of one run */
  lac_field_view_set_captions(self, NULL, 0);
  lac_field_view_keep_scales(self);
  lac_field_scene_clear(&self->scene);
  lac_field_scene_init(&self->scene, channels, n_channels);
  lac_field_scene_set_compares(&self->scene, before.compares);
  self->scene.swipe = before.swipe;
  self->scene.one_scale = before.one_scale;
  self->scene.smooth = before.smooth;
  self->scene.overlays = before.overlays;
  lac_field_view_restore_scales(self);
  lac_field_scene_set_errors(&self->scene, before.errors);
  lac_field_scene_set_mode(&self->scene, before.mode);
  lac_field_scene_set_vision(&self->scene, before.vision);
  lac_camera_fit(&self->camera);
  gtk_widget_queue_resize(GTK_WIDGET(self));
  lac_field_view_show_change(self);
  g_signal_emit(self, signals[LINE_CHANGED], 0);
}

void
lac_field_view_set_frame(LacFieldView *self, LacFrame *frame)
{
  g_return_if_fail(LAC_IS_FIELD_VIEW(self));
  gboolean first = self->scene.frame == NULL;
  lac_field_scene_set_frame(&self->scene, frame);
  if (first)
    gtk_widget_queue_resize(GTK_WIDGET(self));
  lac_field_view_show_change(self);
}

const LacFieldScene *
lac_field_view_get_scene(LacFieldView *self)
{
  g_return_val_if_fail(LAC_IS_FIELD_VIEW(self), NULL);
  return &self->scene;
}

/* Updates the view after the panes changed, possibly in number. */
static void
show_other_panes(LacFieldView *self)
{
  lac_field_view_place(self);
  gtk_widget_queue_resize(GTK_WIDGET(self));
  lac_field_view_show_change(self);
}

static gboolean
on_flicker(gpointer user_data)
{
  LacFieldView *self = user_data;
  if (gtk_widget_get_mapped(GTK_WIDGET(self)))
    lac_field_view_flip(self);
  return G_SOURCE_CONTINUE;
}

static void
start_flicker(LacFieldView *self)
{
  gboolean moves = TRUE;
  g_clear_handle_id(&self->flicker, g_source_remove);
  if (self->scene.mode != LAC_VIEW_FLICKER)
    return;
  g_object_get(gtk_widget_get_settings(GTK_WIDGET(self)), "gtk-enable-animations", &moves, NULL);
  self->flicker = g_timeout_add(lac_flicker_interval(self->rate, !moves), on_flicker, self);
}

void
lac_field_view_set_quantity(LacFieldView *self, guint quantity)
{
  g_return_if_fail(LAC_IS_FIELD_VIEW(self));
  lac_field_scene_set_quantity(&self->scene, quantity);
  show_other_panes(self);
}

void
lac_field_view_set_mode(LacFieldView *self, LacViewMode mode)
{
  g_return_if_fail(LAC_IS_FIELD_VIEW(self));
  lac_field_scene_set_mode(&self->scene, mode);
  show_other_panes(self);
  start_flicker(self);
}

void
lac_field_view_set_compares(LacFieldView *self, gboolean compares)
{
  g_return_if_fail(LAC_IS_FIELD_VIEW(self));
  lac_field_scene_set_compares(&self->scene, compares);
}

void
lac_field_view_choose_next(LacFieldView *self)
{
  g_return_if_fail(LAC_IS_FIELD_VIEW(self));
  lac_field_scene_choose(&self->scene, self->scene.chosen + 1);
  show_other_panes(self);
}

void
lac_field_view_set_swipe(LacFieldView *self, double swipe)
{
  g_return_if_fail(LAC_IS_FIELD_VIEW(self));
  swipe = CLAMP(swipe, 0, 1);
  if (swipe == self->scene.swipe)
    return;
  self->scene.swipe = swipe;
  lac_field_view_redraw(self);
  g_object_notify_by_pspec(G_OBJECT(self), props[PROP_SWIPE]);
}

void
lac_field_view_set_flicker_rate(LacFieldView *self, double rate)
{
  g_return_if_fail(LAC_IS_FIELD_VIEW(self));
  rate = CLAMP(rate, LAC_FLICKER_LEAST, LAC_FLICKER_MOST);
  if (rate == self->rate)
    return;
  self->rate = rate;
  start_flicker(self);
  g_signal_emit(self, signals[LOOK_CHANGED], 0);
}

double
lac_field_view_get_flicker_rate(LacFieldView *self)
{
  g_return_val_if_fail(LAC_IS_FIELD_VIEW(self), 0);
  return self->rate;
}

void
lac_field_view_flip(LacFieldView *self)
{
  g_return_if_fail(LAC_IS_FIELD_VIEW(self));
  lac_field_scene_show_second(&self->scene, !self->scene.shows_second);
  self->is_counted = FALSE;
  lac_field_view_redraw(self);
}

void
lac_field_view_set_smooth(LacFieldView *self, gboolean smooth)
{
  g_return_if_fail(LAC_IS_FIELD_VIEW(self));
  self->scene.smooth = smooth;
  lac_field_view_redraw(self);
}

void
lac_field_view_set_vision(LacFieldView *self, LacVision vision)
{
  g_return_if_fail(LAC_IS_FIELD_VIEW(self));
  lac_field_scene_set_vision(&self->scene, vision);
  lac_field_view_redraw(self);
}

void
lac_field_view_zoom(LacFieldView *self, double factor)
{
  g_return_if_fail(LAC_IS_FIELD_VIEW(self));
  lac_camera_zoom(&self->camera, self->camera.u, self->camera.v, factor);
  lac_field_view_redraw(self);
}

LacCamera
lac_field_view_get_camera(LacFieldView *self)
{
  g_return_val_if_fail(LAC_IS_FIELD_VIEW(self), (LacCamera){0});
  return self->camera;
}

void
lac_field_view_set_camera(LacFieldView *self, const LacCamera *camera)
{
  g_return_if_fail(LAC_IS_FIELD_VIEW(self) && camera != NULL);
  lac_camera_fit(&self->camera);
  lac_camera_zoom(&self->camera, self->camera.u, self->camera.v, camera->zoom / self->camera.zoom);
  lac_camera_move(&self->camera, camera->u - self->camera.u, camera->v - self->camera.v);
  lac_field_view_redraw(self);
}

void
lac_field_view_set_probing(LacFieldView *self, gboolean probing)
{
  g_return_if_fail(LAC_IS_FIELD_VIEW(self));
  self->without_probe = !probing;
  lac_field_view_set_probe(self, -1, -1);
}

void
lac_field_view_fit(LacFieldView *self)
{
  g_return_if_fail(LAC_IS_FIELD_VIEW(self));
  lac_camera_fit(&self->camera);
  lac_field_view_redraw(self);
}

gboolean
lac_field_view_find_place(LacFieldView *self, double point[2], double at[2])
{
  g_return_val_if_fail(LAC_IS_FIELD_VIEW(self), FALSE);
  double place[2];
  if (!find_place(self, point[0], point[1], place) || place[0] < 0 || place[0] > 1 ||
      place[1] < 0 || place[1] > 1)
    return FALSE;
  lac_field_scene_locate(&self->scene, place[0], place[1], &at[0], &at[1]);
  return TRUE;
}

gboolean
lac_field_view_find_point(LacFieldView *self, const double at[2], double point[2])
{
  g_return_val_if_fail(LAC_IS_FIELD_VIEW(self), FALSE);
  double    place[2];
  LacMarker marker = {at[0], at[1], NULL};
  if (self->scene.frame == NULL || self->layout.n_panes == 0)
    return FALSE;
  lac_field_scene_place(&self->scene, &marker, place);
  lac_pane_layout_from_field(&self->layout, &self->camera, 0, place, point);
  return TRUE;
}

void
lac_field_view_unproject(LacFieldView *self, double point[2], double at[2])
{
  g_return_if_fail(LAC_IS_FIELD_VIEW(self) && self->layout.n_panes > 0);
  double place[2];
  lac_pane_layout_to_field(&self->layout, &self->camera, 0, point, place);
  lac_field_scene_locate(&self->scene, place[0], place[1], &at[0], &at[1]);
}
