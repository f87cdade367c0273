/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scenes with a closed-form solution: shared parameter rows, grid, conditions, and the truth itself. The training
 * part is a family: the same solution with one coefficient smaller or larger, never equal to the true value. */
#pragma once

#include "experiment/flow/scene-rows.h"
#include "experiment/flow/scene.h"

G_BEGIN_DECLS

/* Conditions given to the methods. */
typedef enum { LAC_GIVEN_ALL, LAC_GIVEN_NONE, LAC_GIVEN_BOUNDARY } LacGiven;

/* The first member, named "exact", of a scene's parameter struct. */
typedef struct {
  gint64 grid, times, family, given;
  double duration;
} LacExactParams;

/* NULL-terminated, in the order of LacGiven; a steady scene has the first two. */
extern const char *const lac_exact_given[], *const lac_exact_given_steady[];
extern const char *const lac_exact_given_titles[], *const lac_exact_given_steady_titles[];

/* clang-format off */
#define LAC_EXACT_MEMBER(Params, member) #member, G_STRUCT_OFFSET(Params, exact.member)
#define LAC_EXACT_GRID_ROW(Params, fallback) \
  {LAC_EXACT_MEMBER(Params, grid), LAC_PARAM_INTEGER, "1", 8, 512, fallback, N_("Grid points per side"), N_("Scene"), N_("Resolution of truth and sensor positions along the longer side")}
#define LAC_EXACT_FAMILY_ROW(Params, fallback) \
  {LAC_EXACT_MEMBER(Params, family), LAC_PARAM_INTEGER, "1", 0, 64, fallback, N_("Training set"), N_("Scene"), N_("Number of training solutions with half to twice the true coefficient"), LAC_PARAM_ADVANCED}
#define LAC_EXACT_TIMES_ROW(Params, fallback) \
  LAC_SCENE_TIMES_ROW(LAC_EXACT_MEMBER(Params, times), 2000, fallback)
#define LAC_EXACT_DURATION_ROW(Params, most, fallback) \
  {LAC_EXACT_MEMBER(Params, duration), LAC_PARAM_REAL, "1", 0.01, most, fallback, N_("Duration"), N_("Scene"), N_("Time from the initial condition to the last observation")}
#define LAC_EXACT_GIVEN_ROW(Params, fallback) \
  {LAC_EXACT_MEMBER(Params, given), LAC_PARAM_CHOICE, "1", 0, 0, fallback, N_("Known conditions"), N_("Scene"), N_("Conditions given to networks in addition to the sensors"), .choices = lac_exact_given, .titles = lac_exact_given_titles}
#define LAC_EXACT_GIVEN_STEADY_ROW(Params, fallback) \
  {LAC_EXACT_MEMBER(Params, given), LAC_PARAM_CHOICE, "1", 0, 0, fallback, N_("Known conditions"), N_("Scene"), N_("Conditions given to networks in addition to the sensors"), .choices = lac_exact_given_steady, .titles = lac_exact_given_steady_titles}
/* Rows for an unknown coefficient; the parameter struct has NAME_unknown and NAME_guess. */
#define LAC_EXACT_UNKNOWN_ROWS(Params, name, label, fallback) \
  {LAC_FIELD(Params, name##_unknown), LAC_PARAM_SWITCH, "1", 0, 1, 1, label, N_("Unknowns"), N_("Estimated together with the field")}, \
  LAC_SCENE_GUESS_ROW(Params, name, fallback)
/* clang-format on */

/* Evaluates the solution at one point; @x: [n_axes], @values: [n_fields] */
typedef void (*LacSolution)(const LacCase *subject, const double *x, double *values);

struct _LacExactScene {
  LacSolution solution;           /* for simulated truths, the initial condition */
  guint       family_coefficient; /* the coefficient varied by the family */
  guint       given_fields;       /* bit i: conditions specify field i */
  /* (optional): see LacCase.hard; satisfies all conditions if all are given */
  void (*hard)(const LacCase *subject, LacNode x, LacNode *outputs);
};

/* Sets the members of @subject that follow from @scene and the parameters: duration, n_points, n_times, view_fields,
 * the given conditions. Equation, space axes and coefficients must have been set before. */
void lac_exact_configure(const LacExactScene *scene, LacCase *subject);

/* Sets the solver of a periodic or wall-bounded case on its own grid, with @steps_between steps between observations.
 * The parameters of the solver are the coefficients listed in @coefficients; its fields are the first fields of the
 * scene. */
void lac_exact_set_solver(LacCase    *subject,
                          const char *name,
                          gsize       steps_between,
                          const int  *coefficients);

/* Sets the initial condition of the solver, see LacCase.initial. */
void lac_exact_initial(const LacCase *subject, double *state);

/* Returns the numbers of grid points of the truth; ny = 1 in one dimension. */
void lac_exact_get_sides(const LacCase *subject, gsize *nx, gsize *ny);

/* Returns the factor of a family member: from 1/2 to 2 in equal ratios, alternating below and above 1, which is
 * excluded. */
double lac_exact_family_factor(gsize member, gsize n_family);

/* See LacScene.truth. Returns: %NULL with an error when cancelled. */
LacTruth *lac_exact_truth(gconstpointer     params,
                          const LacCase    *subject,
                          const LacContext *context,
                          GError          **error);

/* See LacScene.estimate. */
void lac_exact_estimate(const LacCase *subject, double *seconds, double *bytes);

/* Implements LacScene.exact for scenes whose truth is the exact solution of their equation. */
void lac_exact_of_equation(const LacCase *subject, LacNode x, LacNode *fields);

G_END_DECLS
