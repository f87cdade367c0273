/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls of every kernel of the parts of a backend's table, and what each reads and writes by its header. */
#pragma once

#include "backend/electrons.h"
#include "backend/plane-layers.h"
#include "backend/waves.h"

#include <glib.h>

enum { MOST_OPERANDS = 12 };

typedef enum { IN = 1, OUT = 2, BOTH = IN | OUT, SCRATCH = 4 | OUT } Use;

/* What the member at `offset` of the arguments points to; `before`: bytes in front of it that belong to it. */
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

/* `set` fills in the arguments and the operands, but for where they are. */
typedef struct {
  const char *name;
  LacStatus (*ask)(const LacDevice *device, Call *call);
  void (*set)(Call *call, const LacDevice *device);
  gboolean waits; /* not while a step is recorded */
} StrictKind;

extern const StrictKind strict_kinds[]; /* up to one without a name */
