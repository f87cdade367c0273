/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interface of the methods that improve the parameters of psi from one batch of walkers. Energies in hartree. With O
 * the derivatives of log|psi| by parameters, one row per walker, and e the clipped and centred energies, the gradient
 * is g = O^T e / B: half of the energy's derivative, matching the Fisher matrix <o o^T>. */
#pragma once

#include "experiment/quantum/wavefunction/wavefunction.h"
#include "graph/optimiser/optimiser.h"
#include "perf/recorder/perf.h"

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  LacWavefunction *wave;
  gsize            n_walkers;
  gsize at_once; /* walkers whose derivatives are held at once; 0: all. spring always holds all. */
  LacPool *pool;
  LacPerf *perf; /* (nullable) */
  LacLane *lane; /* lane of the compute thread; NULL without @perf */
} LacMethodSettings;

/* May change from step to step. */
typedef struct {
  double rate;     /* eta */
  double damping;  /* lambda */
  double momentum; /* mu, SPRING only */
  double
    norm; /* C, bound of the step: |eta phi|^2 for SPRING, length in the Fisher metric for KFAC */
  gint64        step;      /* of the run, for recording */
  const double *positions; /* of the walkers: [n_walkers][N][3] */
} LacMethodTunables;

typedef enum { LAC_UPDATE_ADAM, LAC_UPDATE_SPRING } LacUpdateKind;

/* Description of the step for a device; its memory has the layout of save(): for SPRING the last step. */
typedef struct {
  LacUpdateKind kind;
  LacAdamPlaces places; /* for Adam, like the members below */
  double        beta1, beta2, epsilon;
} LacDeviceUpdate;

typedef struct {
  const char *name;  /* "spring" */
  const char *title; /* translatable */
  const char *source;
  gboolean
    needs_factors; /* needs Kronecker factors, which no device has: derivatives stay on the CPU */
  /* Returns: NULL with an error. */
  gpointer (*create)(const LacMethodSettings *settings, GError **error);
  void (*destroy)(gpointer self);
  /* Improves @theta in place. @energies: [n_walkers] clipped and centred, 0 for walkers that do not count. Allocates
   * only in the first call. Returns: FALSE: the step is not finite and @theta is unchanged. */
  gboolean (*step)(gpointer                 self,
                   double                  *theta,
                   const double            *energies,
                   const LacMethodTunables *tunables);
  /* (nullable): NULL: no device step. KFAC has none because its factors are decomposed block by block on the CPU. */
  void (*describe)(gconstpointer self, LacDeviceUpdate *update);
  /* Saves and loads the method's state as one array of doubles. */
  gsize (*get_state_length)(gconstpointer self);
  void (*save)(gconstpointer self, double *state);
  void (*load)(gpointer self, const double *state);
} LacEnergyMethod;

/* State of a method as one array of doubles; as the method's first member, its three functions below implement the
 * interface. */
typedef struct {
  double *numbers;
  gsize   n;
} LacMethodMemory;

gsize lac_method_memory_get_length(gconstpointer self);
void  lac_method_memory_save(gconstpointer self, double *state);
void  lac_method_memory_load(gpointer self, const double *state);

/* Returns the methods in the order in which they are offered. */
const LacEnergyMethod *const *lac_energy_methods(gsize *n_methods);

/* Iteration over walkers in parts that fit in memory, shared by adam and kfac. */
typedef struct {
  gsize first, n; /* walkers of this part */
} LacWalkerPart;

/* Advances to the next part, starting from {0, 0}; tapes psi for it. Returns: FALSE after the last part. */
gboolean lac_walker_part_next(LacWalkerPart           *part,
                              const LacMethodSettings *settings,
                              const double            *theta,
                              const LacMethodTunables *tunables);

G_END_DECLS
