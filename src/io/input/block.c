/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Block reads, split along the slowest axis so that the reader process needs little memory. */
#include "io/input/block.h"

#include "base/error.h"
#include "io/input/apart.h"

#include <string.h>
#include <unistd.h>

#define PIECE ((gsize) 4 << 20) /* elements; at least one index of the slowest axis */

/* Returns the reader of a format. MAT 7.3 is HDF5, with the axes in file order. */
static LacInputBlockFunc
get_reader(const char *format)
{
  return g_str_equal(format, "NPY")     ? lac_input_block_read_npy
         : g_str_equal(format, "MAT 5") ? lac_input_block_read_mat
                                        : lac_input_block_read_h5;
}

LacInputBlock *
lac_input_block_new(const char *path, const LacInputFile *file, const LacInputArray *array)
{
  LacInputBlock *block = g_new0(LacInputBlock, 1);

  g_assert(array->is_left);
  block->path = g_strdup(path);
  block->format = file->format;
  block->name = g_strdup(array->name);
  block->rank = array->rank;
  memcpy(block->sizes, array->sizes, sizeof block->sizes);
  block->sets = g_strdupv(array->sets);
  block->component = array->component;
  block->n_components = array->n_components;
  block->read = get_reader(file->format);
  block->apart = block->read != lac_input_block_read_npy;
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

/* @to: socket for each piece; -1: assemble the whole block in @numbers. */
static gboolean
read_pieces(const Task *task, double *numbers, int to)
{
  const LacInputBlock *block = task->block;
  gsize                start[LAC_INPUT_MAX_RANK], count[LAC_INPUT_MAX_RANK], stride = 1;

  memcpy(start, task->start, block->rank * sizeof *start);
  memcpy(count, task->count, block->rank * sizeof *count);
  for (guint i = 1; i < block->rank; i++)
    stride *= count[i];
  const gsize        most = MAX(1, PIECE / MAX(stride, 1));
  g_autofree double *piece = to >= 0 ? g_try_new(double, MIN(most, task->count[0]) * stride) : NULL;
  if (to >= 0 && piece == NULL)
    return FALSE;
  for (gsize i = 0; i < task->count[0]; i += count[0]) {
    start[0] = task->start[0] + i;
    count[0] = MIN(most, task->count[0] - i);
    double *into = to >= 0 ? piece : numbers + i * stride;
    lac_input_numbers_clear(into, count[0] * stride);
    if (!block->read(block, start, count, into))
      return FALSE;
    if (to >= 0)
      lac_apart_put(to, into, count[0] * stride * sizeof *into);
  }
  return TRUE;
}

/* ---- in a process of its own ---- */

#define TASK_TYPE \
  "(ssasuua(ttt))" /* format, name, sets, component, n_components; then size, start, count per axis */

static GVariant *
describe(const Task *task)
{
  static const char *const none[] = {NULL};
  const LacInputBlock     *block = task->block;
  GVariantBuilder          axes;

  g_variant_builder_init(&axes, G_VARIANT_TYPE("a(ttt)"));
  for (guint i = 0; i < block->rank; i++)
    g_variant_builder_add(&axes, "(ttt)", (guint64) block->sizes[i], (guint64) task->start[i],
                          (guint64) task->count[i]);
  return g_variant_new("(ss^asuua(ttt))", block->format, block->name,
                       block->sets != NULL ? (const char *const *) block->sets : none,
                       block->component, block->n_components, &axes);
}

gboolean
lac_input_serve_block(const char *path, GVariant *what, int to)
{
  LacInputBlock           block = {.path = (char *) path};
  gsize                   start[LAC_INPUT_MAX_RANK], count[LAC_INPUT_MAX_RANK];
  guint64                 axis[3];
  g_autoptr(GVariantIter) axes = NULL;
  g_auto(GStrv)           sets = NULL;

  if (!g_variant_is_of_type(what, G_VARIANT_TYPE(TASK_TYPE)))
    return FALSE;
  g_variant_get(what, "(&s&s^asuua(ttt))", &block.format, &block.name, &sets, &block.component,
                &block.n_components, &axes);
  block.sets = sets[0] != NULL ? sets : NULL;
  block.read = get_reader(block.format);
  while (block.rank < LAC_INPUT_MAX_RANK &&
         g_variant_iter_next(axes, "(ttt)", &axis[0], &axis[1], &axis[2])) {
    block.sizes[block.rank] = (gsize) axis[0];
    start[block.rank] = (gsize) axis[1];
    count[block.rank++] = (gsize) axis[2];
  }
  return read_pieces(&(Task){&block, start, count}, NULL, to);
}

/* @error: set only when the reader process cannot be started. */
static gboolean
read_apart(const Task *task, double *numbers, gsize n, GError **error)
{
  const int      from = lac_apart_request("block", task->block->path, describe(task), error);
  const gboolean done = from >= 0 && lac_apart_get(from, numbers, n * sizeof *numbers);

  if (from >= 0)
    close(from);
  return done;
}

gboolean
lac_input_block_read(const LacInputBlock *block,
                     const gsize         *start,
                     const gsize         *count,
                     double              *numbers,
                     GError             **error)
{
  const Task        task = {block, start, count};
  g_autoptr(GError) why = NULL;
  gsize             n = 1;
  gboolean          done;

  for (guint i = 0; i < block->rank; i++) {
    g_return_val_if_fail(start[i] + count[i] <= block->sizes[i], FALSE);
    n *= count[i];
  }
  if (n == 0)
    return TRUE;
  lac_input_numbers_clear(numbers, n);
  done = block->apart ? read_apart(&task, numbers, n, &why) : read_pieces(&task, numbers, -1);
  if (why != NULL)
    g_propagate_error(error, g_steal_pointer(&why));
  else if (!done)
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                "%s: a part of %s cannot be read; the file is damaged there, or has changed since "
                "it was opened",
                block->path, block->name);
  return done;
}
