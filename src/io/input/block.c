/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocks are read in pieces along the slowest axis, so that what reads them need not hold them. */
#include "io/input/block.h"

#include "base/error.h"
#include "io/input/apart.h"

#include <string.h>

#define PIECE ((gsize) 4 << 20) /* numbers; at least one index of the slowest axis */

LacInputBlock *
lac_input_block_new(const char *path, const LacInputFile *file, const LacInputArray *array)
{
  LacInputBlock *block = g_new0(LacInputBlock, 1);
  const gboolean is_npy = g_str_equal(file->format, "NPY");
  const gboolean is_mat_5 = g_str_equal(file->format, "MAT 5");

  g_assert(array->is_left);
  block->path = g_strdup(path);
  block->format = file->format;
  block->name = g_strdup(array->name);
  block->rank = array->rank;
  memcpy(block->sizes, array->sizes, sizeof block->sizes);
  block->sets = g_strdupv(array->sets);
  block->component = array->component;
  block->n_components = array->n_components;
  block->apart = !is_npy;
  /* MAT 7.3 is HDF5, with the axes in the order of the file */
  block->read = is_npy     ? lac_input_block_read_npy
                : is_mat_5 ? lac_input_block_read_mat
                           : lac_input_block_read_h5;
  return block;
}

void
lac_input_block_free(LacInputBlock *block)
{
  if (block == NULL)
    return;
  g_free(block->path);
  g_free(block->name);
  g_strfreev(block->sets);
  g_free(block);
}

gboolean
lac_input_block_spread(const gsize *start,
                       const gsize *count,
                       guint        rank,
                       const gsize *sizes,
                       guint        n_all,
                       gsize (*all)[LAC_INPUT_MAX_RANK])
{
  guint axis = 0;

  for (guint i = 0; i < n_all; i++) {
    const gboolean is_one = sizes[i] == 1;

    if (!is_one && (axis == rank || start[axis] + count[axis] > sizes[i]))
      return FALSE;
    all[0][i] = is_one ? 0 : start[axis];
    all[1][i] = is_one ? 1 : count[axis];
    axis += !is_one;
  }
  return axis == rank;
}

typedef struct {
  const LacInputBlock *block;
  const gsize         *start, *count;
} Task;

/* @send: (nullable): where each piece goes when it is read; else the whole block is put one behind the other. */
static gboolean
read_pieces(const Task *task, double *numbers, LacApartSend send, int to)
{
  const LacInputBlock *block = task->block;
  gsize                start[LAC_INPUT_MAX_RANK], count[LAC_INPUT_MAX_RANK], stride = 1;

  memcpy(start, task->start, block->rank * sizeof *start);
  memcpy(count, task->count, block->rank * sizeof *count);
  for (guint i = 1; i < block->rank; i++)
    stride *= count[i];
  const gsize        most = MAX(1, PIECE / MAX(stride, 1));
  g_autofree double *piece =
    send != NULL ? g_try_new(double, MIN(most, task->count[0]) * stride) : NULL;
  if (send != NULL && piece == NULL)
    return FALSE;
  for (gsize i = 0; i < task->count[0]; i += count[0]) {
    start[0] = task->start[0] + i;
    count[0] = MIN(most, task->count[0] - i);
    double *into = send != NULL ? piece : numbers + i * stride;
    lac_input_numbers_clear(into, count[0] * stride);
    if (!block->read(block, start, count, into))
      return FALSE;
    if (send != NULL)
      send(to, into, count[0] * stride * sizeof *into);
  }
  return TRUE;
}

static gboolean
send_pieces(gpointer user_data, LacApartSend send, int to)
{
  return read_pieces(user_data, NULL, send, to);
}

gboolean
lac_input_block_read(const LacInputBlock *block,
                     const gsize         *start,
                     const gsize         *count,
                     double              *numbers,
                     GError             **error)
{
  Task     task = {block, start, count};
  gsize    n = 1;
  gboolean done;

  for (guint i = 0; i < block->rank; i++) {
    g_return_val_if_fail(start[i] + count[i] <= block->sizes[i], FALSE);
    n *= count[i];
  }
  if (n == 0)
    return TRUE;
  lac_input_numbers_clear(numbers, n);
  done = block->apart
           ? lac_input_numbers_apart(block->path, send_pieces, &task, numbers, n * sizeof *numbers)
           : read_pieces(&task, numbers, NULL, -1);
  if (!done)
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                "%s: a part of %s cannot be read; the file is damaged there, or has changed since "
                "it was opened",
                block->path, block->name);
  return done;
}
