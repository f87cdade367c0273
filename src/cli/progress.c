/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Showing how far a run is. */
#include "cli/progress.h"

#include "report/text/number.h"

#include <string.h>
#include <unistd.h>

#define BAR_CELLS         24
#define TERMINAL_EVERY_US 100000
#define LINE_EVERY_US     10000000

void
lac_progress_begin(LacProgress *progress, const char *title, gboolean is_quiet)
{
  memset(progress, 0, sizeof *progress);
  progress->title = g_strdup(title);
  progress->is_quiet = is_quiet;
  progress->is_terminal = isatty(STDERR_FILENO) && g_strcmp0(g_getenv("TERM"), "dumb") != 0;
  progress->last_state = LAC_RUN_ENDED;
}

static char *
describe(const LacRunStatus *status)
{
  g_autofree char *left =
    status->seconds_left >= 0 ? lac_duration_text(status->seconds_left) : NULL;
  if (status->state == LAC_RUN_SETTING_UP)
    return g_strdup_printf("setting up%s%s, %d %%", *status->phase != '\0' ? ": " : "",
                           status->phase, (int) (100 * status->fraction));
  return g_strdup_printf("step %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT ", %d %%%s%s%s",
                         status->step, status->n_steps, (int) (100 * status->fraction),
                         left != NULL ? ", " : "", left != NULL ? left : "",
                         left != NULL ? " to go" : "");
}

static void
show_bar(const LacProgress *progress, const LacRunStatus *status, const char *text)
{
  GString *bar = g_string_new(NULL);
  int      full = (int) (CLAMP(status->fraction, 0, 1) * BAR_CELLS);
  for (int i = 0; i < BAR_CELLS; i++)
    g_string_append(bar, i < full ? "█" : "░");
  g_printerr("\r\033[K%s %s %s", progress->title, bar->str, text);
  g_string_free(bar, TRUE);
}

void
lac_progress_show(LacProgress *progress, const LacRunStatus *status)
{
  gint64   now = g_get_monotonic_time();
  gint64   every = progress->is_terminal ? TERMINAL_EVERY_US : LINE_EVERY_US;
  gboolean is_new_state = status->state != progress->last_state && status->state != LAC_RUN_ENDED;
  if (progress->is_quiet || (now - progress->last_us < every && !is_new_state))
    return;
  progress->last_us = now;
  progress->last_state = status->state;
  g_autofree char *text = describe(status);
  if (progress->is_terminal)
    show_bar(progress, status, text);
  else
    g_printerr("%s: %s\n", progress->title, text);
}

void
lac_progress_say(const LacProgress *progress, const char *sentence)
{
  if (*sentence != '\0')
    g_printerr("%slacuna: %s\n", progress->is_terminal && !progress->is_quiet ? "\r\033[K" : "",
               sentence);
}

void
lac_progress_end(LacProgress *progress)
{
  if (progress->is_terminal && !progress->is_quiet)
    g_printerr("\r\033[K");
  g_clear_pointer(&progress->title, g_free);
}
