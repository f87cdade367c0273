/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is looked at: objects that are drawn at any size, bodies of the sky, pictures that somebody brings. */
#pragma once

#include "base/param.h"
#include "base/scratch.h"
#include "field/field.h"

#include <glib.h>

#include <complex.h>

G_BEGIN_DECLS

/* The most pixels along a side that is drawn or made of a picture. */
#define LAC_OBJECT_MAX_SIDE 8192

/* A body of the sky. */
typedef struct {
  double diameter;   /* m */
  double distance;   /* m */
  double wavelength; /* m */
} LacObjectBody;

/* The side of a pixel at the object, m: lambda L / (dxf N). @k_pixel: dxf, m; @grid: N. */
double lac_object_get_pixel(const LacObjectBody *body, double k_pixel, gsize grid);
/* How many whole pixels the body is across; 0 where it is less than one. */
gsize lac_object_get_size(const LacObjectBody *body, double k_pixel, gsize grid);

/* A row of the laboratory's own table, and what it is for this object. */
typedef struct {
  const char *key, *text;
} LacObjectDefault;

/* What a drawing by its geometry tells of an image of it: a spatial frequency. */
typedef struct {
  const char *key;   /* "mtf50" */
  const char *label; /* translatable */
  const char *unit;
  /* @intensity: [side][side]; @scratch: nothing else is allocated. Returns: 0 where nothing can be told apart. */
  double (*read)(gconstpointer params, const double *intensity, gsize side, LacScratch *scratch);
} LacObjectReading;

/* The elements of a drawn chart, and how much of their contrast an image shows. */
typedef struct {
  const char *label, *axis; /* translatable: of the contrasts, of the elements' numbers */
  gsize (*count)(gconstpointer params, gsize side);
  /* @intensity: [side][side]; @contrasts: (out): [count] */
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
  const LacObjectDefault  *defaults; /* (nullable): ends with a NULL key */
  const LacObjectBody     *body;     /* (nullable): how large and how far it is */
  guint64                  seed;     /* that of the body; 0: that of the run */
  const LacObjectReading  *reading;  /* (nullable) */
  const LacObjectElements *elements; /* (nullable) */

  /* (optional): conditions between parameters; row ranges are already checked. */
  gboolean (*check)(gconstpointer params, gsize side, GError **error);
  /* Fills @intensity, [side][side], with what a camera would see, in [0, 1], each pixel the mean over its square. The
   * same bits for the same arguments. */
  void (*draw)(gconstpointer params, gsize side, guint64 seed, double *intensity);
};

const LacObjectScene *const *lac_object_scenes(gsize *n_scenes);
/* Returns: (nullable) */
const LacObjectScene *lac_object_scene_find(const char *name);

/* ---- a picture becomes an object ---- */

/* What the numbers of a picture are. */
typedef enum {
  LAC_PICTURE_INTENSITY, /* of light, as a camera counts it: its root is the amplitude */
  LAC_PICTURE_AMPLITUDE,
} LacPictureUnit;

/* What becomes of a picture that is not square. */
typedef enum {
  LAC_PICTURE_CROP,  /* the square in its middle */
  LAC_PICTURE_WHOLE, /* all of it, with black beside it */
} LacPictureFit;

/* How a pixel of a picture that shrinks is made. */
typedef enum {
  LAC_PICTURE_AREA, /* the mean over its square: keeps the total, and more of what is finer than it */
  LAC_PICTURE_LINEAR, /* weights that fall linearly to the next pixels, as most programs resize */
} LacPictureFilter;

typedef struct {
  LacPictureUnit unit;
  LacPictureFit  fit;
  gboolean       invert; /* after normalising */
  gboolean
                   normalise; /* darkest to 0 and brightest to 1; else the numbers count as they are, and leave [0, 1] at most by
                             * clipping */
  LacPictureFilter filter;
} LacPictureUse;

/**
 * lac_object_from_picture:
 * @picture: [y][x], grey
 * @values: (out): [side][side] in [0, 1]; in the unit of the picture
 *
 * Returns: %FALSE with %LAC_ERROR_BAD_FILE: not a plane, smaller than 2 pixels, one value everywhere, not finite.
 */
gboolean lac_object_from_picture(const LacGridField  *picture,
                                 const LacPictureUse *use,
                                 gsize                side,
                                 double              *values,
                                 GError             **error);

/* ---- the whole way ---- */

typedef enum {
  LAC_OBJECT_PHASE_NONE,   /* the object is real */
  LAC_OBJECT_PHASE_RELIEF, /* smooth hills, drawn from the seed */
  LAC_OBJECT_PHASE_PICTURE,
} LacObjectPhase;

typedef struct {
  const LacGridField *picture; /* (nullable): instead of what the scene draws */
  LacPictureUse       use;
  LacObjectPhase      phase;
  const LacGridField       *
    phase_picture; /* where the phase is one: darkest 0, brightest the range; fitted as the other picture is */
  double  phase_range; /* radians from the lowest to the highest */
  guint64 seed;        /* of the run; a body has its own */
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

/* Smooth hills over [side][side], lowest 0, highest 1. */
void lac_object_draw_relief(gsize side, guint64 seed, double *relief);

G_END_DECLS
