/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks memory ranges against the allocations, the poison, one another and those of other threads. */
#include "backend/strict/check.h"

#include "backend/strict/strict-private.h"

#include <string.h>

void *
lac_strict_translate(LacStrict *strict, const void *pointer, size_t n_bytes)
{
  const uintptr_t address = (uintptr_t) pointer ^ LAC_STRICT_TAG;
  void           *found = NULL;

  g_rw_lock_reader_lock(&strict->lock);
  for (guint i = 0; i < strict->blocks->len && !found; i++) {
    const LacStrictBlock *block = &g_array_index(strict->blocks, LacStrictBlock, i);

    if (address >= block->first && address - block->first <= block->n_bytes &&
        n_bytes <= block->n_bytes - (address - block->first))
      found = (void *) address;
  }
  g_rw_lock_reader_unlock(&strict->lock);
  return found;
}

static void
refuse(LacStrictCheck *check, LacStatus status)
{
  if (check->status == LAC_STATUS_OK)
    check->status = status;
}

LacStrictCheck
lac_strict_check_begin_alone(void *self)
{
  LacStrictCheck check = {.strict = self, .status = LAC_STATUS_OK};

  check.is_alone = g_atomic_int_compare_and_exchange(&check.strict->asked_alone, 0, 1);
  if (!check.is_alone)
    refuse(&check, LAC_STATUS_OVERLAP);
  return check;
}

LacStrictCheck
lac_strict_check_begin(void *self)
{
  const LacStrict *strict = self;

  if (!strict->below.table->concurrent)
    return lac_strict_check_begin_alone(self);
  return (LacStrictCheck){.strict = self, .status = LAC_STATUS_OK};
}

/* Waits for kernels of the underlying device, which may not have run yet. */
static LacStatus
settle(const LacStrict *strict)
{
  return strict->below.table->synchronise(strict->below.self);
}

static void
leave(LacStrictCheck *check)
{
  if (check->is_alone)
    g_atomic_int_set(&check->strict->asked_alone, 0);
  check->is_alone = FALSE;
}

static size_t
span(const LacStrictRange *range)
{
  return range->n_rows ? (range->n_rows - 1) * range->stride + range->width : 0;
}

/* Returns TRUE for an element whose bytes are all poison: arithmetic produces no such NaN. */
static gboolean
holds_poison(const LacStrictRange *range)
{
  for (size_t i = 0; i < range->n_rows; i++) {
    const char *row = (const char *) range->first + i * range->stride;
    guint       n = 0;

    if (range->word == sizeof(float)) {
      for (size_t k = 0; k < range->width / sizeof(guint32); k++)
        n |= ((const guint32 *) row)[k] == G_MAXUINT32;
    } else {
      for (size_t k = 0; k < range->width / sizeof(guint64); k++)
        n |= ((const guint64 *) row)[k] == G_MAXUINT64;
    }
    if (n)
      return TRUE;
  }
  return FALSE;
}

/* Returns: the processor's address, NULL when invalid. */
static void *
see_range(LacStrictCheck *check, const void *pointer, LacStrictRange range)
{
  void *real = lac_strict_translate(check->strict, pointer, span(&range));

  if (!real) {
    refuse(check, LAC_STATUS_BAD_POINTER);
    return NULL;
  }
  g_assert(check->n_ranges < LAC_STRICT_RANGES);
  range.first = (uintptr_t) real;
  if (range.n_rows && range.width)
    check->ranges[check->n_ranges++] = range;
  return real;
}

static void
see_operand(LacStrictCheck *check, const LacStrictOperand *operand)
{
  const uintptr_t asked = (uintptr_t) operand->asked;
  uintptr_t       real = 0;

  if (operand->is_needed && operand->is_host) {
    real = asked;
    if (asked & LAC_STRICT_TAG)
      refuse(check, LAC_STATUS_BAD_POINTER);
  } else if (operand->is_needed) {
    const uintptr_t ahead = (uintptr_t) operand->ahead;

    real = (uintptr_t) see_range(check, (const void *) (asked + ahead), operand->range);
    if (real)
      real -= ahead;
  }
  memcpy(operand->real, &real, sizeof real); /* for any pointer type */
}

const void *
lac_strict_look(LacStrictCheck *check, const void *pointer, size_t n_bytes)
{
  const void *real = lac_strict_translate(check->strict, pointer, n_bytes);

  if (!real)
    refuse(check, LAC_STATUS_BAD_POINTER);
  if (check->status == LAC_STATUS_OK)
    check->status = settle(check->strict);
  return check->status == LAC_STATUS_OK ? real : NULL;
}

static gboolean
is_written(const LacStrictRange *range)
{
  return (range->use & (LAC_STRICT_WRITES | LAC_STRICT_SPOILS)) != 0;
}

/* Returns TRUE when two ranges overlap. Column windows of one matrix interleave without overlapping. */
static gboolean
meet(const LacStrictRange *a, const LacStrictRange *b)
{
  if (a->first + span(a) <= b->first || b->first + span(b) <= a->first)
    return FALSE;
  if (a->n_rows > 1 && b->n_rows > 1 && a->stride == b->stride) {
    const size_t stride = a->stride;
    const size_t ahead = (size_t) (b->first - a->first) % stride;
    const size_t back = (size_t) (a->first - b->first) % stride;

    return b->first >= a->first ? ahead < a->width || ahead + b->width > stride
                                : back < b->width || back + a->width > stride;
  }
  return TRUE;
}

static gboolean
lie_alike(const LacStrictRange *a, const LacStrictRange *b)
{
  return a->first == b->first && a->n_rows == b->n_rows && a->width == b->width &&
         (a->n_rows == 1 || a->stride == b->stride);
}

static gboolean
clash(const LacStrictCheck *a, const LacStrictCheck *b)
{
  for (guint i = 0; i < a->n_ranges; i++)
    for (guint k = 0; k < b->n_ranges; k++)
      if ((is_written(&a->ranges[i]) || is_written(&b->ranges[k])) &&
          meet(&a->ranges[i], &b->ranges[k]))
        return TRUE;
  return FALSE;
}

static gboolean
clashes_within(const LacStrictCheck *check)
{
  for (guint i = 0; i < check->n_ranges; i++)
    for (guint k = i + 1; k < check->n_ranges; k++) {
      const LacStrictRange *a = &check->ranges[i], *b = &check->ranges[k];

      if ((is_written(a) || is_written(b)) && meet(a, b) &&
          !(check->in_place && lie_alike(a, b) && !(is_written(a) && is_written(b))))
        return TRUE;
    }
  return FALSE;
}

/* Adds the call to the running ones, unless it conflicts with one of them. */
static void
join(LacStrictCheck *check)
{
  LacStrict *strict = check->strict;

  g_mutex_lock(&strict->running_lock);
  for (const LacStrictCheck *other = strict->running; other; other = other->next)
    if (clash(check, other))
      refuse(check, LAC_STATUS_OVERLAP);
  if (check->status == LAC_STATUS_OK) {
    check->next = strict->running;
    strict->running = check;
  }
  g_mutex_unlock(&strict->running_lock);
}

static void
end(LacStrictCheck *check)
{
  LacStrict       *strict = check->strict;
  LacStrictCheck **at;

  g_mutex_lock(&strict->running_lock);
  for (at = &strict->running; *at; at = &(*at)->next)
    if (*at == check) {
      *at = check->next;
      break;
    }
  g_mutex_unlock(&strict->running_lock);
  leave(check);
}

LacStatus
lac_strict_check_run(LacStrictCheck *check, const LacStrictOperand *operands, size_t n_operands)
{
  for (size_t i = 0; i < n_operands; i++)
    see_operand(check, &operands[i]);
  if (check->status == LAC_STATUS_OK && clashes_within(check))
    refuse(check, LAC_STATUS_OVERLAP);
  if (check->status == LAC_STATUS_OK)
    join(check);
  if (check->status != LAC_STATUS_OK) {
    leave(check);
    return check->status;
  }
  check->status = settle(check->strict);
  for (guint i = 0; i < check->n_ranges && check->status == LAC_STATUS_OK; i++)
    if ((check->ranges[i].use & LAC_STRICT_READS) && holds_poison(&check->ranges[i]))
      refuse(check, LAC_STATUS_UNWRITTEN);
  if (check->status != LAC_STATUS_OK)
    end(check);
  return check->status;
}

LacStatus
lac_strict_check_finish(LacStrictCheck *check, LacStatus status)
{
  if (status == LAC_STATUS_OK)
    status = settle(check->strict);
  end(check);
  return status;
}
