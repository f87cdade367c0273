/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stacked bars and flame graphs of a constructed recording: places, colours, labels, hits, differences. */
#include "report/helpers/recording.h"
#include "report/timeline/flame-graph.h"
#include "report/timeline/stacked-bar.h"

#include <math.h>
#include <string.h>

#define WIDTH 1300.0 /* one a unit of the recording */
#define UNIT  G_GINT64_CONSTANT(1000000)

typedef struct {
  LacCapture   *capture;
  LacCallTree   tree;
  LacSpanLooks *looks;
} Study;

static void
study_init(Study *study, gint64 unit_ns, gboolean without_filter)
{
  study->capture = recording_new(unit_ns, without_filter);
  study->tree = lac_call_tree_make(study->capture, 0, 0);
  study->looks = lac_span_looks_new(
    study->capture, &(LacSpanMethods){recording_metrics, G_N_ELEMENTS(recording_metrics), NULL, 0});
  lac_span_looks_update(study->looks, &study->tree);
}

static void
study_clear(Study *study)
{
  lac_span_looks_free(study->looks);
  lac_call_tree_clear(&study->tree);
  lac_capture_unref(study->capture);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Study, study_clear)

static LacColour
colour_of(const Study *study, const char *name, const LacPalette *palette)
{
  return lac_span_looks_get_colour(study->looks, recording_name(study->capture, name), palette);
}

#define assert_same_colour(x, y) g_assert_cmpmem(&(x), sizeof(LacColour), &(y), sizeof(LacColour))

/* Methods have the colours of their curves, and their spans too; operations have none of these. */
static void
test_colours(void)
{
  g_auto(Study) study = {0};
  study_init(&study, UNIT, FALSE);
  const LacPalette *palettes[] = {&lac_palette_light, &lac_palette_dark};
  for (gsize p = 0; p < 2; p++) {
    const LacPalette *palette = palettes[p];
    const LacColour   filter = colour_of(&study, "Ensemble Kalman filter", palette);
    const LacColour   solver = colour_of(&study, "Differentiable solver", palette);
    const LacColour   within = colour_of(&study, "ensemble forecast", palette);
    const LacColour   step = colour_of(&study, "step", palette);
    const LacColour   set_up = colour_of(&study, "set-up", palette);
    const char *const others[] = {"flow steps backwards", "inverse transform",
                                  "compare with the truth", "checkpoint"};
    assert_same_colour(filter, palette->series[0]);
    assert_same_colour(solver, palette->series[1]);
    assert_same_colour(within, filter);
    assert_same_colour(step, palette->neutral);
    assert_same_colour(set_up, palette->neutral);
    for (gsize i = 0; i < G_N_ELEMENTS(others); i++) {
      const LacColour colour = colour_of(&study, others[i], palette);
      assert_same_colour(colour, palette->operations[i]); /* in the order of their time */
    }
  }
  g_assert_true(
    lac_span_looks_is_method(study.looks, recording_name(study.capture, "Ensemble Kalman filter")));
  g_assert_false(lac_span_looks_is_method(study.looks, recording_name(study.capture, "step")));
}

/* A colour once given stays, whatever else turns up. */
static void
test_colours_stay(void)
{
  g_auto(Study) study = {0};
  study_init(&study, UNIT, FALSE);
  g_auto(LacCallTree)     early = lac_call_tree_make(study.capture, 0, 300 * UNIT);
  g_autoptr(LacSpanLooks) looks = lac_span_looks_new(
    study.capture, &(LacSpanMethods){recording_metrics, G_N_ELEMENTS(recording_metrics), NULL, 0});
  LacColour       before[32];
  const guint32   n = lac_capture_get_n_names(study.capture);
  const LacColour rest = lac_palette_light.rest;
  lac_span_looks_update(looks, &early);
  for (guint32 i = 0; i < n; i++)
    before[i] = lac_span_looks_get_colour(looks, i, &lac_palette_light);
  lac_span_looks_update(looks, &study.tree);
  for (guint32 i = 0; i < n; i++) {
    const LacColour after = lac_span_looks_get_colour(looks, i, &lac_palette_light);
    if (memcmp(&before[i], &rest, sizeof rest) != 0)
      assert_same_colour(before[i], after);
  }
  g_autoptr(LacSpanLooks) other =
    lac_span_looks_new(study.capture, &(LacSpanMethods){NULL, 0, NULL, 0});
  lac_span_looks_adopt(other, looks);
  for (guint32 i = 0; i < n; i++) {
    const LacColour one = lac_span_looks_get_colour(looks, i, &lac_palette_light);
    const LacColour two = lac_span_looks_get_colour(other, i, &lac_palette_light);
    assert_same_colour(one, two);
  }
}

/* Collects the texts of a drawing. */
static GPtrArray *
texts_of(const LacDrawing *drawing)
{
  GPtrArray *texts = g_ptr_array_new();
  for (gsize i = 0; i < lac_drawing_get_n_items(drawing); i++) {
    const LacDrawItem *item = lac_drawing_get_item(drawing, i);
    if (item->kind == LAC_DRAW_TEXT)
      g_ptr_array_add(texts, (gpointer) lac_drawing_get_text(drawing, item));
  }
  return texts;
}

static gboolean
has_text(const LacDrawing *drawing, const char *text)
{
  g_autoptr(GPtrArray) texts = texts_of(drawing);
  return g_ptr_array_find_with_equal_func(texts, text, g_str_equal, NULL);
}

static void
test_bar(void)
{
  g_auto(Study) study = {0};
  study_init(&study, UNIT, FALSE);
  g_auto(LacTimeParts)     parts = lac_time_parts_of_phases(&study.tree, NULL);
  g_autoptr(LacDrawing)    drawing = lac_drawing_new();
  g_autoptr(GArray)        hits = lac_hits_new();
  const LacStackedBarPlace place = {.x = 5,
                                    .y = 7,
                                    .width = WIDTH,
                                    .height = 30,
                                    .font_size = 12,
                                    .title = "Phases",
                                    .whole = "100 %",
                                    .has_legend = TRUE};
  const double             height =
    lac_stacked_bar_draw(&parts, study.looks, &place, &lac_palette_light, drawing, hits);
  const double measured =
    lac_stacked_bar_draw(&parts, study.looks, &place, &lac_palette_light, NULL, NULL);
  const LacHit *set_up = &g_array_index(hits, LacHit, 0);
  const LacHit *solver = &g_array_index(hits, LacHit, 1);

  g_assert_cmpfloat(height, ==, measured);
  g_assert_cmpuint(hits->len, ==, 2 * parts.n); /* segments, then the legend */
  g_assert_cmpfloat_with_epsilon(set_up->box.x, 5, 1e-9);
  g_assert_cmpfloat_with_epsilon(set_up->box.width, 200, 1e-9);
  g_assert_cmpfloat_with_epsilon(solver->box.x, 205, 1e-9);
  g_assert_cmpfloat_with_epsilon(solver->box.width, 600, 1e-9);
  g_assert_true(has_text(drawing, "Differentiable solver"));
  g_assert_true(has_text(drawing, "46 %"));
  g_assert_true(has_text(drawing, "Set-up"));
  g_assert_true(has_text(drawing, "600 ms"));
  const LacHit *hit = lac_hits_find(hits, 400, set_up->box.y + 5);
  g_assert_nonnull(hit);
  g_assert_cmpuint(hit->name, ==, recording_name(study.capture, "Differentiable solver"));
  g_assert_null(lac_hits_find(hits, 400, 0));
  g_autofree char *text = lac_stacked_bar_dup_text(&parts, study.looks, 1);
  g_assert_cmpstr(text, ==, "Differentiable solver, 46 %, 600 ms");
}

/* At any width, no text leaves the bar and no label its segment. */
static void
test_narrow_bars(void)
{
  g_auto(Study) study = {0};
  study_init(&study, UNIT, FALSE);
  g_auto(LacTimeParts) parts = lac_time_parts_of_phases(&study.tree, NULL);
  for (double width = 20; width < 1500; width *= 1.3) {
    g_autoptr(LacDrawing)    drawing = lac_drawing_new();
    g_autoptr(GArray)        hits = lac_hits_new();
    const LacStackedBarPlace place = {.width = width, .height = 30, .font_size = 12};
    const double             height =
      lac_stacked_bar_draw(&parts, study.looks, &place, &lac_palette_light, drawing, hits);
    double sum = 0;
    g_assert_cmpfloat(height, ==, 30);
    for (guint i = 0; i < hits->len; i++)
      sum += g_array_index(hits, LacHit, i).box.width;
    g_assert_cmpfloat_with_epsilon(sum, width, 1e-6);
    for (gsize i = 0; i < lac_drawing_get_n_items(drawing); i++) {
      const LacDrawItem *item = lac_drawing_get_item(drawing, i);
      if (item->kind != LAC_DRAW_TEXT)
        continue;
      const double text =
        lac_text_width(lac_drawing_get_text(drawing, item), item->size, item->bold);
      const double  left = item->align == LAC_ALIGN_CENTRE ? item->x - text / 2 : item->x;
      const LacHit *first = lac_hits_find(hits, left, 10);
      const LacHit *last = lac_hits_find(hits, left + text - 0.01, 10);
      g_assert_true(first != NULL && first == last);
    }
  }
}

/* Selecting fades the others and outlines the selected one. */
static void
test_selection(void)
{
  g_auto(Study) study = {0};
  study_init(&study, UNIT, FALSE);
  g_auto(LacTimeParts)     parts = lac_time_parts_of_phases(&study.tree, NULL);
  g_autoptr(LacDrawing)    drawing = lac_drawing_new();
  const LacStackedBarPlace place = {.width = WIDTH,
                                    .height = 30,
                                    .font_size = 12,
                                    .is_selecting = TRUE,
                                    .selected =
                                      recording_name(study.capture, "Differentiable solver")};
  guint                    n_full = 0, n_faded = 0, n_lines = 0;
  lac_stacked_bar_draw(&parts, study.looks, &place, &lac_palette_light, drawing, NULL);
  for (gsize i = 0; i < lac_drawing_get_n_items(drawing); i++) {
    const LacDrawItem *item = lac_drawing_get_item(drawing, i);
    n_full += item->kind == LAC_DRAW_RECTANGLE && item->colour.alpha == 1;
    n_faded += item->kind == LAC_DRAW_RECTANGLE && item->colour.alpha < 1;
    n_lines += item->kind == LAC_DRAW_LINES;
  }
  g_assert_cmpuint(n_full, ==, 1);
  g_assert_cmpuint(n_faded, ==, parts.n - 1);
  g_assert_cmpuint(n_lines, ==, 1);
}

/* ---- flame graphs ---- */

/* Every bar lies within its parent, and siblings do not overlap. */
static void
check_layout(const LacFlame *flame)
{
  for (gsize i = 0; i < flame->n; i++) {
    const LacFlameBar *bar = &flame->bars[i];
    const gboolean     is_outer = bar->parent == LAC_CALL_NONE;
    const gint64       begin = is_outer ? 0 : flame->bars[bar->parent].begin_ns;
    const gint64       end = is_outer ? flame->whole_ns : begin + flame->bars[bar->parent].total_ns;
    g_assert_cmpint(bar->begin_ns, >=, begin);
    g_assert_cmpint(bar->begin_ns + bar->total_ns, <=, end);
    for (gsize k = 0; k < i; k++)
      if (flame->bars[k].parent == bar->parent)
        g_assert_cmpint(flame->bars[k].begin_ns + flame->bars[k].total_ns, <=, bar->begin_ns);
  }
}

static void
test_flame(void)
{
  g_auto(Study) study = {0};
  study_init(&study, UNIT, FALSE);
  g_auto(LacFlame)      flame = lac_flame_make(&study.tree);
  g_autoptr(LacDrawing) drawing = lac_drawing_new();
  g_autoptr(GArray)     hits = lac_hits_new();
  const LacFlamePlace   place = {.width = WIDTH, .row = LAC_FLAME_ROW, .font_size = 11};

  check_layout(&flame);
  g_assert_cmpuint(flame.n_rows, ==, 4);
  g_assert_cmpfloat(
    lac_flame_graph_draw(&flame, study.looks, &place, &lac_palette_dark, drawing, hits), ==,
    4 * LAC_FLAME_ROW);
  g_assert_true(has_text(drawing, "step, 10 times"));
  g_assert_true(has_text(drawing, "flow steps backwards"));
  /* the solver's bar lies below its segment of the phases */
  const LacHit *hit = lac_hits_find(hits, 250, 1.5 * LAC_FLAME_ROW);
  g_assert_nonnull(hit);
  g_assert_cmpuint(hit->name, ==, recording_name(study.capture, "Differentiable solver"));
  g_assert_cmpfloat_with_epsilon(hit->box.x, 200, 1e-9);
  g_assert_cmpfloat_with_epsilon(hit->box.width, 600, 1e-9);
  g_autofree char *text = lac_flame_dup_text(&flame, study.looks, hit->part);
  g_assert_cmpstr(text, ==, "Differentiable solver: 600 ms, 46 %");

  const LacFlamePlace flat = {
    .width = WIDTH, .row = LAC_FLAME_ROW, .font_size = 11, .most_rows = 2};
  g_assert_cmpfloat(lac_flame_graph_draw(&flame, study.looks, &flat, &lac_palette_dark, NULL, NULL),
                    ==, 2 * LAC_FLAME_ROW);
}

/* Twice the time everywhere, and a method less. */
static void
test_difference(void)
{
  g_auto(Study) first = {0}, second = {0};
  study_init(&first, UNIT, FALSE);
  study_init(&second, 2 * UNIT, TRUE);
  g_auto(LacFlame) flame =
    lac_flame_make_difference(first.capture, &first.tree, second.capture, &second.tree);
  gboolean is_new = FALSE;

  check_layout(&flame);
  for (gsize i = 0; i < flame.n; i++) {
    const LacFlameBar *bar = &flame.bars[i];
    g_autofree char   *label = lac_flame_dup_label(&flame, second.looks, i);
    if (bar->before_ns > 0) {
      g_assert_cmpint(bar->total_ns, ==, 2 * bar->before_ns);
      g_assert_cmpfloat(lac_flame_change(bar), ==, 1);
      g_assert_true(g_str_has_suffix(label, " +100 %"));
    } else {
      is_new = TRUE; /* the forecast has no method around it */
      g_assert_true(g_str_has_suffix(label, " new"));
    }
  }
  g_assert_true(is_new);
  g_assert_cmpuint(flame.n_missing, ==, 1);
  g_assert_cmpstr(flame.missing[0].name, ==, "Ensemble Kalman filter");
  g_assert_cmpint(flame.missing[0].ns, ==, 250 * UNIT);

  g_auto(LacFlame) same =
    lac_flame_make_difference(first.capture, &first.tree, first.capture, &first.tree);
  g_assert_cmpuint(same.n_missing, ==, 0);
  for (gsize i = 0; i < same.n; i++)
    g_assert_cmpfloat(lac_flame_change(&same.bars[i]), ==, 0);
}

static void
test_change(void)
{
  const LacFlameBar half = {.total_ns = 50, .before_ns = 100};
  const LacFlameBar less = {.total_ns = 90, .before_ns = 100};
  const LacFlameBar more = {.total_ns = 100, .before_ns = 90};
  const LacColour   none = lac_flame_colour_of_change(0, &lac_palette_light);
  const LacColour   down = lac_flame_colour_of_change(-1, &lac_palette_light);
  const LacColour   up = lac_flame_colour_of_change(1, &lac_palette_light);
  g_assert_cmpfloat(lac_flame_change(&half), ==, -1);
  g_assert_cmpfloat_with_epsilon(lac_flame_change(&less), -lac_flame_change(&more), 1e-12);
  assert_same_colour(none, lac_palette_light.grid);
  g_assert_cmpfloat(down.blue, >, down.red);
  g_assert_cmpfloat(up.red, >, up.blue);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/report/time/methods-have-the-colours-of-their-curves", test_colours);
  g_test_add_func("/report/time/colours-stay", test_colours_stay);
  g_test_add_func("/report/time/segments-are-in-proportion", test_bar);
  g_test_add_func("/report/time/labels-stay-in-their-segments", test_narrow_bars);
  g_test_add_func("/report/time/a-selection-stands-out", test_selection);
  g_test_add_func("/report/time/flames-lie-below-their-phases", test_flame);
  g_test_add_func("/report/time/differences-match-by-path", test_difference);
  g_test_add_func("/report/time/changes-are-symmetric", test_change);
  return g_test_run();
}
