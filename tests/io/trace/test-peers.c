/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Traces of other programs against those programs' own tables: real recordings, reduced in size. */
#include "io/helpers/trace-checks.h"
#include "io/trace/trace-file.h"

typedef struct {
  const char *name, *program;
  gboolean    merges; /* its table merges a call made directly by a call of the same name */
} Peer;

/* Sums calls and nanoseconds of an operation, by the rule of @peer. */
static void
sum(const Peer *peer, const LacCapture *capture, const char *name, guint64 *calls, gint64 *total)
{
  const LacRecord *before = NULL;
  *calls = 0;
  *total = 0;
  for (gsize i = 0; i < lac_capture_get_n_records(capture); i++) {
    const LacRecord *record = lac_capture_at(capture, i);
    if (record->kind != LAC_RECORD_SPAN)
      continue;
    gboolean is_inner = before != NULL && before->lane == record->lane &&
                        before->name == record->name && before->depth + 1 == record->depth;
    before = record;
    if (!g_str_equal(trace_name_of(capture, record), name) || (peer->merges && is_inner))
      continue;
    ++*calls;
    *total += record->duration_ns;
  }
}

static void
test_peer(gconstpointer data)
{
  const Peer           *peer = data;
  const char           *root = g_getenv("LACUNA_SOURCE_ROOT");
  g_autofree char      *base = g_build_filename(root, "tests", "io", "traces", peer->name, NULL);
  g_autofree char      *trace = g_strconcat(base, ".json.gz", NULL);
  g_autofree char      *table = g_strconcat(base, ".csv", NULL), *text = NULL;
  g_auto(LacTraceFacts) facts = {0};
  g_autoptr(GError)     error = NULL;
  g_autoptr(LacCapture) capture = lac_trace_open(trace, &facts, &error);
  guint                 n = 0;
  g_assert_no_error(error);
  g_assert_cmpstr(facts.program, ==, peer->program);
  g_assert_cmpstr(facts.caution, ==, "");
  trace_assert_nested(capture);
  trace_assert_sequences(capture);
  g_assert_true(g_file_get_contents(table, &text, NULL, NULL));
  g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
  for (gsize i = 1; lines[i] != NULL && lines[i][0] != '\0'; i++, n++) {
    /* name, calls and total; these names contain no comma */
    g_auto(GStrv) cells = g_strsplit(lines[i], ",", -1);
    guint64       calls;
    gint64        total;
    g_assert_cmpuint(g_strv_length(cells), ==, 3);
    sum(peer, capture, cells[0], &calls, &total);
    g_assert_cmpuint(calls, ==, g_ascii_strtoull(cells[1], NULL, 10));
    g_assert_cmpint(total, ==, g_ascii_strtoll(cells[2], NULL, 10));
  }
  g_assert_cmpuint(n, >=, 9);
}

int
main(int argc, char **argv)
{
  static const Peer peers[] = {{"torch", "torch.profiler", TRUE},
                               {"viztracer", "viztracer", FALSE},
                               {"jax", "JAX or another program of XLA", FALSE}};
  g_test_init(&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS(peers); i++) {
    g_autofree char *name =
      g_strdup_printf("/io/trace/top-ten-of-%s-agree-with-its-own-table", peers[i].name);
    g_test_add_data_func(name, &peers[i], test_peer);
  }
  return g_test_run();
}
