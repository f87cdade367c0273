/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every kind of parameter: accepted values, error messages, and copying. */
#include "base/error.h"
#include "base/param.h"

#include <string.h>

typedef struct {
  double reynolds;
  double noise;
  gint64 sensors;
  gint64 seed;
  gint64 placement;
  gint64 live_view;
  char  *truth;
  double offset;
  gint64 engines;
  char  *positions;
  char  *note;
  char  *structure;

  LacFileContent *atoms; /* content of the structure file */
} Params;

static const char *const placements[] = {"qr", "random", NULL};
static const char *const placement_titles[] = {"Pivoted QR", "Random"};

static const char *const engines[] = {"pod", "pinn", "enkf", NULL};

/* clang-format off */
static const LacParam rows[] = {
  {LAC_FIELD(Params, reynolds), LAC_PARAM_REAL, "1", 1, 1e5, 100, "Reynolds number", "Scene", "."},
  {LAC_FIELD(Params, noise), LAC_PARAM_REAL, "m/s", 0, 1, 0.1, "Noise", "Sensors", ".", .zero = "No noise"},
  {LAC_FIELD(Params, sensors), LAC_PARAM_INTEGER, "1", 1, 4096, 12, "Sensors", "Sensors", "."},
  {LAC_FIELD(Params, seed), LAC_PARAM_INTEGER, NULL, -G_MAXDOUBLE, G_MAXDOUBLE, 3, "Seed", "Run", "."},
  {LAC_FIELD(Params, placement), LAC_PARAM_CHOICE, NULL, 0, 0, 1, "Placement", "Sensors", ".", .choices = placements, .titles = placement_titles},
  {LAC_FIELD(Params, live_view), LAC_PARAM_SWITCH, NULL, 0, 1, 1, "Live", "Run", "."},
  {LAC_FIELD(Params, truth), LAC_PARAM_FILE, NULL, 0, 0, 0, "Truth", "Scene", ".", .file_type = "field"},
  {LAC_FIELD(Params, offset), LAC_PARAM_REAL, "K", -G_MAXDOUBLE, 0, 0, "Offset", "Scene", ".", .list = "placement", .entry = "!random"},
  {LAC_FIELD(Params, engines), LAC_PARAM_LIST, NULL, 0, 0, 3, "Methods", "Run", ".", .choices = engines},
  {LAC_FIELD(Params, positions), LAC_PARAM_TEXT, NULL, 0, 0, 0, "Positions", "Sensors", ".", .text = "0.5 1"},
  {LAC_FIELD(Params, note), LAC_PARAM_TEXT, NULL, 0, 0, 0, "Note", "Run", ".", .list = "engines", .entry = "pinn"},
  {LAC_FIELD(Params, structure), LAC_PARAM_FILE, NULL, 0, 0, 0, "Structure", "Scene", ".", .file_type = "atoms", .given = G_STRUCT_OFFSET(Params, atoms)},
};
/* clang-format on */

static const LacParamTable table = {rows, G_N_ELEMENTS(rows), sizeof(Params)};

static void
assert_set(LacDraft *draft, const char *key, const char *text, const char *reads)
{
  g_autoptr(GError) error = NULL;
  g_assert_true(lac_draft_set(draft, key, text, &error));
  g_assert_no_error(error);
  g_autofree char *now = lac_draft_dup_text(draft, lac_param_find(&table, key));
  g_assert_cmpstr(now, ==, reads);
}

/* Asserts that the value is refused with this message, and the draft is unchanged. */
static void
assert_refused(LacDraft *draft, const char *key, const char *text, const char *sentence)
{
  g_autoptr(GError) error = NULL;
  Params            before;
  memcpy(&before, lac_draft_get_values(draft), sizeof before);
  g_assert_false(lac_draft_set(draft, key, text, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE);
  g_assert_cmpstr(error->message, ==, sentence);
  g_assert_cmpmem(&before, sizeof before, lac_draft_get_values(draft), sizeof before);
}

static void
test_defaults(void)
{
  g_autoptr(LacDraft) draft = lac_draft_new(&table);
  const Params       *params = lac_draft_get_values(draft);
  g_assert_true(lac_draft_get_table(draft) == &table);
  g_assert_cmpfloat(params->reynolds, ==, 100);
  g_assert_cmpfloat(params->noise, ==, 0.1);
  g_assert_cmpint(params->sensors, ==, 12);
  g_assert_cmpint(params->placement, ==, 1);
  g_assert_cmpint(params->live_view, ==, 1);
  g_assert_null(params->truth);
  g_assert_cmpstr(params->positions, ==, "0.5 1");
  g_assert_null(params->note);
  for (gsize i = 0; i < table.n_rows; i++)
    g_assert_true(lac_draft_is_default(draft, &rows[i]));
}

static void
test_text_reads_back(void)
{
  g_autoptr(LacDraft) draft = lac_draft_new(&table);
  g_autoptr(LacDraft) again = lac_draft_new(&table);
  assert_set(draft, "reynolds", "1e3", "1000");
  assert_set(draft, "noise", " 0.30000000000000004 ", "0.30000000000000004");
  assert_set(draft, "sensors", "16", "16");
  assert_set(draft, "seed", "-9223372036854775808", "-9223372036854775808");
  assert_set(draft, "placement", "qr", "qr");
  assert_set(draft, "live_view", "Off", "no");
  assert_set(draft, "truth", "/a b/c=d.h5", "/a b/c=d.h5");
  assert_set(draft, "engines", "pinn,pod", "pinn,pod");
  assert_set(draft, "positions", "", "");
  assert_set(draft, "note", "0.5 1; 2 -3e-1", "0.5 1; 2 -3e-1");
  assert_set(draft, "structure", "a.xyz", "a.xyz");
  for (gsize i = 0; i < table.n_rows; i++) {
    g_autofree char *text = lac_draft_dup_text(draft, &rows[i]);
    assert_set(again, rows[i].key, text, text);
    g_assert_true(lac_draft_is_default(draft, &rows[i]) == (strcmp(rows[i].key, "offset") == 0));
  }
  g_assert_cmpfloat(lac_draft_get_number(draft, &rows[0]), ==, 1000);
  g_assert_cmpfloat(lac_draft_get_number(draft, &rows[2]), ==, 16);
  g_assert_cmpfloat(lac_draft_get_number(draft, &rows[5]), ==, 0);
}

static void
test_refused_reals(void)
{
  g_autoptr(LacDraft) draft = lac_draft_new(&table);
  assert_refused(draft, "reynolds", "-3", "reynolds = -3 is outside 1 to 1e5");
  assert_refused(draft, "reynolds", "100000.1", "reynolds = 100000.1 is outside 1 to 1e5");
  assert_refused(draft, "noise", "2", "noise = 2 is outside 0 to 1 (unit m/s)");
  assert_refused(draft, "noise", "0.1x",
                 "noise = 0.1x is not a number; allowed: 0 to 1 (unit m/s)");
  assert_refused(draft, "noise", "nan", "noise = nan is not a number; allowed: 0 to 1 (unit m/s)");
  assert_refused(draft, "noise", "inf", "noise = inf is not a number; allowed: 0 to 1 (unit m/s)");
  assert_refused(draft, "noise", "0,5", "noise = 0,5 is not a number; allowed: 0 to 1 (unit m/s)");
  assert_refused(draft, "noise", "", "noise = (empty) is not a number; allowed: 0 to 1 (unit m/s)");
  assert_refused(draft, "offset", "1", "offset = 1 is outside 0 or less (unit K)");
  assert_set(draft, "reynolds", "1", "1"); /* the range includes its ends */
  assert_set(draft, "reynolds", "1e5", "1e5");
}

static void
test_refused_integers(void)
{
  g_autoptr(LacDraft) draft = lac_draft_new(&table);
  assert_refused(draft, "sensors", "-1", "sensors = -1 is outside 1 to 4096");
  assert_refused(draft, "sensors", "2.5",
                 "sensors = 2.5 is not a whole number; allowed: 1 to 4096");
  assert_refused(draft, "sensors", "9999.5", "sensors = 9999.5 is outside 1 to 4096");
  assert_refused(draft, "sensors", "99999999999999999999",
                 "sensors = 99999999999999999999 is outside 1 to 4096");
  assert_refused(draft, "sensors", "many", "sensors = many is not a number; allowed: 1 to 4096");
  assert_refused(draft, "seed", "0.5",
                 "seed = 0.5 is not a whole number; allowed: any whole number");
}

static void
test_refused_names(void)
{
  g_autoptr(LacDraft) draft = lac_draft_new(&table);
  assert_refused(draft, "placement", "pod",
                 "placement = pod is not allowed; it may be one of qr, random");
  assert_refused(draft, "placement", "QR",
                 "placement = QR is not allowed; it may be one of qr, random");
  assert_refused(draft, "live_view", "2", "live_view = 2 is not allowed; it may be yes or no");
  assert_refused(draft, "live_view", "", "live_view = (empty) is not allowed; it may be yes or no");
}

static void
test_switch_words(void)
{
  static const char *const yes[] = {"yes", "true", "on", "1", "YES"}, *const no[] = {"no", "false",
                                                                                     "off", "0",
                                                                                     "No"};
  g_autoptr(LacDraft) draft = lac_draft_new(&table);
  for (gsize i = 0; i < G_N_ELEMENTS(yes); i++) {
    assert_set(draft, "live_view", no[i], "no");
    assert_set(draft, "live_view", yes[i], "yes");
  }
}

static void
test_unknown_key(void)
{
  static const struct {
    const char *key, *sentence;
  } cases[] = {
    {"reynold", "no parameter is named reynold; did you mean reynolds?"},
    {"reynlods", "no parameter is named reynlods; did you mean reynolds?"},
    {"se", "no parameter is named se; did you mean seed or sensors?"},
    {"colour", "no parameter is named colour; the nearest of 12 are noise, note, sensors"},
  };
  g_autoptr(LacDraft) draft = lac_draft_new(&table);
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_autoptr(GError) error = NULL;
    g_assert_false(lac_draft_set(draft, cases[i].key, "1", &error));
    g_assert_error(error, LAC_ERROR, LAC_ERROR_UNKNOWN_KEY);
    g_assert_cmpstr(error->message, ==, cases[i].sentence);
  }
  g_assert_null(lac_param_find(&table, "reynold"));
  const LacParamTable none = {NULL, 0, 0};
  g_autofree char    *words = lac_param_dup_keys_near(&none, "k");
  g_assert_cmpstr(words, ==, "there are no parameters");
}

static void
test_files_are_owned(void)
{
  g_autoptr(LacDraft) draft = lac_draft_new(&table);
  const LacParam     *row = lac_param_find(&table, "truth");
  g_autofree char    *path = g_strdup("/tmp/truth.mat");
  assert_set(draft, "truth", path, "/tmp/truth.mat");
  g_assert_true(lac_draft_get_file(draft, row) != path);
  LacDraft *copy = lac_draft_copy(draft);
  g_assert_true(lac_draft_get_file(copy, row) != lac_draft_get_file(draft, row));
  assert_set(copy, "truth", lac_draft_get_file(copy, row),
             "/tmp/truth.mat"); /* an independent copy */
  assert_set(copy, "truth", "other", "other");
  assert_set(copy, "noise", "0.5", "0.5");
  g_assert_cmpstr(lac_draft_get_file(draft, row), ==, "/tmp/truth.mat");
  g_assert_cmpfloat(lac_draft_get_number(draft, &rows[1]), ==, 0.1);
  assert_set(copy, "truth", "", "");
  g_assert_null(lac_draft_get_file(copy, row));
  g_assert_true(lac_draft_is_default(copy, row));
  lac_draft_free(copy);
}

static void
test_texts_are_owned(void)
{
  g_autoptr(LacDraft) draft = lac_draft_new(&table);
  const LacParam     *row = lac_param_find(&table, "positions");
  LacDraft           *copy = lac_draft_copy(draft);
  g_assert_true(lac_draft_get_text(copy, row) != lac_draft_get_text(draft, row));
  assert_set(copy, "positions", "", "");
  g_assert_null(lac_draft_get_text(copy, row));
  g_assert_false(lac_draft_is_default(copy, row)); /* empty differs from the default */
  assert_set(copy, "positions", "0.5 1", "0.5 1");
  g_assert_true(lac_draft_is_default(copy, row));
  lac_draft_free(copy);
  g_assert_cmpstr(lac_draft_get_text(draft, row), ==, "0.5 1");
}

static void
test_allowed(void)
{
  static const char *const words[] = {
    "1 to 1e5",
    "0 to 1",
    "1 to 4096",
    "any whole number",
    "qr, random",
    "yes or no",
    "a field file, or none",
    "0 or less",
    "pod, pinn, enkf",
    "any text",
    "any text",
    "a atoms file, or none",
  };
  for (gsize i = 0; i < table.n_rows; i++) {
    g_autofree char *allowed = lac_param_dup_allowed(&rows[i]);
    g_assert_cmpstr(allowed, ==, words[i]);
  }
}

static void
test_list(void)
{
  g_autoptr(LacDraft) draft = lac_draft_new(&table);
  const Params       *params = lac_draft_get_values(draft);

  assert_set(draft, "engines", "enkf, pod", "enkf,pod");
  g_assert_cmpint(lac_list_get(params->engines, 0), ==, 2);
  g_assert_cmpint(lac_list_get(params->engines, 1), ==, 0);
  g_assert_cmpint(lac_list_get(params->engines, 2), ==, -1);
  g_assert_true(lac_list_has(params->engines, 2));
  g_assert_false(lac_list_has(params->engines, 1));
  assert_refused(draft, "engines", "enkf,magic",
                 "engines = enkf,magic is not allowed; choose one or more of pod, pinn, enkf");
  assert_refused(draft, "engines", "",
                 "engines = (empty) is not allowed; choose one or more of pod, pinn, enkf");
  assert_refused(
    draft, "engines", "pod,pod",
    "engines = pod,pod lists an entry twice; each of pod, pinn, enkf may occur only once");
}

/* A row of a method applies only while the method is selected. */
static void
test_in_use(void)
{
  g_autoptr(LacDraft) draft = lac_draft_new(&table);
  const LacParam     *note = lac_param_find(&table, "note");
  g_assert_true(lac_draft_is_in_use(draft, lac_param_find(&table, "noise")));
  g_assert_true(lac_draft_set(draft, "engines", "enkf,pinn", NULL));
  g_assert_true(lac_draft_is_in_use(draft, note));
  g_assert_true(lac_draft_set(draft, "engines", "pod,enkf", NULL));
  g_assert_false(lac_draft_is_in_use(draft, note));
  const LacParam *offset = lac_param_find(&table, "offset"); /* without a choice */
  g_assert_true(lac_draft_set(draft, "placement", "random", NULL));
  g_assert_false(lac_draft_is_in_use(draft, offset));
  g_assert_true(lac_draft_set(draft, "placement", "qr", NULL));
  g_assert_true(lac_draft_is_in_use(draft, offset));
}

static void
count_end(gpointer data)
{
  ++*(guint *) data;
}

/* Content is shared by all copies of the draft, and freed with the last of them or when another file is set. */
static void
test_given(void)
{
  guint           ends[2] = {0};
  LacDraft       *draft = lac_draft_new(&table), *copy;
  const LacParam *row = lac_param_find(&table, "structure");
  const Params   *values = lac_draft_get_values(draft);

  assert_set(draft, "structure", "a.xyz", "a.xyz");
  g_assert_null(lac_draft_get_given(draft, row));
  g_assert_null(lac_draft_get_given(draft, lac_param_find(&table, "truth")));
  lac_draft_give(draft, row, &ends[0], count_end);
  g_assert_true(values->atoms->data == &ends[0]);
  copy = lac_draft_copy(draft);
  assert_set(draft, "structure", "b.xyz", "b.xyz");
  g_assert_null(lac_draft_get_given(draft, row));
  g_assert_true(lac_draft_get_given(copy, row) == &ends[0]);
  g_assert_cmpuint(ends[0], ==, 0);
  lac_draft_give(draft, row, &ends[1], count_end);
  lac_draft_free(copy);
  g_assert_cmpuint(ends[0], ==, 1);
  assert_set(draft, "noise", "0.5", "0.5");
  g_assert_cmpuint(ends[1], ==, 0);
  lac_draft_free(draft);
  g_assert_cmpuint(ends[1], ==, 1);
}

static void
assert_shown(const char *key, const char *text, const char *expected)
{
  g_autofree char *shown = lac_param_dup_shown(lac_param_find(&table, key), text);
  g_assert_cmpstr(shown, ==, expected);
}

/* Values of another version, which the row no longer allows, stay as they are. */
static void
test_shown(void)
{
  assert_shown("placement", "qr", "Pivoted QR");
  assert_shown("placement", "nearest", "nearest");
  assert_shown("engines", "enkf,pod", "enkf, pod");
  assert_shown("live_view", "yes", "yes");
  assert_shown("noise", "0", "No noise");
  assert_shown("noise", "0.5", "0.5");
  assert_shown("offset", "0", "0");
  assert_shown("truth", "", "none");
  assert_shown("positions", "0.5 1", "0.5 1");
  g_autofree char *numbers = lac_param_dup_allowed_shown(lac_param_find(&table, "noise"));
  g_autofree char *names = lac_param_dup_allowed_shown(lac_param_find(&table, "placement"));
  g_assert_cmpstr(numbers, ==, "No noise or 0 to 1");
  g_assert_cmpstr(names, ==, "Pivoted QR; Random");
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/base/param/draft-begins-with-defaults", test_defaults);
  g_test_add_func("/base/param/list-keeps-its-order", test_list);
  g_test_add_func("/base/param/text-of-every-kind-reads-back", test_text_reads_back);
  g_test_add_func("/base/param/negative-value-is-refused", test_refused_reals);
  g_test_add_func("/base/param/fraction-of-an-integer-is-refused", test_refused_integers);
  g_test_add_func("/base/param/unknown-name-is-refused", test_refused_names);
  g_test_add_func("/base/param/switch-takes-its-words", test_switch_words);
  g_test_add_func("/base/param/unknown-key-says-which-there-are", test_unknown_key);
  g_test_add_func("/base/param/files-are-owned-by-their-draft", test_files_are_owned);
  g_test_add_func("/base/param/texts-are-owned-by-their-draft", test_texts_are_owned);
  g_test_add_func("/base/param/allowed-is-said-in-words", test_allowed);
  g_test_add_func("/base/param/values-are-shown-by-their-names", test_shown);
  g_test_add_func("/base/param/what-a-file-holds-is-shared-by-copies", test_given);
  g_test_add_func("/base/param/a-row-is-in-use-while-its-list-has-the-entry", test_in_use);
  return g_test_run();
}
