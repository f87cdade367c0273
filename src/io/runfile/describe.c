/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Description of a run file for `info`. */
#include "io/runfile/run-file.h"

#include <math.h>

static void
add_number(GString *out, double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append(out, g_ascii_formatd(text, sizeof text, "%.6g", value));
}

static void
add_settings(GString *out, const LacRunFile *run)
{
  g_string_append(out, "settings:\n");
  for (gsize i = 0; i < run->n_settings; i++) {
    const LacRunSetting *s = &run->settings[i];
    gboolean             has_unit = s->unit[0] != '\0' && !g_str_equal(s->unit, "1");

    g_string_append_printf(out, "  %s = %s%s%s%s\n", s->key,
                           s->text[0] != '\0' ? s->text : "(none)", has_unit ? " " : "",
                           has_unit ? s->unit : "", s->is_default ? "" : "  (changed)");
  }
}

static void
add_facts(GString *out, const LacRunFile *run)
{
  g_string_append(out, "made by:\n");
  for (gsize i = 0; i < run->n_facts; i++)
    g_string_append_printf(out, "  %s = %s\n", run->facts[i].key, run->facts[i].value);
}

char *
lac_run_file_dup_records_kept(const LacRunFile *run)
{
  for (gsize i = run->n_events; i-- > 0;)
    if (g_str_equal(run->events[i].what, LAC_EVENT_RECORDS_KEPT))
      return g_strdup(run->events[i].detail);
  return g_strdup_printf("all %" G_GSIZE_FORMAT, lac_capture_get_n_records(run->capture));
}

char *
lac_run_file_describe(const LacRunFile *run)
{
  g_autofree char *kept = lac_run_file_dup_records_kept(run);
  GString         *out = g_string_new(NULL);

  g_string_append_printf(out, "run of %s, %s%s%s, started %s\n", run->experiment, run->outcome,
                         run->detail[0] != '\0' ? ": " : "", run->detail, run->started);
  g_string_append_printf(out, "%" G_GINT64_FORMAT " steps in ", run->steps);
  add_number(out, run->seconds);
  g_string_append(out, " s after a set-up of ");
  add_number(out, run->setup_seconds);
  g_string_append_printf(out,
                         " s; seed %" G_GUINT64_FORMAT ", backend %s, precision %s, %u threads\n",
                         run->seed, run->backend, run->precision, run->threads);
  if (run->molecule != NULL) {
    g_autofree char *geometry = lac_molecule_dup_geometry(run->molecule);

    g_string_append_printf(out, "%s\n", geometry);
  }
  add_settings(out, run);
  if (run->n_facts > 0)
    add_facts(out, run);
  g_string_append(out, "metrics:\n");
  for (gsize m = 0; m < run->n_metrics; m++) {
    g_string_append_printf(out, "  %s = ", run->metrics[m].key);
    if (isnan(run->metrics[m].last))
      g_string_append(out, "(none)");
    else
      add_number(out, run->metrics[m].last);
    g_string_append(out, run->metrics[m].is_result ? "\n" : "  (curve)\n");
  }
  g_string_append_printf(out, "%" G_GSIZE_FORMAT " frames kept of", run->n_frames);
  for (gsize c = 0; c < run->n_channels; c++)
    g_string_append_printf(out, "%s %s [%s]", c > 0 ? "," : "", run->channels[c].key,
                           run->channels[c].unit);
  g_string_append_printf(
    out,
    "\n%" G_GSIZE_FORMAT " performance records of %u operations on %u lanes, %" G_GSIZE_FORMAT
    " events\n",
    lac_capture_get_n_records(run->capture), lac_capture_get_n_names(run->capture),
    lac_capture_get_n_lanes(run->capture), run->n_events);
  g_string_append_printf(out, "records kept: %s\n", kept);
  return g_string_free(out, FALSE);
}
