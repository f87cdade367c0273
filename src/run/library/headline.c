/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Headlines of runs: reading, packing for an index, sorting. */
#include "run/library/headline.h"

#include "experiment/experiment.h"
#include "io/runfile/format.h"
#include "io/runfile/notes.h"
#include "io/runfile/run-file.h"
#include "run/core/provenance.h"
#include "run/plan/equation.h"

#include <glib/gstdio.h>

#include <math.h>
#include <string.h>

static gboolean
stamp_file(const char *folder, const char *name, guint64 *bytes, gint64 *ns)
{
  g_autofree char *path = g_build_filename(folder, name, NULL);
  GStatBuf         about;

  *bytes = 0;
  *ns = 0;
  if (g_stat(path, &about) != 0)
    return FALSE;
  *bytes = (guint64) about.st_size;
  *ns = (gint64) about.st_mtim.tv_sec * G_GINT64_CONSTANT(1000000000) + about.st_mtim.tv_nsec;
  return TRUE;
}

gboolean
lac_run_headline_stamp(const char *folder, LacHeadlineStamp *stamp)
{
  stamp_file(folder, LAC_RUN_NOTES, &stamp->notes_bytes, &stamp->notes_ns);
  stamp_file(folder, LAC_RUN_H5, &stamp->h5_bytes, &stamp->h5_ns);
  return stamp_file(folder, LAC_RUN_JOURNAL, &stamp->journal_bytes, &stamp->journal_ns);
}

static guint64
count_bytes(const char *folder)
{
  g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
  const char     *name;
  guint64         sum = 0, bytes;
  gint64          ns;

  while (dir != NULL && (name = g_dir_read_name(dir)) != NULL)
    if (stamp_file(folder, name, &bytes, &ns))
      sum += bytes;
  return sum;
}

static LacRunHeadline *
headline_new(const char *path)
{
  LacRunHeadline *headline = g_new0(LacRunHeadline, 1);

  headline->ref_count = 1;
  headline->path = g_strdup(path);
  headline->name = g_filename_display_basename(path);
  return headline;
}

static void
take_texts(LacRunHeadline *headline, const LacRunFile *run)
{
  const LacExperiment *experiment = lac_experiment_find(run->experiment, NULL);

  if (experiment == NULL && lac_equation_learn(headline->path, NULL))
    experiment = lac_experiment_find(run->experiment, NULL);
  headline->experiment = g_strdup(run->experiment);
  headline->title = g_strdup(run->title);
  headline->laboratory = g_strdup(experiment != NULL ? experiment->laboratory : "");
  headline->outcome = g_utf8_make_valid(run->outcome, -1);
  headline->detail = g_utf8_make_valid(run->detail, -1);
  headline->backend = g_strdup(run->backend);
  headline->precision = g_strdup(run->precision);
  headline->started = g_strdup(run->started);
}

static void
take_metrics(LacRunHeadline *headline, const LacRunFile *run)
{
  headline->metrics = g_new0(LacHeadlineMetric, run->n_metrics + 1);
  for (gsize i = 0; i < run->n_metrics; i++) {
    const LacRunMetric *metric = &run->metrics[i];
    if (metric->is_result)
      headline->metrics[headline->n_metrics++] = (LacHeadlineMetric){
        g_strdup(metric->key), g_strdup(metric->label), g_strdup(metric->unit), metric->last};
  }
}

/* Collects the settings; line breaks in texts become spaces. */
static void
take_settings(LacRunHeadline *headline, const LacRunFile *run)
{
  GString *all = g_string_new("\n"), *changed = g_string_new(NULL);

  for (gsize i = 0; i < run->n_settings; i++) {
    const LacRunSetting *setting = &run->settings[i];
    g_autofree char     *text = g_strdelimit(g_strdup(setting->text), "\n\r", ' ');
    g_string_append_printf(all, "%s=%s\n", setting->key, text);
    if (!setting->is_default)
      g_string_append_printf(changed, "%s%s=%s", changed->len > 0 ? "\n" : "", setting->key, text);
  }
  headline->settings = g_string_free(all, FALSE);
  headline->changed = g_string_free(changed, FALSE);
}

static void
take_sweep(LacRunHeadline *headline, const LacRunFile *run)
{
  const char *sweep = "";

  for (gsize i = 0; i < run->n_facts; i++)
    if (g_str_equal(run->facts[i].key, LAC_PROVENANCE_SWEEP))
      sweep = run->facts[i].value;
  headline->sweep = g_utf8_make_valid(sweep, -1);
}

static gint64
seconds_of(const char *started)
{
  g_autoptr(GTimeZone) local = g_time_zone_new_local();
  g_autoptr(GDateTime) time = g_date_time_new_from_iso8601(started, local);

  return time != NULL ? g_date_time_to_unix(time) : 0;
}

static void
fold_words(LacRunHeadline *headline)
{
  g_autofree char *tags = g_strjoinv(" ", headline->tags);
  g_autofree char *text =
    g_strjoin("\n", headline->name, headline->title, headline->experiment, headline->laboratory,
              headline->outcome, headline->backend, headline->precision, tags, headline->note,
              headline->changed, headline->is_baseline ? "baseline" : "", NULL);

  headline->words = g_utf8_casefold(text, -1);
}

static void
take_notes(LacRunHeadline *headline)
{
  g_auto(LacRunNotes) notes = {0};

  lac_run_notes_read(headline->path, &notes);
  headline->tags = g_steal_pointer(&notes.tags);
  headline->note = g_steal_pointer(&notes.text);
  headline->is_baseline = notes.is_baseline;
}

/* Fills the headline of a folder with a damaged journal. */
static void
take_damage(LacRunHeadline *headline, const GError *why)
{
  headline->experiment = g_strdup("");
  headline->title = g_strdup(headline->name);
  headline->laboratory = g_strdup("");
  headline->outcome = g_strdup("unreadable");
  headline->detail = g_utf8_make_valid(why->message, -1);
  headline->backend = g_strdup("");
  headline->precision = g_strdup("");
  headline->started = g_strdup("");
  headline->settings = g_strdup("\n");
  headline->changed = g_strdup("");
  headline->sweep = g_strdup("");
}

LacRunHeadline *
lac_run_headline_read(const char *folder)
{
  g_autoptr(GError)         why = NULL;
  g_autoptr(LacRunHeadline) headline = headline_new(folder);

  headline->bytes = count_bytes(folder);
  if (!lac_run_headline_stamp(folder, &headline->stamp))
    return NULL;
  g_autoptr(LacRunFile) run = lac_run_file_open_journal(folder, &why);
  if (run == NULL) {
    take_damage(headline, why);
  } else {
    take_texts(headline, run);
    take_metrics(headline, run);
    take_settings(headline, run);
    take_sweep(headline, run);
    headline->started_s = seconds_of(run->started);
    headline->seed = run->seed;
    headline->threads = run->threads;
    headline->steps = run->steps;
    headline->seconds = run->seconds;
    headline->setup_seconds = run->setup_seconds;
  }
  take_notes(headline);
  fold_words(headline);
  return g_steal_pointer(&headline);
}

LacRunHeadline *
lac_run_headline_ref(LacRunHeadline *headline)
{
  g_atomic_int_inc(&headline->ref_count);
  return headline;
}

void
lac_run_headline_unref(LacRunHeadline *headline)
{
  if (headline == NULL || !g_atomic_int_dec_and_test(&headline->ref_count))
    return;
  char *owned[] = {headline->path,       headline->name,    headline->experiment, headline->title,
                   headline->laboratory, headline->outcome, headline->detail,     headline->backend,
                   headline->precision,  headline->started, headline->settings,   headline->changed,
                   headline->note,       headline->words,   headline->sweep};

  for (gsize i = 0; i < headline->n_metrics; i++) {
    g_free(headline->metrics[i].key);
    g_free(headline->metrics[i].label);
    g_free(headline->metrics[i].unit);
  }
  for (gsize i = 0; i < G_N_ELEMENTS(owned); i++)
    g_free(owned[i]);
  g_free(headline->metrics);
  g_strfreev(headline->tags);
  g_free(headline);
}

/* ---- the index ---- */

static GVariant *
pack_metrics(const LacRunHeadline *headline)
{
  GVariantBuilder builder;

  g_variant_builder_init(&builder, G_VARIANT_TYPE("a(sssd)"));
  for (gsize i = 0; i < headline->n_metrics; i++) {
    const LacHeadlineMetric *metric = &headline->metrics[i];
    g_variant_builder_add(&builder, "(sssd)", metric->key, metric->label, metric->unit,
                          metric->value);
  }
  return g_variant_builder_end(&builder);
}

GVariant *
lac_run_headline_pack(const LacRunHeadline *h)
{
  return g_variant_new(
    "(stxtxtxssssssssxtuxtddb^ass@a(sssd)sss)", h->name, h->stamp.journal_bytes,
    h->stamp.journal_ns, h->stamp.notes_bytes, h->stamp.notes_ns, h->stamp.h5_bytes, h->stamp.h5_ns,
    h->experiment, h->title, h->laboratory, h->outcome, h->detail, h->backend, h->precision,
    h->started, h->started_s, h->seed, h->threads, h->steps, h->bytes, h->seconds, h->setup_seconds,
    h->is_baseline, h->tags, h->note, pack_metrics(h), h->settings, h->changed, h->sweep);
}

static void
unpack_metrics(LacRunHeadline *headline, GVariant *packed)
{
  headline->n_metrics = g_variant_n_children(packed);
  headline->metrics = g_new0(LacHeadlineMetric, headline->n_metrics + 1);
  for (gsize i = 0; i < headline->n_metrics; i++) {
    LacHeadlineMetric *metric = &headline->metrics[i];
    g_variant_get_child(packed, i, "(sssd)", &metric->key, &metric->label, &metric->unit,
                        &metric->value);
  }
}

LacRunHeadline *
lac_run_headline_unpack(const char *folder, GVariant *packed)
{
  LacRunHeadline     *h = g_new0(LacRunHeadline, 1);
  g_autoptr(GVariant) metrics = NULL;

  h->ref_count = 1;
  g_variant_get(packed, "(stxtxtxssssssssxtuxtddb^ass@a(sssd)sss)", &h->name,
                &h->stamp.journal_bytes, &h->stamp.journal_ns, &h->stamp.notes_bytes,
                &h->stamp.notes_ns, &h->stamp.h5_bytes, &h->stamp.h5_ns, &h->experiment, &h->title,
                &h->laboratory, &h->outcome, &h->detail, &h->backend, &h->precision, &h->started,
                &h->started_s, &h->seed, &h->threads, &h->steps, &h->bytes, &h->seconds,
                &h->setup_seconds, &h->is_baseline, &h->tags, &h->note, &metrics, &h->settings,
                &h->changed, &h->sweep);
  unpack_metrics(h, metrics);
  h->path = g_build_filename(folder, h->name, NULL);
  fold_words(h);
  return h;
}

/* ---- finding and ordering ---- */

char *
lac_run_headline_dup_setting(const LacRunHeadline *headline, const char *key)
{
  g_autofree char *mark = g_strdup_printf("\n%s=", key);
  const char      *at = strstr(headline->settings, mark);

  if (at == NULL && g_str_equal(key, "seed"))
    return g_strdup_printf("%" G_GUINT64_FORMAT, headline->seed);
  if (at == NULL)
    return NULL;
  at += strlen(mark);
  return g_strndup(at, strcspn(at, "\n"));
}

typedef struct {
  const char *value; /* value in the first run that has it, up to the line's end */
  gsize       length;
  guint       n; /* number of distinct settings texts that have it */
  gboolean    differs;
} Met;

static void
meet(GHashTable *all, GPtrArray *keys, const char *settings)
{
  g_autoptr(GString) key = g_string_new(NULL);
  gsize              length = 0;

  for (const char *line = settings; *line != '\0'; line += length + (line[length] == '\n')) {
    length = strcspn(line, "\n");
    const char *equals = memchr(line, '=', length);
    if (equals == NULL)
      continue;
    g_string_truncate(key, 0);
    g_string_append_len(key, line, equals - line);
    const gsize value_length = (gsize) (line + length - equals - 1);
    Met        *met = g_hash_table_lookup(all, key->str);
    if (met == NULL) {
      met = g_new(Met, 1);
      *met = (Met){equals + 1, value_length, 0, FALSE};
      g_ptr_array_add(keys, g_strdup(key->str));
      g_hash_table_insert(all, keys->pdata[keys->len - 1], met);
    }
    met->n++;
    met->differs |=
      value_length != met->length || memcmp(equals + 1, met->value, value_length) != 0;
  }
}

GStrv
lac_run_headlines_differing(GPtrArray *runs)
{
  g_autoptr(GHashTable)   kinds = g_hash_table_new(g_str_hash, g_str_equal);
  g_autoptr(GPtrArray)    keys = g_ptr_array_new_with_free_func(g_free);
  g_autoptr(GHashTable)   all = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
  g_autoptr(GStrvBuilder) differing = g_strv_builder_new();

  for (guint i = 0; i < runs->len; i++) { /* many runs have identical settings */
    const LacRunHeadline *run = runs->pdata[i];
    if (g_hash_table_add(kinds, run->settings))
      meet(all, keys, run->settings);
  }
  for (guint i = 0; i < keys->len; i++) {
    const Met *met = g_hash_table_lookup(all, keys->pdata[i]);
    if (met->differs || met->n < g_hash_table_size(kinds))
      g_strv_builder_add(differing, keys->pdata[i]);
  }
  return g_strv_builder_end(differing);
}

const LacHeadlineMetric *
lac_run_headline_get_result(const LacRunHeadline *headline)
{
  return headline->n_metrics > 0 ? &headline->metrics[0] : NULL;
}

const LacHeadlineMetric *
lac_run_headline_find_metric(const LacRunHeadline *headline, const char *key)
{
  for (gsize i = 0; i < headline->n_metrics; i++)
    if (g_ascii_strcasecmp(headline->metrics[i].key, key) == 0)
      return &headline->metrics[i];
  for (gsize i = 0; i < headline->n_metrics; i++) {
    const char *end = strrchr(headline->metrics[i].key, '.');
    if (end != NULL && g_ascii_strcasecmp(end + 1, key) == 0)
      return &headline->metrics[i];
  }
  return NULL;
}

/* NaN last. */
static int
compare_values(double a, double b)
{
  if (isnan(a) || isnan(b))
    return (isnan(a) != 0) - (isnan(b) != 0);
  return (a > b) - (a < b);
}

static double
key_value(const LacRunHeadline *headline)
{
  const LacHeadlineMetric *result = lac_run_headline_get_result(headline);

  return result ? result->value : (double) NAN;
}

static int
compare_tags(const LacRunHeadline *a, const LacRunHeadline *b)
{
  g_autofree char *left = g_strjoinv(",", a->tags), *right = g_strjoinv(",", b->tags);

  if ((*left == '\0') != (*right == '\0'))
    return *left == '\0' ? 1 : -1;
  return g_utf8_collate(left, right);
}

static int
compare_by(const LacRunHeadline *a, const LacRunHeadline *b, LacRunOrder order)
{
  switch (order) {
  case LAC_RUNS_BY_NAME: return strcmp(a->name, b->name);
  case LAC_RUNS_BY_EXPERIMENT: return g_utf8_collate(a->title, b->title);
  case LAC_RUNS_BY_LABORATORY: return strcmp(a->laboratory, b->laboratory);
  case LAC_RUNS_BY_STARTED:
    return a->started_s != b->started_s
             ? (a->started_s > b->started_s) - (a->started_s < b->started_s)
             : g_strcmp0(a->started, b->started); /* with fractions of a second */
  case LAC_RUNS_BY_OUTCOME: return strcmp(a->outcome, b->outcome);
  case LAC_RUNS_BY_METRIC: return compare_values(key_value(a), key_value(b));
  case LAC_RUNS_BY_SECONDS: return compare_values(a->seconds, b->seconds);
  case LAC_RUNS_BY_STEPS: return (a->steps > b->steps) - (a->steps < b->steps);
  case LAC_RUNS_BY_TAGS: return compare_tags(a, b);
  case LAC_RUNS_BY_BYTES: return (a->bytes > b->bytes) - (a->bytes < b->bytes);
  case LAC_N_RUN_ORDERS: break;
  }
  g_return_val_if_reached(0);
}

int
lac_run_headline_compare(const LacRunHeadline *a, const LacRunHeadline *b, LacRunOrder order)
{
  int answer = compare_by(a, b, order);

  if (answer == 0)
    answer = compare_by(a, b, LAC_RUNS_BY_STARTED);
  return answer != 0 ? answer : strcmp(a->name, b->name);
}

const char *
lac_run_order_key(LacRunOrder order)
{
  static const char *const keys[LAC_N_RUN_ORDERS] = {
    "name",   "experiment", "laboratory", "started", "outcome",
    "metric", "seconds",    "steps",      "tags",    "bytes"};

  return keys[order];
}
