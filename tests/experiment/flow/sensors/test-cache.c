/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cache does not change results: bitwise equal without one, and with an empty, a full and a damaged one. */
#include "experiment/experiment.h"

#include <string.h>

typedef struct {
  GHashTable *table; /* key -> GBytes */
  guint       n_recalled, n_remembered;
  gboolean    cuts; /* returned entries are truncated */
} Notes;

static GBytes *
recall(const char *key, gpointer user_data)
{
  Notes  *notes = user_data;
  GBytes *bytes = g_hash_table_lookup(notes->table, key);

  if (!bytes)
    return NULL;
  notes->n_recalled++;
  return notes->cuts ? g_bytes_new_from_bytes(bytes, 0, g_bytes_get_size(bytes) - 8)
                     : g_bytes_ref(bytes);
}

static void
remember(const char *key, GBytes *bytes, gpointer user_data)
{
  Notes *notes = user_data;

  notes->n_remembered++;
  g_hash_table_insert(notes->table, g_strdup(key), g_bytes_ref(bytes));
}

static void
notes_init(Notes *notes)
{
  *notes =
    (Notes){g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_bytes_unref)};
}

static void
gather_frame(const LacExperiment *experiment, gconstpointer params, gpointer state, GByteArray *to)
{
  g_auto(LacOutline)  outline = lac_experiment_outline(experiment, params);
  g_autofree gsize   *sizes = g_new0(gsize, 2 * outline.n_channels);
  gsize               n_markers = 0;
  g_autoptr(LacFrame) frame = NULL;

  experiment->shapes(state, (gsize(*)[2]) sizes, &n_markers);
  frame =
    lac_frame_new(outline.n_channels, (const gsize(*)[2]) sizes, n_markers, outline.n_metrics);
  experiment->snapshot(state, frame, NULL);
  for (gsize c = 0; c < frame->n_planes; c++)
    g_byte_array_append(to, (const guint8 *) frame->planes[c].data,
                        (guint) (sizes[2 * c] * sizes[2 * c + 1] * sizeof(float)));
  for (gsize m = 0; m < n_markers; m++)
    g_byte_array_append(to, (const guint8 *) &frame->markers[m].x, 2 * sizeof(double));
}

static gpointer
create(const LacExperiment *experiment, const LacDraft *draft, LacContext *context)
{
  g_autoptr(GError) error = NULL;
  gpointer state = experiment->create(experiment, lac_draft_get_values(draft), context, &error);

  g_assert_no_error(error);
  return state;
}

/* Returns: (transfer full): all visible output of a run with @settings. */
static GByteArray *
run(const char *name, const char *const *settings, Notes *notes)
{
  const LacExperiment *experiment = lac_experiment_find(name, NULL);
  const LacMemory      memory = {recall, remember, notes};
  g_autoptr(LacDraft)  draft = lac_draft_new(&experiment->params);
  g_autoptr(LacPool)   pool = lac_pool_new(1);
  LacContext           context = {
              .pool = pool, .seed = 3, .precision = "f64", .memory = notes ? &memory : NULL};
  GByteArray        *seen = g_byte_array_new();
  g_autofree double *metrics = g_new0(double, 200);
  LacStepReport      step = {.metrics = metrics};
  gpointer           state;

  for (gsize i = 0; settings[i]; i += 2)
    g_assert_true(lac_draft_set(draft, settings[i], settings[i + 1], NULL));
  g_assert_true(lac_device_open(&context.device, "cpu", NULL));
  state = create(experiment, draft, &context);
  while (step.outcome == LAC_OUTCOME_CONTINUE) {
    g_assert_true(lac_experiment_step(experiment, state, &step, NULL));
    g_byte_array_append(seen, (const guint8 *) metrics, 200 * sizeof *metrics);
  }
  gather_frame(experiment, lac_draft_get_values(draft), state, seen);
  experiment->destroy(state);
  lac_device_close(&context.device);
  return seen;
}

static void
assert_same(GByteArray *run, GByteArray *wanted)
{
  g_assert_cmpmem(run->data, run->len, wanted->data, wanted->len);
  g_byte_array_unref(run);
}

static const char *const wake[] = {"diameter", "8",   "snapshots", "40", "observations", "8",
                                   "spin_up",  "8",   "upstream",  "4",  "breadth",      "8",
                                   "to",       "5",   "sensors",   "6",  "modes",        "6",
                                   "engines",  "pod", NULL};

static void
test_wake(void)
{
  g_autoptr(GByteArray) wanted = run("cylinder", wake, NULL);
  Notes                 notes;

  notes_init(&notes);
  assert_same(run("cylinder", wake, &notes), wanted);
  g_assert_cmpuint(notes.n_remembered, ==, 4); /* truth, modes, placement, gain */
  g_assert_cmpuint(notes.n_recalled, ==, 0);
  assert_same(run("cylinder", wake, &notes), wanted);
  g_assert_cmpuint(notes.n_remembered, ==, 4);
  g_assert_cmpuint(notes.n_recalled, ==, 4);
  notes.cuts = TRUE;
  assert_same(run("cylinder", wake, &notes), wanted);
  g_assert_cmpuint(notes.n_remembered, ==, 8);
  g_hash_table_unref(notes.table);
}

/* Each setting with the number of cache entries that are still valid: those independent of it. */
static void
test_keys(void)
{
  static const struct {
    const char *key, *value;
    guint       n_recalled;
  } cases[] = {
    {"reynolds", "101", 0}, {"speed", "0.1", 0},          {"snapshots", "50", 0},
    {"modes", "5", 1},      {"sensors", "5", 2},          {"placement", "random", 2},
    {"measured", "u", 2},   {"minimum_distance", "1", 2}, {"dropout", "10", 4},
    {"every", "2", 4},
  };
  Notes notes;

  notes_init(&notes);
  g_byte_array_unref(run("cylinder", wake, &notes));
  for (gsize k = 0; k < G_N_ELEMENTS(cases); k++) {
    const char *changed[G_N_ELEMENTS(wake) + 2];

    memcpy(changed, wake, sizeof wake);
    changed[G_N_ELEMENTS(wake) - 1] = cases[k].key;
    changed[G_N_ELEMENTS(wake)] = cases[k].value;
    changed[G_N_ELEMENTS(wake) + 1] = NULL;
    notes.n_recalled = 0;
    g_test_message("%s = %s", cases[k].key, cases[k].value);
    g_byte_array_unref(run("cylinder", changed, &notes));
    g_assert_cmpuint(notes.n_recalled, ==, cases[k].n_recalled);
  }
  g_hash_table_unref(notes.table);
}

/* Transforms may round differently between processes: this truth is always recomputed, its modes are keyed by its
 * content. */
static void
test_transformed(void)
{
  static const char *const settings[] = {
    "grid", "16",      "forcing", "2",     "reynolds", "20",      "snapshots", "30", "observations",
    "10",   "spin_up", "1",       "modes", "8",        "engines", "pod",       NULL,
  };
  g_autoptr(GByteArray) wanted = run("kolmogorov", settings, NULL);
  Notes                 notes;

  notes_init(&notes);
  assert_same(run("kolmogorov", settings, &notes), wanted);
  g_assert_cmpuint(notes.n_remembered, ==, 3);
  assert_same(run("kolmogorov", settings, &notes), wanted);
  g_assert_cmpuint(notes.n_recalled, ==, 3);
  g_hash_table_unref(notes.table);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/experiment/kept/a-wake-from-memory-is-the-same-to-the-bit", test_wake);
  g_test_add_func("/experiment/kept/a-setting-recalls-what-does-not-depend-on-it", test_keys);
  g_test_add_func("/experiment/kept/a-truth-of-transforms-is-computed-again", test_transformed);
  return g_test_run();
}
