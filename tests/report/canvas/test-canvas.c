/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The drawing list and its paper painter, pixel by pixel. */
#include "report/canvas/canvas.h"

#include <math.h>
#include <string.h>

#define SIZE 64

static const LacColour black = {0, 0, 0, 1}, red = {1, 0, 0, 1};

typedef struct {
  LacDrawing      *drawing;
  cairo_surface_t *surface;
} Page;

static void
set_up(Page *page, gconstpointer data)
{
  page->drawing = lac_drawing_new();
  page->surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, SIZE, SIZE);
}

static void
tear_down(Page *page, gconstpointer data)
{
  lac_drawing_free(page->drawing);
  cairo_surface_destroy(page->surface);
}

static void
paint(Page *page)
{
  cairo_t *cairo = cairo_create(page->surface);
  cairo_set_source_rgb(cairo, 1, 1, 1);
  cairo_paint(cairo);
  lac_drawing_paint(page->drawing, cairo);
  cairo_destroy(cairo);
  cairo_surface_flush(page->surface);
}

static guint32
pixel(const Page *page, gsize x, gsize y)
{
  const guint8 *rows = cairo_image_surface_get_data(page->surface);
  gsize         stride = (gsize) cairo_image_surface_get_stride(page->surface);
  return ((const guint32 *) (gconstpointer) (rows + y * stride))[x] & 0xffffff;
}

static void
test_rectangle_fills_its_box(Page *page, gconstpointer data)
{
  lac_draw_rectangle(page->drawing, 10, 20, 5, 6, red);
  paint(page);
  for (gsize y = 0; y < SIZE; y++)
    for (gsize x = 0; x < SIZE; x++) {
      gboolean inside = x >= 10 && x < 15 && y >= 20 && y < 26;
      g_assert_cmphex(pixel(page, x, y), ==, inside ? 0xff0000 : 0xffffff);
    }
}

static void
test_hatched_is_neither_full_nor_empty(Page *page, gconstpointer data)
{
  lac_draw_hatched(page->drawing, 8, 8, 40, 40, black);
  paint(page);
  gsize dark = 0, light = 0;
  for (gsize y = 8; y < 48; y++)
    for (gsize x = 8; x < 48; x++) {
      dark += (pixel(page, x, y) & 0xff) < 140;
      light += (pixel(page, x, y) & 0xff) > 155 && pixel(page, x, y) != 0xffffff;
    }
  g_assert_cmpuint(dark, >, 100);
  g_assert_cmpuint(light, >, 400);
  g_assert_cmphex(pixel(page, 7, 20), ==, 0xffffff);
}

static void
test_clip_ends_with_unclip(Page *page, gconstpointer data)
{
  lac_draw_clip(page->drawing, 0, 0, 32, SIZE);
  lac_draw_clip(page->drawing, 0, 0, SIZE, 32);
  lac_draw_rectangle(page->drawing, 0, 0, SIZE, SIZE, red);
  lac_draw_unclip(page->drawing);
  lac_draw_unclip(page->drawing);
  lac_draw_rectangle(page->drawing, 40, 40, 4, 4, black);
  paint(page);
  g_assert_cmphex(pixel(page, 31, 31), ==, 0xff0000);
  g_assert_cmphex(pixel(page, 32, 31), ==, 0xffffff);
  g_assert_cmphex(pixel(page, 31, 32), ==, 0xffffff);
  g_assert_cmphex(pixel(page, 41, 41), ==, 0);
}

static void
test_image_cells_stay_sharp(Page *page, gconstpointer data)
{
  guint8 cells[4][4][4];
  for (gsize y = 0; y < 4; y++)
    for (gsize x = 0; x < 4; x++)
      memcpy(cells[y][x], (guint8[]){(guint8) (x * 60), (guint8) (y * 60), 200, 255}, 4);
  lac_draw_image(page->drawing, 0, 0, SIZE, SIZE, 4, 4, &cells[0][0][0]);
  memset(cells, 0, sizeof cells); /* the list has its own copy */
  paint(page);
  for (gsize y = 0; y < SIZE; y++)
    for (gsize x = 0; x < SIZE; x++)
      g_assert_cmphex(pixel(page, x, y), ==,
                      (guint32) (x / 16 * 60 << 16 | y / 16 * 60 << 8 | 200));
}

static void
find_ink(const Page *page, gsize box[4])
{
  box[0] = box[2] = SIZE;
  box[1] = box[3] = 0;
  for (gsize y = 0; y < SIZE; y++)
    for (gsize x = 0; x < SIZE; x++)
      if (pixel(page, x, y) != 0xffffff) {
        box[0] = MIN(box[0], x);
        box[1] = MAX(box[1], x);
        box[2] = MIN(box[2], y);
        box[3] = MAX(box[3], y);
      }
}

static void
test_text_keeps_to_its_anchor(Page *page, gconstpointer data)
{
  gsize  box[4];
  double width = lac_text_width("HHHH", 12, FALSE);
  lac_draw_text(page->drawing, 60, 40, LAC_ALIGN_RIGHT, 12, black, "HHHH");
  paint(page);
  find_ink(page, box);
  g_assert_cmpuint(box[1], <=, 60);
  g_assert_cmpfloat(fabs((double) (box[1] - box[0]) + 1 - width), <,
                    4);             /* side bearings of the letters */
  g_assert_cmpuint(box[3], <=, 40); /* stands on the baseline */
  g_assert_cmpuint(box[3], >=, 38);

  lac_drawing_clear(page->drawing);
  lac_draw_text_vertical(page->drawing, 40, 60, LAC_ALIGN_LEFT, 12, black, "HHHH");
  paint(page);
  find_ink(page, box);
  g_assert_cmpuint(box[3], <=, 60); /* reads upwards from its anchor */
  g_assert_cmpuint(box[1], <=, 40);
  g_assert_cmpfloat(fabs((double) (box[3] - box[2]) + 1 - width), <, 4);
}

static void
test_appended_part_is_moved(Page *page, gconstpointer data)
{
  g_autoptr(LacDrawing) part = lac_drawing_new();
  LacPoint              line[] = {{0, 5}, {10, 5}};
  guint8                dot[4] = {1, 2, 3, 255};
  lac_draw_lines(part, line, 2, 2, black);
  lac_draw_text(part, 1, 2, LAC_ALIGN_LEFT, 9, black, "part");
  lac_draw_image(part, 0, 0, 1, 1, 1, 1, dot);
  lac_draw_lines(page->drawing, line, 2, 1, red);
  lac_draw_text(page->drawing, 0, 0, LAC_ALIGN_LEFT, 9, black, "whole");
  lac_drawing_append(page->drawing, part, 20, 30);

  g_assert_cmpuint(lac_drawing_get_n_items(page->drawing), ==, 5);
  const LacDrawItem *moved = lac_drawing_get_item(page->drawing, 2);
  g_assert_cmpfloat(lac_drawing_get_points(page->drawing)[moved->first_point].x, ==, 20);
  g_assert_cmpfloat(lac_drawing_get_points(page->drawing)[moved->first_point].y, ==, 35);
  const LacDrawItem *text = lac_drawing_get_item(page->drawing, 3);
  g_assert_cmpstr(lac_drawing_get_text(page->drawing, text), ==, "part");
  g_assert_cmpfloat(text->x, ==, 21);
  const LacDrawItem *image = lac_drawing_get_item(page->drawing, 4);
  g_assert_true(image->pixels != lac_drawing_get_item(part, 2)->pixels);
  g_assert_cmpmem(image->pixels, 4, dot, 4);
}

static void
test_wrapped_lines_fit_and_lose_nothing(Page *page, gconstpointer data)
{
  const char *text = "Reconstructing fields that the sensors did not see, "
                     "Donaudampfschifffahrtsgesellschaft, and more";
  for (double width = 30; width < 300; width += 13) {
    g_auto(GStrv)      lines = lac_text_wrap(text, 9, FALSE, width);
    g_autoptr(GString) joined = g_string_new(NULL);
    for (gsize i = 0; lines[i] != NULL; i++) {
      g_assert_cmpfloat(lac_text_width(lines[i], 9, FALSE), <=, width);
      g_string_append(joined, lines[i]);
    }
    g_autoptr(GString) expected = g_string_new(text);
    g_string_replace(expected, " ", "", 0);
    g_string_replace(joined, " ", "", 0);
    g_assert_cmpstr(joined->str, ==, expected->str);
  }
}

#define ADD(path, test) g_test_add(path, Page, NULL, set_up, test, tear_down)

/* No line connects the end of a text to the start of the next line. */
static void
test_lines_begin_anew(void)
{
  const LacPoint        line[] = {{10, 90}, {30, 90}};
  g_autoptr(LacDrawing) drawing = lac_drawing_new();
  cairo_surface_t      *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, 100, 100);
  cairo_t              *cairo = cairo_create(surface);

  lac_draw_text(drawing, 70, 20, LAC_ALIGN_LEFT, 10, black, "ab");
  lac_draw_lines(drawing, line, 2, 2, black);
  cairo_set_source_rgb(cairo, 1, 1, 1);
  cairo_paint(cairo);
  lac_drawing_paint(drawing, cairo);
  cairo_surface_flush(surface);
  const guint8 *data = cairo_image_surface_get_data(surface);
  const gsize   stride = (gsize) cairo_image_surface_get_stride(surface);
  for (gsize y = 30; y < 85; y++)
    for (gsize x = 0; x < 100; x++)
      g_assert_cmphex(((const guint32 *) (gconstpointer) (data + y * stride))[x] & 0xffffff, ==,
                      0xffffff);
  cairo_destroy(cairo);
  cairo_surface_destroy(surface);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/report/canvas/lines-begin-anew-behind-a-text", test_lines_begin_anew);
  ADD("/report/canvas/rectangle-fills-its-box", test_rectangle_fills_its_box);
  ADD("/report/canvas/hatched-is-neither-full-nor-empty", test_hatched_is_neither_full_nor_empty);
  ADD("/report/canvas/clip-ends-with-unclip", test_clip_ends_with_unclip);
  ADD("/report/canvas/image-cells-stay-sharp", test_image_cells_stay_sharp);
  ADD("/report/canvas/text-keeps-to-its-anchor", test_text_keeps_to_its_anchor);
  ADD("/report/canvas/appended-part-is-moved", test_appended_part_is_moved);
  ADD("/report/text/wrapped-lines-fit-and-lose-nothing", test_wrapped_lines_fit_and_lose_nothing);
  return g_test_run();
}
