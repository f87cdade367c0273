/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A row of the table of operations. */
#include "app/operation-row.h"

#include <string.h>

struct _LacOperationRow {
  GObject      parent_instance;
  char        *name;
  LacAggregate aggregate;
  LacPeak      peak;
};

G_DEFINE_FINAL_TYPE(LacOperationRow, lac_operation_row, G_TYPE_OBJECT)

enum { UPDATED, N_SIGNALS };
static guint signals[N_SIGNALS];

static void
lac_operation_row_finalize(GObject *object)
{
  g_free(LAC_OPERATION_ROW(object)->name);
  G_OBJECT_CLASS(lac_operation_row_parent_class)->finalize(object);
}

static void
lac_operation_row_class_init(LacOperationRowClass *class)
{
  G_OBJECT_CLASS(class)->finalize = lac_operation_row_finalize;
  signals[UPDATED] = g_signal_new("updated", LAC_TYPE_OPERATION_ROW, G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 0);
}

static void
lac_operation_row_init(LacOperationRow *self)
{
}

LacOperationRow *
lac_operation_row_new(const char *name)
{
  LacOperationRow *self = g_object_new(LAC_TYPE_OPERATION_ROW, NULL);
  self->name = g_strdup(name);
  return self;
}

void
lac_operation_row_update(LacOperationRow *self, const LacAggregate *aggregate, const LacPeak *peak)
{
  g_return_if_fail(LAC_IS_OPERATION_ROW(self));
  if (memcmp(&self->aggregate, aggregate, sizeof *aggregate) == 0 &&
      memcmp(&self->peak, peak, sizeof *peak) == 0)
    return;
  self->peak = *peak;
  self->aggregate = *aggregate;
  g_signal_emit(self, signals[UPDATED], 0);
}

const LacAggregate *
lac_operation_row_get(LacOperationRow *self)
{
  g_return_val_if_fail(LAC_IS_OPERATION_ROW(self), NULL);
  return &self->aggregate;
}

const LacPeak *
lac_operation_row_get_peak(LacOperationRow *self)
{
  g_return_val_if_fail(LAC_IS_OPERATION_ROW(self), NULL);
  return &self->peak;
}

const char *
lac_operation_row_get_name(LacOperationRow *self)
{
  g_return_val_if_fail(LAC_IS_OPERATION_ROW(self), NULL);
  return self->name;
}
