/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The strict backend: every kernel translates and checks its pointers, then asks the cpu. */
#include "backend/strict/strict.h"

#include "backend/cpu/cpu.h"

#include <glib.h>

#include <string.h>

/* Turns an address into one that the processor refuses to follow, and back. */
#if UINTPTR_MAX > 0xffffffffu
#  define TAG ((uintptr_t) 1 << 62)
#else
#  define TAG ((uintptr_t) 0)
#endif

#define POISON 0xff /* repeated, a NaN of either type */

typedef struct {
  uintptr_t first;
  size_t    n_bytes;
} Block;

typedef struct {
  void   *cpu;
  GRWLock lock;
  GArray *blocks;     /* live allocations by their untagged address */
  guint64 used, peak; /* bytes of them */
} Strict;

/* A kernel's view while it checks its arguments; `ok` falls with the first bad pointer. */
typedef struct {
  Strict *strict;
  int     ok;
} Check;

static void *
translate(Check *check, const void *pointer, size_t n_bytes)
{
  const uintptr_t address = (uintptr_t) pointer ^ TAG;
  const GArray   *blocks = check->strict->blocks;

  for (guint i = 0; i < blocks->len; i++) {
    const Block *block = &g_array_index(blocks, Block, i);
    if (address >= block->first && address - block->first <= block->n_bytes &&
        n_bytes <= block->n_bytes - (address - block->first))
      return (void *) address;
  }
  check->ok = 0;
  return NULL;
}

static Check
check_begin(void *self)
{
  Check check = {self, 1};

  g_rw_lock_reader_lock(&check.strict->lock);
  return check;
}

static LacStatus
check_end(const Check *check)
{
  g_rw_lock_reader_unlock(&check->strict->lock);
  return check->ok ? LAC_STATUS_OK : LAC_STATUS_BAD_POINTER;
}

#define CPU (((Strict *) self)->cpu)

/* Within the functions below: `a` is the copy of the arguments that goes to the cpu. A member the kernel has no
 * business with becomes NULL. */
#define NEEDS(member, n_elements) \
  a->member = translate(check, a->member, (n_elements) *lac_type_size(a->type))
#define MAY(member, n_elements) \
  if (a->member)                \
  NEEDS(member, n_elements)

static void
see_strided(Check *check, LacStrided *a)
{
  const size_t last = a->n_rows ? a->n_rows - 1 : 0;
  const size_t n = a->n_rows ? a->n_columns : 0;

  NEEDS(x, last * a->x_stride + n);
  NEEDS(y, last * a->y_stride + n);
}

static void
see_map_jet(Check *check, LacMapJet *a)
{
  const size_t n = a->n_points * a->jet->n_streams * a->n_columns;

  NEEDS(x, n);
  NEEDS(y, n);
  a->y_bar = NULL;
  a->x_bar = NULL;
}

static void
see_map_jet_reverse(Check *check, LacMapJet *a)
{
  const size_t n = a->n_points * a->jet->n_streams * a->n_columns;

  NEEDS(x, n);
  NEEDS(y, n);
  NEEDS(y_bar, n);
  NEEDS(x_bar, n);
}

static void
see_mul_jet(Check *check, LacMulJet *a)
{
  const size_t n = a->n_points * a->jet->n_streams;

  NEEDS(a, n * a->a_columns);
  NEEDS(b, n * a->b_columns);
  NEEDS(y, n * a->n_columns);
  a->y_bar = NULL;
  a->a_bar = a->b_bar = NULL;
}

static void
see_mul_jet_reverse(Check *check, LacMulJet *a)
{
  const size_t n = a->n_points * a->jet->n_streams;

  NEEDS(a, n * a->a_columns);
  NEEDS(b, n * a->b_columns);
  NEEDS(y_bar, n * a->n_columns);
  MAY(a_bar, n * a->a_columns);
  MAY(b_bar, n * a->b_columns);
  a->y = NULL;
}

static void
see_linear(Check *check, LacLinear *a)
{
  const size_t n = a->n_points * a->n_streams;

  NEEDS(x, n * a->n_in);
  NEEDS(w, a->n_out * a->n_in);
  MAY(bias, a->n_out);
  NEEDS(y, n * a->n_out);
  a->y_bar = NULL;
  a->x_bar = a->w_bar = a->bias_bar = NULL;
}

static void
see_linear_reverse(Check *check, LacLinear *a)
{
  const size_t n = a->n_points * a->n_streams;

  if (a->w_bar)
    NEEDS(x, n * a->n_in);
  if (a->x_bar)
    NEEDS(w, a->n_out * a->n_in);
  NEEDS(y_bar, n * a->n_out);
  MAY(x_bar, n * a->n_in);
  MAY(w_bar, a->n_out * a->n_in);
  MAY(bias_bar, a->n_out);
  a->y = NULL;
  a->bias = NULL;
}

/* The packed copies are as long as the cpu says. */
static void
see_packed(Check *check, LacLayer *a)
{
  const size_t n_bytes = lac_backend_cpu.layer_pack_bytes(check->strict->cpu, a);

  if (n_bytes == 0) {
    a->w_forward = a->w_reverse = NULL;
    return;
  }
  a->w_forward = translate(check, a->w_forward, n_bytes);
  a->w_reverse = translate(check, a->w_reverse, n_bytes);
}

static void
see_layer(Check *check, LacLayer *a)
{
  const size_t n = a->n_points * a->jet->n_streams;

  NEEDS(x, n * a->n_in);
  NEEDS(w, a->n_out * a->n_in);
  NEEDS(bias, a->n_out);
  NEEDS(y, n * a->n_out);
  MAY(saved, n * a->n_out);
  see_packed(check, a);
  a->y_bar = NULL;
  a->x_bar = a->w_bar = a->bias_bar = NULL;
}

static void
see_layer_reverse(Check *check, LacLayer *a)
{
  const size_t n = a->n_points * a->jet->n_streams;

  NEEDS(x, n * a->n_in);
  NEEDS(w, a->n_out * a->n_in);
  MAY(bias, a->n_out);
  NEEDS(saved, n * a->n_out);
  NEEDS(y_bar, n * a->n_out);
  MAY(x_bar, n * a->n_in);
  NEEDS(w_bar, a->n_out * a->n_in);
  NEEDS(bias_bar, a->n_out);
  see_packed(check, a);
  a->y = NULL;
}

static void
see_dot(Check *check, LacDot *a)
{
  NEEDS(x, a->n);
  MAY(y, a->n);
  MAY(weight, a->n);
  if ((uintptr_t) a->out & TAG)
    check->ok = 0;
}

static void
see_matvec(Check *check, LacMatvec *a)
{
  NEEDS(a, a->n_rows * a->n_columns);
  NEEDS(x, a->n_columns);
  NEEDS(y, a->n_rows);
}

static void
see_rank_update(Check *check, LacRankUpdate *a)
{
  for (int k = 0; k < a->n_terms; k++)
    NEEDS(v[k], a->n);
  NEEDS(h, a->row_last * a->n);
}

static void
see_adam(Check *check, LacAdam *a)
{
  NEEDS(gradient, a->n);
  NEEDS(m, a->n);
  NEEDS(v, a->n);
  NEEDS(theta, a->n);
}

static void
see_fft(Check *check, LacFft *a)
{
  NEEDS(real, a->n_batch * a->ny * a->nx);
  NEEDS(spectrum, a->n_batch * a->ny * (a->nx / 2 + 1) * 2);
}

static void
see_vorticity_derive(Check *check, LacVorticity *a)
{
  const size_t n = a->n_batch * a->ny * (a->nx / 2 + 1) * 2;

  NEEDS(vorticity, n);
  NEEDS(fields, 4 * n);
  a->physical = NULL;
  a->product = NULL;
}

static void
see_vorticity_advect(Check *check, LacVorticity *a)
{
  const size_t n = a->n_batch * a->ny * a->nx;

  NEEDS(physical, 4 * n);
  NEEDS(product, n);
  a->vorticity = NULL;
  a->fields = NULL;
}

static void
see_rk4_stage(Check *check, LacRk4Stage *a)
{
  const size_t one = a->ny * (a->nx / 2 + 1);
  const size_t decay = one + (a->n_batch ? a->n_batch - 1 : 0) * a->decay_stride;

  NEEDS(product_hat, a->n_batch * one * 2);
  NEEDS(vorticity, a->n_batch * one * 2);
  NEEDS(decay, decay);
  NEEDS(decay_half, decay);
  NEEDS(mask, one);
  NEEDS(forcing, one * 2);
  NEEDS(sum, a->n_batch * one * 2);
  NEEDS(next, a->n_batch * one * 2);
}

#define STRICT_KERNELS(K)           \
  K(strided, LacStrided)            \
  K(map_jet, LacMapJet)             \
  K(map_jet_reverse, LacMapJet)     \
  K(mul_jet, LacMulJet)             \
  K(mul_jet_reverse, LacMulJet)     \
  K(linear, LacLinear)              \
  K(linear_reverse, LacLinear)      \
  K(layer, LacLayer)                \
  K(layer_reverse, LacLayer)        \
  K(dot, LacDot)                    \
  K(matvec, LacMatvec)              \
  K(rank_update, LacRankUpdate)     \
  K(adam, LacAdam)                  \
  K(fft_forward, LacFft)            \
  K(fft_inverse, LacFft)            \
  K(vorticity_derive, LacVorticity) \
  K(vorticity_advect, LacVorticity) \
  K(rk4_stage, LacRk4Stage)

#define see_fft_forward see_fft
#define see_fft_inverse see_fft
#define K(name, Args)                                                           \
  static LacStatus strict_##name(void *self, const Args *args)                  \
  {                                                                             \
    Args      real = *args;                                                     \
    Check     check = check_begin(self);                                        \
    LacStatus status;                                                           \
                                                                                \
    see_##name(&check, &real);                                                  \
    status = check_end(&check);                                                 \
    return status == LAC_STATUS_OK ? lac_backend_cpu.name(CPU, &real) : status; \
  }
STRICT_KERNELS(K)
#undef K

static LacStatus
strict_fill(void *self, LacType type, void *y, double value, size_t n)
{
  Check     check = check_begin(self);
  void     *real = translate(&check, y, n * lac_type_size(type));
  LacStatus status = check_end(&check);

  return status == LAC_STATUS_OK ? lac_backend_cpu.fill(CPU, type, real, value, n) : status;
}

static size_t
strict_layer_pack_bytes(void *self, const LacLayer *args)
{
  return lac_backend_cpu.layer_pack_bytes(CPU, args);
}

static size_t
strict_layer_work_bytes(void *self, const LacLayer *args)
{
  return lac_backend_cpu.layer_work_bytes(CPU, args);
}

static LacStatus
strict_layer_pack(void *self, const LacLayer *args, void *w_forward, void *w_reverse)
{
  const size_t n_bytes = lac_backend_cpu.layer_pack_bytes(CPU, args);
  LacLayer     real = *args;
  Check        check = check_begin(self);
  LacStatus    status;

  real.w = translate(&check, args->w, args->n_in * args->n_out * lac_type_size(args->type));
  w_forward = n_bytes ? translate(&check, w_forward, n_bytes) : NULL;
  w_reverse = n_bytes ? translate(&check, w_reverse, n_bytes) : NULL;
  status = check_end(&check);
  return status == LAC_STATUS_OK ? lac_backend_cpu.layer_pack(CPU, &real, w_forward, w_reverse)
                                 : status;
}

static LacStatus
strict_fft_prepare(void *self, const LacFft *args)
{
  return lac_backend_cpu.fft_prepare(CPU, args);
}

/* ---- memory ---- */

static LacStatus
strict_open(void **self, int device)
{
  Strict   *strict = g_new0(Strict, 1);
  LacStatus status = lac_backend_cpu.open(&strict->cpu, device);

  if (status != LAC_STATUS_OK) {
    g_free(strict);
    return status;
  }
  g_rw_lock_init(&strict->lock);
  strict->blocks = g_array_new(FALSE, FALSE, sizeof(Block));
  *self = strict;
  return LAC_STATUS_OK;
}

static void
strict_close(void *self)
{
  Strict *strict = self;

  for (guint i = 0; i < strict->blocks->len; i++)
    lac_backend_cpu.release(strict->cpu, (void *) g_array_index(strict->blocks, Block, i).first);
  g_array_unref(strict->blocks);
  g_rw_lock_clear(&strict->lock);
  lac_backend_cpu.close(strict->cpu);
  g_free(strict);
}

static LacStatus
strict_alloc(void *self, size_t n_bytes, void **memory)
{
  Strict   *strict = self;
  void     *real;
  LacStatus status = lac_backend_cpu.alloc(strict->cpu, n_bytes, &real);
  Block     block = {(uintptr_t) real, n_bytes};

  *memory = NULL;
  if (status != LAC_STATUS_OK)
    return status;
  memset(real, POISON, n_bytes);
  g_rw_lock_writer_lock(&strict->lock);
  g_array_append_val(strict->blocks, block);
  strict->used += n_bytes;
  strict->peak = MAX(strict->peak, strict->used);
  g_rw_lock_writer_unlock(&strict->lock);
  *memory = (void *) (block.first ^ TAG);
  return LAC_STATUS_OK;
}

/* What is no allocation stays untouched: release has no way to say so but the log. */
static void
strict_release(void *self, void *memory)
{
  const uintptr_t address = (uintptr_t) memory ^ TAG;
  Strict         *strict = self;
  Block           block = {0, 0};

  if (!memory)
    return;
  g_rw_lock_writer_lock(&strict->lock);
  for (guint i = 0; i < strict->blocks->len && !block.first; i++)
    if (g_array_index(strict->blocks, Block, i).first == address) {
      block = g_array_index(strict->blocks, Block, i);
      g_array_remove_index_fast(strict->blocks, i);
      strict->used -= block.n_bytes;
    }
  g_rw_lock_writer_unlock(&strict->lock);
  g_return_if_fail(block.first);
  memset((void *) block.first, POISON, block.n_bytes);
  lac_backend_cpu.release(strict->cpu, (void *) block.first);
}

static void
strict_memory_use(void *self, LacMemoryUse *use)
{
  Strict *strict = self;

  g_rw_lock_reader_lock(&strict->lock);
  *use = (LacMemoryUse){strict->used, strict->used, strict->peak};
  g_rw_lock_reader_unlock(&strict->lock);
}

static void
strict_memory_reset_peak(void *self)
{
  Strict *strict = self;

  g_rw_lock_writer_lock(&strict->lock);
  strict->peak = strict->used;
  g_rw_lock_writer_unlock(&strict->lock);
}

/* One side is device memory, the other must not be. */
static LacStatus
look_at_copy(void *self, const void **device, const void *host, size_t n_bytes)
{
  Check check = check_begin(self);

  *device = translate(&check, *device, n_bytes);
  if ((uintptr_t) host & TAG)
    check.ok = 0;
  return check_end(&check);
}

static LacStatus
strict_upload(void *self, void *device, const void *host, size_t n_bytes)
{
  const void *real = device;
  LacStatus   status = look_at_copy(self, &real, host, n_bytes);

  return status == LAC_STATUS_OK ? lac_backend_cpu.upload(CPU, (void *) real, host, n_bytes)
                                 : status;
}

static LacStatus
strict_download(void *self, void *host, const void *device, size_t n_bytes)
{
  const void *real = device;
  LacStatus   status = look_at_copy(self, &real, host, n_bytes);

  return status == LAC_STATUS_OK ? lac_backend_cpu.download(CPU, host, real, n_bytes) : status;
}

static LacStatus
strict_synchronise(void *self)
{
  return LAC_STATUS_OK;
}

const LacBackend lac_backend_strict = {
  .abi = LAC_BACKEND_ABI,
  .name = "strict",
  .what = "The processor, behind device memory that is kept apart and checked",
  .tile_points = 32,
  .concurrent = 1,
  .open = strict_open,
  .close = strict_close,
  .alloc = strict_alloc,
  .release = strict_release,
  .upload = strict_upload,
  .download = strict_download,
  .synchronise = strict_synchronise,
  .memory_use = strict_memory_use,
  .memory_reset_peak = strict_memory_reset_peak,
  .fill = strict_fill,
#define K(name, Args) .name = strict_##name,
  STRICT_KERNELS(K)
#undef K
    .layer_pack_bytes = strict_layer_pack_bytes,
  .layer_pack = strict_layer_pack,
  .layer_work_bytes = strict_layer_work_bytes,
  .fft_prepare = strict_fft_prepare,
};
