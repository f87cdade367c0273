/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How parameters of psi are improved from one batch of walkers: the rows that the laboratory offers. Energies in hartree.
 * With O the derivatives of log|psi| by parameters, a row a walker, and e the energies that were clipped and centred,
 * the gradient is g = O^T e / B: half of the energy's derivative, against the Fisher matrix <o o^T>. */
#pragma once

#include "experiment/quantum/wavefunction/wavefunction.h"
#include "graph/optimiser/optimiser.h"
#include "perf/recorder/perf.h"

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  LacWavefunction *wave;
  gsize            n_walkers;
  gsize    at_once; /* walkers whose derivatives are held at once; 0: all. Of spring always all. */
  LacPool *pool;
  LacPerf *perf; /* (nullable) */
  LacLane *lane; /* of the compute thread; NULL without @perf */
} LacMethodSettings;

/* May differ from step to step. */
typedef struct {
  double rate;     /* eta */
  double damping;  /* lambda */
  double momentum; /* mu, of SPRING */
  double
    norm; /* C, what bounds the step: of SPRING |eta phi|^2, of KFAC its length in the Fisher metric */
  gint64        step;      /* of the run, for the record */
  const double *positions; /* of the walkers: [n_walkers][N][3] */
} LacMethodTunables;

typedef enum { LAC_UPDATE_ADAM, LAC_UPDATE_SPRING } LacUpdateKind;

/* How a device takes a step by itself; its memory is what save() writes: of SPRING the last step. */
typedef struct {
  LacUpdateKind kind;
  LacAdamPlaces places; /* of Adam, as what follows */
  double        beta1, beta2, epsilon;
} LacDeviceUpdate;

typedef struct {
  const char *name;  /* "spring" */
  const char *title; /* translatable */
  const char *source;
  gboolean
    needs_factors; /* Kronecker factors, which no device has: its derivatives stay on the processor */
  /* Returns: NULL with an error. */
  gpointer (*create)(const LacMethodSettings *settings, GError **error);
  void (*destroy)(gpointer self);
  /* Improves @theta in place. @energies: [n_walkers] clipped and centred, 0 for those that do not count. Does not allocate after the first call. Returns: FALSE: the step is no number, @theta is as
   * it was. */
  gboolean (*step)(gpointer                 self,
                   double                  *theta,
                   const double            *energies,
                   const LacMethodTunables *tunables);
  /* NULL: no device takes its steps by itself; so it is of KFAC, whose factors are decomposed block by block on the processor. */
  void (*describe)(gconstpointer self, LacDeviceUpdate *update);
  /* Its memory as one row of numbers. */
  gsize (*get_state_length)(gconstpointer self);
  void (*save)(gconstpointer self, double *state);
  void (*load)(gpointer self, const double *state);
} LacEnergyMethod;

/* The memory of a method that is one row of numbers: its first member, so that these three are the row's functions. */
typedef struct {
  double *numbers;
  gsize   n;
} LacMethodMemory;

gsize lac_method_memory_get_length(gconstpointer self);
void  lac_method_memory_save(gconstpointer self, double *state);
void  lac_method_memory_load(gpointer self, const double *state);

/* In the order they are offered. */
const LacEnergyMethod *const *lac_energy_methods(gsize *n_methods);

/* What adam and kfac share: the derivatives of some walkers, then of the next ones. */
typedef struct {
  gsize first, n; /* walkers of this part */
} LacWalkerPart;

/* The parts one after the other, from {0, 0} on; psi is taped at each. Returns: FALSE after the last one. */
gboolean lac_walker_part_next(LacWalkerPart           *part,
                              const LacMethodSettings *settings,
                              const double            *theta,
                              const LacMethodTunables *tunables);

G_END_DECLS
