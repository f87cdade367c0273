/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shares of the disk budget, and decimation of the streams. */
#include "run/core/budget.h"

#include "base/error.h"

#include <glib/gi18n-lib.h>

/* Shares of the half that the streams have: metric rows an eighth, frames at most half, records the rest. */
#define STREAMS   2
#define OF_ROWS   8
#define OF_FRAMES 2
#define LEVELS    16 /* decimation levels; at the last one all but 1/65536 of the share is used */

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
lac_run_budget_init(LacRunBudget *budget, guint64 bytes, guint64 frame_bytes)
{
  *budget = (LacRunBudget){
    .bytes = bytes > 0 ? bytes : LAC_DISK_BUDGET_DEFAULT,
    .record_stride = 1,
    .row_stride = 1,
  };
  budget->shares =
    lac_disk_shares(budget->bytes, frame_bytes > 0 ? frame_bytes : LAC_FRAME_BUDGET_DEFAULT);
}

gboolean
lac_run_budget_update(LacRunBudget *budget, const LacRunFolderBytes *spent)
{
  const gboolean is_stopped = budget->is_stopped[LAC_RUN_STREAM_RECORDS];

  budget->row_stride = lac_disk_stride(spent->journal, budget->shares.rows);
  budget->record_stride = is_stopped ? 0 : lac_disk_stride(spent->records, budget->shares.records);
  if (budget->is_coarser || is_stopped || (budget->record_stride == 1 && budget->row_stride == 1))
    return FALSE;
  budget->is_coarser = TRUE;
  return TRUE;
}

gboolean
lac_run_budget_has_row(const LacRunBudget *budget, gint64 step)
{
  return budget->row_stride > 0 && step % budget->row_stride == 0;
}
