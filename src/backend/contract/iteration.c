/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of an optimisation iteration by their definitions: also for walkers without an energy, and for steps that are
 * undone. All in double precision. */
#include "backend/contract/private.h"
#include "backend/electron-energy.h"
#include "backend/electron-moves.h"
#include "backend/electrons.h"

#include <math.h>
#include <string.h>

enum { N = 613, N_ELECTRONS = 3, N_NUCLEI = 2, N_PARAMS = 301, N_MEMORY = 77, N_BAD = 5 };

static const LacElectronShape shape = {.n_electrons = N_ELECTRONS,
                                       .n_nuclei = N_NUCLEI,
                                       .n_params = N_PARAMS};

static const LacDeviceElectrons *
kernels_of(const LacContract *contract)
{
  return contract->device.table->electrons;
}

static LacElectronBatch
new_batch(LacContract *contract)
{
  return (LacElectronBatch){.type = LAC_F64, .shape = &shape, .n = N};
}

static double *
send(LacContract *contract, const double *host, gsize n)
{
  return lac_contract_piece(contract, n * sizeof *host, host);
}

static void
fetch(LacContract *contract, const double *piece, gsize n, double *host)
{
  lac_contract_fetch_piece(contract, piece, n * sizeof *host, host);
}

static void
fill(LacContract *contract, gsize n, double *host)
{
  for (gsize i = 0; i < n; i++)
    host[i] = lac_contract_random(contract);
}

/* Fills energies, of which the first, the last and others have no value. */
static void
fill_energies(LacContract *contract, double *energies)
{
  fill(contract, N, energies);
  for (gsize i = 0; i < N_BAD; i++)
    energies[i * (N - 1) / (N_BAD - 1)] = i % 2 ? (double) INFINITY : (double) NAN;
  energies[7] = 40; /* beyond the bound */
  energies[8] = energies[9];
}

static void
run_adapt(LacContract *contract)
{
  const LacElectronBatch batch = new_batch(contract);
  guint32                accepted[N];
  double                 walk[LAC_N_WALK] = {0.3, 11}, reported[LAC_N_REPORTED] = {0}, all = 0;

  for (gsize b = 0; b < N; b++)
    all += accepted[b] = (guint32) (b % 6);
  const LacElectronAdapt args = {.accepted =
                                   lac_contract_piece(contract, sizeof accepted, accepted),
                                 .n_moves = 5,
                                 .target = 0.55,
                                 .gain = 0.1,
                                 .walk = send(contract, walk, LAC_N_WALK),
                                 .reported = send(contract, reported, LAC_N_REPORTED)};

  lac_contract_ok(contract, kernels_of(contract)->adapt(contract->device.self, &batch, &args));
  fetch(contract, args.walk, LAC_N_WALK, walk);
  fetch(contract, args.reported, LAC_N_REPORTED, reported);
  lac_contract_close(contract, reported[LAC_REPORTED_ACCEPTANCE], all / (5.0 * N), 1, 8);
  lac_contract_close(contract, walk[LAC_WALK_WIDTH],
                     lac_adapted_width(0.3, all / (5.0 * N), 0.55, 0.1), 1, 8);
  lac_contract_same(contract, reported[LAC_REPORTED_WIDTH], walk[LAC_WALK_WIDTH]);
  lac_contract_same(contract, walk[LAC_WALK_STEP], 16);
  lac_contract_clear(contract);
}

static void
run_energies(LacContract *contract)
{
  LacElectronBatch batch = new_batch(contract);
  double           kinetic[N], positions[N][N_ELECTRONS][3], found[N];
  const double     charges[N_NUCLEI] = {3, 1}, nuclei[N_NUCLEI][3] = {{0.2, 0, -1}, {0, 0.1, 1.5}};

  fill(contract, N, kinetic);
  fill(contract, sizeof positions / sizeof(double), &positions[0][0][0]);
  batch.nuclei = send(contract, &nuclei[0][0], 3 * N_NUCLEI);
  batch.positions = send(contract, &positions[0][0][0], 3 * N_ELECTRONS * N);
  const LacElectronEnergies args = {.kinetic = send(contract, kinetic, N),
                                    .charges = send(contract, charges, N_NUCLEI),
                                    .repulsion = 1.25,
                                    .energies = lac_contract_doubles(contract, N)};

  lac_contract_ok(contract, kernels_of(contract)->energies(contract->device.self, &batch, &args));
  fetch(contract, args.energies, N, found);
  for (gsize b = 0; b < N; b++) {
    double wanted = kinetic[b] + 1.25, scale = 0;

    for (gsize i = 0; i < N_ELECTRONS; i++) {
      for (gsize a = 0; a < N_NUCLEI; a++)
        wanted -= charges[a] / lac_between(positions[b][i], nuclei[a]);
      for (gsize j = 0; j < i; j++)
        wanted += 1 / lac_between(positions[b][i], positions[b][j]);
      scale += 8 / lac_between(positions[b][i], nuclei[0]);
    }
    lac_contract_close(contract, found[b], wanted, scale + fabs(wanted), 64);
  }
  lac_contract_clear(contract);
}

static int
compare_numbers(gconstpointer a, gconstpointer b)
{
  const double first = *(const double *) a, second = *(const double *) b;

  return (first > second) - (first < second);
}

typedef struct {
  double n, mean, variance, median, bound, centre;
} Statistics;

static Statistics
find_statistics(const double *energies, double width)
{
  Statistics found = {0};
  double     sorted[N], deviations = 0;
  gsize      n = 0;

  for (gsize b = 0; b < N; b++)
    if (isfinite(energies[b]))
      sorted[n++] = energies[b];
  if (n == 0)
    return (Statistics){.mean = NAN, .variance = NAN};
  qsort(sorted, n, sizeof *sorted, compare_numbers);
  found.n = (double) n;
  found.median = (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
  for (gsize i = 0; i < n; i++) {
    found.mean += sorted[i] / found.n;
    deviations += fabs(sorted[i] - found.median) / found.n;
  }
  found.bound = width * deviations;
  for (gsize i = 0; i < n; i++) {
    found.variance += pow(sorted[i] - found.mean, 2) / MAX(1, found.n - 1);
    found.centre += CLAMP(sorted[i] - found.median, -found.bound, found.bound) / found.n;
  }
  return found;
}

static void
check_clip(LacContract *contract, const double *energies)
{
  const LacElectronBatch batch = new_batch(contract);
  const Statistics       wanted = find_statistics(energies, 4);
  double                 clipped[N], reported[LAC_N_REPORTED];
  const LacElectronClip  args = {.energies = send(contract, energies, N),
                                 .width = 4,
                                 .sorted = lac_contract_doubles(contract, N),
                                 .clipped = lac_contract_doubles(contract, N),
                                 .reported = lac_contract_doubles(contract, LAC_N_REPORTED)};

  lac_contract_ok(contract, kernels_of(contract)->clip(contract->device.self, &batch, &args));
  fetch(contract, args.clipped, N, clipped);
  fetch(contract, args.reported, LAC_N_REPORTED, reported);
  lac_contract_same(contract, reported[LAC_REPORTED_N_GOOD], wanted.n);
  lac_contract_require(contract, isnan(reported[LAC_REPORTED_MEAN]) == isnan(wanted.mean));
  for (gsize b = 0; b < N; b++) {
    const double apart = CLAMP(energies[b] - wanted.median, -wanted.bound, wanted.bound);

    lac_contract_close(contract, clipped[b], isfinite(energies[b]) ? apart - wanted.centre : 0, 4,
                       64);
  }
  if (wanted.n > 0) {
    lac_contract_close(contract, reported[LAC_REPORTED_MEAN], wanted.mean, 4, 64);
    lac_contract_close(contract, reported[LAC_REPORTED_VARIANCE], wanted.variance, 40, 64);
  }
  lac_contract_clear(contract);
}

static void
run_clip(LacContract *contract)
{
  double energies[N];

  fill_energies(contract, energies);
  check_clip(contract, energies);
  energies[0] = energies[N - 1] = 0.25; /* another parity of their number */
  energies[(N - 1) / 2] = -0.5;
  check_clip(contract, energies);
  for (gsize b = 0; b < N; b++)
    energies[b] = NAN;
  check_clip(contract, energies);
}

static void
run_reseed(LacContract *contract)
{
  enum { WIDTH = 3 * N_ELECTRONS };
  const LacElectronBatch batch = new_batch(contract);
  double energies[N], positions[N][WIDTH], gradient[N][WIDTH], log_abs[N], found[N][WIDTH];
  double logs[N];

  fill_energies(contract, energies);
  energies[1] = NAN; /* beside another one */
  fill(contract, N * WIDTH, &positions[0][0]);
  fill(contract, N * WIDTH, &gradient[0][0]);
  fill(contract, N, log_abs);
  const LacElectronReseed args = {.energies = send(contract, energies, N),
                                  .positions = send(contract, &positions[0][0], N * WIDTH),
                                  .log_abs = send(contract, log_abs, N),
                                  .gradient = send(contract, &gradient[0][0], N * WIDTH)};

  lac_contract_ok(contract, kernels_of(contract)->reseed(contract->device.self, &batch, &args));
  fetch(contract, args.log_abs, N, logs);
  for (int which = 0; which < 2; which++) {
    fetch(contract, which ? args.gradient : args.positions, N * WIDTH, &found[0][0]);
    for (gsize b = 0; b < N; b++) {
      gsize from = b;

      while (!isfinite(energies[from]))
        from = (from + 1) % N;
      lac_contract_same(contract, logs[b], log_abs[from]);
      for (gsize q = 0; q < WIDTH; q++)
        lac_contract_same(contract, found[b][q], which ? gradient[from][q] : positions[from][q]);
    }
  }
  lac_contract_clear(contract);
}

static void
run_centre(LacContract *contract)
{
  const LacElectronBatch batch = new_batch(contract);
  double                 y[N], add[N], found[N], mean = 0;
  const double           factor = 0.75;

  for (int has_more = 0; has_more < 2; has_more++) {
    fill(contract, N, y);
    fill(contract, N, add);
    const LacElectronCentre args = {.scale = 0.5,
                                    .add = has_more ? send(contract, add, N) : NULL,
                                    .factor = has_more ? send(contract, &factor, 1) : NULL,
                                    .y = send(contract, y, N)};

    lac_contract_ok(contract, kernels_of(contract)->centre(contract->device.self, &batch, &args));
    fetch(contract, args.y, N, found);
    mean = 0;
    for (gsize b = 0; b < N; b++)
      mean += y[b] / N;
    for (gsize b = 0; b < N; b++)
      lac_contract_close(contract, found[b],
                         has_more ? 0.5 * (add[b] - factor * (y[b] - mean)) : 0.5 * (y[b] - mean),
                         1, 16);
    lac_contract_clear(contract);
  }
}

/* The parameters and the state of the optimiser, with their backups. */
typedef struct {
  double theta[N_PARAMS], before[N_PARAMS], sum[N_PARAMS], memory[N_MEMORY],
    memory_before[N_MEMORY];
} Kept;

/* @n_good: walkers with an energy. @info: of the solver; -1: there is none */
static void
check_kept(LacContract *contract, double n_good, double length, int info, gboolean summed)
{
  const LacElectronBatch batch = new_batch(contract);
  const gboolean         good = N - n_good <= N_BAD;
  const gboolean         right = good && isfinite(length) && info <= 0;
  const int              infos[2] = {0, MAX(info, 0)};
  double                 tunables[LAC_N_TUNABLES] = {[LAC_TUNABLE_SUMMED] = summed};
  double reported[LAC_N_REPORTED] = {[LAC_REPORTED_N_GOOD] = n_good, [LAC_REPORTED_RESTORED] = 2};
  Kept   kept, found;

  fill(contract, sizeof kept / sizeof(double), (double *) &kept);
  const LacElectronKept args = {
    .n_memory = N_MEMORY,
    .most_bad = N_BAD,
    .theta = send(contract, kept.theta, N_PARAMS),
    .theta_before = send(contract, kept.before, N_PARAMS),
    .theta_sum = send(contract, kept.sum, N_PARAMS),
    .memory = send(contract, kept.memory, N_MEMORY),
    .memory_before = send(contract, kept.memory_before, N_MEMORY),
    .length = send(contract, &length, 1),
    .tunables = send(contract, tunables, LAC_N_TUNABLES),
    .info = info < 0 ? NULL : lac_contract_piece(contract, sizeof infos, infos),
    .reported = send(contract, reported, LAC_N_REPORTED),
  };

  lac_contract_ok(contract, kernels_of(contract)->conclude(contract->device.self, &batch, &args));
  fetch(contract, args.theta, N_PARAMS, found.theta);
  fetch(contract, args.theta_sum, N_PARAMS, found.sum);
  fetch(contract, args.memory, N_MEMORY, found.memory);
  for (gsize p = 0; p < N_PARAMS; p++) {
    lac_contract_same(contract, found.theta[p], right ? kept.theta[p] : kept.before[p]);
    lac_contract_same(contract, found.sum[p], kept.sum[p] + (summed ? found.theta[p] : 0));
  }
  for (gsize m = 0; m < N_MEMORY; m++)
    lac_contract_same(contract, found.memory[m], right ? kept.memory[m] : kept.memory_before[m]);
  lac_contract_ok(contract, kernels_of(contract)->remember(contract->device.self, &batch, &args));
  fetch(contract, args.theta_before, N_PARAMS, found.before);
  fetch(contract, args.memory_before, N_MEMORY, found.memory_before);
  fetch(contract, args.reported, LAC_N_REPORTED, reported);
  lac_contract_same(contract, reported[LAC_REPORTED_RESTORED], right ? 0 : 3);
  for (gsize p = 0; p < N_PARAMS; p++)
    lac_contract_same(contract, found.before[p], good ? found.theta[p] : kept.before[p]);
  for (gsize m = 0; m < N_MEMORY; m++)
    lac_contract_same(contract, found.memory_before[m],
                      good ? found.memory[m] : kept.memory_before[m]);
  lac_contract_clear(contract);
}

static void
run_kept(LacContract *contract)
{
  check_kept(contract, N, 1, -1, FALSE);
  check_kept(contract, N - N_BAD, 1, 0, TRUE);
  check_kept(contract, N - N_BAD - 1, 1, 0, TRUE);
  check_kept(contract, N, NAN, 0, FALSE);
  check_kept(contract, N, 1, 1, TRUE);
}

static void
run_count(LacContract *contract)
{
  const LacElectronBatch batch = new_batch(contract);
  const double           tunables[LAC_N_TUNABLES] = {[LAC_TUNABLE_RATE] = 0.02};
  double                 updates = 6, numbers[3];
  const LacElectronCount args = {.beta1 = 0.9,
                                 .beta2 = 0.999,
                                 .tunables = send(contract, tunables, LAC_N_TUNABLES),
                                 .updates = send(contract, &updates, 1),
                                 .numbers = lac_contract_doubles(contract, 3)};

  lac_contract_ok(contract, kernels_of(contract)->count(contract->device.self, &batch, &args));
  fetch(contract, args.updates, 1, &updates);
  fetch(contract, args.numbers, 3, numbers);
  lac_contract_same(contract, updates, 7);
  lac_contract_same(contract, numbers[0], 0.02);
  lac_contract_close(contract, numbers[1], 1 / (1 - pow(0.9, 7)), 4, 16);
  lac_contract_close(contract, numbers[2], 1 / (1 - pow(0.999, 7)), 400, 64);
  lac_contract_clear(contract);
}

static void
run_descend(LacContract *contract)
{
  const LacElectronBatch batch = new_batch(contract);
  double                 step[N_PARAMS], theta[N_PARAMS], found[N_PARAMS], last[N_PARAMS];

  for (int is_long = 0; is_long < 2; is_long++) {
    const double length = is_long ? 900 : 4;
    const double tunables[LAC_N_TUNABLES] = {[LAC_TUNABLE_RATE] = 0.1, [LAC_TUNABLE_NORM] = 1};
    const double rate = is_long ? 0.1 / 3 : 0.1;

    fill(contract, N_PARAMS, step);
    fill(contract, N_PARAMS, theta);
    const LacElectronDescend args = {.step = send(contract, step, N_PARAMS),
                                     .length = send(contract, &length, 1),
                                     .tunables = send(contract, tunables, LAC_N_TUNABLES),
                                     .last = lac_contract_doubles(contract, N_PARAMS),
                                     .theta = send(contract, theta, N_PARAMS)};

    lac_contract_ok(contract, kernels_of(contract)->descend(contract->device.self, &batch, &args));
    fetch(contract, args.last, N_PARAMS, last);
    fetch(contract, args.theta, N_PARAMS, found);
    for (gsize p = 0; p < N_PARAMS; p++) {
      lac_contract_same(contract, last[p], step[p]);
      lac_contract_close(contract, found[p], theta[p] - rate * step[p], 1, 8);
    }
    lac_contract_clear(contract);
  }
}

enum { N_ROWS = 23, MEAN = 1000 };

/* P K P, with P removing the mean. */
static void
centre_product(double k[N_ROWS][N_ROWS])
{
  double means[N_ROWS] = {0}, all = 0;

  for (gsize b = 0; b < N_ROWS; b++)
    for (gsize c = 0; c < N_ROWS; c++) {
      means[b] += k[b][c] / N_ROWS;
      all += k[b][c] / (N_ROWS * N_ROWS);
    }
  for (gsize b = 0; b < N_ROWS; b++)
    for (gsize c = 0; c < N_ROWS; c++)
      k[b][c] += all - means[b] - means[c];
}

/* Products of rows whose mean is a thousand times their scatter: what is left of them without the mean has an error in
 * units of the scatter. */
static void
run_gram(LacContract *contract)
{
  const LacElectronBatch batch = {.type = contract->type, .shape = &shape, .n = N_ROWS};
  LacContractBuffer     *o = lac_contract_random_buffer(contract, N_ROWS * N_PARAMS, 1);
  const gsize            n_work =
    kernels_of(contract)->bytes(contract->device.self, &batch, LAC_ELECTRON_GRAM);
  double found[N_ROWS][N_ROWS], wanted[N_ROWS][N_ROWS] = {{0}};

  for (gsize i = 0; i < N_ROWS * N_PARAMS; i++)
    o->host[i] += MEAN * cos((double) (i % N_PARAMS));
  lac_contract_upload(contract, o);
  lac_contract_fetch(contract, o); /* as rounded */
  const LacElectronContraction args = {.o = o->device,
                                       .right = lac_contract_doubles(contract, N_ROWS * N_ROWS),
                                       .work = lac_contract_piece(contract, n_work, NULL)};

  lac_contract_ok(contract, kernels_of(contract)->gram(contract->device.self, &batch, &args));
  fetch(contract, args.right, N_ROWS * N_ROWS, &found[0][0]);
  for (gsize p = 0; p < N_PARAMS; p++) {
    const double first = o->host[p]; /* near the mean */

    for (gsize b = 0; b < N_ROWS; b++)
      for (gsize c = 0; c < N_ROWS; c++)
        wanted[b][c] += (o->host[b * N_PARAMS + p] - first) * (o->host[c * N_PARAMS + p] - first);
  }
  centre_product(found);
  centre_product(wanted);
  for (gsize b = 0; b < N_ROWS; b++)
    for (gsize c = 0; c < N_ROWS; c++)
      lac_contract_within(contract, found[b][c], wanted[b][c], 32 * contract->epsilon * N_PARAMS);
  lac_contract_clear(contract);
}

static gboolean
stores_rows(const LacBackend *table)
{
  return table->electrons != NULL && table->electrons->stores_rows;
}

static gboolean
is_known(const LacBackend *table)
{
  return table->electrons != NULL;
}

#define ROW(name, run)              \
  {                                 \
    name, run, is_known, NULL, TRUE \
  }

const LacContractRow lac_contract_iteration_rows[] = {
  ROW("electrons-adapt", run_adapt),
  ROW("electrons-energies", run_energies),
  ROW("electrons-clip", run_clip),
  ROW("electrons-reseed", run_reseed),
  ROW("electrons-centre", run_centre),
  ROW("electrons-remember-and-conclude", run_kept),
  ROW("electrons-count", run_count),
  ROW("electrons-descend", run_descend),
  {"electrons-gram-without-the-mean", run_gram, stores_rows},
  {NULL},
};
