/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A small run in its own folder, written by the production code. */
#pragma once

#include "io/runfile/run-file.h"

G_BEGIN_DECLS

#define FIXTURE_NX    24
#define FIXTURE_NY    16
#define FIXTURE_STEPS 30

typedef struct {
  char       *parent; /* temporary folder */
  LacRunFile *run;
  gboolean    has_velocity; /* input: adds u and v to the true field and the reconstruction */
  gboolean    flows_back;   /* input: reverses the velocity of the reconstruction */
} RunFixture;

/* @sensors: a setting of the run, so that two fixtures differ in it. */
void run_fixture_set_up(RunFixture *fixture, gint64 sensors);
void run_fixture_tear_down(RunFixture *fixture); /* removes the folder */

/* Return the true field and the reconstruction at the centre of cell (i, j). */
float run_fixture_truth(gsize i, gsize j);
float run_fixture_reconstruction(gsize i, gsize j);

/* Returns the true velocity, component 0 or 1; the reconstruction's is a tenth larger. */
float run_fixture_velocity(gsize component, gsize i, gsize j);

/* Runs an external program. Returns: (transfer full): its standard output; %NULL where it is not installed. */
char *run_tool(const char *const *words);

G_END_DECLS
