/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lacuna figure: a publication figure of runs, or one drawn again from its side file; or a film of it. */
#include "base/error.h"
#include "base/unit.h"
#include "cli/arguments.h"
#include "cli/verbs.h"
#include "report/film.h"
#include "report/journal.h"

#include <math.h>

typedef struct {
  char *kind, *channel, *step, *n_steps, *view, *journal, *columns, *width, *font, *line, *dpi,
    *caption, *path;
  gboolean against_seconds, without_scale_bar;
} Options;

static void
options_clear(Options *options)
{
  g_free(options->kind);
  g_free(options->channel);
  g_free(options->step);
  g_free(options->n_steps);
  g_free(options->view);
  g_free(options->journal);
  g_free(options->columns);
  g_free(options->width);
  g_free(options->font);
  g_free(options->line);
  g_free(options->dpi);
  g_free(options->caption);
  g_free(options->path);
}

static gboolean
parse_view(const char *text, LacFigureSpec *spec, GError **error)
{
  g_auto(GStrv) parts = g_strsplit(text, ",", -1);
  double        numbers[3];
  for (gsize i = 0; i < G_N_ELEMENTS(numbers); i++) {
    char *end = NULL;
    numbers[i] = i < g_strv_length(parts) ? g_ascii_strtod(parts[i], &end) : (double) NAN;
    if (end == NULL || end == parts[i] || *end != '\0' || !isfinite(numbers[i]) ||
        g_strv_length(parts) != G_N_ELEMENTS(numbers) || !(numbers[2] > 0 || i < 2)) {
      g_set_error(
        error, LAC_ERROR, LAC_ERROR_USAGE,
        "view = %s is not three numbers: degrees turned and tilted, times enlarged: -26,20,1",
        text);
      return FALSE;
    }
  }
  if (!spec->has_vantage)
    spec->vantage = LAC_VANTAGE_START;
  spec->has_vantage = TRUE;
  spec->vantage.orbit = (LacOrbit){0, 0, 1};
  lac_orbit_rotate(&spec->vantage.orbit, numbers[0] * G_PI / 180, numbers[1] * G_PI / 180);
  lac_orbit_zoom(&spec->vantage.orbit, numbers[2]);
  return TRUE;
}

static gboolean
refuse_word(const char *option, const char *word, GString *words, GError **error)
{
  g_set_error(error, LAC_ERROR, LAC_ERROR_USAGE, "%s = %s is not known; there is %s", option, word,
              words->str);
  g_string_free(words, TRUE);
  return FALSE;
}

static gboolean
parse_kind(const char *text, LacFigureSpec *spec, GError **error)
{
  if (text == NULL || lac_figure_kind_find(text, &spec->kind))
    return TRUE;
  GString *words = g_string_new(NULL);
  for (LacFigureKind kind = 0; kind < LAC_N_FIGURES; kind++)
    g_string_append_printf(words, "%s%s", kind > 0 ? ", " : "", lac_figure_kind_word(kind));
  return refuse_word("kind", text, words, error);
}

/* A journal's sizes take the place of those of a side file. */
static gboolean
parse_journal(const Options *options, LacFigureSpec *spec, GError **error)
{
  GString          *words = NULL;
  gsize             n;
  const LacJournal *journals = lac_journals(&n);
  LacColumns        columns;

  if (options->columns != NULL && !lac_columns_find(options->columns, &columns)) {
    words = g_string_new(NULL);
    for (columns = 0; columns < LAC_N_COLUMNS; columns++)
      g_string_append_printf(words, "%s%s", columns > 0 ? ", " : "", lac_columns_word(columns));
    return refuse_word("columns", options->columns, words, error);
  }
  if (options->journal != NULL && lac_journal_find(options->journal) == NULL) {
    words = g_string_new(NULL);
    for (gsize i = 0; i < n; i++)
      g_string_append_printf(words, "%s%s", i > 0 ? ", " : "", journals[i].key);
    return refuse_word("journal", options->journal, words, error);
  }
  if (options->journal != NULL || options->columns != NULL)
    spec->width_mm = spec->font_size = spec->line_width = spec->dpi = 0;
  if (options->journal != NULL) {
    g_free(spec->journal);
    spec->journal = g_strdup(options->journal);
  }
  if (options->columns != NULL) {
    g_free(spec->columns);
    spec->columns = g_strdup(options->columns);
  }
  return TRUE;
}

static gboolean
parse_size(const char  *option,
           const char  *text,
           const double range[2],
           double      *value,
           GError     **error)
{
  if (!lac_arguments_real(option, text, range[0], value, error))
    return FALSE;
  if (text == NULL || *value <= range[1])
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE, "%s = %s is too large; at most %g", option,
              text, range[1]);
  return FALSE;
}

static gboolean
parse_sizes(const Options *options, LacFigureSpec *spec, GError **error)
{
  gint64 steps[] = {-1, G_MAXINT64}, n_steps[] = {1, 1000};

  return lac_arguments_integer("step", options->step, steps, &spec->step, error) &&
         lac_arguments_integer("steps", options->n_steps, n_steps, &spec->n_steps, error) &&
         parse_size("width", options->width, (const double[]){40, 500}, &spec->width_mm, error) &&
         parse_size("font-size", options->font, (const double[]){4, 30}, &spec->font_size, error) &&
         parse_size("line-width", options->line, (const double[]){0.1, 5}, &spec->line_width,
                    error) &&
         parse_size("dpi", options->dpi, (const double[]){50, 1200}, &spec->dpi, error);
}

static gboolean
parse_spec(const Options *options, LacFigureSpec *spec, GError **error)
{
  if (!parse_kind(options->kind, spec, error) || !parse_journal(options, spec, error) ||
      !parse_sizes(options, spec, error))
    return FALSE;
  if (options->channel != NULL) {
    g_free(spec->channel);
    spec->channel = g_strdup(options->channel);
  }
  if (options->caption != NULL) {
    g_free(spec->caption);
    spec->caption = g_strdup(options->caption);
  }
  spec->against_seconds |= options->against_seconds;
  spec->without_scale_bar |= options->without_scale_bar;
  return options->view == NULL || parse_view(options->view, spec, error);
}

static gboolean
is_side_file(const char *source)
{
  return g_str_has_suffix(source, ".json") && g_file_test(source, G_FILE_TEST_IS_REGULAR);
}

static gboolean
make_figure(const GStrv words, const Options *options, GError **error)
{
  g_auto(LacFigureSpec)   spec = {.step = -1};
  g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
  const gboolean          is_again = is_side_file(words[0]);

  if (is_again && !lac_figure_spec_load(words[0], &spec, error))
    return FALSE;
  if (is_again) {
    g_strv_builder_add(builder, spec.run);
    for (gsize i = 0; spec.others[i] != NULL; i++)
      g_strv_builder_add(builder, spec.others[i]);
    for (gsize i = 0; spec.units[i] != NULL; i++)
      lac_unit_prefer(spec.units[i]);
  } else if (words[1] != NULL) {
    spec.kind = LAC_FIGURE_COMPARISON;
  }
  for (gsize i = is_again ? 1 : 0; words[i] != NULL; i++)
    g_strv_builder_add(builder, words[i]);
  if (!parse_spec(options, &spec, error))
    return FALSE;
  g_auto(GStrv)        paths = g_strv_builder_end(builder);
  g_autoptr(GPtrArray) runs = lac_arguments_open_runs(paths, error);
  if (runs == NULL)
    return FALSE;
  if (g_str_has_suffix(options->path, ".webm") || g_str_has_suffix(options->path, "/"))
    return lac_film_write((LacRunFile *const *) runs->pdata, runs->len,
                          &(LacFilmSpec){.figure = &spec}, options->path, error);
  return lac_figure_write((LacRunFile *const *) runs->pdata, runs->len, &spec, options->path,
                          error);
}

int
lac_verb_figure(int argc, char **argv)
{
  Options            options = {0};
  const GOptionEntry entries[] = {
    {"kind", 'k', 0, G_OPTION_ARG_STRING, &options.kind,
     "fields, spectrum, curves, timeline or comparison; of several runs a comparison", "KIND"},
    {"channel", 'c', 0, G_OPTION_ARG_STRING, &options.channel,
     "What to show; the first reconstruction", "KEY"},
    {"step", 's', 0, G_OPTION_ARG_STRING, &options.step, "The kept frame nearest to it; the last",
     "STEP"},
    {"steps", 0, 0, G_OPTION_ARG_STRING, &options.n_steps, "Of a timeline: so many steps; 3", "N"},
    {"seconds", 0, 0, G_OPTION_ARG_NONE, &options.against_seconds,
     "Curves over compute time, and frames of the same compute time", NULL},
    {"view", 'v', 0, G_OPTION_ARG_STRING, &options.view,
     "How a volume is looked at: degrees turned and tilted, times enlarged", "TURN,TILT,ZOOM"},
    {"journal", 'j', 0, G_OPTION_ARG_STRING, &options.journal,
     "Whose sizes: nature, science, pnas, ieee, elsevier, aps, aip, acs, rsc, springer, plos, aa "
     "or "
     "slide",
     "KEY"},
    {"columns", 0, 0, G_OPTION_ARG_STRING, &options.columns,
     "single, one-and-a-half or double; double", "WORD"},
    {"width", 'w', 0, G_OPTION_ARG_STRING, &options.width, "Width in place of the journal's", "MM"},
    {"font-size", 0, 0, G_OPTION_ARG_STRING, &options.font, "Size of the type", "POINTS"},
    {"line-width", 0, 0, G_OPTION_ARG_STRING, &options.line,
     "Of frames; curves are twice as strong", "POINTS"},
    {"dpi", 0, 0, G_OPTION_ARG_STRING, &options.dpi, "Resolution of a PNG", "DPI"},
    {"caption", 0, 0, G_OPTION_ARG_STRING, &options.caption, "Words below the figure; \"\": none",
     "TEXT"},
    {"no-scale-bar", 0, 0, G_OPTION_ARG_NONE, &options.without_scale_bar,
     "Leaves out the scale bar of fields with lengths", NULL},
    {"output", 'o', 0, G_OPTION_ARG_FILENAME, &options.path,
     "What to write: .pdf, .svg or .png; .webm, or FOLDER/ of pictures: a film of all kept frames",
     "FILE"},
    {NULL},
  };
  const LacVerbForm form = {
    "RUN...|SPEC.json -o FILE.pdf|.svg|.png|.webm",
    "Draws what a run shows, or runs beside each other; FILE.json beside it draws it again.",
    entries, 1, LAC_FIGURE_MOST_RUNS + 1};
  g_auto(GStrv)     words = NULL;
  g_autoptr(GError) error = NULL;
  gboolean          done = lac_arguments_parse(&form, argc, argv, &words, &error);
  if (done && options.path == NULL) {
    done = FALSE;
    g_set_error(&error, LAC_ERROR, LAC_ERROR_USAGE,
                "figure needs -o FILE, ending in .pdf, .svg, .png or .webm");
  }
  done = done && make_figure(words, &options, &error);
  options_clear(&options);
  return done ? LAC_EXIT_FINISHED : lac_answer_error(error);
}
