/* SPDX-License-Identifier: GPL-3.0-or-later */
/* List of methods, and the rows that they share. */
#include "experiment/imaging/methods/method.h"

#include <glib/gi18n-lib.h>

#define LAC_IMAGING_METHOD(name) extern const LacImagingMethod lac_imaging_method_##name;
#include "experiment/imaging-method-list.h"
#undef LAC_IMAGING_METHOD

static const LacImagingMethod *const methods[] = {
#define LAC_IMAGING_METHOD(name) &lac_imaging_method_##name,
#include "experiment/imaging-method-list.h"
#undef LAC_IMAGING_METHOD
  NULL,
};

const LacImagingMethod *const *
lac_imaging_methods(gsize *n_methods)
{
  *n_methods = G_N_ELEMENTS(methods) - 1;
  return methods;
}

/* clang-format off */
static const LacParam rows[] = {
  {LAC_FIELD(LacImagingCommon, aberrations), LAC_PARAM_INTEGER, "1", 0, LAC_IMAGING_MAX_ABERRATIONS, 0, N_("Aberrations sought"), N_("Solver"), N_("Zernike terms of the pupil's phase, from defocus on: 3 are defocus and both astigmatisms; 0: the pupil is taken as perfect")},
  {LAC_FIELD(LacImagingCommon, position_error), LAC_PARAM_REAL, "1", 0, 8, 0, N_("Error of the positions"), N_("Solver"), N_("K-space pixels by which the centres of the apertures may be off; they are then sought with the object; 0: they are known")},
  {LAC_FIELD(LacImagingCommon, calibrate_from), LAC_PARAM_INTEGER, "1", 1, 100000, 5, N_("Calibrate from"), N_("Solver"), N_("Step at which aberrations and positions begin to be sought"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(LacImagingCommon, stop_at_noise), LAC_PARAM_SWITCH, "1", 0, 1, 1, N_("Stop at the noise"), N_("Solver"), N_("Ends where the misfit is what the noise alone makes it: going on would fit noise")},
  {LAC_FIELD(LacImagingCommon, noise_factor), LAC_PARAM_REAL, "1", 0.1, 10, 1, N_("Noise level"), N_("Solver"), N_("Of the misfit that the noise alone makes, where a run stops"), LAC_PARAM_ADVANCED},
};
/* clang-format on */

const LacParamTable lac_imaging_method_common = {rows, G_N_ELEMENTS(rows),
                                                 sizeof(LacImagingCommon)};
