/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A flow for tests: a solver with its device and pool, and velocity fields with known results. */
#pragma once

#include "solver/spectral/vorticity.h"

typedef struct {
  LacDevice           device;
  LacPool            *pool;
  LacVorticitySolver *solver;
  gsize               n, n_members;
} Flow;

typedef struct {
  const char *backend;
  guint       n_threads;
  LacType     type;
  gsize       n, n_members, forcing;
  double      viscosity, drag, time_step;
  gsize       n_together; /* as in LacVorticitySettings */
  gboolean    own_viscosities;
} FlowSettings;

/* settings.backend: "cuda-emulated", too. */
void flow_init(Flow *flow, const FlowSettings *settings);
void flow_clear(Flow *flow);

/* Returns the number of values of one member's velocity: [2][n][n]. */
gsize flow_get_length(const Flow *flow);

void flow_randomise(Flow *flow, guint64 seed, double rms);
void flow_set(Flow *flow, const double *velocity);
void flow_get(Flow *flow, double *velocity);
void flow_curl(const Flow *flow, const double *velocity, double *vorticity);
void flow_advance(Flow *flow, gsize n_steps);

/* Return means over the square. */
double flow_mean_product(const double *a, const double *b, gsize n);
