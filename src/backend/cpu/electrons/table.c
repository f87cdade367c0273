/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kernel table of one level and precision; the build compiles this file once for each. */
#include "backend/cpu/electrons/contract.inc"
#include "backend/cpu/electrons/nested.inc"
#include "backend/cpu/electrons/reverse.inc"

#define TABLE__(level, type) lac_electron_kernels_##level##_##type
#define TABLE_(level, type)  TABLE__(level, type)
#ifdef LAC_REAL_F32
#  define TABLE(level) TABLE_(level, f32)
#else
#  define TABLE(level) TABLE_(level, f64)
#endif

typedef struct {
  Real *weights;
  int   turned;
} Into;

/* Packs the matrix [depth][columns] at @w, as it is or transposed. */
static void
pack_matrix(const double          *w,
            size_t                 depth,
            size_t                 columns,
            const LacPackedMatrix *place,
            const Into            *into)
{
  if (into->turned)
    pack_turned(w, depth, columns, into->weights + place->turned);
  else
    pack(w, depth, columns, into->weights + place->forward);
}

static void
copy(const double *from, size_t n, Real *to)
{
  for (size_t i = 0; i < n; i++)
    to[i] = (Real) from[i];
}

static void
pack_all(const LacElectronShape *shape, const LacElectronPlan *plan, const double *theta, Into into)
{
  const LacPackedPlan *packed = &plan->packed;

  for (size_t l = 0; l < shape->n_layers; l++) {
    const LacPackedLayer *layer = &packed->layer[l];
    const size_t          d = shape->one[l], e = shape->pair[l], f = shape->one[l + 1];
    const size_t          g = shape->pair[l + 1], channels = shape->n_channels;
    const double         *w = theta + shape->layer[l], *v = theta + shape->pairs[l];

    pack_matrix(w, d, f, &layer->self, &into);
    pack_matrix(w + d * f, channels * d, f, &layer->mean, &into);
    pack_matrix(w + (channels + 1) * d * f, channels * e, f, &layer->among, &into);
    if (!into.turned)
      copy(w + lac_electron_shape_get_n_inputs(shape, l) * f, f, into.weights + layer->bias);
    if (l + 1 == shape->n_layers)
      break;
    pack_matrix(v, e, g, &layer->pair, &into);
    if (!into.turned)
      copy(v + e * g, g, into.weights + layer->pair_bias);
  }
  for (size_t s = 0; s < shape->n_channels; s++) {
    const size_t n = shape->n_columns[s];
    pack_matrix(theta + shape->orbital[s], shape->one[shape->n_layers], n, &packed->orbital[s],
                &into);
    if (into.turned)
      continue;
    copy(theta + shape->amplitude[s], shape->n_nuclei * n, into.weights + packed->amplitude[s]);
    copy(theta + shape->decay[s], shape->n_nuclei * n, into.weights + packed->decay[s]);
  }
}

static void
kernel_pack(const LacElectronShape *shape,
            const LacElectronPlan  *plan,
            const double           *theta,
            void                   *weights)
{
  pack_all(shape, plan, theta, (Into){weights, 0});
}

static void
kernel_pack_turned(const LacElectronShape *shape,
                   const LacElectronPlan  *plan,
                   const double           *theta,
                   void                   *weights)
{
  pack_all(shape, plan, theta, (Into){weights, 1});
}

const LacElectronKernels TABLE(LAC_LEVEL) = {
  .n_lanes = LANES,
  .n_columns = COLUMNS,
  .element = sizeof(Real),
  .pack = kernel_pack,
  .pack_turned = kernel_pack_turned,
  .value = kernel_value,
  .local = kernel_local,
  .nested = kernel_nested,
  .orbitals = kernel_orbitals,
  .tape = kernel_tape,
  .seed = kernel_seed,
  .outer = kernel_outer,
  .squares = kernel_squares,
  .form = kernel_form,
  .apply = kernel_apply,
  .gram = kernel_gram,
};
