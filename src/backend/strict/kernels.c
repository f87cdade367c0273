/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernels of the strict backend: each says what it reads and writes, is checked, then asks the device below; while a step is
 * recorded it is noted down. */
#include "backend/strict/kernels.h"

#include "backend/strict/see.h"

#define BELOW (&((LacStrict *) self)->below)

/* Added to, or written where nothing is there yet. */
#define GATHER(member, n_elements, is_fresh) \
  if (a->member && (is_fresh))               \
    SEE(member, n_elements, WRITES);         \
  else                                       \
    MAY(member, n_elements, UPDATES)

static LacStrictRange
rows_of(const LacStrided *a, size_t stride, LacStrictUse use)
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

static void
see_strided(LacStrictCheck *check, LacStrided *a)
{
  const LacStrictUse use = is_zero(a->beta) ? LAC_STRICT_WRITES : LAC_STRICT_UPDATES;

  check->in_place = TRUE;
  a->x = lac_strict_see_rows(check, a->x, rows_of(a, a->x_stride, LAC_STRICT_READS));
  a->y = lac_strict_see_rows(check, a->y, rows_of(a, a->y_stride, use));
  MAY_DOUBLES(scale, 1, READS);
}

static void
see_map_jet(LacStrictCheck *check, LacMapJet *a)
{
  const size_t n = a->n_points * a->jet->n_streams * a->n_columns;

  check->in_place = TRUE;
  SEE(x, n, READS);
  SEE(y, n, WRITES);
  a->y_bar = NULL;
  a->x_bar = NULL;
}

static void
see_map_jet_reverse(LacStrictCheck *check, LacMapJet *a)
{
  const size_t n = a->n_points * a->jet->n_streams * a->n_columns;

  SEE(x, n, READS);
  SEE(y, n, READS);
  SEE(y_bar, n, READS);
  SEE(x_bar, n, UPDATES);
}

static void
see_mul_jet(LacStrictCheck *check, LacMulJet *a)
{
  const size_t n = a->n_points * a->jet->n_streams;

  SEE(a, n * a->a_columns, READS);
  SEE(b, n * a->b_columns, READS);
  SEE(y, n * a->n_columns, WRITES);
  a->y_bar = NULL;
  a->a_bar = a->b_bar = NULL;
}

static void
see_mul_jet_reverse(LacStrictCheck *check, LacMulJet *a)
{
  const size_t n = a->n_points * a->jet->n_streams;

  SEE(a, n * a->a_columns, READS);
  SEE(b, n * a->b_columns, READS);
  SEE(y_bar, n * a->n_columns, READS);
  if (a->a_bar == a->b_bar && a->a_columns == a->b_columns && a->a_bar) { /* a square */
    SEE(a_bar, n * a->a_columns, UPDATES);
    a->b_bar = a->a_bar;
  } else {
    MAY(a_bar, n * a->a_columns, UPDATES);
    MAY(b_bar, n * a->b_columns, UPDATES);
  }
  a->y = NULL;
}

static void
see_linear(LacStrictCheck *check, LacLinear *a)
{
  const size_t n = a->n_points * a->n_streams;

  SEE(x, n * a->n_in, READS);
  SEE(w, a->n_out * a->n_in, READS);
  MAY(bias, a->n_out, READS);
  SEE(y, n * a->n_out, WRITES);
  a->y_bar = NULL;
  a->x_bar = a->w_bar = a->bias_bar = NULL;
}

static void
see_linear_reverse(LacStrictCheck *check, LacLinear *a)
{
  const size_t n = a->n_points * a->n_streams;

  if (a->w_bar)
    SEE(x, n * a->n_in, READS);
  if (a->x_bar)
    SEE(w, a->n_out * a->n_in, READS);
  SEE(y_bar, n * a->n_out, READS);
  GATHER(x_bar, n * a->n_in, a->x_bar_fresh);
  MAY(w_bar, a->n_out * a->n_in, UPDATES);
  MAY(bias_bar, a->n_out, UPDATES);
  a->y = NULL;
  a->bias = NULL;
}

/* The packed copies are as long as the device below says, and hold gaps. */
static void
see_packed(LacStrictCheck *check, LacLayer *a)
{
  const LacDevice *below = &check->strict->below;
  const size_t     n_bytes = below->table->layer_pack_bytes(below->self, a);

  if (n_bytes == 0) {
    a->w_forward = a->w_reverse = NULL;
    return;
  }
  a->w_forward = lac_strict_see(check, a->w_forward, n_bytes, 1, 0);
  a->w_reverse = lac_strict_see(check, a->w_reverse, n_bytes, 1, 0);
}

static void
see_layer(LacStrictCheck *check, LacLayer *a)
{
  const size_t n = a->n_points * a->jet->n_streams;

  SEE(x, n * a->n_in, READS);
  SEE(w, a->n_out * a->n_in, READS);
  SEE(bias, a->n_out, READS);
  SEE(y, n * a->n_out, WRITES);
  MAY(saved, n * a->n_out, SPOILS);
  see_packed(check, a);
  a->y_bar = NULL;
  a->x_bar = a->w_bar = a->bias_bar = NULL;
}

static void
see_layer_reverse(LacStrictCheck *check, LacLayer *a)
{
  const size_t n = a->n_points * a->jet->n_streams;

  SEE(x, n * a->n_in, READS);
  SEE(w, a->n_out * a->n_in, READS);
  MAY(bias, a->n_out, READS);
  SEE(saved, n * a->n_out, SPOILS); /* in that device's own form, which may have gaps */
  SEE(y_bar, n * a->n_out, UPDATES);
  GATHER(x_bar, n * a->n_in, a->x_bar_fresh);
  SEE(w_bar, a->n_out * a->n_in, UPDATES);
  SEE(bias_bar, a->n_out, UPDATES);
  see_packed(check, a);
  a->y = NULL;
}

static void
see_dot(LacStrictCheck *check, LacDot *a)
{
  SEE(x, a->n, READS);
  MAY(y, a->n, READS);
  MAY(weight, a->n, READS);
  MAY_DOUBLES(sum, 1, UPDATES);
  if (!a->sum && (uintptr_t) a->out & LAC_STRICT_TAG)
    check->status = LAC_STATUS_BAD_POINTER;
}

static void
see_matvec(LacStrictCheck *check, LacMatvec *a)
{
  SEE(a, a->n_rows * a->n_columns, READS);
  SEE(x, a->n_columns, READS);
  GATHER(y, a->n_rows, is_zero(a->beta));
}

/* Other rows may be another thread's. */
static void
see_rank_update(LacStrictCheck *check, LacRankUpdate *a)
{
  const size_t word = lac_type_size(a->type);
  const size_t before = a->row_first * a->n * word;
  char        *rows;

  for (int k = 0; k < a->n_terms; k++)
    SEE(v[k], a->n, READS);
  rows = lac_strict_see(check, (char *) a->h + before, (a->row_last - a->row_first) * a->n * word,
                        word, is_zero(a->alpha) ? LAC_STRICT_WRITES : LAC_STRICT_UPDATES);
  a->h = rows ? rows - before : NULL;
}

static void
see_adam(LacStrictCheck *check, LacAdam *a)
{
  SEE(gradient, a->n, READS);
  SEE(m, a->n, UPDATES);
  SEE(v, a->n, UPDATES);
  SEE(theta, a->n, UPDATES);
  MAY_DOUBLES(numbers, 3, READS);
}

static void
see_fft_forward(LacStrictCheck *check, LacFft *a)
{
  SEE(real, a->n_batch * a->ny * a->nx, READS);
  SEE(spectrum, a->n_batch * a->ny * (a->nx / 2 + 1) * 2, WRITES);
}

static void
see_fft_inverse(LacStrictCheck *check, LacFft *a)
{
  SEE(real, a->n_batch * a->ny * a->nx, WRITES);
  SEE(spectrum, a->n_batch * a->ny * (a->nx / 2 + 1) * 2, UPDATES);
}

static void
see_vorticity_derive(LacStrictCheck *check, LacVorticity *a)
{
  const size_t n = a->n_batch * a->ny * (a->nx / 2 + 1) * 2;

  SEE(vorticity, n, READS);
  SEE(fields, 4 * n, WRITES);
  a->physical = NULL;
  a->product = NULL;
}

static void
see_vorticity_advect(LacStrictCheck *check, LacVorticity *a)
{
  const size_t n = a->n_batch * a->ny * a->nx;

  SEE(physical, 4 * n, READS);
  SEE(product, n, WRITES);
  a->vorticity = NULL;
  a->fields = NULL;
}

/* The vorticity may be the next one: point by point. */
static void
see_rk4_stage(LacStrictCheck *check, LacRk4Stage *a)
{
  const size_t one = a->ny * (a->nx / 2 + 1);
  const size_t decay = one + (a->n_batch ? a->n_batch - 1 : 0) * a->decay_stride;

  check->in_place = TRUE;
  SEE(product_hat, a->n_batch * one * 2, READS);
  SEE(vorticity, a->n_batch * one * 2, READS);
  SEE(decay, decay, READS);
  SEE(decay_half, decay, READS);
  SEE(mask, one, READS);
  SEE(forcing, one * 2, READS);
  if (a->stage == 0)
    SEE(sum, a->n_batch * one * 2, WRITES);
  else
    SEE(sum, a->n_batch * one * 2, UPDATES);
  SEE(next, a->n_batch * one * 2, WRITES);
}

/* While a step is recorded a kernel is noted down; an answer for the host cannot be had then. */
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

#define K(name, Args)                                                                    \
  LAC_STRICT_RUN(name, Args, , lac_strict_check_begin)                                   \
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
LAC_BACKEND_KERNELS(K)
#undef K

typedef struct {
  LacType type;
  void   *y;
  double  value;
  size_t  n;
} Fill;

static LacStatus
run_fill(void *self, const void *args)
{
  const Fill    *fill = args;
  const size_t   word = lac_type_size(fill->type);
  LacStrictCheck check = lac_strict_check_begin(self);
  void          *real = lac_strict_see(&check, fill->y, fill->n * word, word, LAC_STRICT_WRITES);
  LacStatus      status = lac_strict_check_run(&check);

  if (status != LAC_STATUS_OK)
    return status;
  return lac_strict_check_finish(
    &check, BELOW->table->fill(BELOW->self, fill->type, real, fill->value, fill->n));
}

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

typedef struct {
  LacLayer layer;
  void    *w_forward, *w_reverse;
} Pack;

static LacStatus
run_layer_pack(void *self, const void *args)
{
  const Pack    *pack = args;
  const size_t   n_bytes = BELOW->table->layer_pack_bytes(BELOW->self, &pack->layer);
  LacLayer       real = pack->layer;
  const size_t   word = lac_type_size(real.type);
  LacStrictCheck check = lac_strict_check_begin(self);
  void          *w_forward = NULL, *w_reverse = NULL;
  LacStatus      status;

  if (n_bytes) {
    w_forward = lac_strict_see(&check, pack->w_forward, n_bytes, word, LAC_STRICT_WRITES);
    w_reverse = lac_strict_see(&check, pack->w_reverse, n_bytes, word, LAC_STRICT_WRITES);
  }
  real.w = lac_strict_see(&check, real.w, real.n_in * real.n_out * word, word, LAC_STRICT_READS);
  status = lac_strict_check_run(&check);
  if (status != LAC_STATUS_OK)
    return status;
  return lac_strict_check_finish(
    &check, BELOW->table->layer_pack(BELOW->self, &real, w_forward, w_reverse));
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
