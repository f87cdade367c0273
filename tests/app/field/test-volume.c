/* SPDX-License-Identifier: GPL-3.0-or-later */
/* GPU and CPU cast the same rays: their pictures of a volume agree, fine and coarse, with and without a surface. */
#include "app/field/volume-canvas.h"
#include "app/field/volume-gl.h"
#include "app/field/volume-viewer.h"
#include "app/helpers/display.h"

#include <epoxy/gl.h>

#include <math.h>

enum { WIDTH = 150, HEIGHT = 110, NX = 20, NY = 24, NZ = 28 };

static const LacChannel channels[] = {
  {"shadow", "Shadow", "1", "shadow", LAC_ROLE_RECONSTRUCTION, "ember", "x", "y", "bohr", "bohr"},
  {"density", "Density", "1/bohr³", "density", LAC_ROLE_RECONSTRUCTION, "ember", "x", "y", "bohr",
   "bohr", .layers = {NZ, -4, 4.1}},
};

static LacFrame *
make_frame(void)
{
  const gsize sizes[2][2] = {{2, 2}, {NX, NY * NZ}};
  LacFrame   *frame = lac_frame_new(2, sizes, 2, 0);
  LacPlane   *plane = &frame->planes[1];

  plane->x_min = -3;
  plane->x_max = 3.2;
  lac_layers_set_y(&channels[1].layers, plane, -3.5, 3.4);
  for (gsize i = 0; i < NX * NY * NZ; i++) {
    const double x = -3 + 6.2 * (double) (i % NX) / (NX - 1);
    const double y = -3.5 + 6.9 * (double) (i / NX % NY) / (NY - 1);
    const double z = -4 + 8.1 * (double) (i / (NX * NY)) / (NZ - 1);

    plane->data[i] = (float) (exp(-2 * sqrt(x * x + y * y + (z - 1) * (z - 1))) +
                              exp(-1.5 * sqrt(x * x + y * y + (z + 1) * (z + 1))));
  }
  lac_plane_measure(plane);
  frame->markers[0] = (LacMarker){
    .kind = g_intern_static_string("nucleus-Li"), .is_in_space = TRUE, .space = {0, 0, 1}};
  frame->markers[1] = (LacMarker){
    .kind = g_intern_static_string("electron-up"), .is_in_space = TRUE, .space = {1, 0, 0}};
  return frame;
}

static void
draw_gl(const LacVolumeScene *scene,
        const LacVolumeView  *volume_view,
        int                   coarse,
        gboolean              es,
        guint8               *rgba)
{
  GError      *error = NULL;
  GLuint       target, texture;
  LacVolumeGl *gl = lac_volume_gl_new(es, &error);

  g_assert_no_error(error);
  glGenTextures(1, &texture);
  glBindTexture(GL_TEXTURE_2D, texture);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, WIDTH, HEIGHT, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
  glGenFramebuffers(1, &target);
  glBindFramebuffer(GL_FRAMEBUFFER, target);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
  lac_volume_gl_draw(gl, scene, volume_view, WIDTH, HEIGHT, coarse);
  glReadPixels(0, 0, WIDTH, HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
  g_assert_cmpint(glGetError(), ==, GL_NO_ERROR);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  glDeleteFramebuffers(1, &target);
  glDeleteTextures(1, &texture);
  lac_volume_gl_free(gl);
}

/* Half-precision cells and single-precision sums shift the colour-map index by less than an entry; at the edge of a
 * surface, and of the volume, a ray may hit or miss. Returns: the mean difference of a colour channel. */
static double
compare(const guint8 *from_gl, const guint8 *expected, double *most_apart)
{
  gsize  n_apart = 0;
  double sum = 0;

  for (gsize j = 0; j < HEIGHT; j++)
    for (gsize i = 0; i < WIDTH; i++) {
      const guint8 *g = from_gl + 4 * ((HEIGHT - 1 - j) * WIDTH + i);
      const guint8 *e = expected + 4 * (j * WIDTH + i);
      const int     apart = abs(g[0] - e[0]) + abs(g[1] - e[1]) + abs(g[2] - e[2]);

      sum += apart / 3.0;
      n_apart += apart > 15;
    }
  *most_apart = (double) n_apart / (WIDTH * HEIGHT);
  return sum / (WIDTH * HEIGHT);
}

static void
check(gboolean es)
{
  static const LacVolumeView volume_views[] = {
    {{-0.45, 0.35, 1}, LAC_CUT_NUCLEI, 0, 0.7},
    {{0, 0, 1}, LAC_CUT_NUCLEI, 0, 0},
    {{1.2, -0.9, 2}, LAC_CUT_X, 0.5, 0.5},
  };
  g_autoptr(LacFrame) frame = make_frame();
  LacVolumeScene      scene;
  g_autofree guint8  *rgba = g_malloc0(WIDTH * HEIGHT * 4);
  g_autofree guint8  *expected = g_malloc(WIDTH * HEIGHT * 4);

  lac_volume_scene_init(&scene, &channels[1], 1);
  g_assert_true(lac_volume_scene_set_frame(&scene, frame, &volume_views[0]));
  for (gsize i = 0; i < G_N_ELEMENTS(volume_views); i++) {
    double share, mean;

    lac_volume_scene_follow(&scene, &volume_views[i]);
    lac_volume_scene_paint(&scene, &volume_views[i], WIDTH, HEIGHT, expected);
    draw_gl(&scene, &volume_views[i], 1, es, rgba);
    mean = compare(rgba, expected, &share);
    g_test_message("fine: mean %.3f of 255, %.2f %% apart", mean, 100 * share);
    g_assert_cmpfloat(mean, <, 0.5);
    g_assert_cmpfloat(share, <, 0.01);
    draw_gl(&scene, &volume_views[i], 3, es, rgba);
    mean = compare(rgba, expected, &share);
    g_test_message("coarse: mean %.3f of 255", mean);
    g_assert_cmpfloat(mean, <, 6);
  }
  lac_volume_scene_clear(&scene);
}

static void
test_same_picture(void)
{
  GError *error = NULL;

  if (!display_open())
    return;
  GtkWidget *window = gtk_window_new();
  gtk_widget_realize(window);
  GdkGLContext *context =
    gdk_surface_create_gl_context(gtk_native_get_surface(GTK_NATIVE(window)), &error);
  if (context != NULL && gdk_gl_context_realize(context, &error)) {
    gdk_gl_context_make_current(context);
    check(gdk_gl_context_get_use_es(context));
    gdk_gl_context_clear_current();
  } else {
    g_test_skip_printf("no OpenGL here: %s", error->message);
    g_clear_error(&error);
  }
  g_clear_object(&context);
  gtk_window_destroy(GTK_WINDOW(window));
}

static gboolean
has_drawn(LacVolumeCanvas *canvas)
{
  return gtk_widget_get_width(GTK_WIDGET(canvas)) > 0;
}

/* The viewer finds the volume among the channels, and resets to its first view. */
static void
test_viewer(void)
{
  if (!display_open())
    return;
  GtkWidget          *window = gtk_window_new();
  LacVolumeViewer    *viewer = g_object_new(LAC_TYPE_VOLUME_VIEWER, NULL);
  g_autoptr(LacFrame) frame = make_frame();

  gtk_window_set_child(GTK_WINDOW(window), GTK_WIDGET(viewer));
  g_assert_false(lac_volume_viewer_set_channels(viewer, channels, 1));
  g_assert_null(lac_volume_viewer_get_channel(viewer));
  g_assert_true(lac_volume_viewer_set_channels(viewer, channels, 2));
  g_assert_cmpstr(lac_volume_viewer_get_channel(viewer), ==, "density");
  lac_volume_viewer_set_frame(viewer, frame);
  gtk_window_present(GTK_WINDOW(window));
  for (gint64 until = g_get_monotonic_time() + 5 * G_USEC_PER_SEC;
       !has_drawn(lac_volume_viewer_get_canvas(viewer)) && g_get_monotonic_time() < until;)
    g_main_context_iteration(NULL, FALSE);
  g_assert_true(has_drawn(lac_volume_viewer_get_canvas(viewer)));
  lac_volume_viewer_zoom(viewer, 2);
  g_assert_cmpfloat(lac_volume_viewer_get_view(viewer)->orbit.zoom, ==, 2);
  lac_volume_viewer_fit(viewer);
  g_assert_cmpfloat(lac_volume_viewer_get_view(viewer)->orbit.zoom, ==, 1);
  lac_volume_viewer_set_channels(viewer, NULL, 0);
  lac_volume_viewer_set_frame(viewer, NULL);
  gtk_window_destroy(GTK_WINDOW(window));
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/app/volume/the-viewer-takes-the-volume", test_viewer);
  g_test_add_func("/app/volume/the-card-sees-what-the-processor-sees", test_same_picture);
  return g_test_run();
}
