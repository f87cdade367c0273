/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of sittings: what is written is what is read. */
#include "app/sitting-file.h"
#include "base/error.h"

#include <glib/gstdio.h>

#include <locale.h>
#include <string.h>

static char *
write_lines(const char *text)
{
  g_autoptr(GError) error = NULL;
  char             *path = NULL;
  int               handle = g_file_open_tmp("lacuna-sitting-XXXXXX", &path, &error);
  g_assert_no_error(error);
  g_close(handle, NULL);
  g_file_set_contents(path, text, -1, &error);
  g_assert_no_error(error);
  return path;
}

/* Commands of every kind of parameter, among them words with all that a line could be broken by. */
static void
test_what_is_written_is_read(void)
{
  LacSittingEntry entries[] = {
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
    g_autofree char *line = lac_sitting_dup_line(&entries[i]);
    g_assert_null(strchr(line, '\n'));
    g_string_append_printf(text, "%s\n", line);
  }
  g_autofree char     *path = write_lines(text->str);
  g_autoptr(GPtrArray) read = lac_sitting_load(path, &error);
  g_assert_no_error(error);
  g_assert_cmpuint(read->len, ==, G_N_ELEMENTS(entries));
  for (guint i = 0; i < read->len; i++) {
    const LacSittingEntry *entry = read->pdata[i];
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
    g_autofree char     *path = write_lines(wrong[i]);
    g_autoptr(GError)    error = NULL;
    g_autoptr(GPtrArray) read = lac_sitting_load(path, &error);
    g_assert_null(read);
    g_assert_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE);
    g_assert_nonnull(strstr(error->message, "line "));
    g_unlink(path);
  }
}

int
main(int argc, char **argv)
{
  setlocale(LC_ALL, "");
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/app/sitting/what-is-written-is-read", test_what_is_written_is_read);
  g_test_add_func("/app/sitting/what-is-no-line-is-refused", test_what_is_no_line_is_refused);
  return g_test_run();
}
