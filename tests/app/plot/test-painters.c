/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The screen painter and the paper painter render a drawing list identically. */
#include "app/helpers/display.h"
#include "app/toolkit/drawing-view.h"

#include <math.h>
#include <string.h>

#define WIDTH  240
#define HEIGHT 160

static LacDrawing *
make_drawing(void)
{
  LacDrawing   *drawing = lac_drawing_new();
  LacColour     red = {0.8F, 0.1F, 0.1F, 1}, blue = {0.1F, 0.2F, 0.8F, 1}, black = {0, 0, 0, 1};
  static guint8 pixels[4][4] = {
    {255, 0, 0, 255}, {0, 255, 0, 255}, {0, 0, 255, 255}, {90, 90, 90, 255}};
  LacPoint zigzag[] = {{10, 150}, {60, 100}, {110, 150}, {160, 100}};
  LacPoint level[] = {{10, 95.5}, {230, 95.5}};
  LacPoint low[] = {{10, 157}, {160, 156}};
  LacPoint kite[] = {{180, 106}, {198, 120}, {180, 146}, {170, 120}};
  lac_draw_rectangle(drawing, 10, 10, 60, 40, red);
  lac_draw_hatched(drawing, 80, 10, 60, 40, blue);
  lac_draw_image(drawing, 150, 10, 40, 40, 2, 2, &pixels[0][0]);
  lac_draw_lines(drawing, zigzag, G_N_ELEMENTS(zigzag), 3, blue);
  lac_draw_lines(drawing, level, 2, 1, black);
  lac_draw_dashed(drawing, low, 2, 2, black, LAC_DASH_DASHED);
  lac_draw_polygon(drawing, kite, G_N_ELEMENTS(kite), red);
  lac_draw_text(drawing, 10, 80, LAC_ALIGN_LEFT, 14, black, "Lacuna 0.41 %");
  lac_draw_text_bold(drawing, 230, 80, LAC_ALIGN_RIGHT, 14, red, "bold");
  lac_draw_text_vertical(drawing, 225, 150, LAC_ALIGN_LEFT, 12, black, "up");
  lac_draw_clip(drawing, 200, 10, 20, 20);
  lac_draw_rectangle(drawing, 190, 0, 50, 50, blue);
  lac_draw_unclip(drawing);
  return drawing;
}

static void
paint_paper(const LacDrawing *drawing, guint8 *rgba)
{
  cairo_surface_t *surface =
    cairo_image_surface_create_for_data(rgba, CAIRO_FORMAT_ARGB32, WIDTH, HEIGHT, WIDTH * 4);
  cairo_t *cairo = cairo_create(surface);
  cairo_set_source_rgb(cairo, 1, 1, 1);
  cairo_paint(cairo);
  lac_drawing_paint(drawing, cairo);
  cairo_destroy(cairo);
  cairo_surface_finish(surface);
  cairo_surface_destroy(surface);
}

static void
paint_screen(const LacDrawing *drawing, guint8 *bgra)
{
  GtkWidget   *window = gtk_window_new();
  GtkSnapshot *snapshot = gtk_snapshot_new();
  GdkRGBA      white = {1, 1, 1, 1};
  gtk_widget_realize(window);
  gtk_snapshot_append_color(snapshot, &white, &GRAPHENE_RECT_INIT(0, 0, WIDTH, HEIGHT));
  lac_drawing_snapshot(drawing, snapshot, gtk_widget_get_pango_context(window));
  GskRenderNode *node = gtk_snapshot_free_to_node(snapshot);
  GskRenderer   *renderer = gtk_native_get_renderer(GTK_NATIVE(window));
  GdkTexture    *texture =
    gsk_renderer_render_texture(renderer, node, &GRAPHENE_RECT_INIT(0, 0, WIDTH, HEIGHT));
  gdk_texture_download(texture, bgra, WIDTH * 4);
  g_object_unref(texture);
  gsk_render_node_unref(node);
  gtk_window_destroy(GTK_WINDOW(window));
}

/* Mean absolute difference of a box, 0...1. */
static double
difference(const guint8 *a, const guint8 *b, int x, int y, int width, int height)
{
  double sum = 0;
  for (int j = y; j < y + height; j++)
    for (int i = x; i < x + width; i++)
      for (int c = 0; c < 3; c++)
        sum += abs(a[(j * WIDTH + i) * 4 + c] - b[(j * WIDTH + i) * 4 + c]);
  return sum / (width * height * 3 * 255.0);
}

static void
test_agree(void)
{
  if (!display_open())
    return;
  g_autofree guint8    *paper = g_malloc0(WIDTH * HEIGHT * 4);
  g_autofree guint8    *screen = g_malloc0(WIDTH * HEIGHT * 4);
  g_autofree guint8    *blank = g_malloc(WIDTH * HEIGHT * 4);
  g_autoptr(LacDrawing) drawing = make_drawing();
  memset(blank, 255, WIDTH * HEIGHT * 4);
  paint_paper(drawing, paper);
  paint_screen(drawing, screen);
  static const struct {
    const char *what;
    int         x, y, width, height;
    double      tolerance;
  } parts[] = {
    /* Filled shapes agree up to the rounding of one border. */
    {"rectangle", 8, 8, 64, 44, 0.01},
    {"image", 148, 8, 44, 44, 0.02},
    {"clip", 196, 6, 34, 34, 0.02},
    {"level line", 8, 93, 224, 5, 0.02},
    {"zigzag", 8, 98, 156, 54, 0.03},
    {"dashes", 8, 153, 156, 7, 0.03},
    {"polygon", 168, 102, 32, 48, 0.02},
    /* Hatching and glyphs are anti-aliased by different code: equal grey, different pixels. */
    {"text", 8, 62, 120, 26, 0.02},
    {"bold text", 180, 62, 54, 26, 0.02},
    {"vertical text", 205, 120, 26, 34, 0.02},
  };
  for (gsize i = 0; i < G_N_ELEMENTS(parts); i++) {
    double apart =
      difference(paper, screen, parts[i].x, parts[i].y, parts[i].width, parts[i].height);
    double drawn =
      difference(paper, blank, parts[i].x, parts[i].y, parts[i].width, parts[i].height);
    g_test_message("%s: %.4f apart, %.4f drawn", parts[i].what, apart, drawn);
    g_assert_cmpfloat(drawn, >, 0.01); /* the box is not empty */
    g_assert_cmpfloat(apart, <, parts[i].tolerance);
    g_assert_cmpfloat(apart, <, drawn);
  }
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/app/painters/screen-and-paper-agree", test_agree);
  return g_test_run();
}
