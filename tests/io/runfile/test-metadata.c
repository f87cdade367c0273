/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of metadata: round trip of each row through the journal and run.h5, under the names in docs/run-file.md. */
#include "io/runfile/metadata.h"
#include "io/runfile/run-file-private.h"

#include <math.h>
#include <string.h>

static const struct {
  const char         *about;
  const LacMetaTable *table;
  gsize               size;
} tables[] = {
  {"run", &lac_meta_run, sizeof(LacRunSource)},
  {"setting", &lac_meta_setting, sizeof(LacRunSetting)},
  {"fact", &lac_meta_fact, sizeof(LacRunFact)},
  {"metric", &lac_meta_metric, sizeof(LacRunMetric)},
  {"channel", &lac_meta_channel, sizeof(LacRunChannel)},
  {"layers", &lac_meta_layers, sizeof(LacLayers)},
  {"chart", &lac_meta_chart, sizeof(LacChart)},
};

#define AT(Type, values, at) G_STRUCT_MEMBER(Type, values, at)

/* Fills in a value that is unique to row @i. */
static void
fill(const LacMetaRow *row, gsize i, gpointer values)
{
  const gsize at = row->offset;

  switch (row->kind) {
  case LAC_META_TEXT:
  case LAC_META_WORDS: AT(char *, values, at) = g_strdup_printf("text %zu é", i); break;
  case LAC_META_SEED: AT(guint64, values, at) = G_MAXUINT64 - i; break;
  case LAC_META_BYTES: AT(guint64, values, at) = 5000000000 + i; break;
  case LAC_META_COUNT: AT(guint, values, at) = (guint) (40 + i); break;
  case LAC_META_SIZE: AT(gsize, values, at) = 50 + i; break;
  case LAC_META_STEPS: AT(gint64, values, at) = -((gint64) i + 60); break;
  case LAC_META_SWITCH: AT(gboolean, values, at) = TRUE; break;
  case LAC_META_ROLE: AT(LacRole, values, at) = LAC_ROLE_BASELINE; break;
  case LAC_META_NAMED: AT(guint, values, at) = 1; break;
  case LAC_META_KNOWN:
  case LAC_META_MARK: AT(gboolean, values, row->has) = TRUE; G_GNUC_FALLTHROUGH;
  case LAC_META_REAL:
  case LAC_META_METRIC: AT(double, values, at) = 0.1 + (double) i; break;
  }
}

static gboolean
is_same(const LacMetaRow *row, gconstpointer a, gconstpointer b)
{
  const gsize at = row->offset;

  if (row->has != 0 && AT(gboolean, a, row->has) != AT(gboolean, b, row->has))
    return FALSE;
  switch (row->kind) {
  case LAC_META_TEXT:
  case LAC_META_WORDS: return g_strcmp0(AT(char *, a, at), AT(char *, b, at)) == 0;
  case LAC_META_SEED:
  case LAC_META_BYTES: return AT(guint64, a, at) == AT(guint64, b, at);
  case LAC_META_COUNT: return AT(guint, a, at) == AT(guint, b, at);
  case LAC_META_SIZE: return AT(gsize, a, at) == AT(gsize, b, at);
  case LAC_META_STEPS: return AT(gint64, a, at) == AT(gint64, b, at);
  case LAC_META_SWITCH: return AT(gboolean, a, at) == AT(gboolean, b, at);
  case LAC_META_ROLE: return AT(LacRole, a, at) == AT(LacRole, b, at);
  case LAC_META_NAMED: return AT(guint, a, at) == AT(guint, b, at);
  case LAC_META_KNOWN:
  case LAC_META_MARK:
  case LAC_META_REAL:
  case LAC_META_METRIC: return AT(double, a, at) == AT(double, b, at);
  }
  g_return_val_if_reached(FALSE);
}

static void
assert_same(gsize t, LacMetaPlace place, gconstpointer written, gconstpointer read)
{
  for (gsize i = 0; i < tables[t].table->n_rows; i++) {
    const LacMetaRow *row = &tables[t].table->rows[i];
    if ((row->places & place) && !is_same(row, written, read))
      g_error("%s of a %s does not come back", row->name, tables[t].about);
  }
}

static gpointer
make(gsize t)
{
  gpointer values = g_malloc0(tables[t].size);

  for (gsize i = 0; i < tables[t].table->n_rows; i++)
    fill(&tables[t].table->rows[i], i, values);
  return values;
}

static void
test_journal(void)
{
  for (gsize t = 0; t < G_N_ELEMENTS(tables); t++) {
    g_autofree gpointer    written = make(t), read = g_malloc0(tables[t].size);
    g_autoptr(JsonBuilder) builder = json_builder_new();

    json_builder_begin_object(builder);
    lac_meta_put_json(tables[t].table, LAC_META_JOURNAL, written, builder);
    json_builder_end_object(builder);
    g_autoptr(JsonNode) root = json_builder_get_root(builder);
    lac_meta_get_json(tables[t].table, json_node_get_object(root), read);
    assert_same(t, LAC_META_JOURNAL, written, read);
    lac_meta_clear(tables[t].table, written);
    lac_meta_clear(tables[t].table, read);
  }
}

static hid_t
open_memory(void)
{
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);

  H5Pset_fapl_core(access, 65536, FALSE);
  hid_t file = H5Fcreate("metadata.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access);
  H5Pclose(access);
  g_assert_cmpint(file, >=, 0);
  return file;
}

static void
test_h5(void)
{
  for (gsize t = 0; t < G_N_ELEMENTS(tables); t++) {
    g_autofree gpointer written = make(t), read = g_malloc0(tables[t].size);

    lac_h5_lock();
    hid_t file = open_memory();
    g_assert_true(lac_meta_put_h5(tables[t].table, written, file));
    lac_meta_get_h5(tables[t].table, file, read);
    H5Fclose(file);
    lac_h5_unlock();
    assert_same(t, LAC_META_H5, written, read);
    lac_meta_clear(tables[t].table, written);
    lac_meta_clear(tables[t].table, read);
  }
}

/* An unknown reference stays unknown, and a mark is not written. */
static void
test_unknown(void)
{
  LacRunMetric metric = {.last = NAN}, found = {0};
  LacChart     chart = {0};

  lac_h5_lock();
  hid_t file = open_memory();
  hid_t group = lac_h5_group(file, "chart");
  g_assert_true(lac_meta_put_h5(&lac_meta_metric, &metric, file));
  g_assert_true(lac_meta_put_h5(&lac_meta_chart, &chart, group));
  lac_meta_get_h5(&lac_meta_metric, file, &found);
  g_assert_cmpint(H5Aexists(group, "mark"), ==, 0);
  H5Gclose(group);
  H5Fclose(file);
  lac_h5_unlock();
  g_assert_false(found.has_reference);
  g_assert_true(isnan(found.last));
  lac_meta_clear(&lac_meta_metric, &found);
}

/* No two rows of an output share a name, and the format description lists each row of run.h5. */
static void
test_names(void)
{
  g_autofree char *path =
    g_build_filename(g_getenv("LACUNA_SOURCE_ROOT"), "docs", "run-file.md", NULL);
  g_autofree char  *text = NULL;
  g_autoptr(GError) error = NULL;

  g_file_get_contents(path, &text, NULL, &error);
  g_assert_no_error(error);
  for (gsize t = 0; t < G_N_ELEMENTS(tables); t++) {
    const LacMetaTable *table = tables[t].table;
    for (gsize i = 0; i < table->n_rows; i++) {
      g_autofree char *name = g_strdup_printf("`%s`", table->rows[i].name);
      if ((table->rows[i].places & LAC_META_H5) && strstr(text, name) == NULL)
        g_error("docs/run-file.md does not have %s of a %s", name, tables[t].about);
      for (gsize k = 0; k < i; k++)
        g_assert_true(strcmp(table->rows[i].name, table->rows[k].name) != 0 ||
                      !(table->rows[i].places & table->rows[k].places));
    }
  }
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/io/metadata/each-row-comes-back-from-the-journal", test_journal);
  g_test_add_func("/io/metadata/each-row-comes-back-from-run-h5", test_h5);
  g_test_add_func("/io/metadata/what-is-not-known-stays-so", test_unknown);
  g_test_add_func("/io/metadata/the-description-has-every-name", test_names);
  return g_test_run();
}
