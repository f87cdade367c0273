/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A way of finding the object behind what the detector saw: projections, likelihood, decoder. All of them see the same problem: the
 * same exposures, the same optics, the same prior knowledge; none of them sees the truth. One file each. */
#pragma once

#include "experiment/curve.h"
#include "experiment/experiment.h"
#include "experiment/imaging/optics/exposures.h"
#include "experiment/scheduler.h"

#include <complex.h>

G_BEGIN_DECLS

#define LAC_IMAGING_MAX_ABERRATIONS 12

/* What every method may seek beside the object, and when it ends: the rows that all of them share. */
typedef struct {
  gint64
         aberrations; /* Zernike terms of the pupil's phase, from the fourth of Noll on (defocus); 0: it is known */
  double position_error; /* k-space pixels by which a centre may be off; 0: they are known */
  gint64 calibrate_from; /* step at which both begin to be sought */
  gint64 stop_at_noise;  /* switch: end where the misfit is what the noise makes it */
  double noise_factor;   /* of that level */
} LacImagingCommon;

extern const LacParamTable lac_imaging_method_common;

/* What a method is given. Everything is borrowed and outlives it; it makes optics of its own where it moves them. */
typedef struct {
  const LacContext       *context;
  const LacExposures     *exposures; /* geometry, unit, images, noise */
  const LacImagingCommon *common;
  gboolean                is_real; /* the object has no phase */
  gboolean                bounded; /* @low <= o <= @high; of a complex object |o| <= @high */
  double                  low, high;
  const double           *mask; /* (nullable): [s*s], 0 where the object is known to be empty */
} LacImagingProblem;

/* For estimates, before there is a problem. */
typedef struct {
  gsize n_positions, detector, support,
    grid;             /* exposures; sides of an exposure, of the object, of k-space */
  double   radius;    /* of the aperture, k-space pixels */
  gboolean has_phase; /* the object */
} LacImagingSize;

typedef struct {
  const char   *name;   /* "pie" */
  const char   *title;  /* translatable */
  const char   *source; /* paper */
  LacParamTable params; /* keys begin with the name: pie_sweeps */
  gboolean
    processor_only; /* has no kernels of a device: whatever that is, the processor computes */

  /* (optional): names in @apart what of it the processor computes with these parameters though there is a device. */
  void (*add_apart)(gconstpointer params, GString *apart);

  /* (optional): conditions between its parameters and the problem's; the latter's exposures may be NULL. */
  gboolean (*check)(gconstpointer params, const LacImagingProblem *problem, GError **error);
  /* Cost of one step in seconds, of the set-up, bytes held. */
  void (*estimate)(gconstpointer params, const LacImagingSize *size, LacEstimate *result);
  /* The curves of a run with these parameters; the same ones whenever it is asked. Returns: how many. */
  gsize (*curves)(gconstpointer params, const LacImagingCommon *common, LacCurve *curves);

  gpointer (*create)(gconstpointer params, const LacImagingProblem *problem, GError **error);
  void (*destroy)(gpointer method);
  gint64 (*n_steps)(gconstpointer method);
  /* One sweep over the exposures, or one iteration. Does not allocate. */
  gboolean (*step)(gpointer method, LacMethodReport *report, GError **error);

  /* What it believes the object to be, [s*s]. May be asked at any time between steps, and changes nothing. */
  void (*object)(gpointer method, double complex *object);
  /* What it expects the detector to see at @position, [d*d] in the exposures' unit. */
  void (*predict)(gpointer method, gsize position, double *image);
  /* (optional): how many exposures, in their order, it has taken in so far; without it: all of them. */
  gsize (*n_visited)(gconstpointer method);
  /* (optional): coefficients of the pupil's phase in radians, [common->aberrations], and where it believes the centres to be,
   * [n_positions][2] as y, x. */
  void (*aberrations)(gconstpointer method, double *coefficients);
  void (*positions)(gconstpointer method, double (*centres)[2]);

  void (*save)(gpointer method, LacStore *store); /* the store is its own */
  gboolean (*load)(gpointer method, const LacStore *store, GError **error);

  /* (optional): a live parameter changed. */
  void (*retune)(gpointer method, gconstpointer params);
} LacImagingMethod;

const LacImagingMethod *const *lac_imaging_methods(gsize *n_methods);

G_END_DECLS
