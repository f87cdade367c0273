/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The shader gives the colours of the CPU painter, pixel by pixel: colour maps, error, interpolation, non-finite
 * values. */
#include "app/field/gl.h"
#include "app/field/raster.h"
#include "app/field/scale.h"
#include "app/helpers/display.h"

#include <epoxy/gl.h>

#include <math.h>

#define WIDTH  300
#define HEIGHT 90

static const LacChannel channels[] = {
  {"t", "Truth", "1", "u", LAC_ROLE_TRUTH, "viridis", "x", "y", "1", "1"},
  {"r", "Reconstruction", "1", "u", LAC_ROLE_RECONSTRUCTION, "viridis", "x", "y", "1", "1"},
};

static LacFrame *
make_frame(void)
{
  gsize     sizes[2][2] = {{37, 29}, {37, 29}};
  LacFrame *frame = lac_frame_new(2, (const gsize(*)[2]) sizes, 0, 0);
  for (gsize p = 0; p < 2; p++) {
    LacPlane *plane = &frame->planes[p];
    plane->x_max = plane->y_max = 1;
    for (gsize j = 0; j < plane->ny; j++)
      for (gsize i = 0; i < plane->nx; i++)
        plane->data[j * plane->nx + i] = (float) (sin(0.3 * (double) i) * cos(0.2 * (double) j) +
                                                  0.1 * (double) p * sin((double) (i * j)));
    plane->data[5 * plane->nx + 7] = NAN;
    lac_plane_measure(plane);
  }
  return frame;
}

static GdkGLContext *
make_context(GtkWidget *window)
{
  GError       *error = NULL;
  GdkGLContext *context =
    gdk_surface_create_gl_context(gtk_native_get_surface(GTK_NATIVE(window)), &error);
  if (context != NULL && gdk_gl_context_realize(context, &error)) {
    gdk_gl_context_make_current(context);
    return context;
  }
  g_test_skip_printf("no OpenGL here: %s", error->message);
  g_clear_error(&error);
  g_clear_object(&context);
  return NULL;
}

static int texture_limit; /* 0: that of the driver */

static void
draw_gl(const LacFieldScene *scene, const LacFieldView2d *view, GdkGLContext *context, guint8 *rgba)
{
  GError     *error = NULL;
  GLuint      target, texture;
  LacFieldGl *gl = lac_field_gl_new(gdk_gl_context_get_use_es(context), &error);
  g_assert_no_error(error);
  if (texture_limit > 0)
    lac_field_gl_set_limit(gl, texture_limit);
  glGenTextures(1, &texture);
  glBindTexture(GL_TEXTURE_2D, texture);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, WIDTH, HEIGHT, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
  glGenFramebuffers(1, &target);
  glBindFramebuffer(GL_FRAMEBUFFER, target);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
  g_assert_cmpint(glCheckFramebufferStatus(GL_FRAMEBUFFER), ==, GL_FRAMEBUFFER_COMPLETE);
  lac_field_gl_draw(gl, scene, view);
  glReadPixels(0, 0, WIDTH, HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
  g_assert_cmpint(glGetError(), ==, GL_NO_ERROR);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  glDeleteFramebuffers(1, &target);
  glDeleteTextures(1, &texture);
  lac_field_gl_free(gl);
}

/* A pixel may differ if (u, v) or the colour index lies on an edge: the shader computes in single precision. */
static void
compare(const LacFieldScene *scene, const LacFieldView2d *view, const guint8 *from_gl)
{
  gsize n_pixels = 0, n_differ = 0, n_grey = 0;
  for (guint p = 0; p < view->layout->n_panes; p++) {
    const LacBox      *box = &view->layout->panes[p];
    int                columns = (int) box->width, rows = (int) box->height;
    g_autofree guint8 *expected = g_malloc((gsize) (columns * rows) * 4);
    lac_field_raster_pane(scene, view, p, expected);
    for (int j = 0; j < rows; j++)
      for (int i = 0; i < columns; i++) {
        const guint8 *e = expected + (j * columns + i) * 4;
        const guint8 *g =
          from_gl + ((HEIGHT - 1 - (int) box->y - j) * WIDTH + (int) box->x + i) * 4;
        int apart = abs(e[0] - g[0]) + abs(e[1] - g[1]) + abs(e[2] - g[2]);
        n_pixels++;
        n_differ += apart > 12; /* beyond a neighbouring entry of the colour map */
        n_grey += memcmp(e, lac_colour_not_finite, 3) == 0;
      }
  }
  g_test_message("%zu of %zu pixels differ, %zu are not finite", n_differ, n_pixels, n_grey);
  g_assert_cmpuint(n_pixels, >, 10000);
  g_assert_cmpuint(n_grey, >, 0);
  g_assert_cmpuint(n_differ, <, n_pixels / 200);
}

typedef void (*Prepare)(LacFieldScene *scene, LacFieldView2d *view);

static void
run(gboolean smooth, LacViewMode mode, Prepare prepare)
{
  if (!display_open())
    return;
  GtkWidget *window = gtk_window_new();
  gtk_widget_realize(window);
  GdkGLContext *context = make_context(window);
  if (context != NULL) {
    LacFieldScene scene;
    LacPaneLayout layout;
    LacFrame     *frame = make_frame();
    lac_field_scene_init(&scene, channels, 2);
    scene.smooth = smooth;
    scene.compares = TRUE; /* shows both fields and their difference */
    lac_field_scene_set_mode(&scene, mode);
    lac_field_scene_set_frame(&scene, frame);
    lac_frame_unref(frame);
    lac_pane_layout_place(&layout, scene.n_panes, &(LacBox){0, 0, WIDTH, HEIGHT}, 0);
    LacFieldView2d     view = {&layout, {0.45, 0.55, 1.3}, HEIGHT, 1, {0.5F, 0.5F, 0.5F, 1}};
    g_autofree guint8 *rgba = g_malloc0(WIDTH * HEIGHT * 4);
    if (prepare != NULL)
      prepare(&scene, &view);
    draw_gl(&scene, &view, context, rgba);
    compare(&scene, &view, rgba);
    lac_field_scene_clear(&scene);
    gdk_gl_context_clear_current();
    g_object_unref(context);
  }
  gtk_window_destroy(GTK_WINDOW(window));
}

static void
test_cells(void)
{
  run(FALSE, LAC_VIEW_FIELDS, NULL);
}

static void
test_smooth(void)
{
  run(TRUE, LAC_VIEW_FIELDS, NULL);
}

/* Planes beyond the texture limit look like any other; with a limit of 7 their last row is not full. */
static void
test_large(void)
{
  texture_limit = 7;
  run(FALSE, LAC_VIEW_FIELDS, NULL);
  run(TRUE, LAC_VIEW_FIELDS, NULL);
  texture_limit = 0;
}

static void
test_swipe(void)
{
  run(FALSE, LAC_VIEW_SWIPE, NULL);
}
static void
test_fade(void)
{
  run(FALSE, LAC_VIEW_FADE, NULL);
}

static LacTransfer bent;

static void
bend(LacFieldScene *scene, LacFieldView2d *view)
{
  const LacScale limits = {-0.5, 0.8}; /* clips both ends */
  lac_field_scene_set_limits(scene, FALSE, &limits);
  lac_field_scene_set_transfer(scene, FALSE, bent);
  lac_field_scene_set_transfer(scene, TRUE, bent);
}

static void
test_transfers(void)
{
  for (bent = 0; bent < LAC_N_TRANSFERS; bent++) {
    g_test_message("%s", lac_transfer_word(bent));
    run(FALSE, LAC_VIEW_FIELDS, bend);
  }
}

static LacErrorForm form;

static void
show_errors(LacFieldScene *scene, LacFieldView2d *view)
{
  lac_field_scene_set_errors(scene, form);
  scene->overlays.isolines = scene->smooth;
}

/* A single source lies beside its error. */
static void
test_errors(void)
{
  for (form = 0; form < LAC_N_ERROR_FORMS; form++)
    for (guint smooth = 0; smooth < 2; smooth++) {
      g_test_message("%s, %s", lac_error_form_word(form), smooth ? "smooth" : "cells");
      run(smooth > 0, LAC_VIEW_ERRORS, show_errors);
    }
}

static void
add_isolines(LacFieldScene *scene, LacFieldView2d *view)
{
  scene->overlays.isolines = TRUE;
}

static void
test_isolines(void)
{
  run(TRUE, LAC_VIEW_FIELDS, add_isolines);
}

static float smeared[2][16 * 16];

static void
add_texture(LacFieldScene *scene, LacFieldView2d *view)
{
  static LacSmear smears[2 * LAC_MAX_PANES];
  for (gsize p = 0; p < 2; p++) {
    for (gsize i = 0; i < 16 * 16; i++)
      smeared[p][i] = 0.5F + 0.5F * sinf((float) (i * (p + 1)));
    smears[p] = (LacSmear){p + 1, 16, 16, smeared[p]};
  }
  view->smears = smears;
}

static void
test_texture(void)
{
  run(FALSE, LAC_VIEW_FIELDS, add_texture);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/app/shader/planes-beyond-the-texture-limit", test_large);
  g_test_add_func("/app/shader/cells-have-the-colours-of-the-processor", test_cells);
  g_test_add_func("/app/shader/interpolation-has-the-colours-of-the-processor", test_smooth);
  g_test_add_func("/app/shader/a-swipe-has-the-colours-of-the-processor", test_swipe);
  g_test_add_func("/app/shader/a-fade-has-the-colours-of-the-processor", test_fade);
  g_test_add_func("/app/shader/bent-scales-have-the-colours-of-the-processor", test_transfers);
  g_test_add_func("/app/shader/errors-of-every-form-have-the-colours-of-the-processor",
                  test_errors);
  g_test_add_func("/app/shader/isolines-are-where-the-processor-has-them", test_isolines);
  g_test_add_func("/app/shader/a-texture-has-the-colours-of-the-processor", test_texture);
  return g_test_run();
}
