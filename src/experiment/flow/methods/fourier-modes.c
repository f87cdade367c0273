/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Energy per shell by Fourier transforms, then the waves themselves. */
#include "experiment/flow/methods/fourier-modes.h"

#include "backend/device-log.h"
#include "backend/registry.h"
#include "base/error.h"

#include <math.h>
#include <string.h>

#define LEAST 1e-6 /* deviation of a mode, relative to the largest */

/* A sine or cosine of one component: a field, or the velocity across (0) or along (1) the wave vector. */
typedef struct {
  double   deviation;
  int      kx, ky;
  guint    component;
  gboolean is_sine;
} Wave;

typedef struct {
  LacFourierModes settings;
  LacDevice       device;
  gsize           n_cells, n_half, n_shells;
  guint8         *memory;  /* of the device */
  double         *mean;    /* [n_fields][n_cells] */
  double         *planes;  /* [n_fields][n_cells] */
  double         *spectra; /* [n_fields][ny][n_half] complex */
  double         *energy;  /* [n_fields][n_shells]: mean square coefficient */
  gsize          *counts;  /* [n_shells]: wave vectors of the half plane */
} Shells;

static void
clear(Shells *shells)
{
  if (shells->memory)
    shells->device.table->release(shells->device.self, shells->memory);
  lac_device_close(&shells->device);
  g_free(shells->mean);
  g_free(shells->planes);
  g_free(shells->spectra);
  g_free(shells->energy);
  g_free(shells->counts);
}

/* Returns TRUE for one of each pair of opposite wave vectors that the 2/3 rule keeps. */
static gboolean
is_taken(const Shells *shells, int kx, int ky)
{
  const gsize nx = shells->settings.nx, ny = shells->settings.ny;

  return (kx > 0 || (kx == 0 && ky >= 0)) && 3 * (gsize) kx < nx &&
         3 * (gsize) ABS(ky) < MAX(3, ny);
}

static gsize
find_shell(const Shells *shells, int kx, int ky)
{
  const double *length = shells->settings.length;
  const double  most = shells->settings.ny > 1 ? fmax(length[0], length[1]) : length[0];
  const double  y = shells->settings.ny > 1 ? ky * most / length[1] : 0;

  return (gsize) lround(hypot(kx * most / length[0], y));
}

/* Returns the share of the fields 0 and 1 in the waves across and along (kx, ky), as cosine and sine of an angle. */
static void
find_direction(const Shells *shells, int kx, int ky, double *x, double *y)
{
  const double along_x = kx / shells->settings.length[0], along_y = ky / shells->settings.length[1];
  const double size = hypot(along_x, along_y);

  *x = size > 0 ? along_x / size : 1;
  *y = size > 0 ? along_y / size : 0;
}

static gboolean
is_free(const Shells *shells, gsize i)
{
  return !(shells->settings.fixed & 1u << i / shells->n_cells);
}

static void
find_mean(Shells *shells)
{
  const LacFourierModes *settings = &shells->settings;
  const gsize            n = settings->n_fields * shells->n_cells;

  for (gsize s = 0; s < settings->n_snapshots; s++)
    for (gsize i = 0; i < n; i++)
      if (is_free(shells, i))
        shells->mean[i] +=
          settings->snapshots[s * settings->stride + i] / (double) settings->n_snapshots;
}

static gboolean
transform(Shells *shells, gsize snapshot, GError **error)
{
  const LacFourierModes *settings = &shells->settings;
  const LacDevice        device = shells->device;
  const gsize            n = settings->n_fields * shells->n_cells;
  const gsize            n_spectrum = settings->n_fields * settings->ny * 2 * shells->n_half;
  const LacFft           args = {LAC_F64,        settings->nx,
                                 settings->ny,   settings->n_fields,
                                 shells->memory, shells->memory + n * sizeof(double)};

  for (gsize i = 0; i < n; i++)
    shells->planes[i] = is_free(shells, i)
                          ? settings->snapshots[snapshot * settings->stride + i] - shells->mean[i]
                          : 0;
  if (lac_device_upload(device, args.real, shells->planes, n * sizeof(double)) == LAC_STATUS_OK &&
      device.table->fft_forward(device.self, &args) == LAC_STATUS_OK &&
      lac_device_download(device, shells->spectra, args.spectrum, n_spectrum * sizeof(double)) ==
        LAC_STATUS_OK)
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_DEVICE, "the Fourier transform of a snapshot failed");
  return FALSE;
}

/* Adds the squares at one wave vector: those of both waves across, then both along, where there is a velocity. */
static void
add_energy(Shells *shells, int kx, int ky)
{
  const LacFourierModes *settings = &shells->settings;
  const gsize            row = (gsize) (ky < 0 ? ky + (int) settings->ny : ky);
  const gsize            plane = settings->ny * shells->n_half;
  const double          *at = shells->spectra + 2 * (row * shells->n_half + (gsize) kx);
  const gsize            shell = find_shell(shells, kx, ky);
  double                 x, y;

  find_direction(shells, kx, ky, &x, &y);
  for (guint f = 0; f < settings->n_fields; f++)
    for (guint part = 0; part < 2; part++) {
      double value = at[2 * f * plane + part];

      if (settings->has_velocity && f < 2)
        value = f == 0 ? -y * at[part] + x * at[2 * plane + part]
                       : x * at[part] + y * at[2 * plane + part];
      shells->energy[f * shells->n_shells + shell] +=
        value * value / (double) (shells->n_cells * settings->n_snapshots);
    }
}

/* Computes the mean square of a coefficient in every shell. */
static gboolean
find_energy(Shells *shells, GError **error)
{
  const int nx = (int) shells->settings.nx, ny = (int) shells->settings.ny;

  for (gsize s = 0; s < shells->settings.n_snapshots; s++) {
    if (!transform(shells, s, error))
      return FALSE;
    for (int kx = 0; kx <= nx / 3; kx++)
      for (int ky = -ny / 3; ky <= ny / 3; ky++)
        if (is_taken(shells, kx, ky)) {
          add_energy(shells, kx, ky);
          shells->counts[find_shell(shells, kx, ky)] += s == 0;
        }
  }
  for (guint f = 0; f < shells->settings.n_fields; f++)
    for (gsize i = 0; i < shells->n_shells; i++)
      shells->energy[f * shells->n_shells + i] /= (double) MAX(1, shells->counts[i]);
  return TRUE;
}

static gboolean
open_shells(Shells *shells, const LacFourierModes *settings, GError **error)
{
  const gsize n_cells = settings->nx * settings->ny, n_half = settings->nx / 2 + 1;
  const gsize n = settings->n_fields * n_cells,
              n_spectrum = settings->n_fields * settings->ny * 2 * n_half;
  LacFft plan = {LAC_F64, settings->nx, settings->ny, settings->n_fields, NULL, NULL};

  *shells = (Shells){.settings = *settings, .n_cells = n_cells, .n_half = n_half};
  shells->n_shells = find_shell(shells, (int) settings->nx / 2, (int) settings->ny / 2) + 1;
  if (!lac_device_open(&shells->device, "cpu", error))
    return FALSE;
  shells->mean = g_new0(double, n);
  shells->planes = g_new0(double, n);
  shells->spectra = g_new0(double, n_spectrum);
  shells->energy = g_new0(double, settings->n_fields * shells->n_shells);
  shells->counts = g_new0(gsize, shells->n_shells);
  if (shells->device.table->alloc(shells->device.self, (n + n_spectrum) * sizeof(double),
                                  (void **) &shells->memory) == LAC_STATUS_OK) {
    plan.real = shells->memory;
    plan.spectrum = shells->memory + n * sizeof(double);
    if (shells->device.table->fft_prepare(shells->device.self, &plan) == LAC_STATUS_OK)
      return TRUE;
  }
  g_set_error(error, LAC_ERROR, LAC_ERROR_DEVICE,
              "the Fourier transform of %zu × %zu points "
              "cannot be planned",
              settings->nx, settings->ny);
  return FALSE;
}

/* ---- modes ---- */

static int
compare_waves(gconstpointer a, gconstpointer b)
{
  const Wave *one = a, *other = b;

  if (one->deviation != other->deviation)
    return one->deviation > other->deviation ? -1 : 1;
  for (guint i = 0; i < 3; i++) {
    const int apart =
      i == 0 ? one->kx * one->kx + one->ky * one->ky - other->kx * other->kx - other->ky * other->ky
      : i == 1 ? one->kx - other->kx
               : one->ky - other->ky;
    if (apart != 0)
      return apart;
  }
  return one->component != other->component ? (one->component < other->component ? -1 : 1)
                                            : one->is_sine - other->is_sine;
}

/* Returns: the waves by falling deviation. */
static GArray *
list_waves(const Shells *shells)
{
  const int nx = (int) shells->settings.nx, ny = (int) shells->settings.ny;
  GArray   *waves = g_array_new(FALSE, FALSE, sizeof(Wave));

  for (guint f = 0; f < shells->settings.n_fields; f++)
    for (int kx = 0; kx <= nx / 3; kx++)
      for (int ky = -ny / 3; ky <= ny / 3; ky++)
        for (int is_sine = 0; is_sine < (kx == 0 && ky == 0 ? 1 : 2); is_sine++) {
          const gsize shell = find_shell(shells, kx, ky);
          const Wave  wave = {sqrt(shells->energy[f * shells->n_shells + shell]), kx, ky, f,
                              is_sine};

          if (is_taken(shells, kx, ky))
            g_array_append_val(waves, wave);
        }
  g_array_sort(waves, compare_waves);
  return waves;
}

static gsize
count_waves(const GArray *waves, gsize wanted)
{
  const Wave *all = (const Wave *) (gconstpointer) waves->data;
  gsize       n = 0;

  while (n < waves->len && (wanted == 0 || n < wanted) &&
         all[n].deviation > LEAST * all[0].deviation)
    n++;
  return n;
}

static void
draw_wave(const Shells *shells, const Wave *wave, double *mode)
{
  const LacFourierModes *settings = &shells->settings;
  const gsize            nx = settings->nx, ny = settings->ny;
  const gboolean         is_constant = wave->kx == 0 && wave->ky == 0;
  const double           size = sqrt((is_constant ? 1 : 2) / (double) shells->n_cells);
  double                 shares[2] = {0}, x, y;

  find_direction(shells, wave->kx, wave->ky, &x, &y);
  if (settings->has_velocity && wave->component < 2)
    memcpy(shares, wave->component == 0 ? (double[]){-y, x} : (double[]){x, y}, sizeof shares);
  for (guint f = 0; f < settings->n_fields; f++) {
    const double part = settings->has_velocity && wave->component < 2 ? (f < 2 ? shares[f] : 0)
                                                                      : f == wave->component;

    for (gsize j = 0; j < ny && part != 0; j++)
      for (gsize i = 0; i < nx; i++) {
        const double phase =
          2 * G_PI * (wave->kx * (double) i / (double) nx + wave->ky * (double) j / (double) ny);

        mode[f * shells->n_cells + j * nx + i] =
          part * size * (wave->is_sine ? sin(phase) : cos(phase));
      }
  }
}

static LacPod *
make_modes(Shells *shells, GError **error)
{
  g_autoptr(GArray) waves = list_waves(shells);
  const gsize       n = shells->settings.n_fields * shells->n_cells;
  LacPod           *pod;
  double            squares = 0;

  if (waves->len == 0 || !(g_array_index(waves, Wave, 0).deviation > 0)) {
    g_set_error(
      error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
      "the training interval has no fluctuation from which to estimate the initial state; "
      "use more snapshots");
    return NULL;
  }
  pod = g_new0(LacPod, 1);
  pod->n = n;
  pod->n_modes = count_waves(waves, shells->settings.n_modes);
  pod->mean = g_steal_pointer(&shells->mean);
  pod->modes = g_new0(double, pod->n_modes *n);
  pod->deviations = g_new(double, pod->n_modes);
  for (gsize m = 0; m < pod->n_modes; m++) {
    const Wave *wave = &g_array_index(waves, Wave, m);

    pod->deviations[m] = wave->deviation;
    squares += wave->deviation * wave->deviation;
    draw_wave(shells, wave, pod->modes + m * n);
  }
  pod->rms = sqrt(squares / (double) n);
  return pod;
}

LacPod *
lac_fourier_modes_new(const LacFourierModes *settings, GError **error)
{
  Shells  shells;
  LacPod *pod = NULL;

  g_return_val_if_fail(!settings->has_velocity || (settings->n_fields >= 2 && settings->ny > 1),
                       NULL);
  if (open_shells(&shells, settings, error)) {
    find_mean(&shells);
    if (find_energy(&shells, error))
      pod = make_modes(&shells, error);
  }
  clear(&shells);
  return pod;
}

/* ---- modes of a case ---- */

gboolean
lac_fourier_modes_apply(const LacCase *subject)
{
  for (guint axis = lac_case_first_axis(subject); axis < subject->pde->n_axes; axis++)
    if (!subject->periodic[axis])
      return FALSE;
  return TRUE;
}

LacPod *
lac_fourier_modes_new_for(const LacCase  *subject,
                          const LacTruth *grid,
                          guint           fixed,
                          gsize           n_modes,
                          GError        **error)
{
  const LacSolver      *solver = subject->solver;
  const LacFourierModes settings = {
    .snapshots = grid->training,
    .n_snapshots = grid->n_training,
    .stride = lac_truth_get_length(grid),
    .nx = grid->nx,
    .ny = grid->ny,
    .n_fields = solver->n_fields,
    .fixed = fixed,
    .length = {subject->model.length[0], subject->model.length[1]},
    .has_velocity = grid->ny > 1 && solver->n_fields >= 2 && !(fixed & 3) &&
                    g_str_equal(solver->fields[0], "u") && g_str_equal(solver->fields[1], "v"),
    .n_modes = n_modes,
  };

  return lac_fourier_modes_new(&settings, error);
}

void
lac_fourier_modes_draw(const LacPod *pod, LacRng *rng, double *state)
{
  memcpy(state, pod->mean, pod->n * sizeof *state);
  for (gsize m = 0; m < pod->n_modes; m++) {
    const double share = pod->deviations[m] * lac_rng_normal(rng);

    for (gsize i = 0; i < pod->n; i++)
      state[i] += share * pod->modes[m * pod->n + i];
  }
}
