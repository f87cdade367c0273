/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Captions of figures: subject, step, results, symbols. */
#include "base/unit.h"
#include "field/frame.h"
#include "report/canvas/canvas.h"
#include "report/canvas/palette.h"
#include "report/figure/figure-private.h"
#include "report/text/number.h"
#include "report/text/run-metrics.h"
#include "report/text/words.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

#define MOST_RESULTS 4 /* per method: a caption is not a table */

/* Appends results, grouped by method if there are several. */
static void
append_results(const LacRunFile *run, const LacFrame *frame, GString *text)
{
  const char           *last = NULL;
  gsize                 of_method = 0;
  gboolean              is_first = TRUE;
  g_auto(LacRunMetrics) metrics = {0};

  lac_run_metrics_init(&metrics, run);
  for (gsize m = 0; m < run->n_metrics && m < frame->n_metrics; m++) {
    const LacRunMetric *metric = &run->metrics[m];
    const char         *method = lac_run_metrics_get_method(&metrics, m);

    if (!metric->is_result || !isfinite(frame->metrics[m]) || (metrics.n_groups > 1 && !method))
      continue;
    of_method = method == last && !is_first ? of_method + 1 : 1;
    last = method;
    if (of_method > MOST_RESULTS)
      continue;
    const LacShown   shown = lac_shown(metric->unit);
    g_autofree char *value = lac_number_text(lac_shown_value(&shown, frame->metrics[m]));
    const gboolean   has_unit = g_strcmp0(metric->unit, "1") != 0;
    const gboolean   goes_on = method != NULL && of_method > 1;

    g_string_append(text, goes_on ? "; " : is_first ? " " : ". ");
    if (method != NULL && !goes_on)
      g_string_append_printf(text, "%s: ", method);
    g_autofree char *label = lac_word_dup_short(metric->label);
    g_string_append_printf(text, "%s %s%s%s", label, value, has_unit ? " " : "",
                           has_unit ? shown.unit : "");
    is_first = FALSE;
  }
  if (!is_first)
    g_string_append_c(text, '.');
}

/* Appends the kinds of markers that occur. */
static void
append_markers(const LacRunChannel *channel, const LacFrame *frame, GString *text)
{
  gboolean are_apertures = FALSE;
  gsize    n = 0, n_nuclei = 0, n_electrons = 0;

  for (gsize i = 0; i < frame->n_markers && !channel->without_markers; i++) {
    const LacMarker *marker = &frame->markers[i];

    if (!isfinite(marker->x) || g_str_equal(marker->kind, "selected"))
      continue;
    are_apertures = g_str_equal(marker->kind, "aperture");
    if (g_str_has_prefix(marker->kind, "nucleus"))
      n_nuclei++;
    else if (g_str_has_prefix(marker->kind, "electron-"))
      n_electrons++;
    else
      n++;
  }
  if (n_nuclei > 0)
    g_string_append_printf(
      text,
      _(" Discs: nuclei. Triangles: %u electrons of some walkers, pointing along their spin."),
      (guint) n_electrons);
  if (n > 0)
    g_string_append_printf(
      text, are_apertures ? _(" Circles: %u apertures.") : _(" Circles: %u sensors."), (guint) n);
}

static void
append_flow(const LacRunFile *run, const LacFigurePlace *place, GString *text)
{
  const LacFigureLook *look = place->look;
  gsize                pair[2];

  if (look == NULL || !lac_figure_find_velocity(run, place->channel, pair))
    return;
  if (look->flow.arrows)
    g_string_append(text, _(" Arrows: velocity, scaled to the fastest in each panel."));
  if (look->flow.streamlines || look->flow.texture)
    g_string_append(text, _(" Lines: streamlines."));
}

static const char *const volume_caption =
  N_(" Discs: nuclei. Bars: electrons of some walkers, vertical for spin up, horizontal for spin "
     "down. The surface and the bold line enclose the selected share of the integral; lines are "
     "half a decade apart; both use smoothed values.");

char *
lac_figure_dup_caption(const LacRunFile     *run,
                       const LacFrame       *frame,
                       const LacFigurePlace *place,
                       gsize                 n_fields)
{
  const LacRunChannel *shown = &run->channels[place->channel];
  GString             *text = g_string_new(NULL);

  g_autofree char *step = g_strdup_printf("%" G_GINT64_FORMAT, frame->step);
  g_autofree char *seconds = lac_duration_text(frame->seconds);
  g_string_printf(text, _("%s (%s), step %s, after %s of compute time."), run->title,
                  run->experiment, step, seconds);
  if (!place->without_results)
    append_results(run, frame, text);
  append_markers(shown, frame, text);
  append_flow(run, place, text);
  if (shown->layers.n > 0)
    g_string_append(text, _(volume_caption));
  if (n_fields > 1)
    g_string_append(
      text, _(" All fields share the colour scale of the true field; the error has its own."));
  return g_string_free(text, FALSE);
}

double
lac_figure_draw_caption(LacDrawing           *drawing,
                        const LacFigurePlace *place,
                        double                y,
                        const char           *made)
{
  const LacParagraphStyle style = {place->font_size, FALSE, lac_palette_paper.foreground};
  const char             *text = place->caption_text != NULL ? place->caption_text : made;
  const double            gap = place->font_size * 0.6;

  if (!place->caption)
    return 0;
  return gap + lac_draw_paragraph(drawing, place->x, y + gap, place->width, &style, text);
}
