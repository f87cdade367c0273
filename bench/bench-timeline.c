/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Time to build, fold and draw a timeline of one and of ten million records at 1200 x 400. Drawn by the window's
 * renderer where there is a display. Prints JSON. */
#include "app/toolkit/drawing-view.h"
#include "bench/harness/program.h"
#include "perf/recorder/heap.h"
#include "report/timeline/timeline.h"

#include <gtk/gtk.h>

#include <stdio.h>

#define WIDTH    1200.0
#define HEIGHT   400.0
#define N_LANES  4
#define N_DEPTHS 4
#define N_NAMES  24
#define N_ROUNDS 21

/* Creates lanes of nested spans, a fifth of them ten times as long; by lane in order of end time. @n: a multiple of
 * the spans per group */
static LacCapture *
make_capture(gsize n)
{
  static const int within =
    1 + 3 + 9 + 27; /* spans per group: three per depth in each span of the depth above */
  LacCapture *capture = lac_capture_new("generated");
  LacRecord  *records = g_new0(LacRecord, n);
  GRand      *random = g_rand_new_with_seed(1);
  gint64      time[N_LANES] = {0};
  for (guint i = 0; i < N_NAMES; i++) {
    g_autofree char *name = g_strdup_printf("operation %u", i);
    lac_capture_add_name(capture, name);
  }
  for (guint i = 0; i < N_LANES; i++) {
    g_autofree char *lane = g_strdup_printf("thread %u", i);
    lac_capture_add_lane(capture, lane);
  }
  gsize made = 0;
  for (guint lane = 0; made + within <= n; lane = (lane + 1) % N_LANES) {
    gint64 begin[N_DEPTHS];
    begin[0] = begin[1] = begin[2] = time[lane];
    for (int leaf = 0; leaf < 27; leaf++) {
      gint64 duration =
        g_rand_int_range(random, 200, 2000) * (g_rand_int(random) % 5 == 0 ? 10 : 1);
      begin[3] = time[lane];
      time[lane] += duration;
      for (int depth = 3, every = 1; depth >= 0; depth--, every *= 3) {
        if ((leaf + 1) % every != 0)
          break;
        records[made++] = (LacRecord){
          .start_ns = begin[depth],
          .duration_ns = time[lane] - begin[depth],
          .step = -1,
          .count = 1,
          .memory = -1,
          .name = (guint32) (depth * 6 + (depth == 3 ? leaf * leaf % 6 : depth)),
          .lane = (guint16) lane,
          .kind = LAC_RECORD_SPAN,
          .depth = (guint8) depth,
        };
        begin[depth] = time[lane];
      }
    }
    time[lane] += g_rand_int_range(random, 0, 3000);
  }
  g_rand_free(random);
  lac_capture_adopt(capture, records, made);
  return capture;
}

static LacTimelineView
make_view(const LacTimeline *timeline, double from, double to)
{
  gint64 begin, end;
  lac_timeline_get_extent(timeline, &begin, &end);
  double whole = (double) (end - begin);
  return (LacTimelineView){
    .begin_ns = begin + (gint64) (from * whole),
    .end_ns = begin + (gint64) (to * whole),
    .width = WIDTH,
    .height = HEIGHT,
    .font_size = 11,
  };
}

static void
time_folds(LacBenchRow row, const LacTimeline *timeline, const LacTimelineView *view)
{
  double                times[N_ROUNDS];
  g_autoptr(LacDrawing) drawing = lac_drawing_new();
  for (gsize i = 0; i < N_ROUNDS; i++) {
    double before = lac_bench_cpu_seconds();
    lac_drawing_clear(drawing);
    lac_timeline_draw_lanes(timeline, drawing, view, &lac_palette_light);
    times[i] = 1e3 * (lac_bench_cpu_seconds() - before);
  }
  bench_print(row, times, N_ROUNDS);
}

/* @view: (nullable): NULL draws an empty frame */
static void
draw_once(const LacTimeline     *timeline,
          const LacTimelineView *view,
          GtkWidget             *window,
          guchar                *pixels)
{
  GtkSnapshot          *snapshot = gtk_snapshot_new();
  GskRenderer          *renderer = gtk_native_get_renderer(GTK_NATIVE(window));
  g_autoptr(LacDrawing) drawing = lac_drawing_new();
  if (view != NULL)
    lac_timeline_draw_lanes(timeline, drawing, view, &lac_palette_light);
  else
    lac_draw_rectangle(drawing, 0, 0, WIDTH, HEIGHT, lac_palette_light.background);
  lac_drawing_snapshot(drawing, snapshot, gtk_widget_get_pango_context(window));
  GskRenderNode  *node = gtk_snapshot_free_to_node(snapshot);
  graphene_rect_t box = GRAPHENE_RECT_INIT(0, 0, (float) WIDTH, (float) HEIGHT);
  GdkTexture     *texture = gsk_renderer_render_texture(renderer, node, &box);
  gdk_texture_download(texture, pixels, (gsize) WIDTH * 4); /* waits for the rendering */
  g_object_unref(texture);
  gsk_render_node_unref(node);
}

/* Measures a whole frame: folding, render nodes, drawing, readback. By CPU time of all threads, which other load
 * hardly affects. */
static void
time_frames(LacBenchRow            row,
            const LacTimeline     *timeline,
            const LacTimelineView *view,
            GtkWidget             *window)
{
  double             times[N_ROUNDS];
  g_autofree guchar *pixels = g_malloc((gsize) (WIDTH * HEIGHT * 4));
  draw_once(timeline, view, window, pixels); /* compiles shaders and caches glyphs */
  for (gsize i = 0; i < N_ROUNDS; i++) {
    double before = lac_bench_cpu_seconds();
    draw_once(timeline, view, window, pixels);
    times[i] = 1e3 * (lac_bench_cpu_seconds() - before);
  }
  bench_print(row, times, N_ROUNDS);
}

static void
measure(const char *name, gsize n, GtkWidget *window, gboolean has_limits)
{
  g_autoptr(LacCapture)    capture = make_capture(n);
  double                   before = lac_bench_wall_seconds();
  g_autoptr(LacTimeline)   timeline = lac_timeline_new(capture);
  g_autoptr(LacAggregates) sums = lac_aggregates_new();
  double                   rows = lac_bench_wall_seconds() - before;
  lac_aggregates_add_capture(sums, capture);
  double made = lac_bench_wall_seconds() - before, bytes = (double) lac_heap_get_resident();
  LacTimelineView whole = make_view(timeline, 0, 1), tenth = make_view(timeline, 0.4, 0.5);
  LacTimelineView close = make_view(timeline, 0.4, 0.4 + 2e4 / (double) n);
  bench_print_one(bench_row(name, "rows_made", "s", LAC_BENCH_TIME, 0), rows);
  bench_print_one(bench_row(name, "rows_and_sums_made", "s", LAC_BENCH_TIME, 0), made);
  bench_print_one(bench_row(name, "resident", "B", LAC_BENCH_MEMORY, has_limits ? 0 : 1.5e9),
                  bytes);
  time_folds(bench_row(name, "fold_whole", "ms", LAC_BENCH_TIME, has_limits ? 2 : 0), timeline,
             &whole);
  time_folds(bench_row(name, "fold_tenth", "ms", LAC_BENCH_TIME, has_limits ? 2 : 0), timeline,
             &tenth);
  time_folds(bench_row(name, "fold_close", "ms", LAC_BENCH_TIME, has_limits ? 2 : 0), timeline,
             &close);
  if (window == NULL)
    return;
  time_frames(bench_row(name, "frame_empty", "ms", LAC_BENCH_TIME, 0), timeline, NULL, window);
  time_frames(bench_row(name, "frame_whole", "ms", LAC_BENCH_TIME, has_limits ? 16 : 0), timeline,
              &whole, window);
  time_frames(bench_row(name, "frame_tenth", "ms", LAC_BENCH_TIME, has_limits ? 16 : 0), timeline,
              &tenth, window);
  time_frames(bench_row(name, "frame_close", "ms", LAC_BENCH_TIME, has_limits ? 16 : 0), timeline,
              &close, window);
}

int
main(void)
{
  GtkWidget *window = NULL;
  if (gtk_init_check()) {
    window = gtk_window_new();
    gtk_widget_realize(window);
    g_printerr("drawn by %s\n", G_OBJECT_TYPE_NAME(gtk_native_get_renderer(GTK_NATIVE(window))));
  }
  bench_begin(1, NULL);
  measure("a million", 1000000, window, TRUE);
  measure("ten million", 10000000, window, FALSE);
  if (window != NULL)
    gtk_window_destroy(GTK_WINDOW(window));
  return bench_end();
}
