/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writer of the frames of run.h5: one group a channel with values [n_frames][ny][nx], x [nx], y [ny]; and the markers.
 * Frames are loaded and packed by every thread of a pool, without the lock of HDF5, which is held for one chunk at a
 * time. */
#include "io/runfile/assemble-frames.h"

#include "io/runfile/metadata.h"

#include <math.h>
#include <string.h>
#include <zlib.h>

static gboolean
put_axis(hid_t group, const char *name, gsize n, double low, double high)
{
  g_autofree double *centres = g_new(double, n + 1);

  for (gsize i = 0; i < n; i++)
    centres[i] = n > 1 ? low + (high - low) * (double) i / (double) (n - 1) : low;
  return lac_h5_write_vector(group, name, H5T_NATIVE_DOUBLE, n, centres);
}

static gboolean
put_channel(hid_t group, const LacRunChannel *channel)
{
  const LacChart *chart = &channel->chart;

  return lac_meta_put_h5(&lac_meta_channel, channel, group) &&
         (channel->layers.n == 0 || lac_meta_put_h5(&lac_meta_layers, &channel->layers, group)) &&
         (chart->n == 0 || (lac_h5_write_texts(group, "curves", channel->curves, chart->n) &&
                            lac_meta_put_h5(&lac_meta_chart, chart, group)));
}

/* ---- chunks: packed apart from HDF5, which the other threads use in the meantime ---- */

/* A chunk, kept for the next frame of its channel: many planes never change. */
typedef struct {
  guint8 *bytes; /* [capacity] */
  gsize   n, capacity;
} Chunk;

typedef struct {
  z_stream  deflate;
  guint8   *shuffled; /* [capacity] */
  gsize     capacity;
  Chunk    *chunks; /* [n_chunks]: one a channel, or one for all, which is then not kept */
  gsize     n_chunks;
  LacFrame *before; /* (nullable): the frame that they hold */
} Packer;

#define BLOCKS ((gsize) 64) /* bytes for the ends of blocks between changes of level */

/* Matches of bytes that follow each other at once: nearly as small as all matches for shuffled floats, in half the time. */
static gboolean
packer_init(Packer *packer, gsize n_channels, gboolean keeps)
{
  *packer = (Packer){.n_chunks = keeps ? n_channels + 1 : 1};
  packer->chunks = g_new0(Chunk, packer->n_chunks);
  return deflateInit2(&packer->deflate, LAC_H5_DEFLATE_LEVEL, Z_DEFLATED, MAX_WBITS, MAX_MEM_LEVEL,
                      Z_RLE) == Z_OK;
}

static void
packer_clear(Packer *packer)
{
  deflateEnd(&packer->deflate);
  for (gsize c = 0; c < packer->n_chunks; c++)
    g_free(packer->chunks[c].bytes);
  g_free(packer->chunks);
  g_free(packer->shuffled);
  g_clear_pointer(&packer->before, lac_frame_unref);
}

/* Groups equal bytes of the floats, as H5Pset_shuffle() does. */
static void
shuffle(const LacPlane *plane, guint8 *to)
{
  const gsize   n = plane->nx * plane->ny;
  const guint8 *from = (const guint8 *) plane->data;

  for (gsize byte = 0; byte < sizeof(float); byte++)
    for (gsize i = 0; i < n; i++)
      to[byte * n + i] = from[i * sizeof(float) + byte];
}

static Chunk *
find_chunk(const Packer *packer, gsize channel)
{
  return &packer->chunks[packer->n_chunks > 1 ? channel : 0];
}

static gboolean
is_unchanged(const Packer *packer, gsize channel, const LacPlane *plane)
{
  const LacPlane *before;

  if (!packer->before || channel >= packer->before->n_planes || find_chunk(packer, channel)->n == 0)
    return FALSE;
  before = &packer->before->planes[channel];
  return before->nx == plane->nx && before->ny == plane->ny &&
         memcmp(before->data, plane->data, plane->nx * plane->ny * sizeof(float)) == 0;
}

#define MOST_SAMPLED 4096 /* bytes */
#define LEAST_RANDOM 7.2  /* bits a byte: deflate would hardly shorten such bytes */

/* Returns TRUE for bytes without structure, judged by a sample: the last bits of measured or computed floats. Source of
 * the entropy: Shannon (1948), doi:10.1002/j.1538-7305.1948.tb01338.x */
static gboolean
is_random(const guint8 *bytes, gsize n)
{
  const gsize n_sampled = MIN(n, MOST_SAMPLED);
  guint       counts[256] = {0};
  double      bits = 0;

  for (gsize i = 0; i < n_sampled; i++)
    counts[bytes[i * n / n_sampled]]++;
  for (gsize value = 0; value < G_N_ELEMENTS(counts); value++) {
    const double share = (double) counts[value] / (double) n_sampled;

    bits -= share > 0 ? share * log2(share) : 0;
  }
  return bits > LEAST_RANDOM;
}

/* Deflates the next bytes, or stores them as they are. */
static gboolean
pack_bytes(z_stream *deflater, guint8 *bytes, gsize n, gboolean is_last)
{
  const int level = is_random(bytes, n) ? Z_NO_COMPRESSION : LAC_H5_DEFLATE_LEVEL;

  deflater->next_in = NULL; /* ends the present block without input */
  deflater->avail_in = 0;
  if (deflateParams(deflater, level, Z_RLE) != Z_OK)
    return FALSE;
  deflater->next_in = bytes;
  deflater->avail_in = (uInt) n;
  if (is_last)
    return deflate(deflater, Z_FINISH) == Z_STREAM_END;
  return deflate(deflater, Z_NO_FLUSH) == Z_OK && deflater->avail_in == 0;
}

/* Packs a plane into the chunk of its channel; 0 bytes on failure. */
static void
pack(Packer *packer, gsize channel, const LacPlane *plane)
{
  const gsize n = plane->nx * plane->ny, n_bytes = n * sizeof(float);
  const gsize bound = deflateBound(&packer->deflate, n_bytes) + BLOCKS;
  Chunk      *chunk = find_chunk(packer, channel);
  gboolean    done = TRUE;

  if (is_unchanged(packer, channel, plane))
    return;
  if (n_bytes > packer->capacity) {
    packer->shuffled = g_realloc(packer->shuffled, n_bytes);
    packer->capacity = n_bytes;
  }
  if (bound > chunk->capacity) {
    chunk->bytes = g_realloc(chunk->bytes, bound);
    chunk->capacity = bound;
  }
  shuffle(plane, packer->shuffled);
  deflateReset(&packer->deflate);
  packer->deflate.next_out = chunk->bytes;
  packer->deflate.avail_out = (uInt) bound;
  for (gsize byte = 0; done && byte < sizeof(float); byte++)
    done = pack_bytes(&packer->deflate, packer->shuffled + byte * n, n, byte + 1 == sizeof(float));
  chunk->n = done ? packer->deflate.total_out : 0;
}

static gboolean
has_shape(hid_t set, const LacPlane *plane)
{
  hsize_t sizes[3];
  hid_t   space = H5Dget_space(set);

  H5Sget_simple_extent_dims(space, sizes, NULL);
  H5Sclose(space);
  return sizes[1] == plane->ny && sizes[2] == plane->nx;
}

static gboolean
put_plane(hid_t set, gsize i, const LacPlane *plane, const Chunk *chunk)
{
  const hsize_t at[3] = {i, 0, 0};

  lac_h5_lock();
  const gboolean done =
    has_shape(set, plane) &&
    (plane->nx * plane->ny == 0 ||
     (chunk->n > 0 && H5Dwrite_chunk(set, H5P_DEFAULT, 0, at, chunk->n, chunk->bytes) >= 0));
  lac_h5_unlock();
  return done;
}

/* Per-frame data other than planes, one row per frame. */
typedef struct {
  double *seconds, *metrics, *markers; /* [n], [n][n_metrics], [n][n_markers][2] */
  double *space;                       /* [n][n_markers][3]; NaN: no position in space */
  char  **kinds;                       /* [n_markers] */
  gsize   n_markers;
  gint    is_in_space; /* (atomic): TRUE when at least one is */
} FrameRows;

/* @first: (nullable): first frame of the run; NULL: it has none */
static void
rows_init(FrameRows *rows, const LacRunFile *run, const LacFrame *first)
{
  const gsize n = run->n_frames, n_markers = first ? first->n_markers : 0;

  *rows = (FrameRows){
    .seconds = g_new0(double, n + 1),
    .metrics = g_new0(double, n * run->n_metrics + 1),
    .markers = g_new0(double, 2 * n_markers * n + 1),
    .space = g_new0(double, 3 * n_markers * n + 1),
    .kinds = g_new0(char *, n_markers + 1),
    .n_markers = n_markers,
  };
  for (gsize k = 0; k < n_markers; k++)
    rows->kinds[k] = (char *) first->markers[k].kind;
}

static void
note_frame(FrameRows *rows, const LacRunFile *run, gsize i, const LacFrame *frame)
{
  rows->seconds[i] = frame->seconds;
  for (gsize m = 0; m < MIN(run->n_metrics, frame->n_metrics); m++)
    rows->metrics[i * run->n_metrics + m] = frame->metrics[m];
  for (gsize k = 0; k < MIN(rows->n_markers, frame->n_markers); k++) {
    const LacMarker *marker = &frame->markers[k];
    const gsize      at = i * rows->n_markers + k;

    rows->markers[2 * at] = marker->x;
    rows->markers[2 * at + 1] = marker->y;
    if (marker->is_in_space)
      g_atomic_int_set(&rows->is_in_space, TRUE);
    for (gsize c = 0; c < 3; c++)
      rows->space[3 * at + c] = marker->is_in_space ? marker->space[c] : (double) NAN;
  }
}

/* Writes positions in space, only for runs with volumes. */
static gboolean
put_space(hid_t group, const LacRunFile *run, const FrameRows *rows)
{
  hsize_t sizes[3] = {run->n_frames, rows->n_markers, 3};
  hid_t   set;

  if (!g_atomic_int_get(&rows->is_in_space))
    return TRUE;
  set = lac_h5_write(group, "space", H5T_NATIVE_DOUBLE, 3, sizes, rows->space);
  return set >= 0 && H5Dclose(set) >= 0;
}

static gboolean
put_frame_rows(hid_t file, hid_t group, const LacRunFile *run, const FrameRows *rows)
{
  hsize_t metrics[2] = {run->n_frames, run->n_metrics};
  hsize_t markers[3] = {run->n_frames, rows->n_markers, 2};
  hid_t   set = lac_h5_write(group, "metrics", H5T_NATIVE_DOUBLE, 2, metrics, rows->metrics);

  if (set < 0 || H5Dclose(set) < 0 ||
      !lac_h5_write_vector(group, "step", H5T_NATIVE_INT64, run->n_frames, run->frame_step) ||
      !lac_h5_write_vector(group, "seconds", H5T_NATIVE_DOUBLE, run->n_frames, rows->seconds))
    return FALSE;
  hid_t place = lac_h5_group(file, "markers");
  set = lac_h5_write(place, "position", H5T_NATIVE_DOUBLE, 3, markers, rows->markers);
  gboolean done = set >= 0 && H5Dclose(set) >= 0 &&
                  lac_h5_write_texts(place, "kind", rows->kinds, rows->n_markers) &&
                  put_space(place, run, rows);
  return lac_h5_close_group(place, done);
}

typedef struct {
  hid_t *groups, *values; /* [n_channels]; negative when missing */
} ChannelSets;

static gboolean
make_channels(hid_t group, const LacRunFile *run, const LacFrame *first, ChannelSets *sets)
{
  gboolean done = TRUE;

  for (gsize c = 0; done && c < run->n_channels; c++) {
    sets->groups[c] = lac_h5_group(group, run->channels[c].key);
    done = sets->groups[c] >= 0 && put_channel(sets->groups[c], &run->channels[c]);
    if (!done || first == NULL || c >= first->n_planes)
      continue;
    const LacPlane *plane = &first->planes[c];
    sets->values[c] =
      lac_h5_make_planes(sets->groups[c], "values", run->n_frames, plane->ny, plane->nx);
    done = sets->values[c] >= 0 &&
           put_axis(sets->groups[c], "x", plane->nx, plane->x_min, plane->x_max) &&
           put_axis(sets->groups[c], "y", plane->ny, plane->y_min, plane->y_max);
  }
  return done;
}

static gboolean
close_channels(const LacRunFile *run, const ChannelSets *sets)
{
  gboolean done = TRUE;

  for (gsize c = 0; c < run->n_channels; c++) {
    if (sets->values[c] >= 0)
      done &= H5Dclose(sets->values[c]) >= 0;
    if (sets->groups[c] >= 0)
      done &= H5Gclose(sets->groups[c]) >= 0;
  }
  return done;
}

/* Frames written in parts, each by one thread with its own packer. */
typedef struct {
  const LacRunFile  *run;
  const ChannelSets *sets;
  FrameRows         *rows;
  gsize              n_in_part;
  gboolean           keeps;     /* packers keep the chunks of the frame before */
  gint               is_failed; /* (atomic) */
} Job;

static gboolean
put_frame(const Job *job, gsize i, Packer *packer)
{
  const LacRunFile *run = job->run;
  LacFrame         *frame = lac_run_file_load_frame(run, i, NULL);
  gboolean          done = TRUE;

  if (frame == NULL)
    return TRUE;
  note_frame(job->rows, run, i, frame);
  for (gsize c = 0; done && c < MIN(run->n_channels, frame->n_planes); c++) {
    const hid_t set = job->sets->values[c];

    pack(packer, c, &frame->planes[c]);
    done = set >= 0 && put_plane(set, i, &frame->planes[c], find_chunk(packer, c));
  }
  g_clear_pointer(&packer->before, lac_frame_unref);
  if (packer->n_chunks > 1)
    packer->before = frame;
  else
    lac_frame_unref(frame);
  return done;
}

static void
put_part(gsize part, guint worker G_GNUC_UNUSED, gpointer user_data)
{
  Job        *job = user_data;
  const gsize first = part * job->n_in_part, end = MIN(first + job->n_in_part, job->run->n_frames);
  Packer      packer;
  gboolean    done = packer_init(&packer, job->run->n_channels, job->keeps);

  for (gsize i = first; i < end && done && !g_atomic_int_get(&job->is_failed); i++)
    done = put_frame(job, i, &packer);
  if (!done)
    g_atomic_int_set(&job->is_failed, TRUE);
  packer_clear(&packer);
}

enum { FRAMES_IN_PART = 8 };
#define MOST_KEPT   ((gsize) 64 << 20) /* bytes of a frame whose chunks are kept */
#define MOST_SHARED ((gsize) 4 << 20) /* bytes of a frame of which every thread has one at a time */

/* @pool: (nullable) */
static gboolean
put_all(Job *job, const LacFrame *first, LacPool *pool)
{
  const gsize n = job->run->n_frames;
  gsize       n_bytes = 0;

  for (gsize c = 0; c < first->n_planes; c++)
    n_bytes += first->planes[c].nx * first->planes[c].ny * sizeof(float);
  job->keeps = n_bytes <= MOST_KEPT;
  job->n_in_part = n_bytes <= MOST_SHARED ? FRAMES_IN_PART : n;
  if (pool)
    lac_pool_run(pool, (n + job->n_in_part - 1) / job->n_in_part, put_part, job);
  for (gsize part = 0; !pool && part * job->n_in_part < n; part++)
    put_part(part, 0, job);
  return !g_atomic_int_get(&job->is_failed);
}

static void
rows_clear(FrameRows *rows)
{
  g_free(rows->seconds);
  g_free(rows->metrics);
  g_free(rows->markers);
  g_free(rows->space);
  g_free(rows->kinds);
}

/* A damaged frame leaves NaN in its metrics and zeros in its planes. */
gboolean
lac_run_file_put_frames(hid_t file, const LacRunFile *run, LacPool *pool)
{
  g_autofree hid_t   *ids = g_new(hid_t, 2 * run->n_channels + 1);
  ChannelSets         sets = {ids, ids + run->n_channels};
  FrameRows           rows;
  Job                 job = {.run = run, .sets = &sets, .rows = &rows};
  g_autoptr(LacFrame) first = run->n_frames > 0 ? lac_run_file_load_frame(run, 0, NULL) : NULL;

  for (gsize k = 0; k < 2 * run->n_channels; k++)
    ids[k] = H5I_INVALID_HID;
  rows_init(&rows, run, first);
  lac_h5_lock();
  hid_t    group = lac_h5_group(file, "frames");
  gboolean done = group >= 0 && make_channels(group, run, first, &sets);
  lac_h5_unlock();
  if (done && first != NULL)
    done = put_all(&job, first, pool);
  lac_h5_lock();
  done &= close_channels(run, &sets);
  done = done && put_frame_rows(file, group, run, &rows);
  done = lac_h5_close_group(group, done);
  lac_h5_unlock();
  rows_clear(&rows);
  return done;
}
