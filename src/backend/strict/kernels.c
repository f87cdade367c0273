/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kernels of the strict backend: each is checked by its rows in operands.def, then passed to the underlying device,
 * or recorded while a step is recorded. */
#include "backend/strict/kernels.h"

#include "backend/strict/operands.h"

#define BELOW (&((LacStrict *) self)->below)

static LacStrictRange
lines_of(const LacStrided *a, size_t stride, LacStrictUse use)
{
  const size_t word = lac_type_size(a->type);

  if (stride == a->n_columns || a->n_rows == 1)
    return (LacStrictRange){0, 1, 0, a->n_rows * a->n_columns * word, word, use};
  return (LacStrictRange){0, a->n_rows, stride * word, a->n_columns * word, word, use};
}

static gboolean
is_zero(double value)
{
  return !(value < 0 || value > 0);
}

/* Both factors of a square share one bar, a single operand. */
static gboolean
is_square(const LacMulJet *a)
{
  return a->a_bar == a->b_bar && a->a_columns == a->b_columns;
}

/* While a step is recorded kernels are only recorded, so that no result can be returned to the host. */
#define RECORDING (((LacStrict *) self)->recording)
#define JET_OFFSET(Args) \
  _Generic((const Args *) NULL, const LacMapJet *   \
           : offsetof(LacMapJet, jet), const LacMulJet * \
           : offsetof(LacMulJet, jet), const LacLayer *  \
           : offsetof(LacLayer, jet), default            \
           : 0)

static gboolean
never(const void *args)
{
  return FALSE;
}

static gboolean
wants_answer(const LacDot *args)
{
  return !args->sum;
}

#define WANTS_ANSWER(args) _Generic((args), const LacDot * : wants_answer, default : never)(args)

typedef struct {
  LacType type;
  void   *y;
  double  value;
  size_t  n;
} Fill;

typedef struct {
  LacLayer layer;
  void    *w_forward, *w_reverse;
} Pack;

static void forget_LacLayer(LacLayer *layer);

static void
forget_Pack(Pack *pack)
{
  forget_LacLayer(&pack->layer);
  pack->w_forward = pack->w_reverse = NULL;
}

#define LINES(member, stride, use) \
  {.asked = a->member, .real = &real.member, .is_needed = TRUE, .range = lines_of(a, stride, use)},

#define RUN(name, Args, may_be_in_place, call, rows) \
  LAC_STRICT_RUN(name, Args, lac_strict_check_begin, may_be_in_place, call, rows)

#define KERNEL(name, Args, may_be_in_place, rows)                                        \
  LAC_STRICT_RUN(name, Args, lac_strict_check_begin, may_be_in_place,                    \
                 below->table->name(below->self, &real), rows)                           \
                                                                                         \
  LacStatus lac_strict_##name(void *self, const Args *args)                              \
  {                                                                                      \
    if (!RECORDING)                                                                      \
      return run_##name(self, args);                                                     \
    if (WANTS_ANSWER(args))                                                              \
      return LAC_STATUS_RECORDING;                                                       \
    lac_recorded_steps_add(RECORDING, run_##name, args, sizeof *args, JET_OFFSET(Args)); \
    return LAC_STATUS_OK;                                                                \
  }

#define LAC_STRICT_TABLE
#include "backend/strict/operands.def"

LacStatus
lac_strict_fill(void *self, LacType type, void *y, double value, size_t n)
{
  const Fill fill = {type, y, value, n};

  if (!RECORDING)
    return run_fill(self, &fill);
  lac_recorded_steps_add(RECORDING, run_fill, &fill, sizeof fill, 0);
  return LAC_STATUS_OK;
}

size_t
lac_strict_layer_pack_bytes(void *self, const LacLayer *args)
{
  return BELOW->table->layer_pack_bytes(BELOW->self, args);
}

size_t
lac_strict_layer_work_bytes(void *self, const LacLayer *args)
{
  return BELOW->table->layer_work_bytes(BELOW->self, args);
}

LacStatus
lac_strict_layer_pack(void *self, const LacLayer *args, void *w_forward, void *w_reverse)
{
  const Pack pack = {*args, w_forward, w_reverse};

  if (!RECORDING)
    return run_layer_pack(self, &pack);
  lac_recorded_steps_add(RECORDING, run_layer_pack, &pack, sizeof pack,
                         offsetof(Pack, layer) + offsetof(LacLayer, jet));
  return LAC_STATUS_OK;
}

LacStatus
lac_strict_fft_prepare(void *self, const LacFft *args)
{
  return RECORDING ? LAC_STATUS_RECORDING : BELOW->table->fft_prepare(BELOW->self, args);
}
