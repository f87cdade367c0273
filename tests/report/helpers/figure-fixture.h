/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A figure of the small test run, and its panels. */
#pragma once

#include "run-fixture.h"

#include "report/figure/figure.h"

G_BEGIN_DECLS

/* Returns: (transfer full) */
LacFigure *figure_fixture_make(const RunFixture *fixture, const LacFigureSpec *spec);

/* Returns the cells of panel @n, without texture; NULL where there are fewer. */
const LacDrawItem *figure_fixture_find_panel(const LacFigure *figure, gsize n);
gsize              figure_fixture_count_panels(const LacFigure *figure);

G_END_DECLS
