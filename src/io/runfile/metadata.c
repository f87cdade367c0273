/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Table of metadata, and each type of row in JSON and HDF5. */
#include "io/runfile/metadata.h"

#include "io/format/json-text.h"
#include "io/runfile/run-file-private.h"

#include <glib/gi18n-lib.h>

#include <math.h>

#define FILES   (LAC_META_JOURNAL | LAC_META_H5)
#define PRINTED (LAC_META_RESULT | LAC_META_REPORT | LAC_META_COMPARE)

#define TABLE(rows)          \
  {                          \
    rows, G_N_ELEMENTS(rows) \
  }

#define OF(member) G_STRUCT_OFFSET(LacRunFile, member)
static const LacMetaRow run_rows[] = {
  {"experiment", LAC_META_TEXT, OF(experiment), FILES | PRINTED},
  {"title", LAC_META_WORDS, OF(title), FILES | LAC_META_REPORT},
  {"caution", LAC_META_WORDS, OF(caution), FILES | LAC_META_REPORT},
  {"outcome", LAC_META_TEXT, OF(outcome), LAC_META_H5 | PRINTED},
  {"detail", LAC_META_TEXT, OF(detail), LAC_META_H5 | LAC_META_REPORT},
  {"started", LAC_META_TEXT, OF(started), FILES | LAC_META_REPORT},
  {"backend", LAC_META_TEXT, OF(backend), FILES | PRINTED},
  {"precision", LAC_META_TEXT, OF(precision), FILES | PRINTED},
  {"seed", LAC_META_SEED, OF(seed), FILES | PRINTED},
  {"threads", LAC_META_COUNT, OF(threads), FILES | PRINTED},
  {"steps", LAC_META_STEPS, OF(steps), LAC_META_H5 | PRINTED},
  {"seconds", LAC_META_REAL, OF(seconds), LAC_META_H5 | LAC_META_RESULT | LAC_META_REPORT},
  {"setup_seconds", LAC_META_REAL, OF(setup_seconds),
   LAC_META_H5 | LAC_META_RESULT | LAC_META_REPORT},
  {"journal_bytes", LAC_META_BYTES, G_STRUCT_OFFSET(LacRunSource, segment_bytes[0]), LAC_META_H5},
  {"records_bytes", LAC_META_BYTES, G_STRUCT_OFFSET(LacRunSource, segment_bytes[1]), LAC_META_H5},
  {"frames_bytes", LAC_META_BYTES, G_STRUCT_OFFSET(LacRunSource, segment_bytes[2]), LAC_META_H5},
};
#undef OF

#define SPARSE .is_sparse = TRUE

/* In run.h5 the key is the group's name, here and below. */
#define OF(member) G_STRUCT_OFFSET(LacRunSetting, member)
static const LacMetaRow setting_rows[] = {
  {"key", LAC_META_TEXT, OF(key), LAC_META_JOURNAL | LAC_META_REPORT},
  {"value", LAC_META_TEXT, OF(text), FILES | LAC_META_REPORT, "text"},
  {"unit", LAC_META_TEXT, OF(unit), FILES | LAC_META_REPORT},
  {"label", LAC_META_WORDS, OF(label), FILES},
  {"group", LAC_META_WORDS, OF(group), FILES},
  {"is_default", LAC_META_SWITCH, OF(is_default), FILES | LAC_META_REPORT, "default"},
  {"method", LAC_META_TEXT, OF(method), FILES, SPARSE},
  {"is_advanced", LAC_META_SWITCH, OF(is_advanced), FILES, SPARSE},
  {"is_unused", LAC_META_SWITCH, OF(is_unused), FILES, SPARSE},
};
#undef OF

#define OF(member) G_STRUCT_OFFSET(LacRunFact, member)
static const LacMetaRow fact_rows[] = {
  {"key", LAC_META_TEXT, OF(key), LAC_META_JOURNAL},
  {"value", LAC_META_TEXT, OF(value), FILES},
};
#undef OF

static const char *const column_names[] = {"further", "main", "now", "mean", "spread", NULL};
G_STATIC_ASSERT(G_N_ELEMENTS(column_names) == LAC_N_METRIC_COLUMNS + 1);
static const char *const rank_names[] = {"none", "least", "greatest", NULL};
G_STATIC_ASSERT(G_N_ELEMENTS(rank_names) == LAC_N_RANKS + 1);

#define OF(member) G_STRUCT_OFFSET(LacRunMetric, member)
static const LacMetaRow metric_rows[] = {
  {"key", LAC_META_TEXT, OF(key), LAC_META_JOURNAL},
  {"label", LAC_META_WORDS, OF(label), FILES},
  {"unit", LAC_META_TEXT, OF(unit), FILES},
  {"log_axis", LAC_META_SWITCH, OF(log_axis), FILES},
  {"is_result", LAC_META_SWITCH, OF(is_result), FILES},
  {"last", LAC_META_METRIC, OF(last), LAC_META_H5},
  {"reference", LAC_META_KNOWN, OF(reference), FILES, NULL, OF(has_reference)},
  {"column", LAC_META_NAMED, OF(placing.column), FILES, SPARSE, .names = column_names},
  {"rank", LAC_META_NAMED, OF(placing.rank), FILES, SPARSE, .names = rank_names},
  {"is_fraction", LAC_META_SWITCH, OF(placing.is_fraction), FILES, SPARSE},
  {"is_comparison", LAC_META_SWITCH, OF(placing.is_comparison), FILES, SPARSE},
  {"heading", LAC_META_WORDS, OF(placing.heading), FILES, SPARSE},
  {"method", LAC_META_WORDS, OF(placing.method), FILES, SPARSE},
  {"standard_error", LAC_META_TEXT, OF(placing.standard_error), FILES, SPARSE},
  {"baseline_label", LAC_META_WORDS, OF(placing.baselines[0].label), FILES, SPARSE},
  {"baseline", LAC_META_REAL, OF(placing.baselines[0].value), FILES, SPARSE},
  {"second_baseline_label", LAC_META_WORDS, OF(placing.baselines[1].label), FILES, SPARSE},
  {"second_baseline", LAC_META_REAL, OF(placing.baselines[1].value), FILES, SPARSE},
  {"window_first", LAC_META_COUNT, OF(placing.window_first), FILES, SPARSE},
  {"window_last", LAC_META_COUNT, OF(placing.window_last), FILES, SPARSE},
};
#undef OF

#define OF(member) G_STRUCT_OFFSET(LacRunChannel, member)
static const LacMetaRow channel_rows[] = {
  {"key", LAC_META_TEXT, OF(key), LAC_META_JOURNAL},
  {"label", LAC_META_WORDS, OF(label), FILES},
  {"unit", LAC_META_TEXT, OF(unit), FILES},
  {"quantity", LAC_META_TEXT, OF(quantity), FILES},
  {"role", LAC_META_ROLE, OF(role), FILES},
  {"colour_map", LAC_META_TEXT, OF(colour_map), FILES},
  {"axis_x", LAC_META_TEXT, OF(axis_x), FILES},
  {"axis_y", LAC_META_TEXT, OF(axis_y), FILES},
  {"axis_unit_x", LAC_META_TEXT, OF(axis_unit_x), FILES},
  {"axis_unit_y", LAC_META_TEXT, OF(axis_unit_y), FILES},
  {"periodic", LAC_META_SWITCH, OF(periodic), FILES},
  {"without_markers", LAC_META_SWITCH, OF(without_markers), FILES},
};
#undef OF

#define OF(member) G_STRUCT_OFFSET(LacLayers, member)
static const LacMetaRow layers_rows[] = {
  {"layers", LAC_META_SIZE, OF(n), FILES},
  {"z_min", LAC_META_REAL, OF(low), FILES},
  {"z_max", LAC_META_REAL, OF(high), FILES},
};
#undef OF

#define OF(member) G_STRUCT_OFFSET(LacChart, member)
static const LacMetaRow chart_rows[] = {
  {"with_errors", LAC_META_SWITCH, OF(with_errors), FILES},
  {"log_axis", LAC_META_SWITCH, OF(log_axis), FILES},
  {"mark", LAC_META_MARK, OF(mark), FILES, NULL, OF(has_mark)},
};
#undef OF

const LacMetaTable lac_meta_run = TABLE(run_rows);
const LacMetaTable lac_meta_setting = TABLE(setting_rows);
const LacMetaTable lac_meta_fact = TABLE(fact_rows);
const LacMetaTable lac_meta_metric = TABLE(metric_rows);
const LacMetaTable lac_meta_channel = TABLE(channel_rows);
const LacMetaTable lac_meta_layers = TABLE(layers_rows);
const LacMetaTable lac_meta_chart = TABLE(chart_rows);

static const char *const role_names[] = {"truth", "reconstruction", "baseline", "other"};
G_STATIC_ASSERT(G_N_ELEMENTS(role_names) == LAC_ROLE_OTHER + 1);

#define AT(Type, values, at) G_STRUCT_MEMBER(Type, values, at)

static const char *
get_text(const LacMetaRow *row, gconstpointer values)
{
  const char *text = AT(const char *, values, row->offset);

  return text != NULL ? text : "";
}

void
lac_meta_clear(const LacMetaTable *table, gpointer values)
{
  for (gsize i = 0; i < table->n_rows; i++)
    if (table->rows[i].kind == LAC_META_TEXT || table->rows[i].kind == LAC_META_WORDS)
      g_clear_pointer(&AT(char *, values, table->rows[i].offset), g_free);
}

/* Returns TRUE when a sparse row has nothing to write. */
static gboolean
is_omitted(const LacMetaRow *row, gconstpointer values)
{
  if (!row->is_sparse)
    return FALSE;
  if (row->kind == LAC_META_TEXT || row->kind == LAC_META_WORDS)
    return *get_text(row, values) == '\0';
  if (row->kind == LAC_META_REAL)
    return !(fabs(AT(double, values, row->offset)) > 0);
  return AT(guint, values, row->offset) == 0; /* an enumeration, a count or a switch */
}

/* Returns the value of an enumeration; the first one for an unknown name, as from a later version. */
static guint
find_named(const LacMetaRow *row, const char *name)
{
  for (guint i = 0; row->names[i] != NULL; i++)
    if (g_strcmp0(row->names[i], name) == 0)
      return i;
  return 0;
}

/* ---- JSON ---- */

static const char *
get_json_name(const LacMetaRow *row, LacMetaPlace place)
{
  return place == LAC_META_JOURNAL && row->journal != NULL ? row->journal : row->name;
}

static void
put_json(JsonBuilder *to, const char *name, const LacMetaRow *row, gconstpointer values)
{
  const gsize at = row->offset;

  switch (row->kind) {
  case LAC_META_SEED:
  case LAC_META_BYTES: lac_json_add_integer(to, name, (gint64) AT(guint64, values, at)); break;
  case LAC_META_COUNT: lac_json_add_integer(to, name, AT(guint, values, at)); break;
  case LAC_META_SIZE: lac_json_add_integer(to, name, (gint64) AT(gsize, values, at)); break;
  case LAC_META_STEPS: lac_json_add_integer(to, name, AT(gint64, values, at)); break;
  case LAC_META_ROLE: lac_json_add_integer(to, name, (gint64) AT(LacRole, values, at)); break;
  case LAC_META_REAL:
  case LAC_META_METRIC:
  case LAC_META_KNOWN:
  case LAC_META_MARK: lac_json_add_number(to, name, AT(double, values, at)); break;
  case LAC_META_SWITCH:
    json_builder_set_member_name(to, name);
    json_builder_add_boolean_value(to, AT(gboolean, values, at));
    break;
  case LAC_META_NAMED: lac_json_add_text(to, name, row->names[AT(guint, values, at)]); break;
  case LAC_META_TEXT:
  case LAC_META_WORDS: lac_json_add_text(to, name, get_text(row, values)); break;
  }
}

void
lac_meta_put_json(const LacMetaTable *table,
                  LacMetaPlace        place,
                  gconstpointer       values,
                  JsonBuilder        *builder)
{
  for (gsize i = 0; i < table->n_rows; i++) {
    const LacMetaRow *row = &table->rows[i];
    const char       *name = get_json_name(row, place);

    if (!(row->places & place) || (row->has != 0 && !AT(gboolean, values, row->has)) ||
        is_omitted(row, values))
      continue;
    if (row->kind == LAC_META_SEED && place == LAC_META_JOURNAL) {
      g_autofree char *seed =
        g_strdup_printf("%" G_GUINT64_FORMAT, AT(guint64, values, row->offset));
      lac_json_add_text(builder, name, seed);
    } else {
      put_json(builder, name, row, values);
    }
  }
}

static gint64
get_integer(JsonObject *object, const char *name)
{
  return json_object_get_int_member_with_default(object, name, 0);
}

static LacRole
to_role(gint64 number)
{
  return number >= 0 && number <= LAC_ROLE_OTHER ? (LacRole) number : LAC_ROLE_OTHER;
}

static void
get_json(const LacMetaRow *row, JsonObject *object, gpointer values)
{
  const char *name = get_json_name(row, LAC_META_JOURNAL);
  const gsize at = row->offset;

  switch (row->kind) {
  case LAC_META_TEXT:
  case LAC_META_WORDS:
    AT(char *, values, at) = g_strdup(json_object_get_string_member_with_default(object, name, ""));
    break;
  case LAC_META_SEED:
    AT(guint64, values, at) =
      g_ascii_strtoull(json_object_get_string_member_with_default(object, name, "0"), NULL, 10);
    break;
  case LAC_META_BYTES: AT(guint64, values, at) = (guint64) get_integer(object, name); break;
  case LAC_META_COUNT: AT(guint, values, at) = (guint) get_integer(object, name); break;
  case LAC_META_SIZE: AT(gsize, values, at) = (gsize) MAX(get_integer(object, name), 0); break;
  case LAC_META_STEPS: AT(gint64, values, at) = get_integer(object, name); break;
  case LAC_META_KNOWN:
  case LAC_META_MARK:
    AT(gboolean, values, row->has) = json_object_has_member(object, name);
    /* fall through */
  case LAC_META_REAL:
  case LAC_META_METRIC:
    AT(double, values, at) = json_object_get_double_member_with_default(object, name, 0);
    break;
  case LAC_META_SWITCH:
    AT(gboolean, values, at) = json_object_get_boolean_member_with_default(object, name, FALSE);
    break;
  case LAC_META_ROLE:
    AT(LacRole, values, at) =
      to_role(json_object_get_int_member_with_default(object, name, LAC_ROLE_OTHER));
    break;
  case LAC_META_NAMED:
    AT(guint, values, at) =
      find_named(row, json_object_get_string_member_with_default(object, name, ""));
    break;
  }
}

void
lac_meta_get_json(const LacMetaTable *table, JsonObject *object, gpointer values)
{
  for (gsize i = 0; i < table->n_rows; i++)
    if (table->rows[i].places & LAC_META_JOURNAL)
      get_json(&table->rows[i], object, values);
}

/* ---- HDF5 ---- */

static gboolean
put_h5(const LacMetaRow *row, gconstpointer values, hid_t object)
{
  const gsize    at = row->offset;
  const gboolean is_known = row->has == 0 || AT(gboolean, values, row->has);

  switch (row->kind) {
  case LAC_META_TEXT:
  case LAC_META_WORDS: return lac_h5_put_text(object, row->name, AT(const char *, values, at));
  case LAC_META_SEED:
  case LAC_META_BYTES: return lac_h5_put_unsigned(object, row->name, AT(guint64, values, at));
  case LAC_META_COUNT: return lac_h5_put_unsigned(object, row->name, AT(guint, values, at));
  case LAC_META_SIZE: return lac_h5_put_unsigned(object, row->name, AT(gsize, values, at));
  case LAC_META_STEPS: return lac_h5_put_integer(object, row->name, AT(gint64, values, at));
  case LAC_META_SWITCH: return lac_h5_put_integer(object, row->name, AT(gboolean, values, at));
  case LAC_META_ROLE:
    return lac_h5_put_text(object, row->name, role_names[AT(LacRole, values, at)]);
  case LAC_META_NAMED: return lac_h5_put_text(object, row->name, row->names[AT(guint, values, at)]);
  case LAC_META_MARK:
    if (!is_known)
      return TRUE;
    /* fall through */
  case LAC_META_KNOWN:
  case LAC_META_REAL:
  case LAC_META_METRIC:
    return lac_h5_put_real(object, row->name, is_known ? AT(double, values, at) : (double) NAN);
  }
  g_return_val_if_reached(FALSE);
}

gboolean
lac_meta_put_h5(const LacMetaTable *table, gconstpointer values, hid_t object)
{
  for (gsize i = 0; i < table->n_rows; i++)
    if ((table->rows[i].places & LAC_META_H5) && !is_omitted(&table->rows[i], values) &&
        !put_h5(&table->rows[i], values, object))
      return FALSE;
  return TRUE;
}

/* Translates a text that is stored untranslated. */
static char *
dup_words(hid_t object, const char *name)
{
  char *text = lac_h5_dup_text(object, name);
  if (text == NULL || *text == '\0')
    return text;
  char *words = g_strdup(g_dgettext(GETTEXT_PACKAGE, text));
  g_free(text);
  return words;
}

static LacRole
get_role(hid_t object, const char *name)
{
  g_autofree char *text = lac_h5_dup_text(object, name);

  for (guint i = 0; i < G_N_ELEMENTS(role_names); i++)
    if (g_strcmp0(text, role_names[i]) == 0)
      return (LacRole) i;
  return LAC_ROLE_OTHER;
}

static guint
get_named(const LacMetaRow *row, hid_t object)
{
  g_autofree char *text = lac_h5_dup_text(object, row->name);

  return find_named(row, text);
}

static void
get_h5(const LacMetaRow *row, hid_t object, gpointer values)
{
  const char *name = row->name;
  const gsize at = row->offset;

  switch (row->kind) {
  case LAC_META_TEXT: AT(char *, values, at) = lac_h5_dup_text(object, name); break;
  case LAC_META_WORDS: AT(char *, values, at) = dup_words(object, name); break;
  case LAC_META_SEED:
  case LAC_META_BYTES: AT(guint64, values, at) = lac_h5_get_unsigned(object, name); break;
  case LAC_META_COUNT: AT(guint, values, at) = (guint) lac_h5_get_unsigned(object, name); break;
  case LAC_META_SIZE: AT(gsize, values, at) = (gsize) lac_h5_get_unsigned(object, name); break;
  case LAC_META_STEPS: AT(gint64, values, at) = lac_h5_get_integer(object, name, 0); break;
  case LAC_META_REAL: AT(double, values, at) = lac_h5_get_real(object, name, 0); break;
  case LAC_META_METRIC: AT(double, values, at) = lac_h5_get_real(object, name, NAN); break;
  case LAC_META_KNOWN:
  case LAC_META_MARK:
    AT(double, values, at) = lac_h5_get_real(object, name, NAN);
    AT(gboolean, values, row->has) = isfinite(AT(double, values, at));
    break;
  case LAC_META_SWITCH: AT(gboolean, values, at) = lac_h5_get_integer(object, name, 0) != 0; break;
  case LAC_META_ROLE: AT(LacRole, values, at) = get_role(object, name); break;
  case LAC_META_NAMED: AT(guint, values, at) = get_named(row, object); break;
  }
}

void
lac_meta_get_h5(const LacMetaTable *table, hid_t object, gpointer values)
{
  for (gsize i = 0; i < table->n_rows; i++)
    if (table->rows[i].places & LAC_META_H5)
      get_h5(&table->rows[i], object, values);
}
