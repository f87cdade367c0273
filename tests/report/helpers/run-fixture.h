/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A small run in a folder of its own, made by the same code that writes real ones. */
#pragma once

#include "io/runfile/run-file.h"

G_BEGIN_DECLS

#define FIXTURE_NX    24
#define FIXTURE_NY    16
#define FIXTURE_STEPS 30

typedef struct {
  char       *parent; /* temporary */
  LacRunFile *run;
  gboolean has_velocity; /* to be set before: u and v of the truth and of the reconstruction too */
  gboolean flows_back;   /* likewise: those of the reconstruction are reversed */
} RunFixture;

/* @sensors: a setting of the run, so that two fixtures differ in it. */
void run_fixture_set_up(RunFixture *fixture, gint64 sensors);
void run_fixture_tear_down(RunFixture *fixture); /* removes the folder */

/* The truth and the reconstruction at the centre of cell (i, j). */
float run_fixture_truth(gsize i, gsize j);
float run_fixture_reconstruction(gsize i, gsize j);

/* Of the truth, component 0 or 1; the reconstruction has the tenth part of it more. */
float run_fixture_velocity(gsize component, gsize i, gsize j);

/* Runs a program of the system. Returns: (transfer full): its standard output; %NULL where it is not installed. */
char *run_tool(const char *const *words);

G_END_DECLS
