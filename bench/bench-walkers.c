/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cost of electron walkers on a device: values, local energies and moves as called by the laboratory, transfers
 * included, and local energies of device-resident walkers. Prints JSON. */
#include "backend/electrons.h"
#include "backend/registry.h"
#include "base/rng.h"
#include "bench/harness/program.h"
#include "experiment/quantum/wavefunction/wavefunction.h"

#define N_ROUNDS 7

enum { MOVES = 10, CALLS = 20 /* CALLS: calls issued before waiting */ };

typedef struct {
  const char *name;
  guint       n_up, n_down;
  LacAnsatz   ansatz;
} Case;

static const Case cases[] = {
  {"h2-64x8", 1, 1, {64, 8, 2, 2, TRUE, FALSE, FALSE}},
  {"lih-64x8", 2, 2, {64, 8, 2, 2, TRUE, FALSE, FALSE}},
  {"four-256x32", 2, 2, {256, 32, 4, 16, FALSE, FALSE, FALSE}},
};

typedef struct {
  const Case       *row;
  const char       *precision;
  gsize             n;
  LacDevice         device;
  LacMolecule      *molecule;
  LacWavefunction  *wavefunction;
  double           *theta, *positions, *log_abs, *gradient, *kinetic;
  gint8            *sign;
  guint32          *accepted;
  LacElectronShape  shape;
  double            nuclei[2][3];
  LacElectronBatch  batch; /* device-resident walkers */
  LacElectronAnswer answer;
  void             *memory[7];
  gsize             n_memory;
} Subject;

static void
must(LacStatus status)
{
  if (status != LAC_STATUS_OK)
    g_error("%s", lac_status_text(status));
}

static void *
take(Subject *s, gsize n_bytes)
{
  void **memory = &s->memory[s->n_memory++];

  must(s->device.table->alloc(s->device.self, MAX(n_bytes, 1), memory));
  return *memory;
}

static void *
send(Subject *s, const void *host, gsize n_bytes)
{
  void *memory = take(s, n_bytes);

  must(s->device.table->upload(s->device.self, memory, host, n_bytes));
  return memory;
}

/* Allocates and uploads walkers, parameters and results in device memory. */
static void
settle(Subject *s)
{
  const LacDeviceElectrons *kernels = s->device.table->electrons;
  const gsize               n_electrons = lac_molecule_get_n_electrons(s->molecule);

  for (guint a = 0; a < 2; a++)
    for (guint c = 0; c < 3; c++)
      s->nuclei[a][c] = s->molecule->nuclei[a].position[c];
  lac_electron_shape_init(&s->shape, s->molecule, &s->row->ansatz, (const double(*)[3]) s->nuclei);
  s->batch = (LacElectronBatch){
    .type = g_str_equal(s->precision, "f64") ? LAC_F64 : LAC_F32, .shape = &s->shape, .n = s->n};
  s->batch.nuclei = send(s, s->nuclei, sizeof s->nuclei);
  s->batch.theta = send(s, s->theta, s->shape.n_params * sizeof *s->theta);
  s->batch.weights = take(s, kernels->bytes(s->device.self, &s->batch, LAC_ELECTRON_WEIGHTS));
  s->batch.positions = send(s, s->positions, 3 * n_electrons * s->n * sizeof *s->positions);
  s->batch.work = take(s, kernels->bytes(s->device.self, &s->batch, LAC_ELECTRON_LOCAL));
  s->answer.log_abs = take(s, s->n * sizeof(double));
  s->answer.kinetic = take(s, s->n * sizeof(double));
  must(kernels->pack(s->device.self, &s->batch));
}

static void
subject_init(Subject *s)
{
  const Case      *row = s->row;
  const LacNucleus nuclei[] = {{row->n_up, {0, 0, -0.7}}, {row->n_down, {0, 0, 0.7}}};
  const gsize      n_electrons = row->n_up + row->n_down;
  LacRng           rng = lac_rng(1, 0);

  s->molecule = lac_molecule_new("M", 2, nuclei, row->n_up, row->n_down);
  s->wavefunction = lac_wavefunction_new(s->molecule, &row->ansatz, s->precision, NULL, NULL);
  s->theta = g_new(double, lac_wavefunction_get_n_params(s->wavefunction));
  s->positions = g_new(double, s->n *n_electrons * 3);
  s->log_abs = g_new(double, s->n);
  s->sign = g_new(gint8, s->n);
  s->gradient = g_new(double, s->n *n_electrons * 3);
  s->kinetic = g_new(double, s->n);
  s->accepted = g_new(guint32, s->n);
  lac_wavefunction_init(s->wavefunction, 1, s->theta);
  for (gsize i = 0; i < s->n * n_electrons * 3; i++)
    s->positions[i] = lac_rng_normal(&rng);
  settle(s);
}

static void
subject_clear(Subject *s)
{
  for (gsize i = 0; i < s->n_memory; i++)
    s->device.table->release(s->device.self, s->memory[i]);
  lac_wavefunction_free(s->wavefunction);
  lac_molecule_unref(s->molecule);
  g_free(s->theta);
  g_free(s->positions);
  g_free(s->log_abs);
  g_free(s->sign);
  g_free(s->gradient);
  g_free(s->kinetic);
  g_free(s->accepted);
}

static void
do_value(Subject *s)
{
  lac_wavefunction_value(s->wavefunction, s->theta, s->positions, s->n, s->log_abs, s->sign);
}

static void
do_local(Subject *s)
{
  const LacLocal out = {.log_abs = s->log_abs, .kinetic = s->kinetic};

  lac_wavefunction_local(s->wavefunction, s->theta, s->positions, s->n, &out);
}

static void
do_moves(Subject *s)
{
  lac_wavefunction_move(s->wavefunction, s->theta,
                        &(LacElectronMoves){.proposal = LAC_PROPOSAL_NORMAL,
                                            .n_moves = MOVES,
                                            .n_up = s->row->n_up,
                                            .width = 0.3,
                                            .seed = 1,
                                            .positions = s->positions,
                                            .log_abs = s->log_abs,
                                            .accepted = s->accepted},
                        s->n);
}

static void
do_resident(Subject *s)
{
  for (guint i = 0; i < CALLS; i++)
    must(s->device.table->electrons->local(s->device.self, &s->batch, &s->answer));
  must(s->device.table->synchronise(s->device.self));
}

static const struct {
  const char *name;
  void (*run)(Subject *subject);
  guint n_calls; /* calls of a run */
} operations[] = {
  {"value_call_time", do_value, 1},
  {"local_call_time", do_local, 1},
  {"ten_moves_call_time", do_moves, 1},
  {"local_time", do_resident, CALLS},
};

static gboolean
measure(Subject *s, GError **error)
{
  g_autofree char *name = g_strdup_printf("quantum/%s-%" G_GSIZE_FORMAT "-%s-%s", s->row->name,
                                          s->n, s->precision, s->device.table->name);

  subject_init(s);
  if (!lac_wavefunction_set_device(s->wavefunction, &s->device, error))
    return FALSE;
  for (gsize k = 0; k < G_N_ELEMENTS(operations); k++) {
    double ms[N_ROUNDS];

    operations[k].run(s);
    for (guint i = 0; i < N_ROUNDS; i++) {
      const double begin = lac_bench_wall_seconds();

      operations[k].run(s);
      ms[i] = 1e3 * (lac_bench_wall_seconds() - begin) / operations[k].n_calls;
    }
    bench_print(bench_row(name, operations[k].name, "ms", LAC_BENCH_TIME, 0), ms, N_ROUNDS);
  }
  if (!lac_wavefunction_check_device(s->wavefunction, error))
    return FALSE;
  subject_clear(s);
  return TRUE;
}

static gboolean
measure_all(const char *backend, const char *only, gsize n, GError **error)
{
  static const char *const precisions[] = {"f32", "f64"};
  LacDevice                device;

  if (!lac_device_open(&device, backend, error))
    return FALSE;
  if (!device.table->electrons) {
    g_set_error(
      error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
      "backend = %s has no kernels for walkers; bench-wavefunction measures the processor",
      device.table->name);
    lac_device_close(&device);
    return FALSE;
  }
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++)
    for (gsize p = 0; p < G_N_ELEMENTS(precisions); p++) {
      Subject subject = {.row = &cases[i], .precision = precisions[p], .n = n, .device = device};

      if ((!only || g_str_equal(only, cases[i].name)) && !measure(&subject, error))
        return FALSE;
    }
  lac_device_close(&device);
  return TRUE;
}

int
main(int argc, char **argv)
{
  int                walkers = 4096;
  g_autofree char   *backend = NULL, *only = NULL;
  const GOptionEntry entries[] = {
    {"backend", 0, 0, G_OPTION_ARG_STRING, &backend, "device (default: cuda)", "NAME"},
    {"case", 0, 0, G_OPTION_ARG_STRING, &only, "only this case", "NAME"},
    {"walkers", 0, 0, G_OPTION_ARG_INT, &walkers, "number of walkers", "N"},
    {NULL},
  };
  g_autoptr(GError) error = NULL;
  gboolean          right;

  bench_parse(entries, NULL, &argc, &argv);
  bench_begin(1, backend ? backend : "cuda");
  right = measure_all(backend ? backend : "cuda", only, (gsize) MAX(1, walkers), &error);
  if (!right)
    g_printerr("%s\n", error->message);
  return bench_end() || !right;
}
