/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The backend: a table of typed functions over device memory. Plain C, also compiled by nvcc.
 *
 * Pointers named x, y, w ... are device pointers of the same backend. They may be offset by ordinary pointer
 * arithmetic within one allocation and must not be dereferenced outside the backend. Kernels never allocate. On the
 * cpu and strict backends every kernel may be called from several threads at once on disjoint outputs. Matrices are
 * row-major. "per-point" data is [point][stream][column] with the leading dimension equal to the number of columns
 * (tensor/type.h). */
#pragma once

#include "tensor/type.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LAC_BACKEND_ABI 26

/* User-visible texts; N_() marks them for translation. */
#define LAC_STATUS_LIST(S)                                                                 \
  S(LAC_STATUS_OK, N_("ok"))                                                               \
  S(LAC_STATUS_OUT_OF_MEMORY, N_("device memory is exhausted"))                            \
  S(LAC_STATUS_UNSUPPORTED, N_("this backend does not implement the operation"))           \
  S(LAC_STATUS_BAD_POINTER, N_("a pointer does not point to memory of this device"))       \
  S(LAC_STATUS_REFUSED, N_("the device rejected a call"))                                  \
  S(LAC_STATUS_NOT_FINITE, N_("a matrix is singular or contains NaN"))                     \
  S(LAC_STATUS_DEVICE_LOST, N_("the device stopped responding"))                           \
  S(LAC_STATUS_NO_DEVICE, N_("this machine has no such device"))                           \
  S(LAC_STATUS_RECORDING,                                                                  \
    N_("a step is being recorded: copying, allocating and waiting are not allowed"))       \
  S(LAC_STATUS_OVERLAP, N_("operands overlap, or are in use by another thread"))           \
  S(LAC_STATUS_UNWRITTEN, N_("uninitialised memory is read"))                              \
  S(LAC_STATUS_NO_KERNEL,                                                                  \
    N_("the CUDA module was not built for this card: build it on this machine, or with "   \
       "-Ddevice_capabilities naming the card's compute capability"))                      \
  S(LAC_STATUS_NEW_PTX,                                                                    \
    N_("the NVIDIA driver is too old to translate the CUDA module for this card: update "  \
       "the driver"))                                                                      \
  S(LAC_STATUS_OLD_DRIVER,                                                                 \
    N_("the NVIDIA driver is older than the CUDA toolkit that the module was built with: " \
       "update the driver"))

#define S(code, text) code,
typedef enum { LAC_STATUS_LIST(S) } LacStatus;
#undef S

/* Returns the text of @status, with the device library's message when this thread's last failure gave @status; valid
 * until the thread's next call. */
const char *lac_status_text(LacStatus status);

typedef enum {
#define LAC_SCALAR(ID, name, f, d1, d2, d3, d4, d5) LAC_SCALAR_##ID,
#include "backend/scalar-ops.def"
#undef LAC_SCALAR
  LAC_N_SCALARS
} LacScalar;

/* y = f(x) over jets, and its reverse x_bar += (d y / d x)^T y_bar.
 * x, y, x_bar, y_bar: [n_points][jet.n_streams][n_columns].
 * Source: Faa di Bruno's formula; the collapsed sum as in the forward Laplacian (Li et al. (2024), arXiv 2307.08214). */
typedef struct {
  LacScalar     scalar;
  LacType       type;
  const LacJet *jet;
  size_t        n_points, n_columns;
  const void   *x;
  void         *y;     /* written by the forward; read by the reverse */
  const void   *y_bar; /* reverse only */
  void         *x_bar; /* reverse only; accumulated */
} LacMapJet;

/* y = a * b over jets (Leibniz), and the reverse, which accumulates into each bar that is not NULL. A factor with one
 * column is broadcast over the columns of the other factor. */
typedef struct {
  LacType       type;
  const LacJet *jet;
  size_t        n_points, n_columns; /* of y */
  size_t        a_columns, b_columns;
  const void   *a, *b;
  void         *y;
  const void   *y_bar;
  void         *a_bar, *b_bar; /* may be NULL */
} LacMulJet;

/* y = x w^T (+ bias on value streams). x: [n_points * n_streams, n_in], w: [n_out, n_in], bias: [n_out].
 * Reverse: x_bar += y_bar w; w_bar += y_bar^T x; bias_bar += sum of the value rows of y_bar. */
typedef struct {
  LacType     type;
  size_t      n_points, n_streams, n_in, n_out;
  const void *x, *w, *bias; /* bias may be NULL */
  void       *y;
  const void *y_bar;
  void       *x_bar, *w_bar, *bias_bar; /* each may be NULL: skipped */
  int         x_bar_fresh; /* x_bar is uninitialised: overwritten instead of accumulated */
} LacLinear;

/* The fused layer y = f(x w^T + bias) over jets; equivalent to linear, then map_jet. `w_forward` and `w_reverse` are
 * packed copies of w, made once per step by layer_pack. `saved` holds what the layer's reverse needs, in the
 * backend's own form: [n_points][n_streams][n_out]. The reverse takes y_bar and overwrites it with z_bar; then x_bar
 * += z_bar w, w_bar += z_bar^T x. */
typedef struct {
  LacScalar     scalar;
  LacType       type;
  const LacJet *jet;
  size_t        n_points, n_in, n_out;
  const void   *x, *w, *bias;
  const void   *w_forward, *w_reverse; /* from layer_pack */
  void         *y, *saved;             /* with `fused`, saved may be NULL when no reverse follows */
  void         *y_bar;
  void         *x_bar, *w_bar, *bias_bar; /* x_bar may be NULL, except with `fused` */
  int           x_bar_fresh; /* x_bar is uninitialised: overwritten instead of accumulated */
  int fused; /* use the fused kernel reported by layer_fusion; else the backend's default */
} LacLayer;

/* Availability of a kernel that fuses the product and the formula of a layer. */
typedef enum {
  LAC_FUSION_NONE,     /* none for this type, jet or widths */
  LAC_FUSION_POSSIBLE, /* available, but the product followed by the formula is expected to be faster */
  LAC_FUSION_PAYS,
} LacFusion;

/* Small strided copies: y[i][j] = alpha x[i][j] + beta y[i][j], i < n_rows, j < n_columns;
 * row i of x starts at x + i * x_stride elements. beta = 0 does not read y. */
typedef struct {
  LacType       type;
  size_t        n_rows, n_columns, x_stride, y_stride;
  double        alpha, beta;
  const void   *x;
  void         *y;
  const double *scale; /* device memory: factor of alpha; may be NULL */
} LacStrided;

/* out[0] (double) = sum_i weight_i x_i^2 or sum_i x_i y_i, i < n, accumulated in double in index order within fixed
 * blocks; weight and y may be NULL (weight: ones; y: x itself). If `sum`, in device memory, is not NULL, the result
 * is added to it, `out` is unchanged, and the call does not wait. */
typedef struct {
  LacType     type;
  size_t      n;
  const void *x, *y, *weight;
  double     *out; /* host */
  double     *sum; /* may be NULL */
} LacDot;

/* y = alpha a x + beta y, or with a transposed; a: [n_rows, n_columns] */
typedef struct {
  LacType     type;
  size_t      n_rows, n_columns;
  double      alpha, beta;
  const void *a, *x;
  void       *y;
  int         transposed;
} LacMatvec;

/* y = alpha op(a) op(b) + beta y in double precision; op(a) is m x k, op(b) k x n. Rows of a matrix are a_row, b_row or y_row
 * numbers apart. */
typedef struct {
  int           transpose_a, transpose_b;
  size_t        m, n, k;
  double        alpha, beta;
  const double *a;
  size_t        a_row;
  const double *b;
  size_t        b_row;
  double       *y;
  size_t        y_row;
} LacProduct;

/* h = alpha h + sum_{k<n_terms} c_k v_k v_k^T for rows [row_first, row_last) of a symmetric n x n matrix */
typedef struct {
  LacType     type;
  size_t      n, row_first, row_last;
  double      alpha;
  int         n_terms; /* at most 3 */
  double      c[3];
  const void *v[3];
  void       *h;
} LacRankUpdate;

/* One Adam step over a flat vector: theta -= rate * m_hat / (sqrt(v_hat) + epsilon). Source: Kingma and Ba (2015),
 * algorithm 1. correction1 = 1/(1-beta1^t), correction2 = 1/(1-beta2^t). `numbers`, in device memory, holds a factor
 * of the rate, and values of correction1 and correction2 that replace those of the struct, so that one recorded step
 * can be replayed for every t. */
typedef struct {
  LacType       type;
  size_t        n;
  double        rate, beta1, beta2, epsilon, correction1, correction2;
  const void   *gradient;
  void         *m, *v, *theta;
  const double *numbers; /* may be NULL */
} LacAdam;

/* Batched 2-D real transforms: the forward one is unnormalised, the inverse is scaled by 1/(nx ny) unless `unscaled`. real:
 * [n_batch][ny][nx]; spectrum: [n_batch][ny][nx/2+1] complex (re, im). The buffers must be distinct; the inverse
 * destroys its input. On the CPU a step runs faster member by member (all kernels of the step with n_batch = 1, on
 * offsets into the batch) than kernel by kernel, because a member stays in the cache. */
typedef struct {
  LacType type;
  size_t  nx, ny, n_batch;
  void   *real, *spectrum;
  int     unscaled;
} LacFft;

/* The pointwise parts of the pseudo-spectral vorticity equation on [0, 2 pi]^2 (Canuto et al. (2007), 3.3):
 *   w_t + u . grad w = nu lap w - mu w + curl f,   u = psi_y, v = -psi_x, lap psi = -w.
 * One struct, three kernels, over a batch of independent members; nxh = nx/2 + 1. */
typedef struct {
  LacType     type;
  size_t      nx, ny, n_batch;
  const void *vorticity; /* [n_batch][ny][nxh] complex */
  void
    *fields; /* derive: [n_batch][4][ny][nxh] complex spectra of u, v, w_x, w_y (Nyquist zeroed) */
  const void *physical; /* advect: [n_batch][4][ny][nx] real, the inverse transforms of fields */
  void       *product;  /* advect: [n_batch][ny][nx] = scale (u w_x + v w_y) */
  double      scale;    /* advect: for the planes of unscaled transforms 1/(nx ny)^2 */
} LacVorticity;

/* Integrating-factor Runge-Kutta 4, one stage of  w+ = E w + dt/6 (E a + 2 E_half (b + c) + d), with
 * N = -mask * product_hat + forcing. Stage 0..3 reads the transform of the product, adds to `sum` and writes the next
 * stage's vorticity to `next` (stage 3: the new vorticity to `next`). E, E_half, mask, forcing: [ny][nxh] (forcing complex). */
typedef struct {
  LacType     type;
  size_t      nx, ny, n_batch;
  int         stage;
  double      dt;
  const void *product_hat;        /* [n_batch][ny][nxh] complex */
  const void *vorticity;          /* at the start of the step */
  const void *decay, *decay_half; /* E, E_half: [n_batch or 1][ny][nxh] real */
  size_t      decay_stride; /* elements between members of decay: 0 when all share one viscosity */
  const void *mask, *forcing;
  void       *sum, *next;
} LacRk4Stage;

/* The multiplier of a mode in a term of LacCombine: its weight w, real or complex. */
typedef enum {
  LAC_MODE_ONE,       /* 1, without weights */
  LAC_MODE_REAL,      /* w, real */
  LAC_MODE_IMAGINARY, /* i w, w real: a derivative */
  LAC_MODE_COMPLEX,   /* w, complex */
  LAC_MODE_CONJUGATE, /* the conjugate of w, complex: the transpose of LAC_MODE_COMPLEX */
} LacModeKind;

#define LAC_MOST_TERMS 5

typedef struct {
  LacModeKind kind;
  double      factor;
  const void *x;       /* [n_fields][n_modes] complex */
  const void *weights; /* [n_modes], real or complex; NULL for LAC_MODE_ONE */
} LacModeTerm;

/* A linear combination of spectra with diagonal operators, as in the stages of a time step and their transposes:
 * y = mask sum_t factor_t w_t x_t. May be in place: y one of the x_t. */
typedef struct {
  LacType     type;
  size_t      n_fields, n_modes;
  size_t      stride; /* weights between those of two fields: 0 when all fields share them */
  int         n_terms;
  LacModeTerm terms[LAC_MOST_TERMS];
  const void *mask; /* [n_modes] real; may be NULL: ones */
  void       *y;    /* [n_fields][n_modes] complex */
} LacCombine;

/* sum += x conj(y), mode by mode, summed over the fields: the gradient with respect to the weights of a combination.
 * x, y: [n_fields][n_modes] complex; sum: [n_modes] complex */
typedef struct {
  LacType     type;
  size_t      n_fields, n_modes;
  const void *x, *y;
  void       *sum;
} LacCorrelate;

#define LAC_MOST_FACTORS   3
#define LAC_MOST_MONOMIALS 8
#define LAC_MOST_PLANES    6

/* A product of planes, such as -u u_x, which is added to plane `out` of the result. */
typedef struct {
  double        coefficient;
  unsigned char out, n_factors, factors[LAC_MOST_FACTORS]; /* indices of planes */
} LacMonomial;

/* out = sum of monomials of the planes, point by point; and the reverse, planes_bar = its transposed derivative at
 * the planes applied to out_bar. Both overwrite. Planes, planes_bar: [n_planes][n_points]; out, out_bar:
 * [n_out][n_points]. `coefficients`, in device memory, replace those of the monomials, so that a recorded step can be
 * replayed with others. */
typedef struct {
  LacType       type;
  size_t        n_points, n_planes, n_out, n_monomials;
  LacMonomial   monomials[LAC_MOST_MONOMIALS];
  const double *coefficients; /* [n_monomials]; may be NULL */
  const void   *planes;
  void         *out;        /* forward only */
  const void   *out_bar;    /* reverse only */
  void         *planes_bar; /* reverse only */
} LacPolynomial;

/* Arithmetic of 32-bit matrix products: plain, or from values split into bfloat16 with six products (same accuracy)
 * or three (relative error 4e-6 of a product). Independent of the element type, LacType. */
typedef enum {
  LAC_PRECISION_PLAIN,
  LAC_PRECISION_BF16X6,
  LAC_PRECISION_BF16X3,
} LacPrecision;

/* Bytes of device memory, separate from the host's. */
typedef struct {
  uint64_t used;     /* allocated now */
  uint64_t reserved; /* reserved from the device: at least as much */
  uint64_t peak;     /* peak allocation since the last reset */
} LacMemoryUse;

/* The end of a kernel; the first stamp, without a kernel, is the begin. */
typedef struct {
  const char *kernel;    /* source text of its launch, beginning with its name; static */
  uint32_t    operation; /* that it belongs to */
  double
         occupancy; /* of the threads that the device has room for, as many as its launch fills at most; 0: unknown */
  double ms; /* since timing_new() returned */
} LacStamp;

/* Properties reported by a device; 0 and "" when unknown. Software versions are available without a device. */
typedef struct {
  char     name[256];
  uint64_t memory, memory_free; /* bytes: total, and free on the device */
  int      major, minor;        /* compute capability */
  int      multiprocessors;
  /* highest rates by the reported clocks: multiply-adds of the cores, without tensor cores, by LacType, and memory */
  double flops[2], bandwidth; /* operations and bytes per second */
  char   bus[32];             /* PCI address */
  /* CUDA versions, 1000 major + 10 minor: the toolkit of the module's build, the loaded runtime library, and the
   * newest one the driver supports, 0 without a driver. */
  int  toolkit, runtime, driver;
  char built_for[128]; /* compute capabilities the module was compiled for: "7.5 8.6" */
  int  has_kernels;    /* the module has kernels the device can run */
} LacDeviceFacts;

/* Table entries of the form LacStatus name(self, const Args *). */
#define LAC_BACKEND_KERNELS(K)      \
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
  K(product, LacProduct)            \
  K(rank_update, LacRankUpdate)     \
  K(adam, LacAdam)                  \
  K(fft_forward, LacFft)            \
  K(fft_inverse, LacFft)            \
  K(vorticity_derive, LacVorticity) \
  K(vorticity_advect, LacVorticity) \
  K(rk4_stage, LacRk4Stage)         \
  K(combine, LacCombine)            \
  K(correlate, LacCorrelate)        \
  K(polynomial, LacPolynomial)      \
  K(polynomial_reverse, LacPolynomial)

/* Parts of the table that only some laboratories need. */
typedef struct _LacDeviceElectrons LacDeviceElectrons; /* backend/electrons.h */
typedef struct LacPlaneLayers      LacPlaneLayers;     /* backend/plane-layers.h */
typedef struct LacWaveKernels      LacWaveKernels;     /* backend/waves.h */

typedef struct {
  uint32_t    abi;  /* LAC_BACKEND_ABI */
  const char *name; /* "cpu", "strict", "cuda" */
  const char
    *what; /* user-visible description in one sentence; for an unavailable backend, the reason */
  size_t
      tile_points; /* preferred number of points per tile for a 128-wide net; 0: the whole batch at once */
  int concurrent; /* kernels may be called from several threads */

  /* count() and facts(): any thread, with or without an open device; the first call may take a second. Devices are
   * numbered from 0, as for open(). facts() returns LAC_STATUS_NO_KERNEL when the device can run no kernel of the
   * module. Both NULL when memory is the host's. */
  int (*count)(void);
  LacStatus (*facts)(int device, LacDeviceFacts *facts);
  /* Returns (nullable): for this thread's last failure with @status, the failed call, and the name and message of the
   * device library's error. Each failure is reported once, except one that caused the loss of the device: the loss
   * affects the whole process, and the failure is reported every time. The entry is NULL for a backend without such a
   * library. */
  const char *(*failure)(LacStatus status);
  LacStatus (*open)(void **self, int device);
  void (*close)(void *self);
  LacStatus (*alloc)(void *self, size_t n_bytes, void **memory); /* 64-byte aligned, pre-faulted */
  void (*release)(void *self, void *memory);
  LacStatus (*upload)(void *self, void *device, const void *host, size_t n_bytes);
  LacStatus (*download)(void *self, void *host, const void *device, size_t n_bytes);
  LacStatus (*synchronise)(void *self);
  /* Any thread. NULL when memory is the host's. */
  void (*memory_use)(void *self, LacMemoryUse *use);
  void (*memory_reset_peak)(void *self);

  /* Sets the precision of subsequent linear and layer kernels. NULL: plain only. Must not be called while a step is
   * recorded. */
  LacStatus (*set_precision)(void *self, LacPrecision precision);
  /* Records a step once for replay: between begin and end, kernels are recorded with their arguments instead of run;
   * copying, allocating, freeing and waiting are forbidden. All NULL when recording brings no gain. */
  LacStatus (*record_begin)(void *self);
  LacStatus (*record_end)(void *self, void **recording); /* ends recording even on failure */
  LacStatus (*replay)(void *self, void *recording);
  void (*recording_free)(void *self, void *recording);
  /* Times of kernels by the device's clock. Between begin, which forgets earlier stamps, and end a stamp is taken after
   * every kernel; for a step that is recorded meanwhile, in each replay. operation: sets LacStamp.operation of the
   * kernels that follow. end: returns the stamps, owned by @timing, in order, without their times. read: the same with
   * them; none while they are in flight, for it never waits.
   * free: after the recordings that take stamps. All NULL without such a clock. */
  LacStatus (*timing_new)(void *self, void **timing);
  void (*timing_free)(void *self, void *timing);
  LacStatus (*timing_begin)(void *self, void *timing);
  void (*timing_operation)(void *self, uint32_t operation);
  LacStatus (*timing_end)(void *self, const LacStamp **stamps, size_t *n);
  LacStatus (*timing_read)(void *self, void *timing, const LacStamp **stamps, size_t *n);
  /* Asynchronous readback, which never blocks the computation; used through backend/readback.h. put: enqueues copies into
   * the staging buffer behind the kernels enqueued so far. send: transfers the copies. open: returns the host address of
   * the copies, or NULL while they are in flight unless @wait. A sent buffer must be opened, waiting, before the next put.
   * All NULL when memory is the host's. */
  LacStatus (*staging_new)(void *self, size_t n_bytes, void **staging);
  void (*staging_free)(void *self, void *staging);
  LacStatus (
    *staging_put)(void *self, void *staging, size_t at, const void *memory, size_t n_bytes);
  LacStatus (*staging_send)(void *self, void *staging);
  LacStatus (*staging_open)(void *self, void *staging, int wait, const void **host);

  /* Between begin and end a device may merge kernels that do little work on each of n_points points into one kernel:
   * only fill, strided, mul_jet and its reverse, executed in order. Both NULL when merging brings no gain. */
  LacStatus (*together_begin)(void *self, size_t n_points);
  LacStatus (*together_end)(void *self);

  /* kernels */
  LacStatus (*fill)(void *self, LacType type, void *y, double value, size_t n);
  LacStatus (*strided)(void *self, const LacStrided *args);
  LacStatus (*map_jet)(void *self, const LacMapJet *args);
  LacStatus (*map_jet_reverse)(void *self, const LacMapJet *args);
  LacStatus (*mul_jet)(void *self, const LacMulJet *args);
  LacStatus (*mul_jet_reverse)(void *self, const LacMulJet *args);
  LacStatus (*linear)(void *self, const LacLinear *args);
  LacStatus (*linear_reverse)(void *self, const LacLinear *args);
  size_t (*layer_pack_bytes)(void           *self,
                             const LacLayer *args); /* size of each of w_forward and w_reverse */
  LacStatus (*layer_pack)(void *self, const LacLayer *args, void *w_forward, void *w_reverse);
  size_t (*layer_work_bytes)(
    void           *self,
    const LacLayer *args); /* size of the scratch to reserve; 0: none is needed */
  /* Reports on the fused kernel for a layer's type, jet, n_points, n_in and n_out, forward or reverse; in reverse,
   * x_bar is written. The planner calls this and sets `fused`. NULL: no alternatives. */
  LacFusion (*layer_fusion)(void *self, const LacLayer *args, int reverse);
  LacStatus (*layer)(void *self, const LacLayer *args);
  LacStatus (*layer_reverse)(void *self, const LacLayer *args);
  LacStatus (*dot)(void *self, const LacDot *args);
  LacStatus (*matvec)(void *self, const LacMatvec *args);
  LacStatus (*product)(void *self, const LacProduct *args);
  LacStatus (*rank_update)(void *self, const LacRankUpdate *args);
  LacStatus (*adam)(void *self, const LacAdam *args);
  LacStatus (*fft_prepare)(
    void         *self,
    const LacFft *args); /* makes the plans; takes a lock; must not be called within a step */
  LacStatus (*fft_forward)(void *self, const LacFft *args);
  LacStatus (*fft_inverse)(void *self, const LacFft *args);
  LacStatus (*vorticity_derive)(void *self, const LacVorticity *args);
  LacStatus (*vorticity_advect)(void *self, const LacVorticity *args);
  LacStatus (*rk4_stage)(void *self, const LacRk4Stage *args);
  LacStatus (*combine)(void *self, const LacCombine *args);
  LacStatus (*correlate)(void *self, const LacCorrelate *args);
  LacStatus (*polynomial)(void *self, const LacPolynomial *args);
  LacStatus (*polynomial_reverse)(void *self, const LacPolynomial *args);

  /* Walkers of electrons (backend/electrons.h). NULL: not supported. */
  const LacDeviceElectrons *electrons;
  const LacPlaneLayers     *planes; /* NULL: not supported */
  const LacWaveKernels     *waves;
} LacBackend;

/* An opened backend: the table with its instance. */
typedef struct {
  const LacBackend     *table;
  void                 *self;
  int                   number; /* device number within the backend */
  struct _LacDeviceLog *log;    /* (nullable): backend/device-log.h */
} LacDevice;

#ifdef __cplusplus
}
#endif
