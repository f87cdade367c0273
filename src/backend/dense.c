/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Dense linear algebra: CBLAS, and LAPACK through the Fortran symbols exported by OpenBLAS. */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "backend/dense.h"

#include "base/error.h"
#include "base/memory-room.h"

#include <cblas.h>

#include <float.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>

/* One OpenBLAS work buffer: 32 << 22 bytes on x86-64 and arm64 (BUFFER_SIZE in its common_*.h), and some pages. */
#define BUFFER_BYTES ((gsize) 130 << 20)

/* Debian's serial OpenBLAS shares its scratch memory between callers, so calls are serialised. */
static GMutex library;
static gint   has_buffer; /* atomic */

extern char *openblas_get_corename(void);
extern char *openblas_get_config(void);

/* LAPACK, column-major. The length of a character argument follows the arguments. */
void dsyevd_(const char *jobz,
             const char *uplo,
             const int  *n,
             double     *a,
             const int  *lda,
             double     *w,
             double     *work,
             const int  *lwork,
             int        *iwork,
             const int  *liwork,
             int        *info,
             size_t      jobz_length,
             size_t      uplo_length);
void
dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info, size_t uplo_length);
void dgeqp3_(const int *m,
             const int *n,
             double    *a,
             const int *lda,
             int       *jpvt,
             double    *tau,
             double    *work,
             const int *lwork,
             int       *info);
void dgelsd_(const int    *m,
             const int    *n,
             const int    *nrhs,
             double       *a,
             const int    *lda,
             double       *b,
             const int    *ldb,
             double       *s,
             const double *rcond,
             int          *rank,
             double       *work,
             const int    *lwork,
             int          *iwork,
             int          *info);

void dgeqrf_(const int *m,
             const int *n,
             double    *a,
             const int *lda,
             double    *tau,
             double    *work,
             const int *lwork,
             int       *info);
void dorgqr_(const int    *m,
             const int    *n,
             const int    *k,
             double       *a,
             const int    *lda,
             const double *tau,
             double       *work,
             const int    *lwork,
             int          *info);

static gboolean
is_granted(gsize bytes)
{
  void *try = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  if (try == MAP_FAILED)
    return FALSE;
  munmap(try, bytes);
  return TRUE;
}

/* Makes OpenBLAS allocate its buffer, which it retains: up to version 0.3.29 it retries forever when the system
 * refuses. Serialised calls need only one. Call with the lock held. */
static gboolean
take_buffer(GError **error)
{
  enum { N = 128 }; /* above the kernels for small products, which need no buffer */

  if (g_atomic_int_get(&has_buffer))
    return TRUE;
  if (!lac_memory_room_check(BUFFER_BYTES, "linear algebra (OpenBLAS)", NULL, error))
    return FALSE;
  if (!is_granted(BUFFER_BYTES)) {
    g_set_error(
      error, LAC_ERROR, LAC_ERROR_FAILED,
      "linear algebra (OpenBLAS) needs %d MiB of memory, which the system refuses to allocate: "
      "close other programs, or allow more memory to be committed (vm.overcommit_memory)",
      (int) (BUFFER_BYTES >> 20));
    return FALSE;
  }
  g_autofree double *zeros = g_new0(double, 2 * N * N);
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, N, N, N, 1, zeros, N, zeros, N, 0,
              zeros + N * N, N);
  g_atomic_int_set(&has_buffer, 1);
  return TRUE;
}

gboolean
lac_dense_reserve(GError **error)
{
  if (g_atomic_int_get(&has_buffer))
    return TRUE;
  g_mutex_lock(&library);
  const gboolean done = take_buffer(error);
  g_mutex_unlock(&library);
  return done;
}

gsize
lac_dense_get_unreserved(void)
{
  return g_atomic_int_get(&has_buffer) ? 0 : BUFFER_BYTES;
}

/* Without a reservation, failure ends the program as in g_malloc(). */
static void
enter_library(void)
{
  g_autoptr(GError) error = NULL;

  g_mutex_lock(&library);
  if (!take_buffer(&error))
    g_error("%s", error->message);
}

/* For C[m][n] = A B in OpenBLAS's kernels for small products: with AVX-512 they allocate heap memory for the one to
 * four columns beyond blocks of eight, unless k is small. Returns: the number of such columns. */
static gsize
count_columns_apart(gsize m, gsize n, gsize k)
{
  const gsize    rest = n % 8;
  const gboolean is_small = (double) m * (double) n * (double) k <= 1e6;

  return is_small && k >= 16 && rest <= 4 ? rest : 0;
}

void
lac_dense_gemm(gboolean      transpose_a,
               gboolean      transpose_b,
               gsize         m,
               gsize         n,
               gsize         k,
               double        alpha,
               const double *a,
               gsize         lda,
               const double *b,
               gsize         ldb,
               double        beta,
               double       *c,
               gsize         ldc)
{
  const gsize n_apart = transpose_a || transpose_b ? 0 : count_columns_apart(m, n, k);
  const gsize together = n - n_apart;

  if (m == 0 || n == 0)
    return;
  enter_library();
  if (together)
    cblas_dgemm(CblasRowMajor, transpose_a ? CblasTrans : CblasNoTrans,
                transpose_b ? CblasTrans : CblasNoTrans, (int) m, (int) together, (int) k, alpha, a,
                (int) lda, b, (int) ldb, beta, c, (int) ldc);
  for (gsize j = together; j < n; j++) {
    /* 0 * NaN is NaN: clears the old content */
    for (gsize i = 0; i < m && beta == 0; i++)
      c[i * ldc + j] = 0;
    cblas_dgemv(CblasRowMajor, CblasNoTrans, (int) m, (int) k, alpha, a, (int) lda, b + j,
                (int) ldb, beta, c + j, (int) ldc);
  }
  g_mutex_unlock(&library);
}

/* [m, n] to [n, m], rows of `to` ld apart */
static void
transpose(const double *from, gsize m, gsize n, double *to, gsize ld)
{
  for (gsize i = 0; i < m; i++)
    for (gsize j = 0; j < n; j++)
      to[j * ld + i] = from[i * n + j];
}

static void
swap_rows(double *a, double *b, gsize n)
{
  for (gsize i = 0; i < n; i++) {
    double t = a[i];
    a[i] = b[i];
    b[i] = t;
  }
}

static void
orient(double *v, gsize n)
{
  gsize largest = 0;

  for (gsize i = 1; i < n; i++)
    if (fabs(v[i]) > fabs(v[largest]))
      largest = i;
  if (v[largest] < 0)
    for (gsize i = 0; i < n; i++)
      v[i] = -v[i];
}

gboolean
lac_dense_eigh_within(double *a, gsize n, double *values, double *work)
{
  const int size = (int) n;
  const int n_work = (int) (1 + 6 * n + 2 * n * n), n_integers = (int) (3 + 5 * n);
  int       info;

  g_return_val_if_fail(n > 0, TRUE);
  enter_library();
  dsyevd_("V", "U", &size, a, &size, values, work, &n_work, (int *) (work + n_work), &n_integers,
          &info, 1, 1);
  g_mutex_unlock(&library);
  if (info != 0)
    return FALSE;
  for (gsize i = 0, j = n - 1; i < j; i++, j--) {
    swap_rows(a + i * n, a + j * n, n);
    swap_rows(values + i, values + j, 1);
  }
  for (gsize i = 0; i < n; i++)
    orient(a + i * n, n);
  return TRUE;
}

gboolean
lac_dense_eigh(double *a, gsize n, double *values)
{
  g_autofree double *work = g_new(double, LAC_DENSE_EIGH_WORK(n));

  return lac_dense_eigh_within(a, n, values, work);
}

/* In place: may be called within a step. The column-major upper triangle is the row-major lower one. */
gboolean
lac_dense_cholesky_solve(double *a, gsize n, double *b, gsize n_right)
{
  const int size = (int) n, n_columns = (int) n_right;
  int       info;

  if (n == 0 || n_right == 0)
    return TRUE;
  enter_library();
  dpotrf_("U", &size, a, &size, &info, 1);
  if (info == 0) {
    cblas_dtrsm(CblasRowMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, size, n_columns,
                1, a, size, b, n_columns);
    cblas_dtrsm(CblasRowMajor, CblasLeft, CblasLower, CblasTrans, CblasNonUnit, size, n_columns, 1,
                a, size, b, n_columns);
  }
  g_mutex_unlock(&library);
  return info == 0;
}

gboolean
lac_dense_qr_pivots(double *a, gsize m, gsize n, gsize *pivots, gsize k)
{
  const int          n_rows = (int) m, n_columns = (int) n;
  int                n_work = -1, info;
  double             work_wanted;
  g_autofree double *columns = g_new(double, m *n);
  g_autofree double *tau = g_new(double, MAX(MIN(m, n), 1));
  g_autofree int    *order = g_new0(int, n);
  g_autofree double *work = NULL;

  g_return_val_if_fail(k <= n, FALSE);
  transpose(a, m, n, columns, m);
  dgeqp3_(&n_rows, &n_columns, columns, &n_rows, order, tau, &work_wanted, &n_work, &info);
  n_work = (int) work_wanted;
  work = g_new(double, n_work);
  enter_library();
  dgeqp3_(&n_rows, &n_columns, columns, &n_rows, order, tau, work, &n_work, &info);
  g_mutex_unlock(&library);
  for (gsize i = 0; i < k; i++)
    pivots[i] = (gsize) order[i] - 1;
  return info == 0;
}

gboolean
lac_dense_least_squares(double *a, gsize m, gsize n, double *b, gsize n_right)
{
  const int    n_rows = (int) m, n_columns = (int) n, n_rights = (int) n_right;
  const int    n_longest = (int) MAX(m, n);
  const double rcond = n_longest * DBL_EPSILON; /* singular values below are treated as zero */
  int          n_work = -1, integers_wanted, rank, info;
  double       work_wanted;
  g_autofree double *columns = g_new(double, m *n);
  g_autofree double *right = g_new(double, (gsize) n_longest *n_right);
  g_autofree double *singular = g_new(double, MAX(MIN(m, n), 1));
  g_autofree double *work = NULL;
  g_autofree int    *integers = NULL;

  transpose(a, m, n, columns, m);
  transpose(b, (gsize) n_longest, n_right, right, (gsize) n_longest);
  dgelsd_(&n_rows, &n_columns, &n_rights, columns, &n_rows, right, &n_longest, singular, &rcond,
          &rank, &work_wanted, &n_work, &integers_wanted, &info);
  n_work = (int) work_wanted;
  work = g_new(double, n_work);
  integers = g_new(int, MAX(integers_wanted, 1));
  enter_library();
  dgelsd_(&n_rows, &n_columns, &n_rights, columns, &n_rows, right, &n_longest, singular, &rcond,
          &rank, work, &n_work, integers, &info);
  g_mutex_unlock(&library);
  if (info != 0)
    return FALSE;
  transpose(right, n_right, (gsize) n_longest, b, n_right);
  return TRUE;
}

/* Row-major rows are column-major columns. */
gboolean
lac_dense_orthonormal_rows(double *a, gsize n_rows, gsize n_columns, double *work)
{
  const int m = (int) n_columns, n = (int) n_rows;
  const int n_work = (LAC_DENSE_ORTHONORMAL_WORK - 1) * n;
  double   *tau = work + (gsize) n_work;
  int       info;

  g_return_val_if_fail(n_rows > 0 && n_rows <= n_columns, FALSE);
  enter_library();
  dgeqrf_(&m, &n, a, &m, tau, work, &n_work, &info);
  if (info == 0)
    dorgqr_(&m, &n, &n, a, &m, tau, work, &n_work, &info);
  g_mutex_unlock(&library);
  return info == 0;
}

const char *
lac_dense_library(void)
{
  static gsize once = 0;
  static char *text = NULL;

  if (g_once_init_enter(&once)) {
    g_auto(GStrv) words = g_strsplit(openblas_get_config(), " ", 3); /* "OpenBLAS 0.3.21 ..." */
    text = g_strdup_printf("%s %s %s", words[0], words[0] && words[1] ? words[1] : "",
                           openblas_get_corename());
    g_once_init_leave(&once, 1);
  }
  return text;
}
