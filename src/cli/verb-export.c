/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lacuna export: exports the fields of a run for other programs. */
#include "base/error.h"
#include "cli/arguments.h"
#include "cli/verbs.h"
#include "io/export/export.h"
#include "report/figure/film.h"
#include "run/core/replay.h"
#include "run/plan/equation.h"

typedef struct {
  char    *channel, *step, *path;
  gboolean cutout, all_times;
} Options;

static gboolean
write_export(const char *source, const Options *options, GError **error)
{
  gint64 step = -1, range[] = {-1, G_MAXINT64};
  if (!lac_arguments_integer("step", options->step, range, &step, error))
    return FALSE;
  if ((options->cutout || options->all_times) && !g_str_has_suffix(options->path, ".h5")) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_USAGE, "%s: the file of %s must end in .h5",
                options->path, options->cutout ? "a cut-out" : "all times");
    return FALSE;
  }
  g_autoptr(LacRunFile) run = lac_run_file_open(source, error);
  if (run == NULL)
    return FALSE;
  if (options->all_times)
    return lac_equation_learn(run->path, error) &&
           lac_replay_export_times(run, options->channel, options->path, NULL, error);
  if (options->cutout)
    return lac_export_cutout(run, options->channel, options->path, error);
  if (!g_str_has_suffix(options->path, ".webm") && !g_str_has_suffix(options->path, "/"))
    return lac_export(run, options->channel, step, options->path, error);

  LacFigureSpec figure = {.channel = options->channel};
  return lac_film_write(&run, 1, &(LacFilmSpec){.figure = &figure}, options->path, error);
}

static int
run_verb(int argc, char **argv)
{
  Options            options = {0};
  const GOptionEntry entries[] = {
    {"channel", 'c', 0, G_OPTION_ARG_STRING, &options.channel,
     "Fields to write; all, for .npy the first reconstruction, for .cube the first volume", "KEY"},
    {"step", 's', 0, G_OPTION_ARG_STRING, &options.step,
     "Step to show, by its nearest saved frame (default: last)", "STEP"},
    {"output", 'o', 0, G_OPTION_ARG_FILENAME, &options.path,
     "Output file: .h5, .csv, .vti, .npy or .cube; .webm, or FOLDER/ for pictures: a film of all "
     "saved frames",
     "FILE"},
    {"cut-out", 0, 0, G_OPTION_ARG_NONE, &options.cutout,
     "Velocity and pressure of all saved steps in the layout of the Johns Hopkins Turbulence "
     "Databases; .h5",
     NULL},
    {"all-times", 0, 0, G_OPTION_ARG_NONE, &options.all_times,
     "Truth and final estimates at every observation time, of which a frame shows one; .h5", NULL},
    {NULL},
  };
  const LacVerbForm form = {"RUN -o FILE.h5|.csv|.vti|.npy|.cube|.webm",
                            "Writes the fields of one step, or a film.", entries, 1, 1};
  g_auto(GStrv)     words = NULL;
  g_autoptr(GError) error = NULL;
  gboolean          done = lac_arguments_parse(&form, argc, argv, &words, &error);
  if (done && options.path == NULL) {
    done = FALSE;
    g_set_error(&error, LAC_ERROR, LAC_ERROR_USAGE,
                "export needs -o FILE, ending in .h5, .csv, .vti, .npy, .cube or .webm");
  }
  done = done && write_export(words[0], &options, &error);
  g_free(options.channel);
  g_free(options.step);
  g_free(options.path);
  return done ? LAC_EXIT_FINISHED : lac_answer_error(error);
}

const LacVerb lac_verb_export = {
  .name = "export",
  .usage = "RUN -o FILE.h5|.csv|.vti|.npy|.cube|.webm",
  .summary = "the fields, for other programs; a film",
  .run = run_verb,
};
