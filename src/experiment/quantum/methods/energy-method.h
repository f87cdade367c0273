/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interface of the methods that improve the parameters of psi from one batch of B walkers. Energies in hartree. O
 * holds the derivatives of log |psi| with respect to the parameters, one row o per walker; e holds the clipped and
 * centred energies. The gradient is g = O^T e / B: half of the energy's derivative, which matches the Fisher matrix
 * <o o^T>. */
#pragma once

#include "base/packing.h"
#include "experiment/quantum/wavefunction/wavefunction.h"
#include "graph/optimiser/optimiser.h"

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  LacWavefunction *wave;
  gsize            n_walkers;
  gsize
           at_once; /* number of walkers whose derivatives are held in memory at once; 0: all. SPRING always holds all. */
  LacPool *pool;
} LacMethodSettings;

/* Parameters that may change from step to step. */
typedef struct {
  double rate;     /* eta */
  double damping;  /* lambda */
  double momentum; /* mu, SPRING only */
  double
    norm; /* C, bound on the step size: |eta phi|^2 for SPRING, length in the Fisher metric for KFAC */
  gint64 step; /* step of the run, for recording */
} LacMethodTunables;

typedef enum {
  LAC_UPDATE_HOST, /* the method's step(), in host memory */
  LAC_UPDATE_ADAM,
  LAC_UPDATE_SPRING,
} LacUpdateKind;

/* Description of the step for an iteration (methods/iteration.h), which holds the method's state in device memory in the
 * layout of pack(); the state of SPRING is its previous step. */
typedef struct {
  LacUpdateKind kind;
  LacAdamPlaces places; /* this and the members below: Adam only */
  double        beta1, beta2, epsilon;
} LacUpdate;

/* One batch of walkers, in host memory. */
typedef struct {
  const double *positions; /* [n_walkers][N][3] */
  const double *energies;  /* [n_walkers]: clipped and centred; 0 for excluded walkers */
} LacMethodBatch;

typedef struct {
  const char *name;  /* "spring" */
  const char *title; /* translatable */
  const char *source;
  gboolean
    needs_factors; /* needs Kronecker factors, which no device computes: derivatives stay on the CPU */
  /* Returns: NULL with an error. */
  gpointer (*create)(const LacMethodSettings *settings, GError **error);
  void (*destroy)(gpointer self);
  /* Describes the step. */
  void (*describe)(gconstpointer self, LacUpdate *update);
  /* (nullable), of LAC_UPDATE_HOST: improves @theta in place. Allocates only in the first call. Returns: FALSE if the step
   * is not finite; @theta is then unchanged. */
  gboolean (*step)(gpointer                 self,
                   double                  *theta,
                   const LacMethodBatch    *batch,
                   const LacMethodTunables *tunables);
  LacPackingFunc pack; /* of the complete state */
} LacEnergyMethod;

/* State of a method as one array of doubles. lac_method_memory_pack() packs a method whose struct begins with this
 * one. */
typedef struct {
  double *numbers;
  gsize   n;
} LacMethodMemory;

void lac_method_memory_pack(gpointer self, LacPacking *packing);

/* Returns the methods in the order in which they are offered. */
const LacEnergyMethod *const *lac_energy_methods(gsize *n_methods);

G_END_DECLS
