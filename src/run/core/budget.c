/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shares of the disk budget, how coarse the streams are within them, and what is done where the disk is full all the same. */
#include "run/core/budget.h"

#include "base/error.h"
#include "run/core/run-private.h"

#include <glib/gi18n-lib.h>

#include <inttypes.h>

/* Of the half of the budget that the streams have: rows of metrics an eighth, frames at most half, records the rest. */
#define STREAMS      2
#define OF_ROWS      8
#define OF_FRAMES    2
#define JOURNAL_ROOM ((guint64) 8 << 20) /* rows of metrics for a while, and texts */
#define LEVELS       16 /* of coarseness; beyond it the share is used up but for 1 part in 65536 */

LacDiskShares
lac_disk_shares(guint64 budget, guint64 most_frames)
{
  const guint64 streams = MAX(budget, LAC_DISK_BUDGET_LEAST) / STREAMS;
  LacDiskShares shares = {
    .rows = streams / OF_ROWS,
    .frames = MIN(most_frames, streams / OF_FRAMES),
  };

  shares.records = streams - shares.rows - shares.frames;
  return shares;
}

gint64
lac_disk_stride(guint64 spent, guint64 share)
{
  gint64 stride = 1;

  for (guint level = 0; level < LEVELS; level++, stride *= 4) {
    const guint64 half = share - share / 2;
    if (spent < half)
      return stride;
    spent -= half;
    share -= half;
  }
  return 0;
}

gboolean
lac_disk_budget_parse(const char *text, guint64 *bytes, GError **error)
{
  static const struct {
    const char *unit;
    double      bytes;
  } units[] = {{"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}, {"MiB", 1048576}, {"GiB", 1073741824}};
  char            *end;
  const double     number = g_ascii_strtod(text, &end);
  g_autofree char *unit = g_strstrip(g_strdup(end));
  g_autofree char *least = g_format_size(LAC_DISK_BUDGET_LEAST);

  if (g_ascii_strcasecmp(text, "none") == 0) {
    *bytes = G_MAXUINT64;
    return TRUE;
  }
  for (gsize i = 0; i < G_N_ELEMENTS(units) && end != text; i++) {
    if (g_ascii_strcasecmp(unit, units[i].unit) != 0)
      continue;
    const double wanted = number * units[i].bytes;
    if (!(wanted >= (double) LAC_DISK_BUDGET_LEAST) || !(wanted < 1e18))
      break;
    *bytes = (guint64) wanted;
    return TRUE;
  }
  g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
              _("the disk budget %s is not a size: write 500 MB, 2 GB or none; at least %s"), text,
              least);
  return FALSE;
}

/* ---- of a run ---- */

void
lac_run_budget_begin(LacRun *run, guint64 budget, guint64 most_frames)
{
  run->disk_budget = budget > 0 ? budget : LAC_DISK_BUDGET_DEFAULT;
  run->shares = lac_disk_shares(run->disk_budget, most_frames);
  run->frame_budget = run->shares.frames;
  run->thinner = lac_thinner_new();
  run->row_stride = run->record_stride = 1;
}

static void
say(LacRun *run, const char *sentence)
{
  lac_run_set_message(run, sentence);
  /* where the disk is full this may not be written either: the status says it */
  lac_run_keep_event(run, "recording", sentence, NULL);
}

static void
say_coarser(LacRun *run)
{
  g_autofree char *budget = g_format_size(run->disk_budget);
  g_autofree char *sentence = g_strdup_printf(
    _("The records of this run would pass its disk budget of %s: from step %" PRId64
      " on those of every %" PRId64 "th step are kept, later of fewer, and of all their sums"),
    budget, run->step + 1, MAX(run->record_stride, run->row_stride));

  run->is_told_coarser = TRUE;
  say(run, sentence);
}

/* ---- a full disk ---- */

/* What the run can do without is left out until there is room again; the checkpoint, and the journal, it cannot. */
static void
do_without(LacRun *run, LacRunStream stream, const char *why)
{
  g_autofree char *sentence =
    g_strdup_printf(stream == LAC_RUN_STREAM_FRAMES
                      ? _("No more frames are kept until there is room again: %s")
                      : _("Of the times not even sums are kept until there is room again: %s"),
                    why);

  run->stopped[stream] = TRUE;
  say(run, sentence);
}

gboolean
lac_run_do_without(LacRun *run, LacRunStream stream, GError **problem)
{
  if (!g_error_matches(*problem, LAC_ERROR, LAC_ERROR_DISK_FULL))
    return FALSE;
  lac_run_folder_leave_out(run->folder, stream, (*problem)->message);
  g_clear_error(problem);
  lac_run_budget_update(run);
  return TRUE;
}

guint64
lac_run_get_state_bytes(const LacRun *run)
{
  gsize   n_tensors = lac_store_get_n_entries(run->store);
  guint64 bytes = 0;

  for (gsize i = 0; i < n_tensors; i++) {
    const LacEntry *tensor = lac_store_get_entry(run->store, i);
    bytes += (guint64) tensor->n_rows * tensor->n_columns * tensor->element_size;
  }
  return bytes;
}

/* Of what is left of the disk the journal and the next checkpoint, which is written beside the last, come first. */
void
lac_run_spare_room(LacRun *run, guint64 n_bytes)
{
  const guint64 room = lac_run_folder_get_free_bytes(run->folder);
  gboolean      any = FALSE;

  if (room >= n_bytes + lac_run_get_state_bytes(run) + JOURNAL_ROOM)
    return;
  g_autofree char *left = g_format_size(room);
  g_autofree char *why =
    g_strdup_printf(_("the disk has %s left, which the next checkpoint may need: make room"), left);
  for (guint i = 0; i < LAC_N_RUN_STREAMS; i++) {
    any |= !run->stopped[i];
    if (!run->stopped[i])
      lac_run_folder_leave_out(run->folder, (LacRunStream) i, why);
  }
  if (any)
    lac_run_budget_update(run);
}

void
lac_run_go_on_recording(LacRun *run)
{
  for (guint i = 0; i < LAC_N_RUN_STREAMS; i++) {
    lac_run_folder_leave_out(run->folder, (LacRunStream) i, NULL);
    run->stopped[i] = FALSE;
  }
}

/* ---- before each step is recorded ---- */

void
lac_run_budget_update(LacRun *run)
{
  const LacRunFolderBytes spent = lac_run_folder_get_parts(run->folder);

  for (guint i = 0; i < LAC_N_RUN_STREAMS; i++) {
    const char *why = lac_run_folder_get_left_out(run->folder, (LacRunStream) i);
    if (why != NULL && !run->stopped[i])
      do_without(run, (LacRunStream) i, why);
  }
  run->row_stride = lac_disk_stride(spent.journal, run->shares.rows);
  run->record_stride =
    run->stopped[LAC_RUN_STREAM_RECORDS] ? 0 : lac_disk_stride(spent.records, run->shares.records);
  lac_thinner_set_stride(run->thinner, run->record_stride);
  if (!run->is_told_coarser && !run->stopped[LAC_RUN_STREAM_RECORDS] &&
      (run->record_stride != 1 || run->row_stride != 1))
    say_coarser(run);
}

gboolean
lac_run_row_stays(const LacRun *run, gint64 step)
{
  return run->row_stride > 0 && step % run->row_stride == 0;
}

/* ---- what is said at the end ---- */

gboolean
lac_run_keep_account(LacRun *run, GError **error)
{
  const LacThinnerCounts counts = lac_thinner_get_counts(run->thinner);
  const char            *sentence =
    run->stopped[LAC_RUN_STREAM_RECORDS]
                 ? _("%s of %s one by one; the disk was full: of others, from step %" PRId64
                     " on, nothing, not even in totals")
                 : _("%s of %s one by one; the others, from step %" PRId64
                     " on, as sums, so that totals are of all");

  if (counts.first_step < 0)
    return TRUE;
  const guint64 waiting = lac_run_folder_get_parts(run->folder).records_waiting;
  const guint64 unwritten = run->stopped[LAC_RUN_STREAM_RECORDS] ? waiting / sizeof(LacRecord) : 0;
  g_autofree char *kept =
    g_strdup_printf("%" PRIu64, counts.n_kept - MIN(unwritten, counts.n_kept));
  g_autofree char *all = g_strdup_printf("%" PRIu64, counts.n_taken);
  g_autofree char *detail = g_strdup_printf(sentence, kept, all, counts.first_step);
  return lac_run_keep_event(run, LAC_EVENT_RECORDS_KEPT, detail, error);
}
