/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What scenes share whose truth is a solution in closed form: rows, grid, conditions, and the truth itself. The training part is a
 * family: the same solution with one coefficient smaller or larger, never with its own value. */
#pragma once

#include "experiment/flow/scene.h"

G_BEGIN_DECLS

/* Which conditions an engine is told. */
typedef enum { LAC_GIVEN_ALL, LAC_GIVEN_NONE, LAC_GIVEN_BOUNDARY } LacGiven;

/* A member called "exact" of a scene's parameter struct. */
typedef struct {
  gint64 grid, times, family, given;
  double duration;
} LacExactParams;

/* NULL-terminated, as LacGiven; a steady scene has the first two. */
extern const char *const lac_exact_given[], *const lac_exact_given_steady[];

/* clang-format off */
#define LAC_EXACT_MEMBER(Params, member) #member, G_STRUCT_OFFSET(Params, exact.member)
#define LAC_EXACT_GRID_ROW(Params, fallback) \
  {LAC_EXACT_MEMBER(Params, grid), LAC_PARAM_INTEGER, "1", 8, 512, fallback, N_("Grid points a side"), N_("Scene"), N_("Where the truth is known and sensors may stand; of the longer side")}
#define LAC_EXACT_FAMILY_ROW(Params, fallback) \
  {LAC_EXACT_MEMBER(Params, family), LAC_PARAM_INTEGER, "1", 0, 64, fallback, N_("Family that trains"), N_("Scene"), N_("Solutions with other coefficients, from half to twice the true one: what modes and places are learnt from"), LAC_PARAM_ADVANCED}
#define LAC_EXACT_TIMES_ROW(Params, fallback) \
  {LAC_EXACT_MEMBER(Params, times), LAC_PARAM_INTEGER, "1", 2, 2000, fallback, N_("Observations"), N_("Sensors"), N_("Times at which the sensors are read, the first at the beginning")}
#define LAC_EXACT_DURATION_ROW(Params, most, fallback) \
  {LAC_EXACT_MEMBER(Params, duration), LAC_PARAM_REAL, "1", 0.01, most, fallback, N_("Duration"), N_("Scene"), N_("Time from the beginning to the last observation")}
#define LAC_EXACT_GIVEN_ROW(Params, fallback) \
  {LAC_EXACT_MEMBER(Params, given), LAC_PARAM_CHOICE, "1", 0, 0, fallback, N_("Known conditions"), N_("Scene"), N_("What a network is told beside the sensors: all, the values at the boundary, none"), .choices = lac_exact_given}
#define LAC_EXACT_GIVEN_STEADY_ROW(Params, fallback) \
  {LAC_EXACT_MEMBER(Params, given), LAC_PARAM_CHOICE, "1", 0, 0, fallback, N_("Known conditions"), N_("Scene"), N_("What a network is told beside the sensors: the values at the boundary, or none"), .choices = lac_exact_given_steady}
/* Of a coefficient; the parameter struct has NAME_unknown and NAME_guess. */
#define LAC_EXACT_UNKNOWN_ROWS(Params, name, label, fallback) \
  {LAC_FIELD(Params, name##_unknown), LAC_PARAM_SWITCH, "1", 0, 1, 1, label, N_("Unknowns"), N_("The engines find it together with the field")}, \
  {LAC_FIELD(Params, name##_guess), LAC_PARAM_REAL, "1", 0.01, 100, fallback, N_("First guess"), N_("Unknowns"), N_("As a multiple of the true one"), LAC_PARAM_ADVANCED}
/* clang-format on */

/* The solution at one place; @x: [n_axes], @values: [n_fields] */
typedef void (*LacSolution)(const LacCase *subject, const double *x, double *values);

typedef struct {
  LacSolution solution;
  guint       n_fields;                          /* of the truth: the first of the equation */
  guint       family_coefficient;                /* which one the family varies */
  guint       given_fields;                      /* bit i: conditions give field i */
  gboolean    has_hard_start, has_hard_boundary; /* LacCase.hard holds them */
  /* the conditions there are; NULL: there is none */
  void (*sample_start)(const LacCase *subject, LacRng *rng, double *x, double *values);
  void (*sample_boundary)(const LacCase *subject, LacRng *rng, double *x, double *values);
} LacExactScene;

/* Fills what follows from @scene and @params, after equation, axes and coefficients: n_points, n_times, the conditions that
 * are given. */
void
lac_exact_configure(const LacExactScene *scene, const LacExactParams *params, LacCase *subject);

/* The solver that moves a periodic or walled case on its own grid, @steps_between steps from observation to observation; its
 * parameters are the coefficients that the table @coefficients names. */
void lac_exact_set_solver(LacCase              *subject,
                          const LacExactParams *params,
                          const char           *name,
                          gsize                 steps_between,
                          const int            *coefficients);

/* What the solver begins with: [n_fields of the solver][ny][nx]; for LacCase.initial of a case that tells its beginning. The
 * solver's fields are the first ones of the scene. */
void lac_exact_initial(const LacExactScene *scene, const LacCase *subject, double *state);

/* The grid of the truth; with ny = 1 in one dimension. */
void
lac_exact_get_sides(const LacExactParams *params, const LacCase *subject, gsize *nx, gsize *ny);

/* Returns: %NULL with an error when cancelled. */
LacTruth *lac_exact_truth_new(const LacExactScene  *scene,
                              const LacExactParams *params,
                              const LacCase        *subject,
                              const LacContext     *context,
                              GError              **error);

/* What it costs: @n_axes of space. */
void lac_exact_estimate(const LacExactParams *params,
                        guint                 n_axes,
                        guint                 n_fields,
                        double               *seconds,
                        double               *bytes);

/* A place inside at the beginning; one on the boundary of the axes that are not periodic, at any time. */
void lac_exact_sample_start(const LacCase *subject, LacRng *rng, double *x);
void lac_exact_sample_boundary(const LacCase *subject, LacRng *rng, double *x);

/* LacScene.exact of a scene whose truth is the exact solution of its equation. */
void lac_exact_of_equation(const LacCase *subject, LacNode x, LacNode *fields);

G_END_DECLS
