/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lacuna figure: a publication figure of a run, or one drawn again from its side file. */
#include "base/error.h"
#include "cli/arguments.h"
#include "cli/verbs.h"
#include "report/figure.h"

typedef struct {
  char *channel, *step, *path;
} Options;

static gboolean
make_figure(const char *source, const Options *options, GError **error)
{
  g_auto(LacFigureSpec) spec = {.step = -1};
  if (g_str_has_suffix(source, ".json") && g_file_test(source, G_FILE_TEST_IS_REGULAR)) {
    if (!lac_figure_spec_load(source, &spec, error))
      return FALSE;
  } else {
    spec.run = g_strdup(source);
  }
  gint64 range[] = {-1, G_MAXINT64};
  if (!lac_arguments_integer("step", options->step, range, &spec.step, error))
    return FALSE;
  if (options->channel != NULL) {
    g_free(spec.channel);
    spec.channel = g_strdup(options->channel);
  }
  g_autoptr(LacRunFile) run = lac_run_file_open(spec.run, error);
  return run != NULL && lac_figure_write_spec(run, &spec, options->path, error);
}

int
lac_verb_figure(int argc, char **argv)
{
  Options            options = {0};
  const GOptionEntry entries[] = {
    {"channel", 'c', 0, G_OPTION_ARG_STRING, &options.channel,
     "What to show; the first reconstruction", "KEY"},
    {"step", 's', 0, G_OPTION_ARG_STRING, &options.step, "The kept frame nearest to it; the last",
     "STEP"},
    {"output", 'o', 0, G_OPTION_ARG_FILENAME, &options.path, "What to write: .pdf, .svg or .png",
     "FILE"},
    {NULL},
  };
  const LacVerbForm form = {
    "RUN|SPEC.json -o FILE.pdf|.svg|.png",
    "Draws truth, reconstruction and error; FILE.json beside it draws them again.", entries, 1, 1};
  g_auto(GStrv)     words = NULL;
  g_autoptr(GError) error = NULL;
  gboolean          done = lac_arguments_parse(&form, argc, argv, &words, &error);
  if (done && options.path == NULL) {
    done = FALSE;
    g_set_error(&error, LAC_ERROR, LAC_ERROR_USAGE,
                "figure needs -o FILE, ending in .pdf, .svg or .png");
  }
  done = done && make_figure(words[0], &options, &error);
  g_free(options.channel);
  g_free(options.step);
  g_free(options.path);
  return done ? LAC_EXIT_FINISHED : lac_answer_error(error);
}
