/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writer of run.h5, in the schema of docs/run-file.md. */
#define _GNU_SOURCE /* fallocate */
#include "base/clock.h"
#include "base/error.h"
#include "io/format/h5.h"
#include "io/format/write-error.h"
#include "io/runfile/assemble-frames.h"
#include "io/runfile/format.h"
#include "io/runfile/metadata.h"
#include "io/runfile/run-file-private.h"

#include <glib/gstdio.h>

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

/* Writes one part of the file, while the lock of HDF5 is held. Returns: FALSE on failure. */
typedef gboolean (*PartFunc)(hid_t file, const LacRunFile *run);

static gboolean
put_root(hid_t file, const LacRunFile *run)
{
  return lac_h5_put_text(file, "format", "lacuna-run") &&
         lac_h5_put_integer(file, "version", LAC_RUN_FILE_VERSION) &&
         lac_meta_put_h5(&lac_meta_run, lac_run_source(run), file);
}

static gboolean
put_settings(hid_t file, const LacRunFile *run)
{
  hid_t    group = lac_h5_group(file, "settings");
  gboolean done = group >= 0;

  for (gsize i = 0; done && i < run->n_settings; i++) {
    const LacRunSetting *setting = &run->settings[i];
    hid_t                entry = lac_h5_group(group, setting->key);

    done = entry >= 0 && lac_meta_put_h5(&lac_meta_setting, setting, entry);
    done = lac_h5_close_group(entry, done);
  }
  return lac_h5_close_group(group, done);
}

static gboolean
put_provenance(hid_t file, const LacRunFile *run)
{
  hid_t    group = lac_h5_group(file, "provenance");
  gboolean done = group >= 0;

  for (gsize i = 0; done && i < run->n_facts; i++) {
    hid_t entry = lac_h5_group(group, run->facts[i].key);

    done = entry >= 0 && lac_meta_put_h5(&lac_meta_fact, &run->facts[i], entry);
    done = lac_h5_close_group(entry, done);
  }
  return lac_h5_close_group(group, done);
}

/* Writes a vector of charges and one per coordinate. */
static gboolean
put_molecule(hid_t file, const LacRunFile *run)
{
  static const char *const axes[] = {"x", "y", "z"};
  const LacMolecule       *molecule = run->molecule;
  if (molecule == NULL)
    return TRUE;
  hid_t              group = lac_h5_group(file, "molecule");
  gsize              n = molecule->n_nuclei;
  g_autofree gint64 *charges = g_new(gint64, n);
  g_autofree double *places = g_new(double, n);
  gboolean           done = group >= 0 && lac_h5_put_text(group, "name", molecule->name) &&
                  lac_h5_put_unsigned(group, "up", molecule->n_up) &&
                  lac_h5_put_unsigned(group, "down", molecule->n_down);

  for (gsize a = 0; a < n; a++)
    charges[a] = molecule->nuclei[a].charge;
  done = done && lac_h5_write_vector(group, "charge", H5T_NATIVE_INT64, n, charges);
  for (guint k = 0; done && k < 3; k++) {
    for (gsize a = 0; a < n; a++)
      places[a] = molecule->nuclei[a].position[k];
    done = lac_h5_write_vector(group, axes[k], H5T_NATIVE_DOUBLE, n, places);
  }
  return lac_h5_close_group(group, done);
}

static gboolean
put_events(hid_t file, const LacRunFile *run)
{
  hid_t              group = lac_h5_group(file, "events");
  gsize              n = run->n_events;
  g_autofree gint64 *step = g_new(gint64, n + 1);
  g_autofree double *seconds = g_new(double, n + 1);
  g_autofree char  **what = g_new(char *, n + 1);
  g_autofree char  **detail = g_new(char *, n + 1);

  for (gsize i = 0; i < n; i++) {
    step[i] = run->events[i].step;
    seconds[i] = run->events[i].seconds;
    what[i] = run->events[i].what;
    detail[i] = run->events[i].detail;
  }
  return lac_h5_close_group(
    group, group >= 0 && lac_h5_write_vector(group, "step", H5T_NATIVE_INT64, n, step) &&
             lac_h5_write_vector(group, "seconds", H5T_NATIVE_DOUBLE, n, seconds) &&
             lac_h5_write_texts(group, "what", what, n) &&
             lac_h5_write_texts(group, "detail", detail, n));
}

static gboolean
put_metrics(hid_t file, const LacRunFile *run)
{
  hid_t              group = lac_h5_group(file, "metrics");
  hsize_t            n = run->n_series;
  g_autofree double *column = g_new(double, n + 1);
  gboolean           done;

  done = group >= 0 && lac_h5_write_vector(group, "step", H5T_NATIVE_INT64, n, run->series_step) &&
         lac_h5_write_vector(group, "seconds", H5T_NATIVE_DOUBLE, n, run->series_seconds);
  for (gsize m = 0; done && m < run->n_metrics; m++) {
    const LacRunMetric *metric = &run->metrics[m];

    for (gsize i = 0; i < n; i++)
      column[i] = run->series[i * run->n_metrics + m];
    hid_t set = lac_h5_write(group, metric->key, H5T_NATIVE_DOUBLE, 1, &n, column);
    done = set >= 0 && lac_meta_put_h5(&lac_meta_metric, metric, set);
    if (set >= 0)
      done &= H5Dclose(set) >= 0;
    lac_h5_yield();
  }
  return lac_h5_close_group(group, done);
}

static gboolean
put_records(hid_t file, const LacRunFile *run)
{
  const LacCapture *capture = run->capture;
  gsize             n_records, n_names = lac_capture_get_n_names(capture);
  gsize             n_lanes = lac_capture_get_n_lanes(capture);
  const LacRecord  *records = lac_capture_get(capture, 0, &n_records);
  g_autofree char **names = g_new(char *, n_names + 1), **lanes = g_new(char *, n_lanes + 1);
  hid_t             type = lac_h5_record_type();

  for (gsize i = 0; i < n_names; i++)
    names[i] = (char *) lac_capture_get_name(capture, (guint32) i);
  for (gsize i = 0; i < n_lanes; i++)
    lanes[i] = (char *) lac_capture_get_lane(capture, (guint16) i);
  gboolean done = lac_h5_write_vector(file, "records", type, n_records, records) &&
                  lac_h5_write_texts(file, "names", names, n_names) &&
                  lac_h5_write_texts(file, "lanes", lanes, n_lanes);
  H5Tclose(type);
  return done;
}

/* Returns an upper estimate of the file size: a disk that fills up within HDF5 cannot be recovered from. */
static guint64
estimate_bytes(const LacRunFile *run)
{
  guint64             bytes = 1024 * 1024;
  g_autoptr(LacFrame) first = run->n_frames > 0 ? lac_run_file_load_frame(run, 0, NULL) : NULL;

  bytes += lac_capture_get_n_records(run->capture) * sizeof(LacRecord);
  bytes += run->n_series * (run->n_metrics + 2) * sizeof(double);
  for (gsize c = 0; first != NULL && c < first->n_planes; c++)
    bytes += run->n_frames * first->planes[c].nx * first->planes[c].ny * sizeof(float);
  return bytes;
}

/* Returns TRUE when the disk has this much space for one file: HDF5 neither reports nor survives running out. The file
 * is removed again: emptying a large file, and closing one that was emptied, would take long while HDF5 is locked. */
static gboolean
try_room(const char *path, guint64 bytes)
{
  int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  int code = 0;

  if (fd < 0)
    return FALSE;
  if (fallocate(fd, 0, 0, (off_t) bytes) != 0 && errno != EOPNOTSUPP && errno != EINTR)
    code = errno;
  close(fd);
  g_unlink(path);
  errno = code;
  return code == 0;
}

/* The format of HDF5 1.10 has checksums in its metadata, those before it have none: without them, HDF5 reads beyond the
 * end of a damaged attribute. */
static hid_t
make_file(const char *path)
{
  hid_t creation = H5Pcreate(H5P_FILE_CREATE), access = H5Pcreate(H5P_FILE_ACCESS);

  H5Pset_link_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110);
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, creation, access);
  H5Pclose(access);
  H5Pclose(creation);
  return file;
}

static gboolean
sync_file(const char *path)
{
  int      fd = open(path, O_RDONLY | O_CLOEXEC);
  gboolean done = fd >= 0 && fsync(fd) == 0;

  if (fd >= 0)
    close(fd);
  return done;
}

static const char *
get_advice(int code)
{
  switch (code) {
  case ENOSPC:
  case EDQUOT: return "free space";
  case EFBIG: return "raise the limit on file sizes (ulimit -f)";
  default: return "make the folder writable";
  }
}

/* Sets the error for errno @code while writing @bytes to @path. Returns: FALSE. */
static gboolean
fail_assembly(GError **error, int code, const char *path, guint64 bytes)
{
  g_autofree char *folder = g_path_get_dirname(path);
  g_autofree char *name = g_path_get_basename(path);
  g_autofree char *needed = g_format_size(bytes);
  const gboolean   is_full = code == ENOSPC || code == EDQUOT || code == EFBIG;
  const guint64    free_bytes = lac_free_bytes(folder);
  g_autofree char *free_text = g_format_size(free_bytes == G_MAXUINT64 ? 0 : free_bytes);
  g_autofree char *room = code == ENOSPC ? g_strdup_printf(" and %s are free", free_text)
                                         : g_strdup_printf(": %s", g_strerror(code));

  g_set_error(
    error, LAC_ERROR, is_full ? LAC_ERROR_DISK_FULL : LAC_ERROR_UNWRITABLE,
    "%s could not be assembled (it needs up to %s%s); the journal, records and checkpoint "
    "of the run are whole: %s, then lacuna info %s assembles it",
    name, needed, room, get_advice(code), folder);
  return FALSE;
}

/* Writes the parts in their order in the file. Other threads have their turn between them, and within the long ones. */
static gboolean
write_file(const LacRunFile *run, const char *path, LacAssembly *assembly)
{
  static const PartFunc head[] = {put_root, put_settings, put_provenance, put_metrics};
  static const PartFunc tail[] = {put_records, put_events, put_molecule};
  gboolean              done = TRUE;

  lac_h5_lock();
  hid_t file = make_file(path);
  for (gsize i = 0; file >= 0 && done && i < G_N_ELEMENTS(head); i++) {
    done = head[i](file, run);
    lac_h5_yield();
  }
  lac_h5_unlock();
  done = file >= 0 && done &&
         lac_run_file_put_frames(file, run, assembly != NULL ? assembly->pool : NULL);
  lac_h5_lock();
  if (done && assembly != NULL) { /* the frames take nearly all of it */
    assembly->seconds = (double) (lac_clock_ns() - assembly->begin_ns) * 1e-9;
    done = lac_h5_put_real(file, LAC_RUN_ASSEMBLY, assembly->seconds);
  }
  for (gsize i = 0; done && i < G_N_ELEMENTS(tail); i++) {
    done = tail[i](file, run);
    lac_h5_yield();
  }
  if (file >= 0)
    done &= H5Fclose(file) >= 0;
  lac_h5_unlock();
  return done;
}

gboolean
lac_run_file_write_h5(const LacRunFile *run,
                      const char       *path,
                      LacAssembly      *assembly,
                      GError          **error)
{
  g_autofree char *temporary = g_strconcat(path, ".tmp", NULL);
  g_autofree char *folder = g_path_get_dirname(path);
  guint64          bytes = estimate_bytes(run);

  if (lac_free_bytes(folder) < bytes)
    return fail_assembly(error, ENOSPC, path, bytes);
  if (g_access(folder, W_OK) != 0)
    return fail_assembly(error, errno, path, bytes);
  if (!try_room(temporary, bytes))
    return fail_assembly(error, errno, path, bytes);
  if (write_file(run, temporary, assembly) && sync_file(temporary) &&
      g_rename(temporary, path) == 0)
    return TRUE;
  g_unlink(temporary);
  return fail_assembly(error, ENOSPC, path, bytes);
}

gboolean
lac_run_file_assemble(const char *folder, LacAssembly *assembly, GError **error)
{
  g_autoptr(LacRunFile) run = lac_run_file_read_segments(folder, "interrupted", error);
  g_autofree char      *path = g_build_filename(folder, LAC_RUN_H5, NULL);

  return run != NULL && lac_run_file_write_h5(run, path, assembly, error);
}
