/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cuFFT over FFTW: advanced layouts, own work areas, in the plan's stream. */
#include "cufft.h"
#include "limits.h"
#include "stream.h"

#include <complex.h>
#include <fftw3.h>
#include <map>
#include <memory>

namespace lac_emulator {

struct Layout {
  std::vector<int> n, inembed, onembed; /* no embedding: packed */
  int              istride, idist, ostride, odist, batch;
  cufftType        type;
};

struct Fft {
  Layout       layout;
  bool         made, automatic = true;
  cudaStream_t stream;
  void        *work;
  size_t       work_bytes, in_bytes, out_bytes;
};

static auto &plans = *new std::map<cufftHandle, Fft>;

static Fft *
find(cufftHandle handle)
{
  auto plan = plans.find(handle);

  return plan == plans.end() ? nullptr : &plan->second;
}

static bool
is_double(cufftType type)
{
  return type == CUFFT_D2Z || type == CUFFT_Z2D || type == CUFFT_Z2Z;
}

static bool
is_real(cufftType type, bool input)
{
  return input ? type == CUFFT_R2C || type == CUFFT_D2Z : type == CUFFT_C2R || type == CUFFT_Z2D;
}

/* Elements spanned by one side, from the first to the last. */
static size_t
side_elements(const Layout &layout, bool input)
{
  const auto  &embed = input ? layout.inembed : layout.onembed;
  const size_t stride = (size_t) (input ? layout.istride : layout.ostride);
  const size_t dist = (size_t) (input ? layout.idist : layout.odist);
  const bool   half =
    !is_real(layout.type, input) && (is_real(layout.type, true) || is_real(layout.type, false));
  size_t last = 0, packed = 1;

  for (size_t i = 0; i < layout.n.size(); i++) {
    const bool   inner = i + 1 == layout.n.size();
    const size_t length = (size_t) (inner && half ? layout.n[i] / 2 + 1 : layout.n[i]);

    last = last * (embed.empty() ? length : (size_t) embed[i]) + length - 1;
    packed *= length;
  }
  if (embed.empty())
    return packed * (size_t) layout.batch;
  return last * stride + dist * (size_t) (layout.batch - 1) + 1;
}

static size_t
side_bytes(const Layout &layout, bool input)
{
  return side_elements(layout, input) * (is_double(layout.type) ? 8 : 4) *
         (is_real(layout.type, input) ? 1 : 2);
}

/* Returns the layout with packed sides in FFTW's terms: cuFFT ignores strides without an embedding. */
static Layout
told(Layout layout)
{
  for (bool input : {true, false}) {
    auto &embed = input ? layout.inembed : layout.onembed;
    int  &stride = input ? layout.istride : layout.ostride;
    int  &dist = input ? layout.idist : layout.odist;

    if (!embed.empty())
      continue;
    dist = (int) (side_elements(layout, input) / (size_t) layout.batch);
    stride = 1;
    embed = layout.n;
    if (!is_real(layout.type, input) && (is_real(layout.type, true) || is_real(layout.type, false)))
      embed.back() = layout.n.back() / 2 + 1;
  }
  return layout;
}

/* One transform in the precision of P: planned by estimate, executed, destroyed. */
#define LAC_EMULATOR_FFT(P, Real)                                                                  \
  static void transform_##P(const Layout &given, void *in, void *out, int direction)               \
  {                                                                                                \
    const Layout   l = told(given);                                                                \
    const int      rank = (int) l.n.size();                                                        \
    const unsigned flags = FFTW_ESTIMATE | FFTW_UNALIGNED;                                         \
    P##_complex   *in_complex = static_cast<P##_complex *>(in);                                    \
    P##_complex   *out_complex = static_cast<P##_complex *>(out);                                  \
    P##_plan       plan;                                                                           \
                                                                                                   \
    if (is_real(l.type, true))                                                                     \
      plan = P##_plan_many_dft_r2c(                                                                \
        rank, l.n.data(), l.batch, static_cast<Real *>(in), l.inembed.data(), l.istride, l.idist,  \
        out_complex, l.onembed.data(), l.ostride, l.odist, flags | FFTW_PRESERVE_INPUT);           \
    else if (is_real(l.type, false))                                                               \
      plan = P##_plan_many_dft_c2r(rank, l.n.data(), l.batch, in_complex, l.inembed.data(),        \
                                   l.istride, l.idist, static_cast<Real *>(out), l.onembed.data(), \
                                   l.ostride, l.odist, flags | FFTW_DESTROY_INPUT);                \
    else                                                                                           \
      plan = P##_plan_many_dft(rank, l.n.data(), l.batch, in_complex, l.inembed.data(), l.istride, \
                               l.idist, out_complex, l.onembed.data(), l.ostride, l.odist,         \
                               direction, flags);                                                  \
    P##_execute(plan);                                                                             \
    P##_destroy_plan(plan);                                                                        \
  }
LAC_EMULATOR_FFT(fftw, double)
LAC_EMULATOR_FFT(fftwf, float)
#undef LAC_EMULATOR_FFT

/* During a capture the library may not allocate, and a plan without its own work area needs the caller's. */
static cufftResult
check(const Fft *plan, cufftType type, const void *in, const void *out)
{
  if (!plan || !plan->made || plan->layout.type != type)
    return CUFFT_INVALID_PLAN;
  if (!plan->automatic && plan->work_bytes && !plan->work)
    return CUFFT_NO_WORKSPACE;
  if (!is_device_memory(in, plan->in_bytes) || !is_device_memory(out, plan->out_bytes))
    fail("what is given to cuFFT does not lie in device memory");
  if (plan->work && (!is_device_memory(plan->work, plan->work_bytes)))
    fail("the work area of a transform is too short");
  return CUFFT_SUCCESS;
}

static cufftResult
transform(cufftHandle handle, cufftType type, void *in, void *out, int direction)
{
  Guard             guard(lock());
  const Fft        *plan = find(handle);
  const cufftResult result = check(plan, type, in, out);

  if (result != CUFFT_SUCCESS)
    return result;
  const Layout layout = plan->layout;
  void        *work = plan->work;
  const size_t work_bytes = plan->work_bytes;

  return enqueue(plan->stream,
                 [=]() {
                   if (work)
                     memset(work, POISON, work_bytes);
                   if (is_double(layout.type))
                     transform_fftw(layout, in, out, direction);
                   else
                     transform_fftwf(layout, in, out, direction);
                 }) == cudaSuccess
           ? CUFFT_SUCCESS
           : CUFFT_EXEC_FAILED;
}

} // namespace lac_emulator

using namespace lac_emulator;

cufftResult
cufftCreate(cufftHandle *handle)
{
  static cufftHandle last = 0;
  Guard              guard(lock());

  if (is_refused())
    return CUFFT_ALLOC_FAILED;
  counts().alive++;
  *handle = ++last;
  plans[*handle] = Fft{};
  return CUFFT_SUCCESS;
}

cufftResult
cufftDestroy(cufftHandle handle)
{
  Guard guard(lock());

  run_everything();
  if (!plans.erase(handle))
    return CUFFT_INVALID_PLAN;
  counts().alive--;
  return CUFFT_SUCCESS;
}

cufftResult
cufftSetAutoAllocation(cufftHandle handle, int automatic)
{
  Guard guard(lock());
  Fft  *plan = find(handle);

  if (!plan || plan->made)
    return CUFFT_INVALID_PLAN;
  plan->automatic = automatic != 0;
  return CUFFT_SUCCESS;
}

cufftResult
cufftMakePlanMany(cufftHandle handle,
                  int         rank,
                  int        *n,
                  int        *inembed,
                  int         istride,
                  int         idist,
                  int        *onembed,
                  int         ostride,
                  int         odist,
                  cufftType   type,
                  int         batch,
                  size_t     *work_bytes)
{
  Guard guard(lock());
  Fft  *plan = find(handle);

  if (!plan || plan->made)
    return CUFFT_INVALID_PLAN;
  if (anything_captures()) {
    invalidate_captures();
    return CUFFT_INTERNAL_ERROR;
  }
  if (rank < 1 || rank > 3 || batch < 1)
    return CUFFT_INVALID_SIZE;
  if (is_refused())
    return CUFFT_ALLOC_FAILED;
  Layout &layout = plan->layout;

  layout.n.assign(n, n + rank);
  if (inembed)
    layout.inembed.assign(inembed, inembed + rank);
  if (onembed)
    layout.onembed.assign(onembed, onembed + rank);
  layout.istride = istride;
  layout.idist = idist;
  layout.ostride = ostride;
  layout.odist = odist;
  layout.batch = batch;
  layout.type = type;
  plan->made = true;
  plan->in_bytes = side_bytes(layout, true);
  plan->out_bytes = side_bytes(layout, false);
  plan->work_bytes = std::max(plan->in_bytes, plan->out_bytes);
  *work_bytes = plan->work_bytes;
  return CUFFT_SUCCESS;
}

cufftResult
cufftGetSize(cufftHandle handle, size_t *work_bytes)
{
  Guard guard(lock());
  Fft  *plan = find(handle);

  *work_bytes = plan ? plan->work_bytes : 0;
  return plan && plan->made ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}

cufftResult
cufftSetWorkArea(cufftHandle handle, void *work)
{
  Guard guard(lock());
  Fft  *plan = find(handle);

  if (!plan || !plan->made)
    return CUFFT_INVALID_PLAN;
  plan->work = work;
  return CUFFT_SUCCESS;
}

cufftResult
cufftSetStream(cufftHandle handle, cudaStream_t stream)
{
  Guard guard(lock());
  Fft  *plan = find(handle);

  if (!plan)
    return CUFFT_INVALID_PLAN;
  plan->stream = stream;
  return CUFFT_SUCCESS;
}

cufftResult
cufftExecR2C(cufftHandle plan, cufftReal *in, cufftComplex *out)
{
  return transform(plan, CUFFT_R2C, in, out, CUFFT_FORWARD);
}

cufftResult
cufftExecC2R(cufftHandle plan, cufftComplex *in, cufftReal *out)
{
  return transform(plan, CUFFT_C2R, in, out, CUFFT_INVERSE);
}

cufftResult
cufftExecC2C(cufftHandle plan, cufftComplex *in, cufftComplex *out, int direction)
{
  return transform(plan, CUFFT_C2C, in, out, direction);
}

cufftResult
cufftExecD2Z(cufftHandle plan, cufftDoubleReal *in, cufftDoubleComplex *out)
{
  return transform(plan, CUFFT_D2Z, in, out, CUFFT_FORWARD);
}

cufftResult
cufftExecZ2D(cufftHandle plan, cufftDoubleComplex *in, cufftDoubleReal *out)
{
  return transform(plan, CUFFT_Z2D, in, out, CUFFT_INVERSE);
}

cufftResult
cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex *in, cufftDoubleComplex *out, int direction)
{
  return transform(plan, CUFFT_Z2Z, in, out, direction);
}
