/* SPDX-License-Identifier: GPL-3.0-or-later */
/* POD: Gram matrix of the fluctuations, its eigenvectors, the modes as their combinations, made orthonormal. */
#include "sensor/pod.h"

#include "backend/dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

static void
subtract_mean(double *fluctuations, LacPod *pod, gsize n_snapshots)
{
  double squares = 0;

  for (gsize i = 0; i < n_snapshots; i++)
    for (gsize j = 0; j < pod->n; j++)
      pod->mean[j] += fluctuations[i * pod->n + j];
  for (gsize j = 0; j < pod->n; j++)
    pod->mean[j] /= (double) n_snapshots;
  for (gsize i = 0; i < n_snapshots; i++)
    for (gsize j = 0; j < pod->n; j++) {
      fluctuations[i * pod->n + j] -= pod->mean[j];
      squares += fluctuations[i * pod->n + j] * fluctuations[i * pod->n + j];
    }
  pod->rms = sqrt(squares / (double) (n_snapshots * pod->n));
}

/* The sign of an eigenvector is arbitrary; this makes it the same everywhere. */
static void
fix_sign(double *mode, gsize n)
{
  gsize largest = 0;

  for (gsize i = 1; i < n; i++)
    if (fabs(mode[i]) > fabs(mode[largest]))
      largest = i;
  if (mode[largest] < 0)
    for (gsize i = 0; i < n; i++)
      mode[i] = -mode[i];
}

static double
inner(const double *a, const double *b, gsize n)
{
  double sum = 0;

  for (gsize i = 0; i < n; i++)
    sum += a[i] * b[i];
  return sum;
}

/* The Gram matrix has the squares of the singular values: weak modes come out of it with a part of the strong ones. */
static void
orthonormalise(double *modes, gsize n_modes, gsize n)
{
  for (gsize r = 0; r < n_modes; r++) {
    double *mode = modes + r * n;
    double  length;

    for (int pass = 0; pass < 2; pass++)
      for (gsize s = 0; s < r; s++) {
        const double along = inner(mode, modes + s * n, n);

        for (gsize j = 0; j < n; j++)
          mode[j] -= along * modes[s * n + j];
      }
    length = sqrt(inner(mode, mode, n));
    for (gsize j = 0; j < n; j++)
      mode[j] /= length;
  }
}

static void
find_deviations(LacPod *pod, const double *fluctuations, gsize n_snapshots)
{
  for (gsize r = 0; r < pod->n_modes; r++) {
    double squares = 0;

    for (gsize i = 0; i < n_snapshots; i++) {
      const double a = inner(fluctuations + i * pod->n, pod->modes + r * pod->n, pod->n);

      squares += a * a;
    }
    pod->deviations[r] = sqrt(squares / (double) n_snapshots);
  }
}

/* Fluctuation energy of each number less what the modes carry of it. */
static void
find_truncation(LacPod *pod, const double *fluctuations, gsize n_snapshots)
{
  pod->truncation = g_new0(double, pod->n);
  for (gsize i = 0; i < n_snapshots; i++)
    for (gsize j = 0; j < pod->n; j++)
      pod->truncation[j] += fluctuations[i * pod->n + j] * fluctuations[i * pod->n + j];
  for (gsize j = 0; j < pod->n; j++) {
    double left = pod->truncation[j] / (double) n_snapshots;

    for (gsize r = 0; r < pod->n_modes; r++) {
      const double part = pod->modes[r * pod->n + j] * pod->deviations[r];

      left -= part * part;
    }
    pod->truncation[j] = sqrt(MAX(left, 0));
  }
}

LacPod *
lac_pod_new(const double *snapshots, gsize n_snapshots, gsize n, gsize n_modes)
{
  g_autoptr(LacPod)  pod = g_new0(LacPod, 1);
  g_autofree double *fluctuations = g_memdup2(snapshots, n_snapshots * n * sizeof *snapshots);
  g_autofree double *gram = g_new0(double, n_snapshots *n_snapshots);
  g_autofree double *values = g_new0(double, n_snapshots);

  pod->n = n;
  pod->mean = g_new0(double, n);
  subtract_mean(fluctuations, pod, n_snapshots);
  lac_dense_gemm(FALSE, TRUE, n_snapshots, n_snapshots, n, 1, fluctuations, n, fluctuations, n, 0,
                 gram, n_snapshots);
  if (!lac_dense_eigh(gram, n_snapshots, values))
    return NULL;
  n_modes = MIN(n_modes, n_snapshots - 1);
  while (pod->n_modes < n_modes && values[pod->n_modes] > values[0] * DBL_EPSILON)
    pod->n_modes++;
  pod->modes = g_new0(double, MAX(pod->n_modes, 1) * n);
  pod->deviations = g_new0(double, MAX(pod->n_modes, 1));
  lac_dense_gemm(FALSE, FALSE, pod->n_modes, n, n_snapshots, 1, gram, n_snapshots, fluctuations, n,
                 0, pod->modes, n);
  orthonormalise(pod->modes, pod->n_modes, n);
  find_deviations(pod, fluctuations, n_snapshots);
  for (gsize r = 0; r < pod->n_modes; r++)
    fix_sign(pod->modes + r * n, n);
  find_truncation(pod, fluctuations, n_snapshots);
  return g_steal_pointer(&pod);
}

void
lac_pod_free(LacPod *pod)
{
  if (!pod)
    return;
  g_free(pod->mean);
  g_free(pod->modes);
  g_free(pod->deviations);
  g_free(pod->truncation);
  g_free(pod);
}
