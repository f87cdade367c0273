/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Objects to image: drawn at any size, celestial bodies, user pictures. */
#pragma once

#include "base/param.h"
#include "base/scratch.h"
#include "field/field.h"

#include <glib.h>

#include <complex.h>

G_BEGIN_DECLS

/* Largest side in pixels of a drawn or resized object. */
#define LAC_OBJECT_MAX_SIDE 8192

/* Size and distance of a celestial body. */
typedef struct {
  double diameter;   /* m */
  double distance;   /* m */
  double wavelength; /* m */
} LacObjectBody;

/* Returns the pixel size at the object in m: lambda L / (dxf N). @k_pixel: dxf, m; @grid: N. */
double lac_object_get_pixel(const LacObjectBody *body, double k_pixel, gsize grid);
/* Returns the diameter of the body in whole pixels; 0 when it is below one. */
gsize lac_object_get_size(const LacObjectBody *body, double k_pixel, gsize grid);

/* Override of a laboratory default for this object. */
typedef struct {
  const char *key, *text;
} LacObjectDefault;

/* Spatial frequency measured in the image of a drawn test pattern. */
typedef struct {
  const char *key;   /* "mtf50" */
  const char *label; /* translatable */
  const char *unit;
  /* Measures the frequency in @intensity, [side][side]. Allocates only in @scratch. Returns: 0 when nothing is
   * resolved. */
  double (*read)(gconstpointer params, const double *intensity, gsize side, LacScratch *scratch);
} LacObjectReading;

/* Elements of a drawn chart and their contrast in an image. */
typedef struct {
  const char *label,
    *axis; /* translatable: axis titles of the contrasts and of the element numbers */
  gsize (*count)(gconstpointer params, gsize side);
  /* Measures @contrasts: (out): [count], in @intensity, [side][side]. */
  void (*read)(gconstpointer params, const double *intensity, gsize side, double *contrasts);
} LacObjectElements;

typedef struct _LacObjectScene LacObjectScene;

struct _LacObjectScene {
  const char *name;    /* "moon": the experiment's name */
  const char *title;   /* translatable */
  const char *summary; /* translatable, one sentence */
  const char *source;
  const char *caution; /* (nullable), translatable */
  gboolean    is_default;

  LacParamTable            params;   /* the object's own rows; may be none */
  const LacObjectDefault  *defaults; /* (nullable): terminated by a NULL key */
  const LacObjectBody     *body;     /* (nullable) */
  guint64                  seed;     /* fixed seed of a body; 0: the seed of the run */
  const LacObjectReading  *reading;  /* (nullable) */
  const LacObjectElements *elements; /* (nullable) */

  /* (optional): checks conditions between parameters; row ranges are already checked. */
  gboolean (*check)(gconstpointer params, gsize side, GError **error);
  /* Fills @intensity, [side][side], with a camera image in [0, 1], each pixel the mean over its square. Bitwise
   * reproducible for equal arguments. */
  void (*draw)(gconstpointer params, gsize side, guint64 seed, double *intensity);
};

const LacObjectScene *const *lac_object_scenes(gsize *n_scenes);
/* Returns: (nullable) */
const LacObjectScene *lac_object_scene_find(const char *name);

/* ---- objects from pictures ---- */

/* Meaning of a picture's values. */
typedef enum {
  LAC_PICTURE_INTENSITY, /* light intensity, as a camera counts it; the amplitude is its square root */
  LAC_PICTURE_AMPLITUDE,
} LacPictureUnit;

/* Treatment of a picture that is not square. */
typedef enum {
  LAC_PICTURE_CROP,  /* the central square */
  LAC_PICTURE_WHOLE, /* the whole picture, padded with black */
} LacPictureFit;

/* Resampling filter for reducing a picture. */
typedef enum {
  LAC_PICTURE_AREA, /* mean over the square of the new pixel: conserves the total, but aliases more of the frequencies above the new limit */
  LAC_PICTURE_LINEAR, /* weights that fall linearly to zero at the neighbouring pixels, as in most programs */
} LacPictureFilter;

typedef struct {
  LacPictureUnit unit;
  LacPictureFit  fit;
  gboolean       invert; /* invert brightness, after normalising */
  gboolean
                   normalise; /* map the darkest value to 0 and the brightest to 1; otherwise values are only clipped to [0, 1] */
  LacPictureFilter filter;
} LacPictureUse;

/**
 * lac_object_from_picture:
 * @picture: [y][x], grey
 * @values: (out): [side][side] in [0, 1]; in the unit of the picture
 *
 * Returns: %FALSE with %LAC_ERROR_BAD_FILE: not a plane, smaller than 2 pixels, constant or not finite.
 */
gboolean lac_object_from_picture(const LacGridField  *picture,
                                 const LacPictureUse *use,
                                 gsize                side,
                                 double              *values,
                                 GError             **error);

/* ---- complete objects, with a phase ---- */

typedef enum {
  LAC_OBJECT_PHASE_NONE,   /* the object is real */
  LAC_OBJECT_PHASE_RELIEF, /* smooth hills, random from the seed */
  LAC_OBJECT_PHASE_PICTURE,
} LacObjectPhase;

typedef struct {
  const LacGridField *picture; /* (nullable): replaces the scene's drawing */
  LacPictureUse       use;
  LacObjectPhase      phase;
  const LacGridField       *
    phase_picture; /* source of a LAC_OBJECT_PHASE_PICTURE phase: darkest 0, brightest phase_range; resized like the other picture */
  double  phase_range;   /* radians between lowest and highest */
  guint64 seed;          /* seed of the run; a body is drawn with its own seed */
} LacObjectSettings;

/**
 * lac_object_make:
 * @params: the values of the scene's own rows
 * @object: (out): [side][side]: the field o with |o| in [0, 1]; its intensity is |o|^2
 *
 * Returns: %FALSE with %LAC_ERROR_BAD_FILE or %LAC_ERROR_OUT_OF_RANGE.
 */
gboolean lac_object_make(const LacObjectScene    *scene,
                         gconstpointer            params,
                         const LacObjectSettings *settings,
                         gsize                    side,
                         double complex          *object,
                         GError                 **error);

/* Fills @relief, [side][side], with smooth hills, lowest 0, highest 1. */
void lac_object_draw_relief(gsize side, guint64 seed, double *relief);

G_END_DECLS
