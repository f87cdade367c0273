/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lacuna figure: a publication figure of runs, redrawn from its side file, or as a film. */
#include "base/error.h"
#include "base/unit.h"
#include "cli/arguments.h"
#include "cli/verbs.h"
#include "io/trace/trace-file.h"
#include "report/figure/film.h"
#include "report/figure/members.h"

#include <math.h>

#define MOST_MEMBERS 64

/* @texts, @flags: one per member of report/figure/members.h */
typedef struct {
  char    *kind, *view, *path;
  char    *texts[MOST_MEMBERS];
  gboolean flags[MOST_MEMBERS];
} Options;

static void
options_clear(Options *options)
{
  g_free(options->kind);
  g_free(options->view);
  g_free(options->path);
  for (gsize i = 0; i < MOST_MEMBERS; i++)
    g_free(options->texts[i]);
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
      g_set_error(error, LAC_ERROR, LAC_ERROR_USAGE,
                  "view = %s is not three numbers: azimuth and tilt in degrees, zoom: -26,20,1",
                  text);
      return FALSE;
    }
  }
  if (!spec->has_view)
    spec->volume_view = LAC_VOLUME_VIEW_START;
  spec->has_view = TRUE;
  spec->volume_view.orbit = (LacOrbit){0, 0, 1};
  lac_orbit_rotate(&spec->volume_view.orbit, numbers[0] * G_PI / 180, numbers[1] * G_PI / 180);
  lac_orbit_zoom(&spec->volume_view.orbit, numbers[2]);
  return TRUE;
}

static gboolean
parse_kind(const char *text, LacFigureSpec *spec, GError **error)
{
  if (text == NULL || lac_figure_kind_find(text, &spec->kind))
    return TRUE;
  g_autoptr(GString) words = g_string_new(NULL);
  for (LacFigureKind kind = 0; kind < LAC_N_FIGURES; kind++)
    g_string_append_printf(words, "%s%s", kind > 0 ? ", " : "", lac_figure_kind_word(kind));
  g_set_error(error, LAC_ERROR, LAC_ERROR_USAGE, "kind = %s is unknown; use %s", text, words->str);
  return FALSE;
}

static gboolean
parse_real(const LacFigureMember *member, const char *text, double *value, GError **error)
{
  if (!lac_arguments_real(member->option, text, member->least, value, error))
    return FALSE;
  if (*value <= member->most)
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE, "%s = %s is too large; at most %g",
              member->option, text, member->most);
  return FALSE;
}

static gboolean
parse_integer(const LacFigureMember *member, const char *text, gint64 *value, GError **error)
{
  const gboolean is_bounded = member->most < (double) G_MAXINT64;
  gint64 range[] = {(gint64) member->least, is_bounded ? (gint64) member->most : G_MAXINT64};

  return lac_arguments_integer(member->option, text, range, value, error);
}

static gboolean
parse_member(const LacFigureMember *member, const char *text, LacFigureSpec *spec, GError **error)
{
  gpointer at = lac_figure_member_of(member, spec);

  switch (member->kind) {
  case LAC_MEMBER_TEXT:
  case LAC_MEMBER_WORD:
  case LAC_MEMBER_RANGE: return lac_figure_member_parse(member, text, spec, error);
  case LAC_MEMBER_REAL: return parse_real(member, text, at, error);
  case LAC_MEMBER_INTEGER: return parse_integer(member, text, at, error);
  case LAC_MEMBER_FLAG:
  case LAC_MEMBER_OFF: break;
  }
  return TRUE;
}

/* Clears the sizes of a side file, so that those of a journal apply. */
static void
forget_sizes(LacFigureSpec *spec)
{
  spec->width_mm = spec->font_size = spec->line_width = spec->dpi = 0;
}

static gboolean
parse_spec(const Options *options, LacFigureSpec *spec, GError **error)
{
  gsize                  n;
  const LacFigureMember *members = lac_figure_members(&n);

  for (gsize i = 0; i < n; i++)
    if (options->texts[i] != NULL &&
        (g_str_equal(members[i].key, "journal") || g_str_equal(members[i].key, "columns")))
      forget_sizes(spec);
  for (gsize i = 0; i < n; i++) {
    if (options->texts[i] != NULL && !parse_member(&members[i], options->texts[i], spec, error))
      return FALSE;
    if (options->flags[i])
      *(gboolean *) lac_figure_member_of(&members[i], spec) = TRUE;
  }
  return parse_kind(options->kind, spec, error) &&
         (options->view == NULL || parse_view(options->view, spec, error));
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
  gboolean                is_again = is_side_file(words[0]);
  g_autoptr(GError)       wrong = NULL;

  if (is_again && !lac_figure_spec_load(words[0], &spec, &wrong)) {
    if (!lac_trace_is_named(words[0])) {
      g_propagate_error(error, g_steal_pointer(&wrong));
      return FALSE;
    }
    is_again = FALSE; /* a trace in the same format */
  }
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
  g_autoptr(GPtrArray) runs = lac_arguments_open_recordings(paths, error);
  if (runs == NULL)
    return FALSE;
  if (g_str_has_suffix(options->path, ".webm") || g_str_has_suffix(options->path, "/"))
    return lac_film_write((LacRunFile *const *) runs->pdata, runs->len,
                          &(LacFilmSpec){.figure = &spec}, options->path, error);
  return lac_figure_write((LacRunFile *const *) runs->pdata, runs->len, &spec, options->path,
                          error);
}

/* Zero-terminated. */
static GArray *
make_entries(Options *options)
{
  const GOptionEntry own[] = {
    {"kind", 'k', 0, G_OPTION_ARG_STRING, &options->kind,
     "fields, spectrum, curves, timeline, phases, flame or comparison; of several runs a "
     "comparison; flame of two runs or traces: their difference",
     "KIND"},
    {"view", 'v', 0, G_OPTION_ARG_STRING, &options->view,
     "Camera for a volume: azimuth and tilt in degrees, zoom", "TURN,TILT,ZOOM"},
    {"output", 'o', 0, G_OPTION_ARG_FILENAME, &options->path,
     "Output file: .pdf, .eps, .svg or .png; .webm, or FOLDER/ for pictures: a film of all saved "
     "frames",
     "FILE"},
  };
  GArray                *entries = g_array_new(TRUE, FALSE, sizeof(GOptionEntry));
  gsize                  n;
  const LacFigureMember *members = lac_figure_members(&n);

  g_assert(n <= MOST_MEMBERS);
  g_array_append_vals(entries, own, G_N_ELEMENTS(own));
  for (gsize i = 0; i < n; i++) {
    const LacFigureMember *member = &members[i];
    const gboolean     is_flag = member->kind == LAC_MEMBER_FLAG || member->kind == LAC_MEMBER_OFF;
    const GOptionEntry entry = {
      .long_name = member->option,
      .short_name = member->letter,
      .arg = is_flag ? G_OPTION_ARG_NONE : G_OPTION_ARG_STRING,
      .arg_data = is_flag ? (gpointer) &options->flags[i] : (gpointer) &options->texts[i],
      .description = member->help,
      .arg_description = member->argument,
    };
    g_array_append_val(entries, entry);
  }
  return entries;
}

static int
run_verb(int argc, char **argv)
{
  Options           options = {0};
  g_autoptr(GArray) entries = make_entries(&options);
  const LacVerbForm form = {
    "RUN...|SPEC.json -o FILE.pdf|.eps|.svg|.png|.webm",
    "Draws a figure of one run, or a comparison of several; FILE.json next to it redraws it.",
    (const GOptionEntry *) (gconstpointer) entries->data, 1, LAC_FIGURE_MOST_RUNS + 1};
  g_auto(GStrv)     words = NULL;
  g_autoptr(GError) error = NULL;
  gboolean          done = lac_arguments_parse(&form, argc, argv, &words, &error);
  if (done && options.path == NULL) {
    done = FALSE;
    g_set_error(&error, LAC_ERROR, LAC_ERROR_USAGE,
                "figure needs -o FILE, ending in .pdf, .eps, .svg, .png or .webm");
  }
  done = done && make_figure(words, &options, &error);
  options_clear(&options);
  return done ? LAC_EXIT_FINISHED : lac_answer_error(error);
}

const LacVerb lac_verb_figure = {
  .name = "figure",
  .usage = "RUN...|SPEC.json -o FILE.pdf|.eps|.svg|.png|.webm",
  .summary = "a figure for a publication, or a film of it",
  .run = run_verb,
};
