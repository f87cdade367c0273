/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parameter rows shared by several scenes. The scene gives the default and a member of its parameter struct; the
 * member's name is the key. */
#pragma once

#include "base/param.h"

/* clang-format off */
#define LAC_SCENE_EVEN_GRID_ROW(Params, fallback) \
  {LAC_FIELD(Params, grid), LAC_PARAM_INTEGER, "1", 16, 512, fallback, N_("Grid points per side"), N_("Scene"), N_("Even number; small prime factors are fastest")}
#define LAC_SCENE_SPIN_UP_ROW(Params, unit, most, fallback) \
  {LAC_FIELD(Params, spin_up), LAC_PARAM_REAL, unit, 0, most, fallback, N_("Spin-up"), N_("Scene"), N_("Spin-up time before the first snapshot"), LAC_PARAM_ADVANCED}
/* Training snapshots of a simulated trajectory, see LacSimulation.n_of_the_same. */
#define LAC_SCENE_TRAINING_ROW(Params, fallback) \
  {LAC_FIELD(Params, training), LAC_PARAM_INTEGER, "1", 10, 5000, fallback, N_("Training snapshots"), N_("Scene"), N_("Snapshots of the same trajectory before the observed part"), LAC_PARAM_ADVANCED}
#define LAC_SCENE_INTERVAL_ROW(Params, least, fallback) \
  {LAC_FIELD(Params, interval), LAC_PARAM_REAL, "s", least, 10, fallback, N_("Time between observations"), N_("Sensors"), N_("A multiple of the time step")}
/* Number of observations from the start; @field: LAC_FIELD() of the member. */
#define LAC_SCENE_TIMES_ROW(field, most, fallback) \
  {field, LAC_PARAM_INTEGER, "1", 2, most, fallback, N_("Observations"), N_("Sensors"), N_("Number of observation times, the initial time included")}
/* Number of snapshots in one trajectory: the first part is for training, the rest is observed. */
#define LAC_SCENE_SNAPSHOTS_ROW(Params, fallback, flags) \
  {LAC_FIELD(Params, snapshots), LAC_PARAM_INTEGER, "1", 10, 5000, fallback, N_("Snapshots"), N_("Scene"), N_("The first 60 % train the modes; the rest is observed and never trained on"), flags}
#define LAC_SCENE_OBSERVATIONS_ROW(Params, fallback) \
  {LAC_FIELD(Params, observations), LAC_PARAM_INTEGER, "1", 1, 2000, fallback, N_("Observations"), N_("Sensors"), N_("Number of observation times, at most two fifths of the snapshots")}
/* Rows for an unknown coefficient of a flow and for its initial guess; the parameter struct has NAME_unknown and
 * NAME_guess. */
#define LAC_SCENE_UNKNOWN_ROW(Params, name, label, fallback) \
  {LAC_FIELD(Params, name##_unknown), LAC_PARAM_SWITCH, "1", 0, 1, fallback, label, N_("Unknowns"), N_("Estimated together with the flow")}
#define LAC_SCENE_GUESS_ROW(Params, name, fallback) \
  {LAC_FIELD(Params, name##_guess), LAC_PARAM_REAL, "1", 0.01, 100, fallback, N_("Initial guess"), N_("Unknowns"), N_("Relative to the true value"), LAC_PARAM_ADVANCED}
/* Initial guess within a factor of ten; @help names the coefficient. */
#define LAC_SCENE_NEAR_GUESS_ROW(Params, name, help, fallback) \
  {LAC_FIELD(Params, name##_guess), LAC_PARAM_REAL, "1", 0.1, 10, fallback, N_("Initial guess"), N_("Unknowns"), help}
/* clang-format on */
