/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Device memory: allocated in large pieces, sub-allocated by first fit; free neighbours are merged. */
#include "cuda/device.cuh"
#include "cuda/launch.cuh"

#include <stdlib.h>

static const size_t alignment = 256, piece_bytes = (size_t) 16 << 20;

/* A stretch of a piece. The stretches of a piece are consecutive in the list. */
struct CudaStretch {
  CudaStretch *next;
  char        *memory;
  size_t       n_bytes; /* including alignment and guard */
  size_t       asked;   /* 0: free */
};

struct CudaPiece {
  CudaPiece   *next;
  char        *memory;
  size_t       n_bytes;
  CudaStretch *stretches;
};

struct CudaArena {
  pthread_mutex_t lock;
  CudaPiece      *pieces;
  LacMemoryUse    use;
};

CudaArena *
arena_new(void)
{
  CudaArena *arena = static_cast<CudaArena *>(calloc(1, sizeof *arena));

  if (arena)
    pthread_mutex_init(&arena->lock, NULL);
  return arena;
}

static void
free_piece(CudaPiece *piece)
{
  while (piece->stretches) {
    CudaStretch *stretch = piece->stretches;

    piece->stretches = stretch->next;
    free(stretch);
  }
  memory_taken(piece->memory, piece->n_bytes);
  cudaFree(piece->memory);
  free(piece);
}

void
arena_free(CudaArena *arena)
{
  while (arena->pieces) {
    CudaPiece *piece = arena->pieces;

    arena->pieces = piece->next;
    free_piece(piece);
  }
  pthread_mutex_destroy(&arena->lock);
  free(arena);
}

static size_t
with_guard(size_t n_bytes)
{
  return (n_bytes + alignment - 1) / alignment * alignment + LAC_GUARD_BYTES;
}

/* Splits a free stretch that is longer than needed. */
static bool
occupy(CudaStretch *stretch, size_t n_bytes)
{
  const size_t needed = with_guard(n_bytes);

  if (stretch->n_bytes > needed) {
    CudaStretch *rest = static_cast<CudaStretch *>(calloc(1, sizeof *rest));

    if (!rest)
      return false;
    rest->next = stretch->next;
    rest->memory = stretch->memory + needed;
    rest->n_bytes = stretch->n_bytes - needed;
    stretch->next = rest;
    stretch->n_bytes = needed;
  }
  stretch->asked = n_bytes;
  return true;
}

static CudaStretch *
find_free(const CudaArena *arena, size_t n_bytes)
{
  for (CudaPiece *piece = arena->pieces; piece; piece = piece->next)
    for (CudaStretch *stretch = piece->stretches; stretch; stretch = stretch->next)
      if (!stretch->asked && stretch->n_bytes >= with_guard(n_bytes))
        return stretch;
  return NULL;
}

static LacStatus
try_piece(CudaArena *arena, size_t n_bytes)
{
  const size_t needed = with_guard(n_bytes);
  CudaPiece   *piece = static_cast<CudaPiece *>(calloc(1, sizeof *piece));
  CudaStretch *whole = static_cast<CudaStretch *>(calloc(1, sizeof *whole));
  LacStatus    status = piece && whole ? LAC_STATUS_OK : LAC_STATUS_OUT_OF_MEMORY;

  if (status == LAC_STATUS_OK) {
    piece->n_bytes = needed > piece_bytes ? needed : piece_bytes;
    status = status_of(cudaMalloc(&piece->memory, piece->n_bytes));
    if (status == LAC_STATUS_OUT_OF_MEMORY && needed < piece->n_bytes) {
      piece->n_bytes = needed;
      status = status_of(cudaMalloc(&piece->memory, piece->n_bytes));
    }
  }
  if (status != LAC_STATUS_OK) {
    free(piece);
    free(whole);
    return status;
  }
  memory_free(piece->memory, piece->n_bytes);
  *whole = {NULL, piece->memory, piece->n_bytes, 0};
  piece->stretches = whole;
  piece->next = arena->pieces;
  arena->pieces = piece;
  arena->use.reserved += piece->n_bytes;
  return LAC_STATUS_OK;
}

/* Returns empty pieces to the device. Returns: whether there were any. */
static bool
drop_free_pieces(CudaArena *arena)
{
  bool any = false;

  for (CudaPiece **at = &arena->pieces; *at;) {
    CudaPiece *piece = *at;

    if (piece->stretches->asked || piece->stretches->next) {
      at = &piece->next;
      continue;
    }
    *at = piece->next;
    arena->use.reserved -= piece->n_bytes;
    free_piece(piece);
    any = true;
  }
  return any;
}

/* Frees empty pieces and retries when the device is full: they may be too short for this one. */
static LacStatus
add_piece(CudaArena *arena, size_t n_bytes)
{
  const LacStatus status = try_piece(arena, n_bytes);

  return status == LAC_STATUS_OUT_OF_MEMORY && drop_free_pieces(arena) ? try_piece(arena, n_bytes)
                                                                       : status;
}

LacStatus
arena_take(CudaArena *arena, size_t n_bytes, void **memory)
{
  const size_t wanted = n_bytes ? n_bytes : 1;
  CudaStretch *stretch;
  LacStatus    status = LAC_STATUS_OK;

  *memory = NULL;
  if (n_bytes > SIZE_MAX / 2)
    return LAC_STATUS_OUT_OF_MEMORY;
  if (memory_refused())
    return status_of_call(cudaErrorMemoryAllocation, "cudaMalloc");
  pthread_mutex_lock(&arena->lock);
  stretch = find_free(arena, wanted);
  if (!stretch) {
    status = add_piece(arena, wanted);
    stretch = status == LAC_STATUS_OK ? find_free(arena, wanted) : NULL;
  }
  if (stretch && !occupy(stretch, wanted))
    status = LAC_STATUS_OUT_OF_MEMORY;
  if (status == LAC_STATUS_OK) {
    *memory = stretch->memory;
    memory_taken(stretch->memory, wanted);
    arena->use.used += wanted;
    if (arena->use.used > arena->use.peak)
      arena->use.peak = arena->use.used;
  }
  pthread_mutex_unlock(&arena->lock);
  return status;
}

static void
join_free(CudaPiece *piece)
{
  for (CudaStretch *stretch = piece->stretches; stretch && stretch->next;) {
    CudaStretch *next = stretch->next;

    if (stretch->asked || next->asked) {
      stretch = next;
      continue;
    }
    stretch->n_bytes += next->n_bytes;
    stretch->next = next->next;
    free(next);
  }
}

void
arena_give_back(CudaArena *arena, void *memory)
{
  pthread_mutex_lock(&arena->lock);
  for (CudaPiece *piece = arena->pieces; piece; piece = piece->next)
    for (CudaStretch *stretch = piece->stretches; stretch; stretch = stretch->next)
      if (stretch->asked && stretch->memory == memory) {
        arena->use.used -= stretch->asked;
        stretch->asked = 0;
        memory_free(stretch->memory, stretch->n_bytes);
        join_free(piece);
        memory = NULL;
        break;
      }
  pthread_mutex_unlock(&arena->lock);
}

void
arena_use(CudaArena *arena, LacMemoryUse *use)
{
  pthread_mutex_lock(&arena->lock);
  *use = arena->use;
  pthread_mutex_unlock(&arena->lock);
}

void
arena_reset_peak(CudaArena *arena)
{
  pthread_mutex_lock(&arena->lock);
  arena->use.peak = arena->use.used;
  pthread_mutex_unlock(&arena->lock);
}
