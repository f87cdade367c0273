/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of every kind: sizes in millimetres, identical bytes from the side file, metadata. */
#include "base/error.h"
#include "helpers/missing.h"
#include "report/figure/figure.h"
#include "report/figure/journal.h"
#include "report/helpers/run-fixture.h"

#include <math.h>
#include <string.h>

typedef struct {
  RunFixture  first, second;
  LacRunFile *runs[2];
} Pair;

static char *
write_figure(const Pair *pair, gsize n_runs, const LacFigureSpec *spec, const char *name)
{
  g_autoptr(GError) error = NULL;
  char             *path = g_build_filename(pair->first.parent, name, NULL);

  lac_figure_write(pair->runs, n_runs, spec, path, &error);
  g_assert_no_error(error);
  return path;
}

static char *
read_all(const char *path, gsize *length)
{
  char *bytes;

  g_assert_true(g_file_get_contents(path, &bytes, length, NULL));
  return bytes;
}

/* Draws the figure from the side file only, like the command. */
static void
draw_again(const char *path, const char *again)
{
  g_autofree char      *beside = g_strconcat(path, ".json", NULL);
  g_auto(LacFigureSpec) spec = {0};
  g_autoptr(GError)     error = NULL;
  LacRunFile           *runs[2] = {NULL, NULL};
  gsize                 n = 1;

  g_assert_true(lac_figure_spec_load(beside, &spec, &error));
  runs[0] = lac_run_file_open(spec.run, &error);
  g_assert_no_error(error);
  if (spec.others[0] != NULL) {
    runs[1] = lac_run_file_open(spec.others[0], &error);
    g_assert_no_error(error);
    n = 2;
  }
  g_assert_true(lac_figure_write(runs, n, &spec, again, &error));
  lac_run_file_unref(runs[0]);
  if (runs[1] != NULL)
    lac_run_file_unref(runs[1]);
}

static void
test_bytes_come_out_again(Pair *pair, gconstpointer data G_GNUC_UNUSED)
{
  static const char *const endings[] = {"pdf", "svg", "png"};
  static const struct {
    LacFigureSpec spec;
    gsize         n_runs;
  } cases[] = {
    {{.step = 10, .journal = (char *) "aps", .columns = (char *) "single", .dpi = 100}, 1},
    {{.step = -1, .kind = LAC_FIGURE_CURVES, .line_width = 0.25, .dpi = 100}, 1},
    {{.step = -1, .kind = LAC_FIGURE_CURVES, .against_seconds = TRUE, .dpi = 100}, 2},
    {{.step = -1, .kind = LAC_FIGURE_COMPARISON, .caption = (char *) "α < β & \"γ\"", .dpi = 100},
     2},
    {{.step = -1, .kind = LAC_FIGURE_PHASES, .dpi = 100}, 2},
    {{.step = -1, .kind = LAC_FIGURE_FLAME, .dpi = 100}, 1},
    {{.step = -1, .kind = LAC_FIGURE_FLAME, .between = {TRUE, 0, 1}, .dpi = 100}, 2},
  };

  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++)
    for (gsize k = 0; k < G_N_ELEMENTS(endings); k++) {
      g_autofree char *name = g_strdup_printf("first.%s", endings[k]);
      g_autofree char *other = g_strdup_printf("%s/second.%s", pair->first.parent, endings[k]);
      g_autofree char *path = write_figure(pair, cases[i].n_runs, &cases[i].spec, name);
      gsize            n_first, n_second;

      draw_again(path, other);
      g_autofree char *first = read_all(path, &n_first), *second = read_all(other, &n_second);
      g_assert_cmpmem(first, n_first, second, n_second);
    }
}

/* Checks every journal and width, in the page size of a PDF and in pixels of a PNG. */
static void
test_widths_are_the_journals(Pair *pair, gconstpointer data G_GNUC_UNUSED)
{
  gsize             n;
  const LacJournal *journals = lac_journals(&n);

  for (gsize i = 0; i < n; i++)
    for (LacColumns columns = 0; columns < LAC_N_COLUMNS; columns++) {
      LacFigureSpec     spec = {.step = -1,
                                .journal = (char *) journals[i].key,
                                .columns = (char *) lac_columns_word(columns)};
      g_autoptr(GError) error = NULL;
      double            width, height;

      if (journals[i].width_mm[columns] == 0)
        continue;
      g_autoptr(LacFigure) figure = lac_figure_new(pair->runs, 1, &spec, &error);
      g_assert_no_error(error);
      lac_figure_get_size(figure, &width, &height);
      g_assert_cmpfloat_with_epsilon(width, journals[i].width_mm[columns], 1e-9);
      g_assert_cmpfloat(height, >, 10);
      g_assert_cmpfloat(lac_figure_get_spec(figure)->font_size, ==, journals[i].font_size);
    }
}

/* The window shows the source of the widths: a page to look up, or that they are unchecked. */
static void
test_sources_are_named(Pair *pair G_GNUC_UNUSED, gconstpointer data G_GNUC_UNUSED)
{
  gsize             n, n_read = 0;
  const LacJournal *journals = lac_journals(&n);

  for (gsize i = 0; i < n; i++) {
    const char *source = journals[i].source;

    g_assert_cmpfloat(journals[i].width_mm[LAC_COLUMNS_TWO], >,
                      journals[i].width_mm[LAC_COLUMNS_ONE]);
    n_read += source != NULL && *source != '\0';
    if (source == NULL || *source == '\0')
      continue;
    g_assert_true(g_regex_match_simple("^[a-z.-]+\\.(com|org)[/:]", source, 0, 0));
  }
  g_assert_cmpuint(n_read, >, n / 2);
  g_assert_cmpstr(lac_journal_find("slide")->source, ==, LAC_JOURNAL_OWN);
}

/* The PDF as read by other programs: size within 0.1 mm, one page, embedded fonts, cells as images, text as text. */
static void
test_pdf_is_as_promised(Pair *pair, gconstpointer data G_GNUC_UNUSED)
{
  const LacFigureSpec spec = {.step = -1,
                              .kind = LAC_FIGURE_COMPARISON,
                              .width_mm = 120,
                              .caption = (char *) "Searchable words."};
  g_autofree char    *path = write_figure(pair, 2, &spec, "figure.pdf");
  g_autofree char    *info = run_tool((const char *const[]){"pdfinfo", path, NULL});
  g_autofree char    *fonts = run_tool((const char *const[]){"pdffonts", path, NULL});
  g_autofree char    *images = run_tool((const char *const[]){"pdfimages", "-list", path, NULL});
  g_autofree char    *text = run_tool((const char *const[]){"pdftotext", path, "-", NULL});
  guint               n_fields = 0;

  if (info == NULL || fonts == NULL || images == NULL || text == NULL) {
    test_missing("poppler-utils");
    return;
  }
  const char *size = strstr(info, "Page size:");
  g_assert_nonnull(size);
  g_assert_cmpfloat(fabs(g_ascii_strtod(size + 10, NULL) * 25.4 / 72 - 120), <, 0.1);
  g_assert_nonnull(strstr(info, "Pages:           1\n"));
  g_assert_nonnull(strstr(info, "CreationDate:"));
  g_assert_nonnull(strstr(text, "Searchable words."));
  g_assert_nonnull(strstr(text, "Truth"));
  g_assert_null(strstr(fonts, " no "));
  g_auto(GStrv) lines = g_strsplit(g_strchomp(images), "\n", -1);
  for (gsize i = 2; lines[i] != NULL; i++) { /* native cells, repeated equally in both directions */
    int  page, number, wide, high;
    char kind[16];

    g_assert_cmpint(sscanf(lines[i], "%d %d %15s %d %d", &page, &number, kind, &wide, &high), ==,
                    5);
    n_fields +=
      wide % FIXTURE_NX == 0 && high % FIXTURE_NY == 0 && wide / FIXTURE_NX == high / FIXTURE_NY;
  }
  g_assert_cmpuint(n_fields, ==, 5); /* true field, two runs, an error of each */
}

/* One bar for true field and reconstructions, one for the errors: each label occurs once. */
static void
test_bars_are_shared(Pair *pair, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr(GError)    error = NULL;
  const LacFigureSpec  spec = {.step = -1};
  g_autoptr(LacFigure) figure = lac_figure_new(pair->runs, 1, &spec, &error);
  const LacDrawing    *drawing = lac_figure_get_drawing(figure);
  guint                n_fields = 0, n_errors = 0, n_scale_bars = 0, n_letters = 0;

  g_assert_no_error(error);
  for (gsize i = 0; i < lac_drawing_get_n_items(drawing); i++) {
    const LacDrawItem *item = lac_drawing_get_item(drawing, i);
    const char *text = item->kind == LAC_DRAW_TEXT ? lac_drawing_get_text(drawing, item) : "";

    n_fields += g_str_equal(text, "vorticity (1/s)");
    n_errors += g_str_equal(text, "error of vorticity (1/s)");
    n_scale_bars += g_str_has_suffix(text, " m");
    n_letters += strlen(text) == 3 && text[0] == '(' && text[2] == ')' && item->bold;
  }
  g_assert_cmpuint(n_fields, ==, 1);
  g_assert_cmpuint(n_errors, ==, 1);
  g_assert_cmpuint(n_scale_bars, ==, 1);
  g_assert_cmpuint(n_letters, ==, 5);
}

static gboolean
holds(const char *bytes, gsize length, const char *word)
{
  for (gsize i = 0; i + strlen(word) <= length; i++)
    if (memcmp(bytes + i, word, strlen(word)) == 0)
      return TRUE;
  return FALSE;
}

static void
test_svg_and_png_say_what_they_are(Pair *pair, gconstpointer data G_GNUC_UNUSED)
{
  const LacFigureSpec spec = {.step = -1, .dpi = 100, .caption = (char *) "Words < of & mine"};
  g_autofree char    *svg = write_figure(pair, 1, &spec, "figure.svg");
  g_autofree char    *png = write_figure(pair, 1, &spec, "figure.png");
  gsize               n_svg, n_png;
  g_autofree char    *text = read_all(svg, &n_svg), *bytes = read_all(png, &n_png);

  g_assert_nonnull(strstr(text, ">Words &lt; of &amp; mine</text>"));
  g_assert_nonnull(strstr(text, "<dc:source>{"));
  g_assert_nonnull(strstr(text, "width=\"518.7402pt\""));
  g_assert_true(holds(bytes, n_png, "iTXtTitle"));
  g_assert_true(holds(bytes, n_png, "\"lacuna_figure\" : 1"));
}

static void
test_what_cannot_be_is_refused(Pair *pair, gconstpointer data G_GNUC_UNUSED)
{
  static const LacFigureSpec specs[] = {
    {.step = -1, .kind = LAC_FIGURE_COMPARISON},
    {.step = -1, .kind = LAC_FIGURE_SPECTRUM, .channel = (char *) "nothing"},
    {.step = -1, .channel = (char *) "nothing"},
  };

  for (gsize i = 0; i < G_N_ELEMENTS(specs); i++) {
    g_autoptr(GError) error = NULL;

    g_assert_null(lac_figure_new(pair->runs, 1, &specs[i], &error));
    g_assert_nonnull(error);
    g_assert_cmpuint(error->domain, ==, LAC_ERROR);
  }
}

static void
set_up(Pair *pair, gconstpointer data G_GNUC_UNUSED)
{
  run_fixture_set_up(&pair->first, 12);
  run_fixture_set_up(&pair->second, 8);
  pair->runs[0] = pair->first.run;
  pair->runs[1] = pair->second.run;
}

static void
tear_down(Pair *pair, gconstpointer data G_GNUC_UNUSED)
{
  run_fixture_tear_down(&pair->first);
  run_fixture_tear_down(&pair->second);
}

#define ADD(path, test) \
  g_test_add("/report/figure-kinds/" path, Pair, NULL, set_up, test, tear_down)

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  ADD("the-same-bytes-come-out-of-the-side-file", test_bytes_come_out_again);
  ADD("widths-are-those-of-the-journals", test_widths_are_the_journals);
  ADD("sources-of-widths-are-told", test_sources_are_named);
  ADD("pdf-has-its-size-fonts-images-and-words", test_pdf_is_as_promised);
  ADD("bars-are-shared-and-panels-have-letters", test_bars_are_shared);
  ADD("svg-and-png-say-what-they-are", test_svg_and_png_say_what_they_are);
  ADD("what-cannot-be-is-refused", test_what_cannot_be_is_refused);
  return g_test_run();
}
