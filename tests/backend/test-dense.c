/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Dense linear algebra against the defining property of each result. */
#include "backend/dense.h"
#include "base/error.h"
#include "helpers/counting-malloc.h"
#include "helpers/sanitized.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* Reproducible values in [-1, 1): the fractional parts of multiples of an irrational. */
static void
fill(double *a, gsize n, guint seed)
{
  for (gsize i = 0; i < n; i++) {
    double t = ((double) i + 1) * 0.6180339887498949 * (1 + seed) + seed * 0.37;
    a[i] = 2 * (t - floor(t)) - 1;
    a[i] *= 1 + 0.1 * sin((double) (i * i + seed));
  }
}

static double
entry(const double *a, gboolean transpose, gsize ld, gsize i, gsize j)
{
  return transpose ? a[j * ld + i] : a[i * ld + j];
}

static void
gemm_is_the_triple_sum(void)
{
  enum { M = 7, N = 5, K = 11, LD = 13 };
  double a[LD * LD], b[LD * LD], c[LD * LD], before[LD * LD];

  fill(a, LD * LD, 1);
  fill(b, LD * LD, 2);
  for (int ta = 0; ta < 2; ta++)
    for (int tb = 0; tb < 2; tb++) {
      fill(c, LD * LD, 3);
      memcpy(before, c, sizeof c);
      lac_dense_gemm(ta, tb, M, N, K, 0.5, a, LD, b, LD, -2, c, LD);
      for (gsize i = 0; i < LD; i++)
        for (gsize j = 0; j < LD; j++) {
          double expected = before[i * LD + j];
          if (i < M && j < N) {
            expected *= -2;
            for (gsize k = 0; k < K; k++)
              expected += 0.5 * entry(a, ta, LD, i, k) * entry(b, tb, LD, k, j);
          }
          /* eleven products of absolute value below 2 */
          g_assert_cmpfloat_with_epsilon(c[i * LD + j], expected, 1e-14);
        }
    }
}

static void
eigenvectors_diagonalise_and_are_orthonormal(void)
{
  enum { N = 20 };
  double a[N * N], v[N * N], values[N];

  fill(a, N * N, 4);
  for (gsize i = 0; i < N; i++)
    for (gsize j = 0; j < i; j++)
      a[i * N + j] = a[j * N + i];
  memcpy(v, a, sizeof v);
  g_assert_true(lac_dense_eigh(v, N, values));
  for (gsize k = 0; k < N; k++) {
    double largest = 0;
    if (k)
      g_assert_cmpfloat(values[k], <=, values[k - 1]);
    for (gsize i = 0; i < N; i++) {
      double av = 0;
      for (gsize j = 0; j < N; j++)
        av += a[i * N + j] * v[k * N + j];
      g_assert_cmpfloat_with_epsilon(av, values[k] * v[k * N + i], 1e-13); /* |a| < 20 */
      if (fabs(v[k * N + i]) > fabs(largest))
        largest = v[k * N + i];
    }
    g_assert_cmpfloat(largest, >, 0);
    for (gsize other = 0; other < N; other++) {
      double dot = 0;
      for (gsize i = 0; i < N; i++)
        dot += v[k * N + i] * v[other * N + i];
      g_assert_cmpfloat_with_epsilon(dot, k == other, 1e-14);
    }
  }
}

static void
cholesky_solves_and_refuses_indefinite(void)
{
  enum { N = 9, R = 3 };
  double root[N * N], a[N * N], copy[N * N], b[N * R], x[N * R];

  fill(root, N * N, 5);
  lac_dense_gemm(FALSE, TRUE, N, N, N, 1, root, N, root, N, 0, a, N);
  for (gsize i = 0; i < N; i++)
    a[i * N + i] += 1;
  memcpy(copy, a, sizeof a);
  fill(b, N * R, 6);
  memcpy(x, b, sizeof b);
  g_assert_true(lac_dense_cholesky_solve(copy, N, x, R));
  for (gsize i = 0; i < N; i++)
    for (gsize r = 0; r < R; r++) {
      double ax = 0;
      for (gsize j = 0; j < N; j++)
        ax += a[i * N + j] * x[j * R + r];
      g_assert_cmpfloat_with_epsilon(ax, b[i * R + r], 1e-13);
    }
  a[0] = -1;
  g_assert_false(lac_dense_cholesky_solve(a, N, x, R));
}

/* Orthogonal columns of falling norm are their own pivots. */
static void
pivots_come_in_order_of_what_is_left(void)
{
  double a[4 * 3] = {0, 0, 3, 0, 5, 0, 1, 0, 0, 0, 0, 0};
  gsize  pivots[3];

  g_assert_true(lac_dense_qr_pivots(a, 4, 3, pivots, 3));
  g_assert_cmpuint(pivots[0], ==, 1);
  g_assert_cmpuint(pivots[1], ==, 2);
  g_assert_cmpuint(pivots[2], ==, 0);
}

/* At the least-squares solution the residual is orthogonal to every column. */
static void
least_squares_leave_an_orthogonal_residual(void)
{
  enum { M = 12, N = 4, R = 2 };
  double a[M * N], copy[M * N], b[M * R], x[M * R];

  fill(a, M * N, 7);
  fill(b, M * R, 8);
  memcpy(copy, a, sizeof a);
  memcpy(x, b, sizeof b);
  g_assert_true(lac_dense_least_squares(copy, M, N, x, R));
  for (gsize r = 0; r < R; r++)
    for (gsize j = 0; j < N; j++) {
      double dot = 0;
      for (gsize i = 0; i < M; i++) {
        double residual = b[i * R + r];
        for (gsize k = 0; k < N; k++)
          residual -= a[i * N + k] * x[k * R + r];
        dot += a[i * N + j] * residual;
      }
      g_assert_cmpfloat_with_epsilon(dot, 0, 1e-13);
    }
}

/* Two equal columns share the coefficient equally: the minimum-norm solution. */
static void
least_squares_choose_the_shortest_solution(void)
{
  double a[3 * 2] = {1, 1, 2, 2, 3, 3};
  double b[3] = {2, 4, 6};

  g_assert_true(lac_dense_least_squares(a, 3, 2, b, 1));
  g_assert_cmpfloat_with_epsilon(b[0], 1, 1e-14);
  g_assert_cmpfloat_with_epsilon(b[1], 1, 1e-14);
}

static gpointer
multiply_often(gpointer data)
{
  enum { M = 200, N = 20 };
  g_autofree double *a = g_new(double, M *N), *b = g_new(double, N *N), *c = g_new(double, M *N);
  g_autofree double *first = g_new(double, M *N);

  fill(a, M * N, 9);
  fill(b, N * N, 10);
  lac_dense_gemm(FALSE, FALSE, M, N, N, 1, a, N, b, N, 0, first, N);
  for (int turn = 0; turn < 500; turn++) {
    lac_dense_gemm(FALSE, FALSE, M, N, N, 1, a, N, b, N, 0, c, N);
    g_assert_cmpmem(c, M * N * sizeof(double), first, M * N * sizeof(double));
  }
  return NULL;
}

static void
threads_may_call_at_once(void)
{
  GThread *threads[3];

  for (gsize i = 0; i < G_N_ELEMENTS(threads); i++)
    threads[i] = g_thread_new("multiply", multiply_often, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS(threads); i++)
    g_thread_join(threads[i]);
}

/* The rows are orthonormal, and row k is a combination of the first k original rows: the products with later ones
 * vanish once every row is reduced by its projections. */
static void
orthonormal_rows_span_what_was_there(void)
{
  enum { M = 9, N = 14 };
  double a[M * N], q[M * N], work[LAC_DENSE_ORTHONORMAL_WORK * M];

  fill(a, M * N, 11);
  memcpy(q, a, sizeof a);
  g_assert_true(lac_dense_orthonormal_rows(q, M, N, work));
  for (gsize i = 0; i < M; i++) {
    double left[N];

    memcpy(left, a + i * N, sizeof left);
    for (gsize j = 0; j < M; j++) {
      double product = 0, share = 0;

      for (gsize k = 0; k < N; k++) {
        product += q[i * N + k] * q[j * N + k];
        share += a[i * N + k] * q[j * N + k];
      }
      g_assert_cmpfloat_with_epsilon(product, i == j, 1e-14);
      for (gsize k = 0; k < N && j <= i; k++)
        left[k] -= share * q[j * N + k];
    }
    for (gsize k = 0; k < N; k++)
      g_assert_cmpfloat_with_epsilon(left[k], 0, 1e-13);
  }
}

static void
library_says_its_name_and_core(void)
{
  const char *library = lac_dense_library();

  g_assert_true(g_str_has_prefix(library, "OpenBLAS "));
  g_assert_cmpuint(strlen(library), >, strlen("OpenBLAS 0.0.0 "));
}

/* For every remainder of the library's column blocks; C holds NaN, which a beta of 0 does not read. */
static void
small_products_allocate_nothing(void)
{
  enum { M = 13, K = 40, MOST = 24 };
  double a[M * K], b[K * MOST], c[M * MOST];

  for (gsize i = 0; i < M * K; i++)
    a[i] = sin(0.7 * (double) i);
  for (gsize i = 0; i < K * MOST; i++)
    b[i] = cos(1.3 * (double) i);
  for (gsize n = 1; n <= MOST; n++) {
    guint before;

    for (gsize i = 0; i < M * MOST; i++)
      c[i] = (double) NAN;
    lac_dense_gemm(FALSE, FALSE, M, n, K, 2, a, K, b, MOST, 0, c, MOST);
    before = count_allocations();
    lac_dense_gemm(FALSE, FALSE, M, n, K, 1, a, K, b, MOST, -1, c, MOST); /* A B - 2 A B */
    g_assert_cmpuint(count_allocations() - before, ==, 0);
    for (gsize i = 0; i < M; i++)
      for (gsize j = 0; j < MOST; j++) {
        double sum = 0;

        for (gsize l = 0; l < K; l++)
          sum += a[i * K + l] * b[l * MOST + j];
        if (j < n)
          g_assert_cmpfloat_with_epsilon(c[i * MOST + j], -sum, 1e-13 * K);
        else
          g_assert_true(isnan(c[i * MOST + j]));
      }
  }
}

/* ---- memory ---- */

/* Limits this process to @bytes more than it uses. Returns: the previous limit. */
static struct rlimit
allow_more(rlim_t bytes)
{
  g_autofree char *text = NULL;
  struct rlimit    before, tight;

  g_assert_true(g_file_get_contents("/proc/self/statm", &text, NULL, NULL));
  g_assert_cmpint(getrlimit(RLIMIT_AS, &before), ==, 0);
  tight = before;
  tight.rlim_cur = strtoull(text, NULL, 10) * (rlim_t) sysconf(_SC_PAGESIZE) + bytes;
  g_assert_cmpint(setrlimit(RLIMIT_AS, &tight), ==, 0);
  return before;
}

/* Calls every function this program uses, with sizes above the kernels for small matrices. */
static void
call_everything(void)
{
  enum { N = 160 };
  static double a[N * N], b[N * N], c[N * N], values[N], work[LAC_DENSE_ORTHONORMAL_WORK * N];
  gsize         pivots[N];

  fill(a, N * N, 1);
  fill(b, N * N, 2);
  lac_dense_gemm(FALSE, TRUE, N, N, N, 1, a, N, a, N, 0, c, N);
  for (gsize i = 0; i < N; i++)
    c[i * N + i] += N;
  g_assert_true(lac_dense_cholesky_solve(c, N, b, N));
  g_assert_true(lac_dense_least_squares(memcpy(c, a, sizeof a), N, N, b, 3));
  g_assert_true(lac_dense_qr_pivots(memcpy(c, a, sizeof a), N, N, pivots, N));
  g_assert_true(lac_dense_orthonormal_rows(memcpy(c, a, sizeof a), N, N, work));
  for (gsize i = 0; i < N; i++)
    for (gsize j = 0; j < i; j++)
      a[i * N + j] = a[j * N + i];
  g_assert_true(lac_dense_eigh(a, N, values));
}

/* Without its buffer the library would retry forever: SIGALRM ends that. */
static void
memory_is_reserved_or_refused_with_numbers(void)
{
  g_autoptr(GError) error = NULL;

  if (TEST_IS_SANITIZED) {
    g_test_skip("a sanitizer needs the address space");
    return;
  }
  if (!g_test_subprocess()) { /* in this process the library already has its buffer */
    g_test_trap_subprocess(NULL, 60 * G_USEC_PER_SEC, G_TEST_SUBPROCESS_DEFAULT);
    g_test_trap_assert_passed();
    return;
  }
  alarm(50);
  struct rlimit before = allow_more(100 << 20);
  g_assert_false(lac_dense_reserve(&error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_FAILED);
  g_assert_nonnull(strstr(error->message, "OpenBLAS"));
  g_assert_nonnull(strstr(error->message, "(ulimit -v "));
  g_assert_cmpuint(lac_dense_get_unreserved(), >, 100 << 20);
  g_assert_cmpint(setrlimit(RLIMIT_AS, &before), ==, 0);
  g_clear_error(&error);

  g_assert_true(lac_dense_reserve(&error));
  g_assert_cmpuint(lac_dense_get_unreserved(), ==, 0);
  allow_more(30 << 20); /* for the work arrays, not for a second buffer */
  call_everything();
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/backend/dense/gemm-is-the-triple-sum", gemm_is_the_triple_sum);
  g_test_add_func("/backend/dense/memory-is-reserved-or-refused-with-numbers",
                  memory_is_reserved_or_refused_with_numbers);
  g_test_add_func("/backend/dense/small-products-allocate-nothing",
                  small_products_allocate_nothing);
  g_test_add_func("/backend/dense/eigenvectors-diagonalise-and-are-orthonormal",
                  eigenvectors_diagonalise_and_are_orthonormal);
  g_test_add_func("/backend/dense/cholesky-solves-and-refuses-indefinite",
                  cholesky_solves_and_refuses_indefinite);
  g_test_add_func("/backend/dense/pivots-come-in-order-of-what-is-left",
                  pivots_come_in_order_of_what_is_left);
  g_test_add_func("/backend/dense/least-squares-leave-an-orthogonal-residual",
                  least_squares_leave_an_orthogonal_residual);
  g_test_add_func("/backend/dense/least-squares-choose-the-shortest-solution",
                  least_squares_choose_the_shortest_solution);
  g_test_add_func("/backend/dense/orthonormal-rows-span-what-was-there",
                  orthonormal_rows_span_what_was_there);
  g_test_add_func("/backend/dense/threads-may-call-at-once", threads_may_call_at_once);
  g_test_add_func("/backend/dense/library-says-its-name-and-core", library_says_its_name_and_core);
  return g_test_run();
}
