/* SPDX-License-Identifier: GPL-3.0-or-later */
/* OpenGL for the field viewer. Uses plain texture uploads: on a software rasteriser they are 4 to 11 times faster
 * than pixel buffers, and on a GPU a few planes per frame cost little. */
#include "app/field/gl.h"

#include "app/toolkit/gl-shader.h"
#include "base/clock.h"

#define MAX_PLANES 64 /* one bit each */

enum {
  VALUE,
  OTHER,
  TABLE,
  ROW,
  DIFFERENCE,
  ERRORS,
  FACTOR,
  SWIPE,
  SMOOTH,
  FADE,
  SHARE,
  TRANSFER,
  WARP,
  N_LEVELS,
  LEVELS,
  TEXTURED,
  TEXTURE,
  CORNER,
  WINDOW,
  BACKDROP,
  NOT_FINITE,
  VALUE_SIZE,
  OTHER_SIZE,
  TEXTURE_SIZE,
  N_UNIFORMS
};

static const char *const uniform_names[N_UNIFORMS] = {
  "u_value",  "u_other",    "u_table",      "u_row",        "u_difference", "u_errors",
  "u_factor", "u_swipe",    "u_smooth",     "u_fade",       "u_share",      "u_transfer",
  "u_warp",   "u_n_levels", "u_levels",     "u_textured",   "u_texture",    "u_corner",
  "u_window", "u_backdrop", "u_not_finite", "u_value_size", "u_other_size", "u_texture_size",
};

struct _LacFieldGl {
  GLuint    program, vertices, table;
  GLint     uniforms[N_UNIFORMS];
  GLuint    planes[MAX_PLANES];
  gsize     nx[MAX_PLANES], ny[MAX_PLANES];
  LacFrame *frame;    /* frame of the planes */
  guint64   uploaded; /* bit mask of planes uploaded */
  GLint     limit;    /* largest width and height of a texture */
  gint64    upload_ns;
  GLuint    smears[2 * LAC_MAX_PANES];
  guint64   smear_ids[2 * LAC_MAX_PANES]; /* id of each texture's data */
};

LacFieldGl *
lac_field_gl_new(gboolean es, GError **error)
{
  LacFieldGl *gl = g_new0(LacFieldGl, 1);
  gl->program =
    lac_gl_program_new("field.frag", es, uniform_names, N_UNIFORMS, gl->uniforms, error);
  if (gl->program == 0) {
    lac_field_gl_free(gl);
    return NULL;
  }
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  glGenVertexArrays(1, &gl->vertices);
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &gl->limit);
  gl->table = lac_gl_colour_maps_new();
  return gl;
}

void
lac_field_gl_free(LacFieldGl *gl)
{
  glDeleteTextures(MAX_PLANES, gl->planes);
  glDeleteTextures(G_N_ELEMENTS(gl->smears), gl->smears);
  glDeleteTextures(1, &gl->table);
  glDeleteVertexArrays(1, &gl->vertices);
  glDeleteProgram(gl->program);
  g_clear_pointer(&gl->frame, lac_frame_unref);
  g_free(gl);
}

void
lac_field_gl_set_limit(LacFieldGl *gl, int limit)
{
  gl->limit = limit;
}

/* Uploads a plane to the bound texture. A plane wider or higher than the limit is stored cell after cell in rows as
 * long as the limit; the shader finds the cells by the plane's own size. */
static void
upload_cells(const LacFieldGl *gl, gsize nx, gsize ny, const float *cells, gboolean is_new)
{
  const gsize    limit = (gsize) gl->limit;
  const gboolean is_folded = nx > limit || ny > limit;
  const gsize    width = is_folded ? limit : nx, n = nx * ny;
  const gsize    rows = n / width, rest = n % width;
  if (is_new)
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R32F, (GLsizei) width, (GLsizei) (rows + (rest > 0)), 0,
                 GL_RED, GL_FLOAT, NULL);
  glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, (GLsizei) width, (GLsizei) rows, GL_RED, GL_FLOAT, cells);
  if (rest > 0)
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, (GLint) rows, (GLsizei) rest, 1, GL_RED, GL_FLOAT,
                    cells + rows * width);
}

/* Uploads a plane on first use: a run may have many more than are shown. */
static GLuint
upload(LacFieldGl *gl, const LacFrame *frame, gsize i)
{
  const LacPlane *plane = &frame->planes[i];
  guint64         bit = G_GUINT64_CONSTANT(1) << i;
  if (gl->uploaded & bit)
    return gl->planes[i];
  gint64 begin_ns = lac_clock_ns();
  if (gl->planes[i] == 0)
    glGenTextures(1, &gl->planes[i]);
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, gl->planes[i]);
  gboolean is_new = gl->nx[i] != plane->nx || gl->ny[i] != plane->ny;
  if (is_new)
    lac_gl_set_nearest();
  upload_cells(gl, plane->nx, plane->ny, plane->data, is_new);
  gl->nx[i] = plane->nx;
  gl->ny[i] = plane->ny;
  gl->uploaded |= bit;
  gl->upload_ns += lac_clock_ns() - begin_ns;
  return gl->planes[i];
}

static void
begin_frame(LacFieldGl *gl, LacFrame *frame)
{
  if (gl->frame == frame)
    return;
  g_clear_pointer(&gl->frame, lac_frame_unref);
  gl->frame = lac_frame_ref(frame);
  gl->uploaded = 0;
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
}

/* Maps the device pixels of a viewport to (u, v). gl_FragCoord counts from the lower left of the area. */
static void
set_window(LacFieldGl *gl, const LacFieldView2d *view, guint pane)
{
  double origin[2], corner[2], at[2] = {0, view->height};
  lac_pane_layout_to_field(view->layout, &view->camera, pane, at, origin);
  at[0] = 1;
  at[1] = view->height - 1;
  lac_pane_layout_to_field(view->layout, &view->camera, pane, at, corner);
  glUniform4f(gl->uniforms[WINDOW], (float) origin[0], (float) origin[1],
              (float) ((corner[0] - origin[0]) / view->scale),
              (float) ((corner[1] - origin[1]) / view->scale));
}

/* Returns: FALSE if the pane has no texture. */
static gboolean
upload_smear(LacFieldGl *gl, const LacSmear *smear, guint index)
{
  if (smear == NULL || smear->data == NULL)
    return FALSE;
  if (gl->smears[index] == 0)
    glGenTextures(1, &gl->smears[index]);
  if (gl->smear_ids[index] == smear->id)
    return TRUE;
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, gl->smears[index]);
  lac_gl_set_nearest();
  upload_cells(gl, smear->nx, smear->ny, smear->data, TRUE);
  gl->smear_ids[index] = smear->id;
  return TRUE;
}

/* Sets the uniforms for colour mapping and overlays. */
static void
set_look(LacFieldGl *gl, const LacFieldScene *scene, const LacPane *pane)
{
  const LacWarp *warp = &pane->warp;
  float          levels[LAC_MAX_LEVELS];
  for (guint i = 0; i < pane->n_levels; i++)
    levels[i] = (float) pane->levels[i];
  glUniform1i(gl->uniforms[ROW], lac_gl_colour_map_row(pane->map, scene->vision));
  glUniform1i(gl->uniforms[TRANSFER], (GLint) warp->kind);
  glUniform4f(gl->uniforms[WARP], (float) warp->low, (float) warp->knee, (float) warp->base,
              (float) warp->span);
  glUniform1i(gl->uniforms[N_LEVELS], scene->overlays.isolines ? (GLint) pane->n_levels : 0);
  if (pane->n_levels > 0)
    glUniform1fv(gl->uniforms[LEVELS], (GLsizei) pane->n_levels, levels);
}

static void
set_size(LacFieldGl *gl, int uniform, gsize nx, gsize ny)
{
  glUniform2i(gl->uniforms[uniform], (GLint) nx, (GLint) ny);
}

static void
draw_pane(LacFieldGl *gl, const LacFieldScene *scene, const LacFieldView2d *view, guint index)
{
  const LacPane *pane = &scene->panes[index];
  const LacBox  *box = &view->layout->panes[index];
  int            scale = view->scale;
  int            x = (int) box->x * scale, y = (int) (view->height - box->y - box->height) * scale;
  int            width = (int) box->width * scale, height = (int) box->height * scale;
  glViewport(x, y, width, height);
  glScissor(x, y, width, height);
  set_window(gl, view, index);
  GLuint value = upload(gl, scene->frame, pane->plane);
  GLuint other =
    pane->difference || pane->swipe || pane->fade ? upload(gl, scene->frame, pane->other) : value;
  gboolean is_smeared = view->smears != NULL && upload_smear(gl, &view->smears[index], index);
  lac_gl_bind(0, gl->uniforms[VALUE], GL_TEXTURE_2D, value);
  lac_gl_bind(1, gl->uniforms[OTHER], GL_TEXTURE_2D, other);
  gsize second = pane->difference || pane->swipe || pane->fade ? pane->other : pane->plane;
  set_size(gl, VALUE_SIZE, gl->nx[pane->plane], gl->ny[pane->plane]);
  set_size(gl, OTHER_SIZE, gl->nx[second], gl->ny[second]);
  if (is_smeared)
    set_size(gl, TEXTURE_SIZE, view->smears[index].nx, view->smears[index].ny);
  glUniform1i(gl->uniforms[DIFFERENCE], pane->difference);
  glUniform1i(gl->uniforms[ERRORS], (GLint) scene->errors);
  glUniform1f(gl->uniforms[FACTOR], pane->factor);
  glUniform1f(gl->uniforms[SWIPE], pane->swipe ? (float) scene->swipe : 2);
  glUniform1i(gl->uniforms[FADE], pane->fade);
  glUniform1f(gl->uniforms[SHARE], (float) scene->swipe);
  glUniform2i(gl->uniforms[CORNER], x, y);
  glUniform1i(gl->uniforms[TEXTURED], is_smeared);
  lac_gl_bind(3, gl->uniforms[TEXTURE], GL_TEXTURE_2D, is_smeared ? gl->smears[index] : value);
  set_look(gl, scene, pane);
  glDrawArrays(GL_TRIANGLES, 0, 3);
}

void
lac_field_gl_draw(LacFieldGl *gl, const LacFieldScene *scene, const LacFieldView2d *view)
{
  LacColour back = view->backdrop;
  gl->upload_ns = 0;
  glDisable(GL_BLEND);
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_SCISSOR_TEST);
  glClearColor(0, 0, 0, 0);
  glClear(GL_COLOR_BUFFER_BIT);
  if (scene->frame == NULL)
    return;
  glActiveTexture(GL_TEXTURE0);
  begin_frame(gl, scene->frame);
  glEnable(GL_SCISSOR_TEST);
  glUseProgram(gl->program);
  glBindVertexArray(gl->vertices);
  lac_gl_bind(2, gl->uniforms[TABLE], GL_TEXTURE_2D, gl->table);
  glUniform1i(gl->uniforms[SMOOTH], scene->smooth);
  glUniform4f(gl->uniforms[BACKDROP], back.red, back.green, back.blue, 1);
  glUniform4f(gl->uniforms[NOT_FINITE], (float) lac_colour_not_finite[0] / 255,
              (float) lac_colour_not_finite[1] / 255, (float) lac_colour_not_finite[2] / 255, 1);
  for (guint i = 0; i < view->layout->n_panes; i++)
    if (view->layout->panes[i].width > 0 && scene->panes[i].plane < MAX_PLANES &&
        scene->panes[i].other < MAX_PLANES)
      draw_pane(gl, scene, view, i);
  glDisable(GL_SCISSOR_TEST);
  glBindVertexArray(0);
  glUseProgram(0);
  glActiveTexture(GL_TEXTURE0);
  glFlush(); /* GTK does not fence between this context and its own */
}

gint64
lac_field_gl_get_upload_ns(const LacFieldGl *gl)
{
  return gl->upload_ns;
}
