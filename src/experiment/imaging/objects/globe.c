/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Drawing of a celestial body: craters tilt its surface, three-dimensional noise varies its albedo. */
#include "experiment/imaging/objects/globe.h"

#include "base/rng.h"

#include <math.h>
#include <stdlib.h>

#define SAMPLES_ACROSS  1024 /* samples across the body, */
#define MOST_A_PIXEL    8    /* at most this many across a pixel, */
#define LEAST_A_PIXEL   2    /* and at least this many; */
#define FINE_SIDE       1024 /* beyond this side, one sample per pixel */
#define LARGEST_CRATER  0.3  /* radians */
#define SMALLEST_CRATER 0.012
#define CRATER_EXPONENT 1.75 /* N(> rho) ~ rho^-1.75 */
#define CRATER_END      2.2  /* crater radii: end of the ejecta */
#define STREAM_CRATERS  11
#define STREAM_NOISE    12
#define N_CRACKS        30
#define STREAM_CRACKS   13
#define GLARE           0.001 /* fraction of the disc that may saturate at 1 */

typedef struct {
  double centre[3];
  double radius; /* radians */
  double tilt;   /* slope of its walls */
  double fresh;  /* brightening by ejecta around it */
} Crater;

typedef struct {
  const LacGlobeLook *look;
  Crater             *craters;
  guint64             key; /* of the noise */
  double              light[3];
  double              poles[N_CRACKS][3]; /* of the great circles along which cracks run */
} Globe;

/* Craters that can affect a point. */
typedef struct {
  guint *index;
  guint  n;
} Near;

/* ---- noise over space ---- */

static double
lattice(guint64 key, gint64 x, gint64 y, gint64 z)
{
  guint64 h = key ^ (guint64) x * G_GUINT64_CONSTANT(0x9e3779b97f4a7c15) ^
              (guint64) y * G_GUINT64_CONSTANT(0xc2b2ae3d27d4eb4f) ^
              (guint64) z * G_GUINT64_CONSTANT(0x165667b19e3779f9);

  h = (h ^ (h >> 30)) * G_GUINT64_CONSTANT(0xbf58476d1ce4e5b9);
  h = (h ^ (h >> 27)) * G_GUINT64_CONSTANT(0x94d049bb133111eb);
  return (double) ((h ^ (h >> 31)) >> 11) * 0x1p-52 - 1;
}

static double
ease(double t)
{
  return t * t * t * (t * (6 * t - 15) + 10);
}

/* Returns smooth noise in -1 to 1, with a scale of one unit. */
static double
noise(guint64 key, double x, double y, double z)
{
  const double fx = floor(x), fy = floor(y), fz = floor(z);
  const double u = ease(x - fx), v = ease(y - fy), w = ease(z - fz);
  double       sum = 0;

  for (int corner = 0; corner < 8; corner++) {
    const int dx = corner & 1, dy = corner >> 1 & 1, dz = corner >> 2;
    sum += lattice(key, (gint64) fx + dx, (gint64) fy + dy, (gint64) fz + dz) * (dx ? u : 1 - u) *
           (dy ? v : 1 - v) * (dz ? w : 1 - w);
  }
  return sum;
}

/* Sums octaves, each twice the frequency and half the amplitude. */
static double
fractal(guint64 key, const double *p, double frequency, int n_octaves)
{
  double sum = 0, strength = 1, total = 0;

  for (int o = 0; o < n_octaves; o++) {
    sum +=
      strength * noise(key + (guint64) o, p[0] * frequency, p[1] * frequency, p[2] * frequency);
    total += strength;
    strength /= 2;
    frequency *= 2.03;
  }
  return sum / total;
}

static double
rise(double low, double high, double x)
{
  const double t = CLAMP((x - low) / (high - low), 0, 1);

  return t * t * (3 - 2 * t);
}

/* ---- craters ---- */

static void
throw_craters(Globe *globe, guint64 seed)
{
  LacRng rng = lac_rng(seed, STREAM_CRATERS);

  for (guint i = 0; i < globe->look->n_craters; i++) {
    Crater      *crater = &globe->craters[i];
    const double z = 2 * lac_rng_uniform(&rng) - 1, turn = 2 * G_PI * lac_rng_uniform(&rng);
    const double age = lac_rng_uniform(&rng);
    const double size = SMALLEST_CRATER * pow(1 - lac_rng_uniform(&rng), -1 / CRATER_EXPONENT);

    crater->centre[0] = sqrt(1 - z * z) * cos(turn);
    crater->centre[1] = sqrt(1 - z * z) * sin(turn);
    crater->centre[2] = z;
    crater->radius = MIN(size, LARGEST_CRATER);
    /* old and large craters are shallower relative to their width */
    crater->tilt = (0.2 + 0.8 * age * age) / (1 + crater->radius / 0.1);
    crater->fresh = pow(lac_rng_uniform(&rng), 8);
  }
}

static void
lay_cracks(Globe *globe, guint64 seed)
{
  LacRng rng = lac_rng(seed, STREAM_CRACKS);

  for (guint i = 0; i < N_CRACKS; i++) {
    const double z = 2 * lac_rng_uniform(&rng) - 1, turn = 2 * G_PI * lac_rng_uniform(&rng);

    globe->poles[i][0] = sqrt(1 - z * z) * cos(turn);
    globe->poles[i][1] = sqrt(1 - z * z) * sin(turn);
    globe->poles[i][2] = z;
  }
}

/* Returns the slope of a bowl with a raised rim, at @t radii from its centre. */
static double
slope(double t)
{
  const double bowl = 1.7 * t * exp(-pow(t, 6));
  const double rim = t > 0.7 ? -1.1 * rise(0.85, 1.15, t) * exp(-(t - 1) * 4.5) : 0;

  return bowl + rim;
}

/* Adds the effect of the craters near @p to the surface slope @g and to the brightness. */
static void
add_craters(const Globe *globe, const Near *near, const double *p, double *g, double *glow)
{
  for (guint i = 0; i < near->n; i++) {
    const Crater *crater = &globe->craters[near->index[i]];
    const double *c = crater->centre;
    const double  cosine = c[0] * p[0] + c[1] * p[1] + c[2] * p[2];
    const double  end = CRATER_END * crater->radius;

    if (cosine < cos(end))
      continue;
    const double distance = acos(MIN(cosine, 1)), t = distance / crater->radius;
    const double sine = sin(distance);
    const double steep = crater->tilt * slope(t);
    *glow += crater->fresh * 0.45 * exp(-t * t * 0.8);
    if (sine < 1e-9)
      continue;
    for (int a = 0; a < 3; a++)
      g[a] -= steep * (c[a] - cosine * p[a]) / sine;
  }
}

/* ---- the surface ---- */

/* Returns the strength of a dark line at @p: a wavering, fading arc of a great circle. */
static double
get_crack(const Globe *globe, guint i, const double *p)
{
  const guint64 key = globe->key + 400 + i;
  const double *pole = globe->poles[i];
  const double  away = pole[0] * p[0] + pole[1] * p[1] + pole[2] * p[2];
  const double  width = 0.004 + 0.009 * (0.5 + 0.5 * lattice(key, 1, 2, 3));

  if (fabs(away) > 0.12)
    return 0;
  const double line = (away + 0.05 * noise(key, 2.5 * p[0], 2.5 * p[1], 2.5 * p[2])) / width;
  const double here = rise(-0.15, 0.25, noise(key + 50, 1.5 * p[0], 1.5 * p[1], 1.5 * p[2]));
  return here * exp(-line * line);
}

static double
get_albedo(const Globe *globe, const double *p)
{
  const LacGlobeLook *look = globe->look;
  double              albedo = 1;

  if (look->maria > 0)
    albedo -= look->maria * rise(-0.02, 0.2, fractal(globe->key, p, 1.35, 5));
  if (look->mottling > 0)
    albedo += look->mottling * fractal(globe->key + 100, p, 6, 6);
  if (look->bands > 0) {
    const double bend = 0.06 * fractal(globe->key + 200, p, 2.2, 4);
    const double row[3] = {0.3, (p[1] + bend) * 3.4, 0.7};

    albedo += look->bands * (noise(globe->key + 300, row[0], row[1] * 1.7, row[2]) +
                             0.5 * noise(globe->key + 301, p[0] * 1.2, row[1] * 4, p[2] * 1.2));
  }
  for (guint i = 0; i < N_CRACKS && look->cracks > 0; i++)
    albedo -= look->cracks * get_crack(globe, i, p);
  if (look->cells > 0)
    albedo += look->cells * fractal(globe->key + 500, p, 1.9, 3);
  return MAX(albedo, 0.02);
}

/* Returns the brightness at (x, y) of the unit disc; 0 outside it. */
static double
look_at(const Globe *globe, double x, double y, const Near *near)
{
  const LacGlobeLook *look = globe->look;
  const double        rest = 1 - x * x - y * y;

  if (rest <= 0)
    return 0;
  const double p[3] = {x, y, sqrt(rest)};
  double       g[3] = {0}, glow = 0, length = 0, facing = 0;

  add_craters(globe, near, p, g, &glow);
  for (int a = 0; a < 3; a++) {
    g[a] = p[a] - look->crater_depth * g[a];
    length += g[a] * g[a];
  }
  for (int a = 0; a < 3; a++)
    facing += g[a] * globe->light[a];
  facing /= sqrt(length);
  if (look->roughness > 0)
    facing += look->roughness * fractal(globe->key + 600, p, 18, 3);
  const double limb = 1 - look->limb_darkening * (1 - p[2]);
  /* dust scatters back: brightness is nearly constant until close to the terminator */
  const double lit = facing > 0 ? pow(facing, 0.75) : 0;
  return get_albedo(globe, p) * (1 + glow) * limb * lit;
}

/* Finds the craters that reach a strip of the near side. */
static void
find_near(const Globe *globe, double low, double high, Near *near)
{
  near->n = 0;
  for (guint i = 0; i < globe->look->n_craters; i++) {
    const Crater *crater = &globe->craters[i];
    const double  reach = CRATER_END * crater->radius;

    if (crater->centre[2] > -reach && crater->centre[1] > low - reach &&
        crater->centre[1] < high + reach)
      near->index[near->n++] = i;
  }
}

static void
find_along(const Globe *globe, const Near *strip, double low, double high, Near *near)
{
  near->n = 0;
  for (guint i = 0; i < strip->n; i++) {
    const Crater *crater = &globe->craters[strip->index[i]];
    const double  reach = CRATER_END * crater->radius;

    if (crater->centre[0] > low - reach && crater->centre[0] < high + reach)
      near->index[near->n++] = strip->index[i];
  }
}

static double
get_pixel(const Globe *globe, double x, double y, double step, guint n, const Near *near)
{
  double sum = 0;

  for (guint j = 0; j < n; j++)
    for (guint i = 0; i < n; i++)
      sum += look_at(globe, x + (i + 0.5) / n * step, y + (j + 0.5) / n * step, near);
  return sum / (n * n);
}

static int
compare_falling(gconstpointer a, gconstpointer b)
{
  const double left = *(const double *) a, right = *(const double *) b;

  return (left < right) - (left > right);
}

/* Scales to [0, 1], saturating a small share of bright pixels. */
static void
scale(const LacGlobeLook *look, double *intensity, gsize n)
{
  g_autofree double *sorted = g_memdup2(intensity, n * sizeof *intensity);
  const double       disc = G_PI / 4 * look->fill * look->fill * (double) n;

  qsort(sorted, n, sizeof *sorted, compare_falling);
  const double most = sorted[MIN((gsize) (GLARE * disc), n - 1)];
  for (gsize i = 0; i < n && most > 0; i++)
    intensity[i] = MIN(intensity[i] / most, 1);
}

void
lac_globe_draw(const LacGlobeLook *look, gsize side, guint64 seed, double *intensity)
{
  g_return_if_fail(side > 0 && look->fill > 0);
  LacRng             rng = lac_rng(seed, STREAM_NOISE);
  g_autofree Crater *craters = g_new0(Crater, look->n_craters + 1);
  g_autofree guint  *indices = g_new(guint, 2 * look->n_craters + 2);
  const double       step = 2 / (look->fill * (double) side), corner = -1 / look->fill;
  const guint        n =
    (guint) (side > FINE_SIDE ? 1 : CLAMP(SAMPLES_ACROSS / side, LEAST_A_PIXEL, MOST_A_PIXEL));
  Globe globe = {.look = look, .craters = craters};
  Near  strip = {indices, 0}, near = {indices + look->n_craters + 1, 0};

  globe.key = (guint64) lac_rng_word(&rng) << 32 | lac_rng_word(&rng);
  globe.light[0] = -0.8 * sin(look->light_angle);
  globe.light[1] = -0.6 * sin(look->light_angle);
  globe.light[2] = cos(look->light_angle);
  throw_craters(&globe, seed);
  lay_cracks(&globe, seed);
  for (gsize row = 0; row < side; row++) {
    const double y = corner + (double) row * step;
    find_near(&globe, y, y + step, &strip);

    for (gsize column = 0; column < side; column++) {
      const double x = corner + (double) column * step;

      if (column % 16 == 0)
        find_along(&globe, &strip, x, x + 16 * step, &near);
      intensity[row * side + column] = get_pixel(&globe, x, y, step, n, &near);
    }
  }
  scale(look, intensity, side * side);
}
