/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Call trees of constructed recordings, whose times are known; and identities of random ones. */
#include "perf/analysis/call-tree.h"

#include <string.h>

typedef struct {
  LacCapture *capture;
  guint16     lane, other;
} Recording;

static Recording
make_recording(void)
{
  Recording recording = {.capture = lac_capture_new("constructed")};
  recording.lane = lac_capture_add_lane(recording.capture, "compute");
  recording.other = lac_capture_add_lane(recording.capture, "window");
  return recording;
}

static guint32
name_of(LacCapture *capture, const char *name)
{
  const gint64 known = lac_capture_find_name(capture, name);
  return known >= 0 ? (guint32) known : lac_capture_add_name(capture, name);
}

static void
push(LacCapture   *capture,
     LacRecordKind kind,
     const char   *name,
     guint16       lane,
     guint         depth,
     gint64        step,
     gint64        start_ns,
     gint64        duration_ns)
{
  const LacRecord record = {.kind = (guint8) kind,
                            .name = name_of(capture, name),
                            .lane = lane,
                            .depth = (guint8) depth,
                            .step = step,
                            .start_ns = start_ns,
                            .duration_ns = duration_ns,
                            .count = 1,
                            .memory = -1};
  lac_capture_append(capture, &record, 1);
}

static void
span(const Recording *recording,
     const char      *name,
     guint            depth,
     gint64           step,
     gint64           begin,
     gint64           end)
{
  push(recording->capture, LAC_RECORD_SPAN, name, recording->lane, depth, step, begin, end - begin);
}

static void
operation(const Recording *recording, const char *name, gint64 begin, gint64 ns)
{
  push(recording->capture, LAC_RECORD_AGGREGATE, name, recording->lane, 0, -1, begin, ns);
}

/* Finds a node by its path, "step/solve". */
static const LacCallNode *
find(const Recording *recording, const LacCallTree *tree, const char *path)
{
  g_auto(GStrv) names = g_strsplit(path, "/", -1);
  guint         parent = LAC_CALL_NONE;
  for (guint depth = 0; names[depth] != NULL; depth++) {
    gsize i = 0;
    while (i < tree->n && (tree->nodes[i].parent != parent ||
                           strcmp(lac_capture_get_name(recording->capture, tree->nodes[i].name),
                                  names[depth]) != 0))
      i++;
    if (i == tree->n)
      return NULL;
    parent = (guint) i;
  }
  return &tree->nodes[parent];
}

/* Every total is the own time and the children's, no time is negative, and nothing exceeds the range. */
static void
check(const LacCallTree *tree)
{
  g_autofree gint64 *inner = g_new0(gint64, tree->n + 1);
  gint64             outermost = 0;
  for (gsize i = 0; i < tree->n; i++) {
    const LacCallNode *node = &tree->nodes[i];
    g_assert_cmpint(node->self_ns, >=, 0);
    g_assert_cmpint(node->total_ns, >=, 0);
    if (node->parent == LAC_CALL_NONE) {
      g_assert_cmpuint(node->depth, ==, 0);
      outermost += node->total_ns;
      continue;
    }
    g_assert_cmpuint(node->parent, <, i);
    g_assert_cmpuint(node->depth, ==, tree->nodes[node->parent].depth + 1);
    inner[node->parent] += node->total_ns;
  }
  for (gsize i = 0; i < tree->n; i++)
    g_assert_cmpint(tree->nodes[i].total_ns, ==, tree->nodes[i].self_ns + inner[i]);
  g_assert_cmpint(outermost, <=, tree->end_ns - tree->begin_ns);
}

/* Two steps of 100: solve 60, of which forward 20; compare 30. A window that draws all the time is another clock. */
static Recording
make_steps(void)
{
  const Recording recording = make_recording();
  span(&recording, "set-up", 0, -1, 0, 50);
  for (gint64 step = 1; step <= 2; step++) {
    const gint64 begin = 100 * step - 50;
    span(&recording, "forward", 2, step, begin + 5, begin + 25);
    span(&recording, "solve", 1, step, begin, begin + 60);
    span(&recording, "compare", 1, step, begin + 60, begin + 90);
    span(&recording, "step", 0, step, begin, begin + 100);
  }
  push(recording.capture, LAC_RECORD_SPAN, "draw", recording.other, 0, -1, 0, 260);
  return recording;
}

static void
test_paths(void)
{
  const Recording     recording = make_steps();
  g_auto(LacCallTree) tree = lac_call_tree_make(recording.capture, 0, 0);
  check(&tree);
  g_assert_cmpuint(tree.n, ==, 5);
  g_assert_cmpuint(tree.lane, ==, recording.lane);
  g_assert_cmpstr(lac_capture_get_name(recording.capture, tree.iteration), ==, "step");
  g_assert_cmpint(find(&recording, &tree, "set-up")->total_ns, ==, 50);
  g_assert_cmpint(find(&recording, &tree, "step")->total_ns, ==, 200);
  g_assert_cmpint(find(&recording, &tree, "step")->self_ns, ==, 20);
  g_assert_cmpuint(find(&recording, &tree, "step")->count, ==, 2);
  g_assert_cmpint(find(&recording, &tree, "step/solve")->total_ns, ==, 120);
  g_assert_cmpint(find(&recording, &tree, "step/solve")->self_ns, ==, 80);
  g_assert_cmpint(find(&recording, &tree, "step/solve/forward")->total_ns, ==, 40);
  g_assert_cmpint(find(&recording, &tree, "step/solve")->first_ns, ==, 50);
  g_assert_cmpint(find(&recording, &tree, "step/compare")->total_ns, ==, 60);
  g_assert_true(find(&recording, &tree, "step/forward") == NULL);
  lac_capture_unref(recording.capture);
}

/* From the middle of the first solve to the end of the first compare. */
static void
test_range(void)
{
  const Recording     recording = make_steps();
  g_auto(LacCallTree) tree = lac_call_tree_make(recording.capture, 80, 140);
  check(&tree);
  g_assert_true(find(&recording, &tree, "set-up") == NULL);
  g_assert_true(find(&recording, &tree, "step/solve/forward") == NULL);
  g_assert_cmpint(find(&recording, &tree, "step")->total_ns, ==, 60);
  g_assert_cmpint(find(&recording, &tree, "step/solve")->total_ns, ==, 30);
  g_assert_cmpint(find(&recording, &tree, "step/compare")->total_ns, ==, 30);
  lac_capture_unref(recording.capture);
}

/* The parts of two halves are those of the whole. */
static void
test_halves(void)
{
  const Recording     recording = make_steps();
  g_auto(LacCallTree) whole = lac_call_tree_make(recording.capture, 0, 0);
  for (gint64 middle = 1; middle < 260; middle += 7) {
    g_auto(LacCallTree)      first = lac_call_tree_make(recording.capture, 0, middle);
    g_auto(LacCallTree)      second = lac_call_tree_make(recording.capture, middle, 260);
    static const char *const paths[] = {"set-up", "step", "step/solve", "step/solve/forward",
                                        "step/compare"};
    check(&first);
    check(&second);
    for (gsize i = 0; i < G_N_ELEMENTS(paths); i++) {
      const LacCallNode *a = find(&recording, &first, paths[i]);
      const LacCallNode *b = find(&recording, &second, paths[i]);
      g_assert_cmpint((a != NULL ? a->total_ns : 0) + (b != NULL ? b->total_ns : 0), ==,
                      find(&recording, &whole, paths[i])->total_ns);
    }
  }
  lac_capture_unref(recording.capture);
}

/* Operations are children of the span in which they ran. */
static void
test_operations(void)
{
  const Recording recording = make_recording();
  operation(&recording, "matmul", 10, 30);
  operation(&recording, "tanh", 10, 10);
  span(&recording, "solve", 1, 1, 5, 65);
  span(&recording, "compare", 1, 1, 65, 90);
  span(&recording, "step", 0, 1, 0, 100);
  g_auto(LacCallTree) tree = lac_call_tree_make(recording.capture, 0, 0);
  check(&tree);
  g_assert_cmpint(find(&recording, &tree, "step/solve/matmul")->total_ns, ==, 30);
  g_assert_true(find(&recording, &tree, "step/solve/matmul")->is_operation);
  g_assert_cmpint(find(&recording, &tree, "step/solve/tanh")->total_ns, ==, 10);
  g_assert_cmpint(find(&recording, &tree, "step/solve")->self_ns, ==, 20);
  lac_capture_unref(recording.capture);
}

/* Four threads worked 240 within 60: the operations share the 60 in the ratio of their times. */
static void
test_threads(void)
{
  const Recording recording = make_recording();
  operation(&recording, "matmul", 10, 180);
  operation(&recording, "tanh", 10, 60);
  span(&recording, "solve", 1, 1, 5, 65);
  span(&recording, "step", 0, 1, 0, 100);
  g_auto(LacCallTree) tree = lac_call_tree_make(recording.capture, 0, 0);
  check(&tree);
  g_assert_cmpint(find(&recording, &tree, "step/solve/matmul")->total_ns, ==, 45);
  g_assert_cmpint(find(&recording, &tree, "step/solve/tanh")->total_ns, ==, 15);
  g_assert_cmpfloat(find(&recording, &tree, "step/solve/matmul")->summed_ns, ==, 180);
  g_assert_cmpint(find(&recording, &tree, "step/solve")->self_ns, ==, 0);
  lac_capture_unref(recording.capture);
}

/* An operation reported after the spans in which it ran belongs to the longest of these. */
static void
test_operations_of_ended_spans(void)
{
  const Recording recording = make_recording();
  for (gint64 step = 1; step <= 3; step++) {
    const gint64 begin = 100 * step;
    span(&recording, "pack", 2, step, begin + 10, begin + 15);
    span(&recording, "forward", 2, step, begin + 15, begin + 55);
    span(&recording, "reduce", 2, step, begin + 55, begin + 60);
    operation(&recording, "matmul", begin + 8, 25);
    span(&recording, "solve", 1, step, begin + 5, begin + 65);
    span(&recording, "step", 0, step, begin, begin + 100);
  }
  g_auto(LacCallTree) tree = lac_call_tree_make(recording.capture, 0, 0);
  check(&tree);
  g_assert_cmpint(find(&recording, &tree, "step/solve/forward/matmul")->total_ns, ==, 75);
  g_assert_cmpuint(find(&recording, &tree, "step/solve/forward/matmul")->count, ==, 3);
  g_assert_true(find(&recording, &tree, "step/solve/matmul") == NULL);
  lac_capture_unref(recording.capture);
}

/* Half of the steps were dropped and summed: the tree is the same as with all. */
static void
test_dropped(void)
{
  const Recording recording = make_recording();
  for (gint64 step = 1; step <= 8; step++) {
    const gint64 begin = 100 * step;
    if (step % 2 == 1)
      continue;
    span(&recording, "solve", 1, step, begin, begin + 60);
    span(&recording, "compare", 1, step, begin + 60, begin + 90);
    operation(&recording, "score", begin + 60, 10);
    span(&recording, "compare", 1, step, begin + 90, begin + 95);
    span(&recording, "step", 0, step, begin, begin + 100);
  }
  push(recording.capture, LAC_RECORD_SPANS_DROPPED, "step", recording.lane, 0, 7, 100, 400);
  push(recording.capture, LAC_RECORD_SPANS_DROPPED, "solve", recording.lane, 1, 7, 100, 240);
  push(recording.capture, LAC_RECORD_CALLS_DROPPED, "score", recording.lane, 0, 7, 100, 40);
  push(recording.capture, LAC_RECORD_SPANS_DROPPED, "rare", recording.lane, 1, 7, 100, 4);
  span(&recording, "end", 0, -1, 900, 1000);
  g_auto(LacCallTree) tree = lac_call_tree_make(recording.capture, 100, 1000);
  check(&tree);
  g_assert_cmpint(find(&recording, &tree, "step")->total_ns, ==, 800);
  g_assert_cmpint(find(&recording, &tree, "step/solve")->total_ns, ==, 480);
  g_assert_cmpint(find(&recording, &tree, "step/rare")->total_ns, ==, 4);
  lac_capture_unref(recording.capture);
}

static gint64
write_random(const Recording *recording, guint depth, gint64 begin, gint64 end)
{
  static const char *const names[] = {"a", "b", "c", "d"};
  const gint64             length = g_test_rand_int_range(1, (gint32) (end - begin) + 1);
  gint64                   at = begin;
  for (int i = 0; i < 3 && depth < 6 && at + 2 < begin + length; i++)
    at = write_random(recording, depth + 1, at, begin + length);
  if (g_test_rand_int_range(0, 3) == 0)
    operation(recording, names[g_test_rand_int_range(0, 4)], begin, 2 * length);
  span(recording, names[g_test_rand_int_range(0, 4)], depth, depth == 0 ? begin : -1, begin,
       begin + length);
  return begin + length;
}

/* Own times of random nested spans add up to the time of the outermost ones, in any range. */
static void
test_random(void)
{
  for (int round = 0; round < 50; round++) {
    const Recording recording = make_recording();
    gint64          at = 0;
    for (int i = 0; i < 20; i++)
      at = write_random(&recording, 0, at, at + 1000);
    for (int i = 0; i < 10; i++) {
      const gint64        begin = g_test_rand_int_range(0, (gint32) at);
      g_auto(LacCallTree) tree =
        lac_call_tree_make(recording.capture, begin, begin + g_test_rand_int_range(1, 5000));
      gint64 own = 0, outermost = 0;
      check(&tree);
      for (gsize k = 0; k < tree.n; k++) {
        own += tree.nodes[k].self_ns;
        outermost += tree.nodes[k].parent == LAC_CALL_NONE ? tree.nodes[k].total_ns : 0;
      }
      g_assert_cmpint(own, ==, outermost);
      g_assert_cmpint(outermost, ==, MAX(MIN(tree.end_ns, at) - begin, 0));
    }
    lac_capture_unref(recording.capture);
  }
}

static void
test_empty(void)
{
  const Recording     recording = make_recording();
  g_auto(LacCallTree) tree = lac_call_tree_make(recording.capture, 0, 0);
  g_assert_cmpuint(tree.n, ==, 0);
  lac_capture_unref(recording.capture);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/perf/call-tree/sums-are-by-path", test_paths);
  g_test_add_func("/perf/call-tree/a-range-clips-its-spans", test_range);
  g_test_add_func("/perf/call-tree/two-halves-make-the-whole", test_halves);
  g_test_add_func("/perf/call-tree/operations-belong-to-their-span", test_operations);
  g_test_add_func("/perf/call-tree/operations-of-many-threads-fit", test_threads);
  g_test_add_func("/perf/call-tree/operations-may-be-reported-late",
                  test_operations_of_ended_spans);
  g_test_add_func("/perf/call-tree/dropped-records-are-in-it", test_dropped);
  g_test_add_func("/perf/call-tree/own-times-make-the-clock", test_random);
  g_test_add_func("/perf/call-tree/no-spans-no-nodes", test_empty);
  return g_test_run();
}
