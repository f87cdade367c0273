/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Half-precision cells, which every GPU interpolates; a separate framebuffer for resolutions below the screen's. */
#include "app/field/volume-gl.h"

#include "app/toolkit/gl-shader.h"
#include "base/clock.h"

#include <math.h>

enum {
  VOLUME,
  TABLE,
  ROW,
  WINDOW,
  MIDDLE,
  RIGHT,
  UP,
  ALONG,
  FACING,
  CELL,
  STEP,
  STRIDE,
  SCALE,
  LEVEL,
  SURFACE,
  N_UNIFORMS
};

static const char *const uniform_names[N_UNIFORMS] = {
  "u_volume", "u_table", "u_row",  "u_window", "u_middle", "u_right", "u_up",      "u_along",
  "u_facing", "u_cell",  "u_step", "u_stride", "u_scale",  "u_level", "u_surface",
};

struct _LacVolumeGl {
  GLuint    program, vertices, table, volume;
  GLint     uniforms[N_UNIFORMS];
  GLuint    picture, target; /* of coarse pictures, @columns by @rows */
  int       columns, rows;
  gsize     n[3];
  LacFrame *frame; /* frame whose cells are uploaded */
  gint64    upload_ns;
};

LacVolumeGl *
lac_volume_gl_new(gboolean es, GError **error)
{
  LacVolumeGl *gl = g_new0(LacVolumeGl, 1);
  gl->program =
    lac_gl_program_new("volume.frag", es, uniform_names, N_UNIFORMS, gl->uniforms, error);
  if (gl->program == 0) {
    lac_volume_gl_free(gl);
    return NULL;
  }
  glGenVertexArrays(1, &gl->vertices);
  gl->table = lac_gl_colour_maps_new();
  return gl;
}

void
lac_volume_gl_free(LacVolumeGl *gl)
{
  const GLuint textures[] = {gl->table, gl->volume, gl->picture};
  glDeleteTextures(G_N_ELEMENTS(textures), textures);
  glDeleteFramebuffers(1, &gl->target);
  glDeleteVertexArrays(1, &gl->vertices);
  glDeleteProgram(gl->program);
  g_clear_pointer(&gl->frame, lac_frame_unref);
  g_free(gl);
}

static void
set_smooth(GLenum target)
{
  static const GLenum edges[] = {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T, GL_TEXTURE_WRAP_R};
  glTexParameteri(target, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTexParameteri(target, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  for (gsize i = 0; i < (target == GL_TEXTURE_3D ? 3 : 2); i++)
    glTexParameteri(target, edges[i], GL_CLAMP_TO_EDGE);
}

static void
upload(LacVolumeGl *gl, const LacVolumeScene *scene)
{
  const LacVolume *volume = &scene->volume;
  const GLsizei    n[] = {(GLsizei) volume->n[0], (GLsizei) volume->n[1], (GLsizei) volume->n[2]};
  gl->upload_ns = 0;
  if (gl->frame == scene->frame)
    return;
  gint64 begin_ns = lac_clock_ns();
  g_clear_pointer(&gl->frame, lac_frame_unref);
  gl->frame = lac_frame_ref(scene->frame);
  if (gl->volume == 0)
    glGenTextures(1, &gl->volume);
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_3D, gl->volume);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
  if (gl->n[0] != volume->n[0] || gl->n[1] != volume->n[1] || gl->n[2] != volume->n[2]) {
    set_smooth(GL_TEXTURE_3D);
    glTexImage3D(GL_TEXTURE_3D, 0, GL_R16F, n[0], n[1], n[2], 0, GL_RED, GL_FLOAT, volume->values);
    for (gsize k = 0; k < 3; k++)
      gl->n[k] = volume->n[k];
  } else {
    glTexSubImage3D(GL_TEXTURE_3D, 0, 0, 0, 0, n[0], n[1], n[2], GL_RED, GL_FLOAT, volume->values);
  }
  gl->upload_ns = lac_clock_ns() - begin_ns;
}

/* Prepares the framebuffer of a coarse picture of that size. Returns: FALSE: not supported by the driver. */
static gboolean
prepare_target(LacVolumeGl *gl, int columns, int rows)
{
  if (gl->target == 0) {
    glGenTextures(1, &gl->picture);
    glGenFramebuffers(1, &gl->target);
  }
  glBindFramebuffer(GL_FRAMEBUFFER, gl->target);
  if (gl->columns != columns || gl->rows != rows) {
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, gl->picture);
    set_smooth(GL_TEXTURE_2D);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, columns, rows, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, gl->picture, 0);
    gl->columns = columns;
    gl->rows = rows;
  }
  return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

static void
set_vector(GLint uniform, const double v[3])
{
  glUniform3f(uniform, (float) v[0], (float) v[1], (float) v[2]);
}

/* Converts lengths to shares of the volume. */
static void
set_camera(LacVolumeGl *gl, const LacVolumeScene *scene, const LacVolumeView *volume_view)
{
  const LacVolume      *volume = &scene->volume;
  const LacVolumeCamera camera = lac_volume_scene_camera(scene, volume_view);
  double                middle[3], right[3], up[3], along[3], facing[3], cell[3];
  for (guint k = 0; k < 3; k++) {
    const double size = volume->step[k] * (double) volume->n[k];
    middle[k] = (camera.middle[k] - volume->first[k] + 0.5 * volume->step[k]) / size;
    right[k] = camera.half * camera.right[k] / size;
    up[k] = camera.half * camera.up[k] / size;
    facing[k] = -camera.toward[k];
    along[k] = facing[k] / size;
    cell[k] = 1 / (double) volume->n[k];
  }
  set_vector(gl->uniforms[MIDDLE], middle);
  set_vector(gl->uniforms[RIGHT], right);
  set_vector(gl->uniforms[UP], up);
  set_vector(gl->uniforms[ALONG], along);
  set_vector(gl->uniforms[FACING], facing);
  set_vector(gl->uniforms[CELL], cell);
  set_vector(gl->uniforms[STEP], volume->step);
  glUniform1f(gl->uniforms[STRIDE], (float) (LAC_VOLUME_STRIDE * volume->step[0]));
}

static void
look(LacVolumeGl          *gl,
     const LacVolumeScene *scene,
     const LacVolumeView  *volume_view,
     int                   columns,
     int                   rows)
{
  const float nearer = 0.5F * (float) MIN(columns, rows);
  glViewport(0, 0, columns, rows);
  glUseProgram(gl->program);
  glBindVertexArray(gl->vertices);
  lac_gl_bind(0, gl->uniforms[VOLUME], GL_TEXTURE_3D, gl->volume);
  lac_gl_bind(1, gl->uniforms[TABLE], GL_TEXTURE_2D, gl->table);
  glUniform1i(gl->uniforms[ROW], lac_gl_colour_map_row(scene->map, scene->vision));
  glUniform4f(gl->uniforms[WINDOW], -0.5F * (float) columns / nearer, -0.5F * (float) rows / nearer,
              1 / nearer, 1 / nearer);
  glUniform2f(gl->uniforms[SCALE], (float) scene->lines[0], (float) scene->lines[1]);
  glUniform1f(gl->uniforms[LEVEL], (float) scene->level);
  glUniform3f(gl->uniforms[SURFACE], lac_volume_surface[0], lac_volume_surface[1],
              lac_volume_surface[2]);
  set_camera(gl, scene, volume_view);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glBindVertexArray(0);
  glUseProgram(0);
  glActiveTexture(GL_TEXTURE0);
}

void
lac_volume_gl_draw(LacVolumeGl          *gl,
                   const LacVolumeScene *scene,
                   const LacVolumeView  *volume_view,
                   int                   columns,
                   int                   rows,
                   int                   coarse)
{
  GLint into = 0;
  int   few_columns = (columns + coarse - 1) / coarse, few_rows = (rows + coarse - 1) / coarse;
  glDisable(GL_BLEND);
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_SCISSOR_TEST);
  if (!scene->frame) {
    glClearColor(0, 0, 0, 0);
    glClear(GL_COLOR_BUFFER_BIT);
    return;
  }
  upload(gl, scene);
  glGetIntegerv(GL_FRAMEBUFFER_BINDING, &into);
  if (coarse > 1 && prepare_target(gl, few_columns, few_rows)) {
    look(gl, scene, volume_view, few_columns, few_rows);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, gl->target);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, (GLuint) into);
    glViewport(0, 0, columns, rows);
    glBlitFramebuffer(0, 0, few_columns, few_rows, 0, 0, columns, rows, GL_COLOR_BUFFER_BIT,
                      GL_LINEAR);
    glBindFramebuffer(GL_FRAMEBUFFER, (GLuint) into);
  } else {
    glBindFramebuffer(GL_FRAMEBUFFER, (GLuint) into);
    look(gl, scene, volume_view, columns, rows);
  }
  glFinish(); /* GTK puts no fence between this context and its own; also needed to measure the time */
}

gint64
lac_volume_gl_get_upload_ns(const LacVolumeGl *gl)
{
  return gl->upload_ns;
}
