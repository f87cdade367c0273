/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Internals that the files of the imaging laboratory share. */
#pragma once

#include "base/scratch.h"
#include "experiment/imaging/laboratory/laboratory.h"
#include "experiment/imaging/laboratory/spectrum.h"
#include "experiment/imaging/methods/method.h"
#include "experiment/imaging/metrics/registration.h"
#include "experiment/imaging/metrics/resolution.h"
#include "experiment/imaging/objects/object.h"
#include "experiment/imaging/optics/exposures.h"
#include "experiment/imaging/optics/pattern.h"
#include "experiment/imaging/optics/propagator.h"
#include "experiment/method-table.h"

G_BEGIN_DECLS

#define LAC_IMAGING_MAX_SOLVERS  8
#define LAC_IMAGING_MAX_PATTERNS 12

/* Parameters of every object. */
typedef struct {
  char  *object; /* picture file */
  gint64 picture_unit, fit, shrink, invert, normalise;
  gint64 phase;
  char  *phase_picture;
  double phase_range;
  gint64 size, object_seed;
  gint64 square_pixels;                        /* switch */
  double width, distance, wavelength, k_pixel; /* m; 0: unspecified */
  gint64 grid;
  gint64 instrument;
  double numerical_aperture, illumination_aperture;
  double focus_distance; /* m */
  gint64 shape;
  double diameter, inner, spider;
  gint64 pattern, apertures;
  double roi, line_length, line_angle;
  gint64 points_along;
  char  *pattern_file, *sensor_positions;
  gint64 unit, detector;
  double snr, read_noise, bad_pixels;
  double defocus, astigmatism_45, astigmatism, displacement;
  char  *measurements;
  gint64 solver;
  gint64 is_real, bounds;
  double low, high;
  gint64 outline;
  gint64 score_by, score;
  gint64 ssim_map; /* switch */
  gint64 align;
} LacImagingParams;

enum { LAC_INSTRUMENT_TELESCOPE, LAC_INSTRUMENT_MICROSCOPE, LAC_INSTRUMENT_FRESNEL };
enum { LAC_OUTLINE_SQUARE, LAC_OUTLINE_DISC };
enum { LAC_ALIGNED_NOT, LAC_ALIGNED_SHIFT, LAC_ALIGNED_TWIN };
enum { LAC_SCORED_AUTO, LAC_SCORED_TRUTH, LAC_SCORED_EXPOSURES };

/* Parameter table of one object: its own rows, the common rows, those shared by all methods, those of each method. */
typedef struct {
  const LacObjectScene *scene;
  LacMethodTable        solvers;
  const char           *pattern_names[LAC_IMAGING_MAX_PATTERNS + 1];
  const char           *pattern_titles[LAC_IMAGING_MAX_PATTERNS + 1];
  gsize                 common, method; /* offsets of LacImagingParams and of LacImagingCommon */
  LacParamTable         table;
} LacImaging;

/* table.c */
LacImaging *lac_imaging_compose(const LacObjectScene *scene);

static inline const LacImagingParams *
lac_imaging_common(const LacImaging *laboratory, gconstpointer params)
{
  return (gconstpointer) ((const char *) params + laboratory->common);
}

static inline const LacImagingCommon *
lac_imaging_get_method(const LacImaging *laboratory, gconstpointer params)
{
  return (gconstpointer) ((const char *) params + laboratory->method);
}

static inline const LacImagingMethod *
lac_imaging_solver(const LacImaging *laboratory, guint solver)
{
  return (const LacImagingMethod *) laboratory->solvers.methods[solver];
}

static inline gconstpointer
lac_imaging_solver_params(const LacImaging *laboratory, guint solver, gconstpointer params)
{
  return lac_method_table_get_params(&laboratory->solvers, solver, params);
}

/* Returns TRUE when methods are evaluated against the truth; otherwise the truth is withheld, and reliability is
 * measured on the exposures only. */
gboolean lac_imaging_has_truth(const LacImagingParams *common);

/* Returns TRUE when the object has a phase to show. */
gboolean lac_imaging_has_phase(const LacImagingParams *common);

/* Physical scale of an object with a known width and distance; for a microscope, with a known width. */
typedef struct {
  gsize  side;     /* pixels of the object */
  double k_pixel;  /* m; 0: no scale */
  double pixel;    /* m at the object; 0: no scale */
  double distance; /* m; 0: unspecified */
} LacImagingScale;

LacImagingScale lac_imaging_find_scale(const LacImagingParams *common);

/* instrument.c */

/* Returns the diameter of an aperture in k-space pixels. */
double lac_imaging_get_diameter(const LacImagingParams *common);

/* Returns the diameter of the disc that the centres should fill. */
double lac_imaging_extent(const LacImagingParams *common);

/* Returns: FALSE with an error when the instrument lacks a length, or contradicts a prior. */
gboolean lac_imaging_check_instrument(const LacImagingParams *common, GError **error);

/* Makes @propagator: (out) (transfer full): from the object, [side][side], to the field that is scanned; NULL when they
 * are the same. Returns: FALSE with an error. */
gboolean lac_imaging_new_propagator(const LacImagingParams *common,
                                    gsize                   side,
                                    LacPropagator         **propagator,
                                    GError                **error);

/* Returns: (transfer full) (nullable): a translated warning about the distance of the object. */
char *lac_imaging_dup_instrument_warning(const LacImagingParams *common);

/* scan.c: scan positions */

/**
 * lac_imaging_new_scan:
 * @seed: seed of the run, for random patterns
 * @file: (nullable): store that holds a file's scan positions, [n][4], in the entry "centres"
 * @n_positions: (out)
 *
 * Returns: (transfer full): the scan positions; %NULL with %LAC_ERROR_OUT_OF_RANGE when there are none or when one
 * placed by hand is invalid.
 */
LacScanBox *lac_imaging_new_scan(const LacImagingParams *common,
                                 guint64                 seed,
                                 const LacStore         *file,
                                 gsize                  *n_positions,
                                 GError                **error);

/* Returns: (transfer full): the scan positions stored in @centres: [n][2] as y, x, or [n][4] with both ends of a
 * line. */
LacScanBox *lac_imaging_scan_of(const LacEntry *centres, gsize *n_positions);

LacNoise  lac_imaging_noise(const LacImagingParams *common, guint64 seed);
LacFaults lac_imaging_faults(const LacImagingParams *common, guint64 seed);

/* Returns the settings of the optics, without scan positions. */
LacOpticsSettings lac_imaging_optics(const LacImagingParams *common);

/* Returns TRUE when nothing is known of the object, as far as the parameters tell. */
gboolean lac_imaging_is_unconstrained(const LacImagingParams *common);

/* Returns the side of the displayed central part of k-space, an even number of pixels. */
gsize lac_imaging_window(const LacImagingParams *common);

/* outline.c: channels and metrics of a run */

/* Implements LacExperiment.outline. The metrics are ordered by kind; each kind has one metric per source. */
void lac_imaging_outline(const LacExperiment *self, gconstpointer params, LacOutline *outline);

/* Image quality metrics against the truth. */
typedef enum {
  LAC_QUALITY_PSNR,
  LAC_QUALITY_SSIM,
  LAC_QUALITY_SSIM_TORCH,
  LAC_QUALITY_MS_SSIM,
  LAC_QUALITY_RMSE,
  LAC_QUALITY_CORRELATION,
  LAC_QUALITY_RESOLUTION,
  LAC_QUALITY_METRES,
  LAC_QUALITY_ARCSECONDS,
  LAC_N_QUALITIES,
} LacQuality;

/* Indices of a source's values among the metrics of a run; G_MAXSIZE: it has no such metric. */
typedef struct {
  gsize error, misfit;
  gsize quality[LAC_N_QUALITIES];
  gsize curves, n_curves;
  gsize displacement, shift;
  gsize reading; /* LacObjectReading of a drawn object */
} LacImagingPlace;

enum { LAC_REFERENCE_SINGLE, LAC_REFERENCE_BAND, LAC_N_REFERENCES };
enum { LAC_COVERAGE_ROI, LAC_COVERAGE_OVERLAP, LAC_COVERAGE_LEAST, LAC_N_COVERAGES };

/* Indices of all metrics of a run, in the order of lac_imaging_outline(). */
typedef struct {
  gsize           key, second;
  LacImagingPlace slots[LAC_IMAGING_MAX_SOLVERS];
  LacImagingPlace references[LAC_N_REFERENCES];
  gsize           coverage; /* index of the first of LAC_N_COVERAGES metrics */
  gsize           n_metrics;
} LacImagingPlaces;

LacImagingPlaces lac_imaging_find_places(const LacImaging *laboratory, gconstpointer params);

/* run.c: the state of a run */
typedef struct {
  const LacImagingMethod *solver;
  gpointer                self;         /* state of the method */
  LacAlignment            alignment;    /* with the truth, at step */
  gint64                  alignment_at; /* step + 1; 0: none */
} LacImagingSlot;

/* Curves against the truth: one row per source (methods, then references), and a last row
 * for comparison: the half-bit threshold, the transfer 1, the contrasts of the truth itself. */
typedef struct {
  LacRingCorrelation *rings;     /* ring correlation of the image evaluated last */
  double             *contrasts; /* [n_elements]: contrasts of the image evaluated last */
  gsize               n_sources, n_rings, n_elements;
  float              *correlation, *transfer; /* [n_sources + 1][n_rings] */
  float              *elements;               /* [n_sources + 1][n_elements] */
  gint64              at;                     /* step + 1 of the methods' rows; 0: none */
} LacImagingCharts;

typedef struct {
  const LacImaging *laboratory;
  LacContext        context;
  gpointer          params; /* own copy, without the texts */
  LacImagingCommon  method;
  LacImagingScale   scale;
  LacOptics        *optics;
  LacExposures     *exposures;
  LacScanBox *displaced; /* [n_positions], actual aperture positions; NULL: the nominal ones */
  double (*believed)[2]; /* [n_positions]: scratch */
  LacPatternStatistics statistics;
  gsize                side;       /* side of the object */
  double complex      *truth;      /* [s*s]; NULL: withheld */
  LacPropagator       *propagator; /* from the object to the field that is scanned; NULL: none */
  double              *modulus;    /* [s*s]: modulus of the truth */
  double *references[LAC_N_REFERENCES]; /* [s*s]; the second one is NULL without a truth */
  double *mask;                         /* [s*s]; NULL: the object may fill the whole square */
  LacImagingProblem problem;
  LacScheduler      scheduler;
  LacImagingSlot    slots[LAC_IMAGING_MAX_SOLVERS]; /* [scheduler.n] */
  LacImagingPlaces  places;
  LacScratch       *scratch; /* for image metrics */
  double           *fixed;   /* [n_metrics]: values that never change; NaN for others */
  double complex   *object;  /* [s*s]: scratch */
  double           *image;   /* [max(s*s, d*d)]: scratch */
  LacSpectrumView   spectrum;
  LacImagingCharts  charts;
  guint32           name_score;
  gint64            score_every; /* steps between evaluations */
} LacImagingState;

/* Returns: (nullable): contents of the file that a parameter names */
gpointer lac_imaging_find_input(GHashTable *table, const char *key);

/* Returns: (transfer full): the true object, [side][side]; %NULL with an error. */
double complex *lac_imaging_make_object(const LacImaging *laboratory,
                                        gconstpointer     params,
                                        const LacContext *context,
                                        gsize             side,
                                        GError          **error);

gpointer lac_imaging_create(const LacExperiment *self,
                            gconstpointer        params,
                            const LacContext    *context,
                            GError             **error);
void     lac_imaging_destroy(gpointer state);
gboolean lac_imaging_step(gpointer state, LacStepReport *report, GError **error);
gint64   lac_imaging_n_steps(gconstpointer state);
void     lac_imaging_save(gpointer state, LacStore *store);
gboolean lac_imaging_load(gpointer state, const LacStore *store, GError **error);
void     lac_imaging_retune(gpointer state, gconstpointer params);

/* estimate.c: memory and time */
void lac_imaging_estimate(const LacExperiment *self, gconstpointer params, LacEstimate *result);
/* Returns the number of steps between evaluations of a run of @n_steps. */
gint64
lac_imaging_find_interval(const LacImaging *laboratory, gconstpointer params, gint64 n_steps);

/* align.c: sets state->object to that of method @s, propagated back from the field that is scanned and, if asked for,
 * aligned with the truth. Returns the shift in pixels. */
double lac_imaging_take_object(LacImagingState *state, guint s);

/* exposures.c: user measurements */
LacExposures *
lac_imaging_read_exposures(const LacStore *store, const LacImagingParams *common, GError **error);
LacStore *lac_imaging_exposures(gconstpointer state);
/* Refuses exposures of another scale: those that no object within the bounds can make, as counts of a camera. @optics:
 * not const: its scratch memory is used. */
gboolean lac_imaging_check_brightness(const LacExposures     *exposures,
                                      LacOptics              *optics,
                                      const LacImagingParams *common,
                                      LacPool                *pool,
                                      GError                **error);

/* reference.c */

/* Resamples the exposure nearest to the middle of k-space, as an amplitude, to the pixels of the object. */
void lac_imaging_single_aperture(const LacExposures *exposures, double *image);

/* Removes from @object all frequencies that no aperture covers: of the truth, the best that the measurements alone
 * allow is left. */
void lac_imaging_band_limit(LacOptics *optics, double complex *object);

/* Extracts the displayed value of a complex object: the real part of a real one, else the modulus. */
void lac_imaging_show(gboolean is_real, const double complex *object, gsize n, double *image);

/* charts.c: planes of a run with a truth, after all other planes */
#define LAC_N_IMAGING_CHARTS 3 /* maximum */

/* Returns: the number of channels. */
gsize lac_imaging_outline_charts(const LacImaging *laboratory,
                                 gconstpointer     params,
                                 LacChannel        channels[LAC_N_IMAGING_CHARTS]);
/* Returns the bytes per frame; @side: side of the object */
double
     lac_imaging_count_chart_bytes(const LacImaging *laboratory, gconstpointer params, gsize side);
void lac_imaging_prepare_charts(LacImagingState *state); /* call once the truth exists */
void lac_imaging_clear_charts(LacImagingState *state);

/* Stores the curves of @image in row @source: the methods come first, then the references. charts.rings must hold the
 * ring correlation of @image. */
void lac_imaging_chart_image(LacImagingState *state, gsize source, const double *image);

/* Returns: the number of planes. */
gsize lac_imaging_shape_charts(const LacImagingState *state, gsize (*sizes)[2]);
void  lac_imaging_fill_charts(LacImagingState *state, LacPlane *planes);

/* scan-planning.c */
extern const LacPlanning lac_imaging_planning;

/* preview.c */
extern const LacPreview lac_imaging_preview;

G_END_DECLS
