/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Marks of a run, one per line: nanoseconds, then the label. */
#include "io/runfile/marks.h"

#include "io/format/write-error.h"
#include "io/runfile/format.h"

#include <glib/gstdio.h>

#include <errno.h>
#include <string.h>

#define MOST_BYTES (1 << 16) /* a larger file was not written by Lacuna */

#define LANE "marks"

static void
clear_mark(gpointer data)
{
  g_free(((LacRunMark *) data)->words);
}

GArray *
lac_run_marks_new(void)
{
  GArray *marks = g_array_new(FALSE, FALSE, sizeof(LacRunMark));
  g_array_set_clear_func(marks, clear_mark);
  return marks;
}

/* Returns the label as one line of valid UTF-8, shortened to the maximum. */
static char *
dup_line(const char *words)
{
  g_autofree char *valid = g_utf8_make_valid(words != NULL ? words : "", -1);
  g_autofree char *line = g_strdelimit(g_steal_pointer(&valid), "\n\r\t", ' ');
  gsize            length = strlen(line);
  if (length > LAC_RUN_MARK_MOST) {
    const char *end = g_utf8_find_prev_char(line, line + LAC_RUN_MARK_MOST + 1);
    length = end != NULL ? (gsize) (end - line) : 0;
  }
  return g_strstrip(g_strndup(line, length));
}

guint
lac_run_marks_add(GArray *marks, gint64 time_ns, const char *words)
{
  g_return_val_if_fail(marks != NULL, 0);
  LacRunMark mark = {time_ns, dup_line(words)};
  guint      at = marks->len;
  while (at > 0 && g_array_index(marks, LacRunMark, at - 1).time_ns > time_ns)
    at--;
  g_array_insert_val(marks, at, mark);
  return at;
}

void
lac_run_marks_set_words(GArray *marks, guint i, const char *words)
{
  g_return_if_fail(marks != NULL && i < marks->len);
  LacRunMark *mark = &g_array_index(marks, LacRunMark, i);
  g_free(mark->words);
  mark->words = dup_line(words);
}

/* Parses "1234 label"; @words: (out): text after the time. */
static gboolean
read_line(char *line, gint64 *time_ns, const char **words)
{
  char *space;
  g_strstrip(line);
  space = strchr(line, ' ');
  *words = space != NULL ? space + 1 : "";
  if (space != NULL)
    *space = '\0';
  return g_ascii_string_to_signed(line, 10, G_MININT64 + 1, G_MAXINT64, time_ns, NULL);
}

GArray *
lac_run_marks_read(const char *folder)
{
  g_autofree char *path = g_build_filename(folder, LAC_RUN_MARKS, NULL);
  g_autofree char *contents = NULL;
  GArray          *marks = lac_run_marks_new();
  GStatBuf         about;

  if (g_stat(path, &about) != 0 || about.st_size > MOST_BYTES ||
      !g_file_get_contents(path, &contents, NULL, NULL))
    return marks;
  g_auto(GStrv) lines = g_strsplit(contents, "\n", -1);
  for (char **line = lines; *line != NULL; line++) {
    gint64      time;
    const char *words;
    if (read_line(*line, &time, &words))
      lac_run_marks_add(marks, time, words);
  }
  return marks;
}

gboolean
lac_run_marks_write(const char *folder, const GArray *marks, GError **error)
{
  g_autofree char   *path = g_build_filename(folder, LAC_RUN_MARKS, NULL);
  g_autoptr(GString) text = g_string_new(NULL);
  g_autoptr(GError)  why = NULL;

  if (marks->len == 0) {
    if (g_unlink(path) == 0 || errno == ENOENT)
      return TRUE;
    return lac_write_error(error, errno, path, 0);
  }
  for (guint i = 0; i < marks->len; i++) {
    const LacRunMark *mark = &g_array_index(marks, LacRunMark, i);
    g_string_append_printf(text, "%" G_GINT64_FORMAT "%s%s\n", mark->time_ns,
                           *mark->words != '\0' ? " " : "", mark->words);
  }
  if (g_file_set_contents(path, text->str, -1, &why))
    return TRUE;
  int code = g_error_matches(why, G_FILE_ERROR, G_FILE_ERROR_NOSPC) ? ENOSPC : EACCES;
  return lac_write_error(error, code, path, text->len);
}

LacCapture *
lac_run_marks_ref_capture(const char *folder, LacCapture *capture)
{
  g_return_val_if_fail(folder != NULL && capture != NULL, NULL);
  g_autoptr(GArray) marks = lac_run_marks_read(folder);
  if (marks->len == 0)
    return lac_capture_ref(capture);
  LacCapture *marked = lac_capture_new(lac_capture_get_title(capture));
  for (guint32 i = 0; i < lac_capture_get_n_names(capture); i++)
    lac_capture_add_name(marked, lac_capture_get_name(capture, i));
  for (guint i = 0; i < lac_capture_get_n_lanes(capture); i++)
    lac_capture_add_lane(marked, lac_capture_get_lane(capture, (guint16) i));
  const LacRecord *records;
  gsize            first = 0, n;
  for (; (records = lac_capture_get(capture, first, &n)) != NULL; first += n)
    lac_capture_append(marked, records, n);
  guint16 lane = lac_capture_add_lane(marked, LANE);
  for (guint i = 0; i < marks->len; i++) {
    const LacRunMark *mark = &g_array_index(marks, LacRunMark, i);
    const char       *name = *mark->words != '\0' ? mark->words : "mark";
    gint64            known = lac_capture_find_name(marked, name);
    LacRecord         record = {
              .sequence = i,
              .kind = LAC_RECORD_MARK,
              .start_ns = mark->time_ns,
              .step = -1,
              .count = 1,
              .memory = -1,
              .lane = lane,
              .name = known >= 0 ? (guint32) known : lac_capture_add_name(marked, name),
    };
    lac_capture_append(marked, &record, 1);
  }
  return marked;
}
