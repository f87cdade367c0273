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
  {LAC_FIELD(LacImagingCommon, aberrations), LAC_PARAM_INTEGER, "1", 0, LAC_IMAGING_MAX_ABERRATIONS, 0, N_("Estimated aberrations"), N_("All methods"), N_("Zernike terms estimated, starting at defocus (3: with both astigmatisms; 0: ideal pupil)")},
  {LAC_FIELD(LacImagingCommon, position_error), LAC_PARAM_REAL, "1", 0, 8, 0, N_("Position error"), N_("All methods"), N_("Maximum error of the aperture centres, estimated together with the object (0: known); RAAR finds them most reliably")},
  {LAC_FIELD(LacImagingCommon, calibrate_from), LAC_PARAM_INTEGER, "1", 1, 100000, 5, N_("Calibrate from step"), N_("All methods"), N_("Step at which estimation of aberrations and positions starts"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(LacImagingCommon, stop_at_noise), LAC_PARAM_SWITCH, "1", 0, 1, 1, N_("Stop at noise level"), N_("All methods"), N_("End when the misfit reaches the noise level, before the noise is fitted")},
  {LAC_FIELD(LacImagingCommon, noise_factor), LAC_PARAM_REAL, "1", 0.1, 10, 1, N_("Noise level"), N_("All methods"), N_("Multiple of the expected noise misfit at which a run stops"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(LacImagingCommon, hold_out), LAC_PARAM_REAL, "%", 0, 50, 1, N_("Pixels held out"), N_("All methods"), N_("With noise, a run ends when the misfit of these pixels has passed its minimum, with the object of that step; the decoder ends at the noise level"), LAC_PARAM_ADVANCED | LAC_PARAM_LATER, .zero = N_("No pixels")},
  {LAC_FIELD(LacImagingCommon, leave_out_exposures), LAC_PARAM_SWITCH, "1", 0, 1, 1, N_("Leave out contradicting exposures"), N_("All methods"), N_("Leaves out exposures that the others cannot explain, and names them"), LAC_PARAM_ADVANCED | LAC_PARAM_LATER},
};
/* clang-format on */

const LacParamTable lac_imaging_method_common = {rows, G_N_ELEMENTS(rows),
                                                 sizeof(LacImagingCommon)};
