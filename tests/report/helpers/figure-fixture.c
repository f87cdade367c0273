/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of the small test run. */
#include "figure-fixture.h"

LacFigure *
figure_fixture_make(const RunFixture *fixture, const LacFigureSpec *spec)
{
  g_autoptr(GError) error = NULL;
  LacFigure        *figure = lac_figure_new(&fixture->run, 1, spec, &error);

  g_assert_no_error(error);
  return figure;
}

const LacDrawItem *
figure_fixture_find_panel(const LacFigure *figure, gsize n)
{
  const LacDrawing *drawing = lac_figure_get_drawing(figure);

  for (gsize i = 0; i < lac_drawing_get_n_items(drawing); i++) {
    const LacDrawItem *item = lac_drawing_get_item(drawing, i);

    if (item->kind == LAC_DRAW_IMAGE && item->image_width == FIXTURE_NX && n-- == 0)
      return item;
  }
  return NULL;
}

gsize
figure_fixture_count_panels(const LacFigure *figure)
{
  gsize n = 0;

  while (figure_fixture_find_panel(figure, n) != NULL)
    n++;
  return n;
}
