/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A view draws the list of its class at its size and in the colours of the style, and forwards clicks, drags and
 * keys. */
#include "app/helpers/display.h"
#include "app/toolkit/drawing-view.h"
#include "app/toolkit/preferences.h"
#include "app/toolkit/style.h"

#define WIDTH  120
#define HEIGHT 80

/* ---- two classes: one that handles all events, one that only draws ---- */

typedef struct {
  LacDrawingView    parent_instance;
  guint             n_drawn;
  double            width, height;
  const LacPalette *palette;  /* of the last drawing */
  gsize             n_before; /* items in the list before drawing */
  LacPoint          clicked;
  GArray           *drags; /* double: phase, start, offset */
  guint             key;
  GdkModifierType   state;
} Probe;
typedef LacDrawingViewClass ProbeClass;
typedef Probe               Still;
typedef LacDrawingViewClass StillClass;

GType probe_get_type(void);
GType still_get_type(void);
G_DEFINE_TYPE(Probe, probe, LAC_TYPE_DRAWING_VIEW)
G_DEFINE_TYPE(Still, still, LAC_TYPE_DRAWING_VIEW)

static const LacColour red = {1, 0, 0, 1};

/* Red from the centre to far beyond the right edge. */
static void
probe_draw(LacDrawingView *view, LacDrawing *drawing, double width, double height)
{
  Probe *self = (Probe *) view;
  self->n_drawn++;
  self->width = width;
  self->height = height;
  self->palette = lac_style_palette();
  self->n_before = lac_drawing_get_n_items(drawing);
  lac_draw_rectangle(drawing, width / 2, 0, 2 * width, height, red);
}

/* Blue over its left three quarters. */
static void
probe_paint_under(LacDrawingView *view, GtkSnapshot *snapshot)
{
  const float   width = (float) gtk_widget_get_width(GTK_WIDGET(view));
  const float   height = (float) gtk_widget_get_height(GTK_WIDGET(view));
  const GdkRGBA blue = {0, 0, 1, 1};
  gtk_snapshot_append_color(snapshot, &blue, &GRAPHENE_RECT_INIT(0, 0, 0.75F * width, height));
}

static void
probe_click(LacDrawingView *view, double x, double y)
{
  ((Probe *) view)->clicked = (LacPoint){x, y};
}

static void
probe_drag(LacDrawingView *view, LacDragPhase phase, double from_x, double dx)
{
  const double reported[] = {phase, from_x, dx};
  g_array_append_vals(((Probe *) view)->drags, reported, G_N_ELEMENTS(reported));
}

static gboolean
probe_key(LacDrawingView *view, guint key, GdkModifierType state)
{
  ((Probe *) view)->key = key;
  ((Probe *) view)->state = state;
  return key == GDK_KEY_Left ? GDK_EVENT_STOP : GDK_EVENT_PROPAGATE;
}

static void
probe_finalize(GObject *object)
{
  g_array_unref(((Probe *) object)->drags);
  G_OBJECT_CLASS(probe_parent_class)->finalize(object);
}

static void
probe_class_init(ProbeClass *class)
{
  G_OBJECT_CLASS(class)->finalize = probe_finalize;
  class->draw = probe_draw;
  class->paint_under = probe_paint_under;
  class->click = probe_click;
  class->drag = probe_drag;
  class->key = probe_key;
}

static void
probe_init(Probe *self)
{
  self->drags = g_array_new(FALSE, FALSE, sizeof(double));
}

static void
still_class_init(StillClass *class)
{
  class->draw = probe_draw;
}

static void
still_init(Still *self)
{
}

/* ---- a window with one of them, and equal space to its right ---- */

static Probe *
show(GType type, GtkWidget **window)
{
  Probe     *view = g_object_new(type, NULL);
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *room = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
  *window = gtk_window_new();
  gtk_window_set_decorated(GTK_WINDOW(*window), FALSE);
  gtk_widget_set_size_request(GTK_WIDGET(view), WIDTH, HEIGHT);
  gtk_widget_set_size_request(room, WIDTH, HEIGHT);
  gtk_box_append(GTK_BOX(box), GTK_WIDGET(view));
  gtk_box_append(GTK_BOX(box), room);
  gtk_window_set_child(GTK_WINDOW(*window), box);
  gtk_window_present(GTK_WINDOW(*window));
  guint limit = display_limit_wait();
  while (view->n_drawn == 0)
    g_main_context_iteration(NULL, TRUE);
  g_source_remove(limit);
  return view;
}

static void
wait_for_drawing(const Probe *view, guint n_drawn)
{
  guint limit = display_limit_wait();
  while (view->n_drawn <= n_drawn)
    g_main_context_iteration(NULL, TRUE);
  g_source_remove(limit);
}

/* (nullable): the controller of that type. */
static gpointer
find_controller(gpointer widget, GType type)
{
  g_autoptr(GListModel) all = gtk_widget_observe_controllers(widget);
  for (guint i = 0; i < g_list_model_get_n_items(all); i++) {
    g_autoptr(GObject) controller = g_list_model_get_item(all, i);
    if (G_TYPE_CHECK_INSTANCE_TYPE(controller, type))
      return controller; /* belongs to the widget */
  }
  return NULL;
}

static void
get_pixel(const guint8 *bgra, int x, int y, guint8 *rgb)
{
  const guint8 *p = bgra + 4 * (y * 2 * WIDTH + x);
  for (int i = 0; i < 3; i++)
    rgb[i] = p[2 - i];
}

/* ---- the tests ---- */

static void
test_draw(void)
{
  static const struct {
    int    x;
    guint8 rgb[3];
  } places[] = {{10, {0, 0, 255}},
                {WIDTH / 2 + 10, {255, 0, 0}},
                {WIDTH - 2, {255, 0, 0}},
                {WIDTH + 10, {0, 0, 0}}};
  GtkWidget *window;
  if (!display_open())
    return;
  Probe *view = show(probe_get_type(), &window);
  g_assert_cmpfloat(view->width, ==, gtk_widget_get_width(GTK_WIDGET(view)));
  g_assert_cmpfloat(view->height, ==, gtk_widget_get_height(GTK_WIDGET(view)));
  g_assert_cmpfloat(view->width, ==, WIDTH);

  GtkSnapshot            *snapshot = gtk_snapshot_new();
  g_autoptr(GdkPaintable) paintable =
    gtk_widget_paintable_new(gtk_widget_get_parent(GTK_WIDGET(view)));
  gdk_paintable_snapshot(paintable, snapshot, 2 * WIDTH, HEIGHT);
  GskRenderNode        *node = gtk_snapshot_free_to_node(snapshot);
  g_autofree guint8    *bgra = g_malloc0(4 * 2 * WIDTH * HEIGHT);
  g_autoptr(GdkTexture) texture =
    gsk_renderer_render_texture(gtk_native_get_renderer(GTK_NATIVE(window)), node,
                                &GRAPHENE_RECT_INIT(0, 0, 2 * WIDTH, HEIGHT));
  gdk_texture_download(texture, bgra, (gsize) 4 * 2 * WIDTH);
  gsk_render_node_unref(node);
  for (gsize i = 0; i < G_N_ELEMENTS(places); i++) {
    guint8 rgb[3];
    get_pixel(bgra, places[i].x, HEIGHT / 2, rgb);
    g_test_message("at %d: %d %d %d", places[i].x, rgb[0], rgb[1], rgb[2]);
    g_assert_cmpmem(rgb, 3, places[i].rgb, 3);
  }
  gtk_window_destroy(GTK_WINDOW(window));
}

/* Each drawing starts with an empty list. */
static void
test_style(void)
{
  GtkWidget *window;
  if (!display_open())
    return;
  AdwStyleManager *manager = adw_style_manager_get_default();
  adw_style_manager_set_color_scheme(manager, ADW_COLOR_SCHEME_FORCE_LIGHT);
  Probe *view = show(still_get_type(), &window);
  g_assert_true(view->palette == &lac_palette_light);
  guint n_drawn = view->n_drawn;
  adw_style_manager_set_color_scheme(manager, ADW_COLOR_SCHEME_FORCE_DARK);
  wait_for_drawing(view, n_drawn);
  g_assert_true(view->palette == &lac_palette_dark);
  g_assert_cmpuint(view->n_before, ==, 0);
  adw_style_manager_set_color_scheme(manager, ADW_COLOR_SCHEME_DEFAULT);
  gtk_window_destroy(GTK_WINDOW(window));
}

/* Values are drawn in the preferred unit. */
static void
test_unit(void)
{
  GtkWidget *window;
  if (!display_open())
    return;
  Probe *view = show(still_get_type(), &window);
  for (LacDimension dimension = 0; dimension < LAC_N_DIMENSIONS; dimension++) {
    g_autofree char *key = lac_preferences_dup_unit_key(dimension);
    gsize            n;
    const LacUnit   *units = lac_units(&n);
    const char      *other = NULL;
    for (gsize i = 0; i < n; i++)
      if (units[i].dimension == dimension && units[i].is_offered && units[i].size != 1)
        other = units[i].key;
    while (g_main_context_iteration(NULL, FALSE))
      ;
    guint n_drawn = view->n_drawn;
    g_assert_true(g_settings_set_string(lac_preferences_get(), key, other));
    wait_for_drawing(view, n_drawn);
    g_settings_reset(lac_preferences_get(), key);
  }
  gtk_window_destroy(GTK_WINDOW(window));
}

static void
test_pointer_and_keys(void)
{
  static const double reported[] = {LAC_DRAG_BEGIN, 30, 0, LAC_DRAG_MOVE, 30, 7,
                                    LAC_DRAG_END,   30, -4};
  GtkWidget          *window;
  gboolean            stops;
  if (!display_open())
    return;
  Probe   *view = show(probe_get_type(), &window);
  gpointer click = find_controller(view, GTK_TYPE_GESTURE_CLICK);
  gpointer drag = find_controller(view, GTK_TYPE_GESTURE_DRAG);
  gpointer keys = find_controller(view, GTK_TYPE_EVENT_CONTROLLER_KEY);
  g_assert_true(click != NULL && drag != NULL && keys != NULL);
  g_assert_true(gtk_widget_get_focusable(GTK_WIDGET(view)));

  gtk_window_set_focus(GTK_WINDOW(window), NULL);
  g_signal_emit_by_name(click, "released", 1, 12.5, 40.0);
  g_assert_cmpfloat(view->clicked.x, ==, 12.5);
  g_assert_cmpfloat(view->clicked.y, ==, 40);
  g_assert_true(gtk_window_get_focus(GTK_WINDOW(window)) == GTK_WIDGET(view));

  gtk_window_set_focus(GTK_WINDOW(window), NULL);
  g_signal_emit_by_name(drag, "drag-begin", 30.0, 8.0);
  g_assert_true(gtk_window_get_focus(GTK_WINDOW(window)) == GTK_WIDGET(view));
  g_signal_emit_by_name(drag, "drag-update", 7.0, 1.0);
  g_signal_emit_by_name(drag, "drag-end", -4.0, 2.0);
  g_assert_cmpmem(view->drags->data, view->drags->len * sizeof(double), reported, sizeof reported);

  g_signal_emit_by_name(keys, "key-pressed", GDK_KEY_Left, 0, GDK_SHIFT_MASK, &stops);
  g_assert_true(stops);
  g_assert_cmpuint(view->key, ==, GDK_KEY_Left);
  g_assert_cmpuint(view->state, ==, GDK_SHIFT_MASK);
  g_signal_emit_by_name(keys, "key-pressed", GDK_KEY_Right, 0, 0, &stops);
  g_assert_false(stops);
  gtk_window_destroy(GTK_WINDOW(window));
}

/* A plain picture takes neither the focus nor pointer events. */
static void
test_still(void)
{
  GtkWidget *window;
  if (!display_open())
    return;
  Probe                *view = show(still_get_type(), &window);
  g_autoptr(GListModel) all = gtk_widget_observe_controllers(GTK_WIDGET(view));
  g_assert_cmpuint(g_list_model_get_n_items(all), ==, 0);
  g_assert_false(gtk_widget_get_focusable(GTK_WIDGET(view)));
  g_assert_cmpint(gtk_accessible_get_accessible_role(GTK_ACCESSIBLE(view)), ==,
                  GTK_ACCESSIBLE_ROLE_IMG);
  g_object_ref(view);
  gtk_window_destroy(GTK_WINDOW(window));
  g_assert_finalize_object(view);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_autofree char *schemas = g_build_filename(g_getenv("LACUNA_BUILD_ROOT"), "data", NULL);
  g_setenv("GSETTINGS_SCHEMA_DIR", schemas, TRUE);
  g_autoptr(GApplication) application =
    g_application_new("io.github.lacuna.Lacuna.Test", G_APPLICATION_NON_UNIQUE);
  g_application_set_default(application);
  g_assert_nonnull(lac_preferences_get());
  g_test_add_func("/app/drawing-view/draws-at-its-size-over-what-lies-under", test_draw);
  g_test_add_func("/app/drawing-view/is-drawn-again-when-the-style-changes", test_style);
  g_test_add_func("/app/drawing-view/is-drawn-again-when-a-unit-changes", test_unit);
  g_test_add_func("/app/drawing-view/hands-on-pointer-and-keys", test_pointer_and_keys);
  g_test_add_func("/app/drawing-view/listens-to-nothing-unasked", test_still);
  return g_test_run();
}
