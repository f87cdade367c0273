/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of UI recordings: reading returns what was written, up to a cut. Their runs: the saved copy equals the
 * original. */
#include "app/script/part-states.h"
#include "app/script/runs-of-script.h"
#include "app/script/ui-script.h"
#include "base/error.h"

#include <glib/gstdio.h>

#include <locale.h>
#include <string.h>

static char *
write_lines(const char *text)
{
  g_autoptr(GError) error = NULL;
  char             *path = NULL;
  int               handle = g_file_open_tmp("lacuna-recording-XXXXXX", &path, &error);
  g_assert_no_error(error);
  g_close(handle, NULL);
  g_file_set_contents(path, text, -1, &error);
  g_assert_no_error(error);
  return path;
}

/* Commands with every kind of parameter, including text that might break a line. */
static void
test_what_is_written_is_read(void)
{
  LacUiScriptEntry entries[] = {
    {.seconds = 0, .action = (char *) "win.launch"},
    {1.25, (char *) "win.configure", g_variant_new_string("kolmogorov"), FALSE, 0},
    {2, (char *) "win.set-parameter", g_variant_new("(ss)", "note", "a = 'b' (c): \"d\"\ne"), FALSE,
     0},
    {2.5, (char *) "win.show-frame", g_variant_new_uint64(7), FALSE, 0},
    {3, (char *) "win.runs-select", g_variant_new_strv((const char *const[]){"/tmp/x y", NULL}, 1),
     FALSE, 0},
    {4, (char *) "win.runs-select", g_variant_new_strv(NULL, 0), FALSE, 0},
    {5, (char *) "win.smooth", g_variant_new_boolean(TRUE), TRUE, 0},
    {6.001, (char *) "win.view", g_variant_new_string("it = (is): so"), TRUE, 0},
  };
  g_autoptr(GString) text = g_string_new("# words\n\n");
  g_autoptr(GError)  error = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS(entries); i++) {
    if (entries[i].value != NULL)
      g_variant_ref_sink(entries[i].value);
    g_autofree char *line = lac_ui_script_entry_dup_line(&entries[i]);
    g_assert_null(strchr(line, '\n'));
    g_string_append_printf(text, "%s\n", line);
  }
  g_autofree char       *path = write_lines(text->str);
  g_autoptr(LacUiScript) read = lac_ui_script_load(path, &error);
  g_assert_no_error(error);
  g_assert_false(read->is_cut_off); /* written by hand */
  g_assert_cmpuint(read->entries->len, ==, G_N_ELEMENTS(entries));
  for (guint i = 0; i < read->entries->len; i++) {
    const LacUiScriptEntry *entry = read->entries->pdata[i];
    g_assert_cmpuint(entry->line, ==, i + 3);
    g_assert_cmpfloat(entry->seconds, ==, entries[i].seconds);
    g_assert_cmpstr(entry->action, ==, entries[i].action);
    g_assert_cmpint(entry->is_state, ==, entries[i].is_state);
    g_assert_true((entry->value == NULL) == (entries[i].value == NULL));
    if (entry->value != NULL)
      g_assert_cmpvariant(entry->value, entries[i].value);
    g_clear_pointer(&entries[i].value, g_variant_unref);
  }
  g_unlink(path);
}

static void
test_what_is_no_line_is_refused(void)
{
  static const char *const wrong[] = {"win.launch\n",       "soon win.launch\n",
                                      "-1.0 win.launch\n",  "1.0 win.view = \n",
                                      "1.0 win.view('a'\n", "1.0\n",
                                      "nan win.launch\n",   "1.0 win.launch\n\xff\xfe 2\n"};
  for (gsize i = 0; i < G_N_ELEMENTS(wrong); i++) {
    g_autofree char       *path = write_lines(wrong[i]);
    g_autoptr(GError)      error = NULL;
    g_autoptr(LacUiScript) read = lac_ui_script_load(path, &error);
    g_assert_null(read);
    g_assert_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE);
    g_assert_nonnull(strstr(error->message, "line "));
    g_unlink(path);
  }
}

/* A recording of a killed program: cut after any number of bytes, all complete lines are read. */
static void
test_cut_off_anywhere(void)
{
  static const char text[] = "# words\n"
                             "0.000 recording.format(3)\n"
                             "0.500 win.configure::kolmogorov\n"
                             "1.000 recording.run::a.lacuna\n"
                             "2.000 win.field-camera = (0.5, 0.5, 1.25)\n"
                             "2.500 recording.ended::a.lacuna\n"
                             "3.000 recording.end\n";
  const gsize       first = (gsize) (strstr(text, "0.500") - text), last = sizeof text - 1;
  for (gsize n = first; n <= last; n++) {
    g_autofree char       *part = g_strndup(text, n), *path = write_lines(part);
    g_autoptr(GError)      error = NULL;
    g_autoptr(LacUiScript) read = lac_ui_script_load(path, &error);
    guint                  n_lines = 0;
    g_assert_no_error(error);
    for (const char *end = part; (end = strchr(end, '\n')) != NULL; end++)
      n_lines++;
    g_assert_cmpuint(read->entries->len, ==, n_lines - 1); /* one line is a comment */
    g_assert_cmpint(read->is_cut_off, ==, n < last);
    g_unlink(path);
  }
}

static void
test_later_formats_are_refused(void)
{
  static const char *const texts[] = {"0.0 recording.format(4)\n", "0.0 recording.format(0)\n",
                                      "0.0 recording.format\n", "0.0 recording.format::2\n"};
  for (gsize i = 0; i < G_N_ELEMENTS(texts); i++) {
    g_autofree char       *path = write_lines(texts[i]);
    g_autoptr(GError)      error = NULL;
    g_autoptr(LacUiScript) read = lac_ui_script_load(path, &error);
    g_assert_null(read);
    g_assert_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE);
    g_assert_nonnull(strstr(error->message, "newer"));
    g_unlink(path);
  }
}

/* A recording of format 2 is read as one of format 3. */
static void
test_earlier_names_are_read(void)
{
  static const char        before[] = "0.000 sitting.format(2)\n"
                                      "1.000 sitting.run::a.lacuna\n"
                                      "1.500 win.launch\n"
                                      "2.500 sitting.ended::a.lacuna\n"
                                      "3.000 sitting.end\n";
  static const char *const names[] = {LAC_UI_SCRIPT_FACT_FORMAT, LAC_UI_SCRIPT_FACT_RUN,
                                      "win.launch", LAC_UI_SCRIPT_FACT_ENDED,
                                      LAC_UI_SCRIPT_FACT_END};
  g_autofree char         *folder = g_dir_make_tmp("lacuna-recording-XXXXXX", NULL);
  g_autofree char         *old = g_build_filename(folder, "sitting.txt", NULL);
  g_autofree char         *now = g_build_filename(folder, LAC_UI_SCRIPT_TEXT, NULL);
  g_autoptr(GError)        error = NULL;
  g_assert_true(g_file_set_contents(old, before, -1, &error));
  {
    g_autoptr(LacUiScript) read = lac_ui_script_load(folder, &error);
    g_assert_no_error(error);
    g_assert_false(read->is_cut_off);
    g_assert_cmpuint(lac_ui_script_count_runs(read), ==, 1);
    g_assert_cmpuint(read->entries->len, ==, G_N_ELEMENTS(names));
    for (guint i = 0; i < read->entries->len; i++) {
      const LacUiScriptEntry *entry = read->entries->pdata[i];
      g_assert_cmpstr(entry->action, ==, names[i]);
      g_assert_cmpint(lac_ui_script_entry_is_fact(entry), ==, i != 2);
    }
  }
  /* the current name wins */
  g_assert_true(g_file_set_contents(now, "0.000 win.launch\n", -1, &error));
  g_autoptr(LacUiScript) both = lac_ui_script_load(folder, &error);
  g_assert_no_error(error);
  g_assert_cmpuint(both->entries->len, ==, 1);
  g_unlink(old);
  g_unlink(now);
  g_rmdir(folder);
}

/* ---- runs ---- */

static char *
make_run(const char *root, const char *name, const char *records)
{
  g_autoptr(GError) error = NULL;
  char             *run = g_build_filename(root, name, NULL);
  g_autofree char  *deeper = g_build_filename(run, "segments", NULL);
  g_autofree char  *one = g_build_filename(run, "run.h5", NULL);
  g_autofree char  *two = g_build_filename(deeper, "records-0", NULL);
  g_assert_cmpint(g_mkdir_with_parents(deeper, 0755), ==, 0);
  g_assert_true(g_file_set_contents(one, "frames", -1, &error));
  g_assert_true(g_file_set_contents(two, records, -1, &error));
  return run;
}

static void
remove_all(const char *path)
{
  g_autofree char *quoted = g_shell_quote(path);
  g_autofree char *command = g_strdup_printf("rm -rf %s", quoted);
  g_assert_true(g_spawn_command_line_sync(command, NULL, NULL, NULL, NULL));
}

static char *
find_elsewhere(const char *name, gpointer root)
{
  return g_build_filename(root, name, NULL);
}

/* Shortening and expanding with the same folder returns the original value, for any type. */
static void
test_runs_in_values(void)
{
  g_autofree char *root = g_dir_make_tmp("lacuna-recording-XXXXXX", NULL);
  g_autofree char *run = make_run(root, "a b-1.lacuna", "x");
  g_autofree char *json =
    g_strdup_printf("{\"run\": \"%s\", \"others\": [\"%s/run.h5\"]}", run, run);
  g_autoptr(GHashTable) shown = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr(GVariant)   value =
    g_variant_ref_sink(g_variant_new("(sasd(sb)s)", run, NULL, 0.5, json, TRUE, "a b-1.lacuna"));
  g_autoptr(GVariant) shortened = lac_ui_script_runs_shorten(value, shown);
  g_autoptr(GVariant) same = lac_ui_script_runs_expand(shortened, find_elsewhere, root);
  g_autoptr(GVariant) moved =
    lac_ui_script_runs_expand(shortened, find_elsewhere, (gpointer) "/else");
  g_autofree char *text = g_variant_print(shortened, FALSE), *other = g_variant_print(moved, FALSE);

  g_assert_cmpuint(g_hash_table_size(shown), ==, 1);
  g_assert_true(g_hash_table_contains(shown, run));
  g_assert_null(strstr(text, root));
  g_assert_nonnull(strstr(text, "'recording:a b-1.lacuna'"));
  g_assert_nonnull(strstr(text, "'run:a b-1.lacuna'"));
  g_assert_cmpvariant(same, value);
  g_assert_nonnull(strstr(other, "'/else/a b-1.lacuna'"));
  g_assert_nonnull(strstr(other, "/else/a b-1.lacuna/run.h5"));
  g_assert_null(strstr(other, "recording:"));

  g_autoptr(GVariant) before =
    g_variant_ref_sink(g_variant_new_string("sitting:a b-1.lacuna/run.h5"));
  g_autoptr(GVariant) expanded =
    lac_ui_script_runs_expand(before, find_elsewhere, (gpointer) "/else");
  g_assert_cmpstr(g_variant_get_string(expanded, NULL), ==,
                  "/else/a b-1.lacuna/run.h5"); /* format 2 */
  remove_all(root);
}

static void
test_what_names_no_run_stays(void)
{
  g_autoptr(GHashTable) shown = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr(GVariant)   value = g_variant_ref_sink(
      g_variant_new_parsed("('/no/such/run.lacuna', ['a: b', '/tmp'], 7, {'x': <'recording'>})"));
  g_autoptr(GVariant) shortened = lac_ui_script_runs_shorten(value, shown);
  g_assert_cmpvariant(shortened, value);
  g_assert_cmpuint(g_hash_table_size(shown), ==, 0);
}

static void
test_runs_are_kept(void)
{
  g_autofree char  *root = g_dir_make_tmp("lacuna-recording-XXXXXX", NULL);
  g_autofree char  *recording = g_build_filename(root, "s", NULL);
  g_autofree char  *run = make_run(root, "r.lacuna", "records");
  g_autofree char  *place = lac_ui_script_runs_dup_place(recording, run);
  g_autofree char  *kept = g_build_filename(place, "segments", "records-0", NULL);
  g_autofree char  *missing = g_build_filename(root, "no.lacuna", NULL);
  g_autofree char  *no_place = lac_ui_script_runs_dup_place(recording, missing);
  g_autofree char  *part = g_strconcat(no_place, ".part", NULL);
  g_autofree char  *text = NULL;
  g_autoptr(GError) error = NULL;

  for (int twice = 0; twice < 2; twice++) {
    g_assert_true(lac_ui_script_runs_keep(recording, run, NULL, &error));
    g_assert_no_error(error);
  }
  remove_all(run); /* from the original folder */
  g_assert_true(g_file_get_contents(kept, &text, NULL, &error));
  g_assert_cmpstr(text, ==, "records");
  g_assert_false(lac_ui_script_runs_keep(recording, missing, NULL, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_UNWRITABLE);
  g_assert_false(g_file_test(no_place, G_FILE_TEST_EXISTS));
  g_assert_false(g_file_test(part, G_FILE_TEST_EXISTS));
  remove_all(root);
}

/* A run name read from a file cannot lead out of the recording. */
static void
test_names_stay_within(void)
{
  g_autofree char *place = lac_ui_script_runs_dup_place("/s", "../../etc/x.lacuna");
  g_assert_cmpstr(place, ==, "/s/runs/x.lacuna");
}

/* ---- states of parts ---- */

typedef struct {
  int   value, n_reported;
  char *last;
} Part;

static GVariant *
describe_value(gpointer part)
{
  return g_variant_new_int32(((Part *) part)->value);
}

static void
apply_value(gpointer part, GVariant *state)
{
  ((Part *) part)->value = MIN(g_variant_get_int32(state), 100);
}

static void
on_reported(const char *action, GVariant *state, gpointer user_data)
{
  Part *part = user_data;
  part->n_reported++;
  g_free(part->last);
  part->last = g_strdup_printf("%s %d", action, g_variant_get_int32(state));
}

/* A change by the user is reported once and becomes the action's state; a change by a command is not reported; a
 * clamped value is shown clamped. */
static void
test_states_follow_their_part(void)
{
  static const LacPartState     states[] = {{"value", 2, describe_value, apply_value}};
  g_autoptr(GSimpleActionGroup) group = g_simple_action_group_new();
  Part                          part = {7, 0, NULL};
  LacPartStates                *all = lac_part_states_new(G_ACTION_MAP(group), "x-", &part,
                                                          &(LacPartTable){states, 1}, on_reported, &part);

  part.value = 8;
  lac_part_states_look(all, 1, TRUE); /* a change of another kind */
  g_assert_cmpint(part.n_reported, ==, 0);
  lac_part_states_look(all, 3, TRUE);
  lac_part_states_look(all, 3, TRUE);
  g_assert_cmpint(part.n_reported, ==, 1);
  g_assert_cmpstr(part.last, ==, "x-value 8");
  part.value = 9;
  lac_part_states_look(all, 2, FALSE);
  g_action_group_change_action_state(G_ACTION_GROUP(group), "x-value", g_variant_new_int32(500));
  g_autoptr(GVariant) now = g_action_group_get_action_state(G_ACTION_GROUP(group), "x-value");
  g_assert_cmpint(part.value, ==, 100);
  g_assert_cmpint(g_variant_get_int32(now), ==, 100);
  g_assert_cmpint(part.n_reported, ==, 1);
  lac_part_states_free(all);
  g_action_group_change_action_state(G_ACTION_GROUP(group), "x-value", g_variant_new_int32(3));
  g_assert_cmpint(part.value, ==, 100);
  g_free(part.last);
}

int
main(int argc, char **argv)
{
  setlocale(LC_ALL, "");
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/app/ui-script/what-is-written-is-read", test_what_is_written_is_read);
  g_test_add_func("/app/ui-script/what-is-no-line-is-refused", test_what_is_no_line_is_refused);
  g_test_add_func("/app/ui-script/cut-off-anywhere", test_cut_off_anywhere);
  g_test_add_func("/app/ui-script/later-formats-are-refused", test_later_formats_are_refused);
  g_test_add_func("/app/ui-script/earlier-names-are-read", test_earlier_names_are_read);
  g_test_add_func("/app/ui-script/runs-in-values", test_runs_in_values);
  g_test_add_func("/app/ui-script/what-names-no-run-stays", test_what_names_no_run_stays);
  g_test_add_func("/app/ui-script/runs-are-kept", test_runs_are_kept);
  g_test_add_func("/app/ui-script/names-stay-within", test_names_stay_within);
  g_test_add_func("/app/ui-script/states-follow-their-part", test_states_follow_their_part);
  return g_test_run();
}
