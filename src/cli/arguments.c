/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Argument parsing and error output. */
#include "cli/arguments.h"

#include "base/error.h"
#include "io/runfile/marks.h"
#include "io/trace/trace-file.h"

#include <math.h>
#include <stdio.h>

static gboolean
check_count(const LacVerbForm *form, const char *verb, gsize n, GError **error)
{
  if (n >= form->least && n <= form->most)
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_USAGE, "%s takes %s; see lacuna %s --help", verb,
              form->usage, verb);
  return FALSE;
}

gboolean
lac_arguments_parse(const LacVerbForm *form, int argc, char **argv, GStrv *words, GError **error)
{
  g_autoptr(GOptionContext) context = g_option_context_new(form->usage);
  g_autoptr(GError)         wrong = NULL;
  const char               *verb = argv[0];
  g_autofree char          *name = g_strdup_printf("lacuna %s", verb);
  g_set_prgname(name);
  g_option_context_set_summary(context, form->summary);
  g_option_context_add_main_entries(context, form->entries, NULL);
  g_auto(GStrv) arguments = g_new0(char *, (gsize) argc + 1);
  for (int i = 0; i < argc; i++)
    arguments[i] = g_strdup(argv[i]);
  if (!g_option_context_parse_strv(context, &arguments, &wrong)) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_USAGE, "%s; see lacuna %s --help", wrong->message,
                verb);
    return FALSE;
  }
  gsize n = g_strv_length(arguments);
  gsize first = n > 1 && g_str_equal(arguments[1], "--") ? 2 : 1;
  if (!check_count(form, verb, n - first, error))
    return FALSE;
  *words = g_strdupv(arguments + first);
  return TRUE;
}

int
lac_answer_error(const GError *error)
{
  g_printerr("lacuna: %s\n", error->message);
  return lac_error_exit_status(error);
}

gboolean
lac_arguments_integer(const char *option,
                      const char *text,
                      gint64      range[2],
                      gint64     *value,
                      GError    **error)
{
  g_autoptr(GError) wrong = NULL;
  if (text == NULL || g_ascii_string_to_signed(text, 10, range[0], range[1], value, &wrong))
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
              "--%s = %s is not a whole number from %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT,
              option, text, range[0], range[1]);
  return FALSE;
}

gboolean
lac_arguments_real(const char *option,
                   const char *text,
                   double      least,
                   double     *value,
                   GError    **error)
{
  if (text == NULL)
    return TRUE;
  char  *end;
  double read = g_ascii_strtod(text, &end);
  if (end != text && *end == '\0' && isfinite(read) && read >= least) {
    *value = read;
    return TRUE;
  }
  g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE, "--%s = %s is not a number of %g or more",
              option, text, least);
  return FALSE;
}

static void
unref_run(gpointer run)
{
  lac_run_file_unref(run);
}

GPtrArray *
lac_arguments_open_runs(const GStrv paths, GError **error)
{
  g_autoptr(GPtrArray) runs = g_ptr_array_new_with_free_func(unref_run);
  for (gsize i = 0; paths[i] != NULL; i++) {
    LacRunFile *run = lac_run_file_open(paths[i], error);
    if (run == NULL)
      return NULL;
    g_ptr_array_add(runs, run);
  }
  return g_steal_pointer(&runs);
}

GPtrArray *
lac_arguments_open_recordings(const GStrv paths, GError **error)
{
  g_autoptr(GPtrArray) runs = g_ptr_array_new_with_free_func(unref_run);
  for (gsize i = 0; paths[i] != NULL; i++) {
    LacCapture *trace =
      lac_trace_is_named(paths[i]) ? lac_arguments_open_capture(paths[i], error) : NULL;
    if (trace == NULL && lac_trace_is_named(paths[i]))
      return NULL;
    LacRunFile *run = trace != NULL ? lac_run_file_new_from_trace(paths[i], trace)
                                    : lac_run_file_open(paths[i], error);
    if (run == NULL)
      return NULL;
    g_ptr_array_add(runs, run);
  }
  return g_steal_pointer(&runs);
}

LacCapture *
lac_arguments_open_capture(const char *source, GError **error)
{
  if (lac_trace_is_named(source)) {
    g_auto(LacTraceFacts) facts = {0};
    LacCapture           *capture = lac_trace_open(source, &facts, error);
    if (capture != NULL && facts.caution[0] != '\0')
      g_printerr("%s: %s\n", source, facts.caution);
    return capture;
  }
  g_autoptr(LacRunFile) run = lac_run_file_open(source, error);
  return run != NULL ? lac_run_marks_ref_capture(run->path, run->capture) : NULL;
}
