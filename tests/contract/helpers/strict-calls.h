/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls of every kernel of the optional parts of a backend's table, with their reads and writes as documented in the
 * header. */
#pragma once

#include "backend/electrons.h"
#include "backend/plane-layers.h"
#include "backend/waves.h"

#include <glib.h>

enum { MOST_OPERANDS = 12 };

typedef enum { IN = 1, OUT = 2, BOTH = IN | OUT, SCRATCH = 4 | OUT } Use;

/* Memory of the pointer at `offset` of the arguments; `before`: bytes before the pointer that are part of it. */
typedef struct {
  gsize    offset, n_bytes, before, word;
  Use      use;
  gboolean may_look_unwritten;
  guint8  *memory;
} Operand;

typedef struct _Call Call;
struct _Call {
  LacStatus (*ask)(const LacDevice *device, Call *call);
  Operand operands[MOST_OPERANDS];
  guint   n;
  union {
    LacLatent        latent;
    LacConvolve      convolve;
    LacNormalise     normalise;
    LacPlanePicture  picture;
    LacPlaneStep     step;
    LacWaves         waves;
    LacWaveTransform transform;
    LacElectronSolve solve;
    struct {
      LacElectronBatch batch;
      union {
        LacElectronAnswer      answer;
        LacElectronMoves       moves;
        LacElectronOrbitals    orbitals;
        LacElectronTape        tape;
        LacElectronContraction contraction;
        LacElectronFactors     factors;
        LacElectronAdapt       adapt;
        LacElectronEnergies    energies;
        LacElectronClip        clip;
        LacElectronReseed      reseed;
        LacElectronCentre      centre;
        LacElectronKept        kept;
        LacElectronCount       count;
        LacElectronDescend     descend;
      };
    };
  };
};

/* `set` fills in arguments and operands, except the addresses. */
typedef struct {
  const char *name;
  LacStatus (*ask)(const LacDevice *device, Call *call);
  void (*set)(Call *call, const LacDevice *device);
  gboolean waits; /* not while a step is recorded */
} StrictKind;

extern const StrictKind strict_kinds[]; /* terminated by a row without a name */
