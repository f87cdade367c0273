/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bitwise comparison of two runs. */
#include "report/compare/bitwise.h"

#include "report/text/words.h"

#include <glib/gi18n-lib.h>

#include <inttypes.h>
#include <string.h>

/* First difference of two runs. */
typedef struct {
  gboolean found;
  gint64   step;
  char    *what;
} Parting;

static void
note(Parting *parting, gint64 step, char *what)
{
  if (!parting->found || step < parting->step) {
    g_free(parting->what);
    *parting = (Parting){TRUE, step, what};
  } else {
    g_free(what);
  }
}

static gboolean
differ(double a, double b)
{
  return memcmp(&a, &b, sizeof a) != 0;
}

static void
compare_row(const LacRunFile *run, const LacRunFile *model, gsize row, Parting *parting)
{
  for (gsize m = 0; m < run->n_metrics && !parting->found; m++) {
    double value = run->series[row * run->n_metrics + m];
    double before = model->series[row * model->n_metrics + m];
    if (!differ(value, before))
      continue;
    char exact[G_ASCII_DTOSTR_BUF_SIZE], was[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_formatd(exact, sizeof exact, "%.17g", value);
    g_ascii_formatd(was, sizeof was, "%.17g", before);
    note(
      parting, run->series_step[row],
      g_strdup_printf(_("%s is %s, originally %s"), lac_word(run->metrics[m].label), exact, was));
  }
}

static void
compare_series(const LacRunFile *run, const LacRunFile *model, Parting *parting)
{
  gsize n = MIN(run->n_series, model->n_series);
  for (gsize i = 0; i < n && !parting->found; i++) {
    if (run->series_step[i] != model->series_step[i])
      note(parting, MIN(run->series_step[i], model->series_step[i]),
           g_strdup(_("one of the runs has no metrics at this step")));
    else
      compare_row(run, model, i, parting);
  }
  if (!parting->found && run->n_series != model->n_series) {
    const LacRunFile *longer = run->n_series > n ? run : model;
    note(parting, longer->series_step[n],
         g_strdup(longer == run ? _("the original run ended earlier")
                                : _("the repeated run ended earlier")));
  }
}

/* Compares two frames of the same step. Returns: (transfer full) (nullable): the first channel that differs. */
static char *
compare_frames(const LacRunFile *run, const LacFrame *frame, const LacFrame *before)
{
  for (gsize c = 0; c < MIN(frame->n_planes, before->n_planes); c++) {
    const LacPlane *a = &frame->planes[c], *b = &before->planes[c];
    if (a->nx == b->nx && a->ny == b->ny &&
        memcmp(a->data, b->data, a->nx * a->ny * sizeof(float)) == 0)
      continue;
    return g_strdup_printf(_("the field “%s” differs"),
                           g_dgettext(GETTEXT_PACKAGE, run->channels[c].label));
  }
  return frame->n_planes == before->n_planes ? NULL : g_strdup(_("the fields differ"));
}

/* @n_frames: (out): number compared. Skips frames that only one run saved: the set of saved frames depends on when a
 * run ends. */
static gboolean
compare_kept(const LacRunFile *run,
             const LacRunFile *model,
             Parting          *parting,
             gsize            *n_frames,
             GError          **error)
{
  *n_frames = 0;
  for (gsize i = 0; i < run->n_frames; i++) {
    gssize k = lac_run_file_find_frame(model, run->frame_step[i]);
    if (k < 0 || model->frame_step[k] != run->frame_step[i])
      continue;
    if (parting->found && run->frame_step[i] >= parting->step)
      return TRUE;
    g_autoptr(LacFrame) frame = lac_run_file_load_frame(run, i, error);
    g_autoptr(LacFrame) before = frame ? lac_run_file_load_frame(model, (gsize) k, error) : NULL;
    if (before == NULL)
      return FALSE;
    char *what = compare_frames(run, frame, before);
    if (what != NULL) {
      note(parting, run->frame_step[i], what);
      return TRUE;
    }
    *n_frames += 1;
  }
  return TRUE;
}

static gboolean
have_same_metrics(const LacRunFile *run, const LacRunFile *model)
{
  if (run->n_metrics != model->n_metrics)
    return FALSE;
  for (gsize m = 0; m < run->n_metrics; m++)
    if (!g_str_equal(run->metrics[m].key, model->metrics[m].key))
      return FALSE;
  return TRUE;
}

char *
lac_bitwise_compare(const LacRunFile *run,
                    const LacRunFile *model,
                    gboolean         *is_same,
                    GError          **error)
{
  Parting parting = {FALSE, 0, NULL};
  gsize   n_frames;

  *is_same = FALSE;
  if (!g_str_equal(run->experiment, model->experiment) || !have_same_metrics(run, model))
    return g_strdup(_("The runs cannot be compared: they have different experiments or metrics."));
  compare_series(run, model, &parting);
  if (!compare_kept(run, model, &parting, &n_frames, error)) {
    g_free(parting.what);
    return NULL;
  }
  g_autofree char *what = parting.what;
  if (parting.found)
    return g_strdup_printf(_("Different from step %" PRId64 " on: %s."), parting.step, what);
  *is_same = TRUE;
  return g_strdup_printf(_("Bitwise identical: %zu metrics over %zu steps, %zu saved frames."),
                         run->n_metrics, run->n_series, n_frames);
}
