/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Export of all saved steps of a plane flow in the layout of the Johns Hopkins Turbulence Databases' cut-outs, for
 * programs that read those: xcoor, ycoor, zcoor and, per step, Velocity_0001 [z][y][x][3] and Pressure_0001
 * [z][y][x][1] in float32; with an .xmf for ParaView. Times are also stored in tcoor. Source: idies/pyJHTDB (cutout);
 * XDMF 2 */
#include "base/error.h"
#include "io/export/export.h"
#include "io/format/h5.h"
#include "io/format/write-error.h"

#include <glib/gstdio.h>

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { U, V, W, P, N_QUANTITIES };

typedef struct {
  const LacRunFile *run;
  gssize            channels[N_QUANTITIES]; /* -1: missing in the run */
  gsize             nx, ny;
  const char       *path;
} Cutout;

/* Returns the part after the dot of "u.enkf"; "" in a run with a single source. */
static const char *
source_of(const char *key)
{
  const char *point = strchr(key, '.');

  return point != NULL ? point : "";
}

static gssize
find_channel(const LacRunFile *run, const char *quantity, const char *source)
{
  for (gsize i = 0; i < run->n_channels; i++)
    if (g_str_equal(run->channels[i].quantity, quantity) &&
        g_str_equal(source_of(run->channels[i].key), source))
      return (gssize) i;
  return -1;
}

static gboolean
find_channels(Cutout *cutout, const char *key, GError **error)
{
  static const char *const quantities[N_QUANTITIES] = {"u", "v", "w", "p"};
  const LacRunFile        *run = cutout->run;
  const char              *source = key != NULL ? source_of(key) : NULL;

  for (gsize i = 0; i < run->n_channels && source == NULL; i++)
    if (run->channels[i].role == LAC_ROLE_RECONSTRUCTION)
      source = source_of(run->channels[i].key);
  for (guint q = 0; q < N_QUANTITIES; q++)
    cutout->channels[q] = find_channel(run, quantities[q], source != NULL ? source : "");
  if (cutout->channels[U] >= 0 && cutout->channels[V] >= 0 &&
      !g_str_equal(run->channels[cutout->channels[U]].axis_x, "t"))
    return TRUE;
  g_set_error(
    error, LAC_ERROR, LAC_ERROR_USAGE,
    "%s has no plane velocity u, v%s%s; a cut-out requires one, and --channel selects its source",
    run->path, key != NULL ? " from the source of " : "", key != NULL ? key : "");
  return FALSE;
}

static const LacPlane *
plane_of(const Cutout *cutout, const LacFrame *frame, guint quantity)
{
  return cutout->channels[quantity] >= 0 ? &frame->planes[cutout->channels[quantity]] : NULL;
}

static gboolean
put_coordinates(hid_t file, const char *name, double low, double high, gsize n)
{
  g_autofree float *values = g_new(float, n);

  for (gsize i = 0; i < n; i++)
    values[i] = (float) (n > 1 ? low + (high - low) * (double) i / (double) (n - 1) : low);
  return lac_h5_write_vector(file, name, H5T_NATIVE_FLOAT, n, values);
}

/* Returns the steps between saved frames; 1 when they are not equally spaced. */
static gint64
find_stride(const LacRunFile *run)
{
  const gint64 stride = run->n_frames > 1 ? run->frame_step[1] - run->frame_step[0] : 1;

  for (gsize i = 1; i < run->n_frames; i++)
    if (run->frame_step[i] - run->frame_step[i - 1] != stride)
      return 1;
  return stride;
}

static gboolean
put_head(hid_t file, const Cutout *cutout, const LacPlane *grid)
{
  const LacRunFile *run = cutout->run;
  const gint64      x_end = (gint64) cutout->nx, y_end = (gint64) cutout->ny;
  const struct {
    const char *name;
    gint64      value;
  } numbers[] = {
    {"t_start", run->frame_step[0]},
    {"t_end", run->frame_step[run->n_frames - 1]},
    {"t_step", find_stride(run)},
    {"x_start", 1},
    {"x_end", x_end},
    {"x_step", 1},
    {"y_start", 1},
    {"y_end", y_end},
    {"y_step", 1},
    {"z_start", 1},
    {"z_end", 1},
    {"z_step", 1},
    {"filterWidth", 1},
  };
  g_autofree double *steps = g_new(double, run->n_frames);
  gboolean           done = lac_h5_put_text(file, "dataset", run->experiment);

  for (gsize i = 0; i < G_N_ELEMENTS(numbers); i++)
    done = done && lac_h5_put_integer(file, numbers[i].name, numbers[i].value);
  for (gsize i = 0; i < run->n_frames; i++)
    steps[i] = (double) run->frame_step[i];
  return done && put_coordinates(file, "xcoor", grid->x_min, grid->x_max, cutout->nx) &&
         put_coordinates(file, "ycoor", grid->y_min, grid->y_max, cutout->ny) &&
         put_coordinates(file, "zcoor", 0, 0, 1) &&
         lac_h5_write_vector(file, "tcoor", H5T_NATIVE_DOUBLE, run->n_frames, steps);
}

/* @planes: [n_components]; a missing one is written as 0. */
static gboolean
put_snapshot(hid_t                  file,
             const Cutout          *cutout,
             const char            *name,
             const LacPlane *const *planes,
             gsize                  n_components)
{
  const gsize       n = cutout->nx * cutout->ny;
  const hsize_t     sizes[4] = {1, cutout->ny, cutout->nx, n_components};
  g_autofree float *data = g_new0(float, n *n_components);

  for (gsize c = 0; c < n_components; c++)
    for (gsize i = 0; i < n && planes[c] != NULL; i++)
      data[i * n_components + c] = planes[c]->data[i];
  hid_t set = lac_h5_write(file, name, H5T_NATIVE_FLOAT, 4, sizes, data);
  return set >= 0 && H5Dclose(set) >= 0;
}

static char *
dup_set_name(const char *variable, gint64 step)
{
  return g_strdup_printf("%s_%04" G_GINT64_FORMAT, variable, step);
}

static gboolean
put_frame(hid_t file, Cutout *cutout, gsize i, GError **error)
{
  const LacRunFile   *run = cutout->run;
  g_autoptr(LacFrame) frame = lac_run_file_load_frame(run, i, error);
  g_autofree char    *velocity = dup_set_name("Velocity", run->frame_step[i]);
  g_autofree char    *pressure = dup_set_name("Pressure", run->frame_step[i]);

  if (frame == NULL)
    return FALSE;
  const LacPlane *const planes[N_QUANTITIES] = {
    plane_of(cutout, frame, U), plane_of(cutout, frame, V), plane_of(cutout, frame, W),
    plane_of(cutout, frame, P)};
  cutout->nx = planes[U]->nx;
  cutout->ny = planes[U]->ny;
  return (i > 0 || put_head(file, cutout, planes[U])) &&
         put_snapshot(file, cutout, velocity, planes, 3) &&
         (planes[P] == NULL || put_snapshot(file, cutout, pressure, planes + P, 1));
}

/* Returns: FALSE when writing failed; with @error when a frame could not be read. */
static gboolean
write_h5(Cutout *cutout, const char *path, GError **error)
{
  g_autoptr(GError) why = NULL;

  lac_h5_lock();
  hid_t    file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  gboolean done = file >= 0;
  for (gsize i = 0; i < cutout->run->n_frames && done; i++) {
    done = put_frame(file, cutout, i, &why);
    lac_h5_yield();
  }
  if (file >= 0)
    done &= H5Fclose(file) >= 0;
  lac_h5_unlock();
  if (why != NULL)
    g_propagate_error(error, g_steal_pointer(&why));
  return done;
}

/* ---- for ParaView ---- */

static void
add_item(GString *out, const char *file, const char *set, const char *sizes)
{
  g_autofree char *name = g_markup_escape_text(file, -1);

  g_string_append_printf(out,
                         "<DataItem Dimensions=\"%s\" NumberType=\"Float\" Precision=\"4\" "
                         "Format=\"HDF\">%s:/%s</DataItem>",
                         sizes, name, set);
}

static void
add_step(GString *out, const Cutout *cutout, const char *file, gint64 step)
{
  g_autofree char *nx = g_strdup_printf("%" G_GSIZE_FORMAT, cutout->nx);
  g_autofree char *ny = g_strdup_printf("%" G_GSIZE_FORMAT, cutout->ny);
  g_autofree char *plane = g_strdup_printf("1 %s %s", ny, nx);
  const struct {
    const char *name, *type;
    guint       n;
    gboolean    is_there;
  } sets[] = {{"Velocity", "Vector", 3, TRUE}, {"Pressure", "Scalar", 1, cutout->channels[P] >= 0}};

  g_string_append_printf(
    out,
    "   <Grid Name=\"step %" G_GINT64_FORMAT
    "\" GridType=\"Uniform\">\n    <Time Value=\"%" G_GINT64_FORMAT
    "\"/>\n    <Topology TopologyType=\"3DRectMesh\" NumberOfElements=\"%s\"/>\n"
    "    <Geometry GeometryType=\"VXVYVZ\">",
    step, step, plane);
  add_item(out, file, "xcoor", nx);
  add_item(out, file, "ycoor", ny);
  add_item(out, file, "zcoor", "1");
  g_string_append(out, "</Geometry>\n");
  for (gsize i = 0; i < G_N_ELEMENTS(sets); i++) {
    g_autofree char *set = dup_set_name(sets[i].name, step);
    g_autofree char *sizes = g_strdup_printf("%s %u", plane, sets[i].n);

    if (!sets[i].is_there)
      continue;
    g_string_append_printf(out, "    <Attribute Name=\"%s\" AttributeType=\"%s\" Center=\"Node\">",
                           sets[i].name, sets[i].type);
    add_item(out, file, set, sizes);
    g_string_append(out, "</Attribute>\n");
  }
  g_string_append(out, "   </Grid>\n");
}

static char *
dup_beside(const char *path)
{
  g_autofree char *stem = g_strndup(path, strlen(path) - (g_str_has_suffix(path, ".h5") ? 3 : 0));

  return g_strconcat(stem, ".xmf", NULL);
}

static gboolean
write_xmf(const Cutout *cutout, GError **error)
{
  g_autofree char   *beside = dup_beside(cutout->path);
  g_autofree char   *file = g_path_get_basename(cutout->path);
  g_autoptr(GString) out =
    g_string_new("<?xml version=\"1.0\"?>\n<Xdmf Version=\"2.0\">\n <Domain>\n"
                 "  <Grid Name=\"cut-out\" GridType=\"Collection\" CollectionType=\"Temporal\">\n");
  g_autoptr(GError) why = NULL;

  for (gsize i = 0; i < cutout->run->n_frames; i++)
    add_step(out, cutout, file, cutout->run->frame_step[i]);
  g_string_append(out, "  </Grid>\n </Domain>\n</Xdmf>\n");
  if (g_file_set_contents(beside, out->str, (gssize) out->len, &why))
    return TRUE;
  return lac_write_error(error, why->code == G_FILE_ERROR_NOSPC ? ENOSPC : EACCES, beside, 0);
}

gboolean
lac_export_cutout(const LacRunFile *run, const char *channel, const char *path, GError **error)
{
  g_autofree char  *temporary = g_strconcat(path, ".tmp", NULL);
  g_autofree char  *folder = g_path_get_dirname(path);
  g_autoptr(GError) why = NULL;
  Cutout            cutout = {.run = run, .path = path};

  if (run->n_frames == 0) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_USAGE,
                "%s has no saved frame to export: the run ended before the first one", run->path);
    return FALSE;
  }
  if (!find_channels(&cutout, channel, error))
    return FALSE;
  errno = 0;
  if (g_access(folder, W_OK) == 0 && write_h5(&cutout, temporary, &why) &&
      g_rename(temporary, path) == 0)
    return write_xmf(&cutout, error);
  const int code = errno;
  g_unlink(temporary);
  if (why == NULL)
    return lac_write_error(error, code != 0 ? code : ENOSPC, path, 0);
  g_propagate_error(error, g_steal_pointer(&why));
  return FALSE;
}
