/* SPDX-License-Identifier: GPL-3.0-or-later */
/* OpenGL for the field viewer. Plain uploads: on a software rasteriser they are 4 to 11 times faster than through
 * pixel buffers, and on a GPU a few planes a frame are not what costs. */
#include "app/field-gl.h"

#include "base/clock.h"
#include "base/error.h"

#include <epoxy/gl.h>
#include <gio/gio.h>

#define MAX_PLANES  64 /* one bit each */
#define SHADER_PATH "/io/github/lacuna/Lacuna/shaders/"

enum {
  VALUE,
  OTHER,
  TABLE,
  ROW,
  DIFFERENCE,
  SMOOTH,
  SCALE,
  WINDOW,
  BACKDROP,
  NOT_FINITE,
  N_UNIFORMS
};

static const char *const uniform_names[N_UNIFORMS] = {
  "u_value",  "u_other", "u_table",  "u_row",      "u_difference",
  "u_smooth", "u_scale", "u_window", "u_backdrop", "u_not_finite",
};

struct _LacFieldGl {
  GLuint    program, vertices, table;
  GLint     uniforms[N_UNIFORMS];
  GLuint    planes[MAX_PLANES];
  gsize     nx[MAX_PLANES], ny[MAX_PLANES];
  LacFrame *frame;    /* what the planes belong to */
  guint64   uploaded; /* which of them have come */
  gint64    upload_ns;
};

static GLuint
compile(GLenum kind, const char *name, gboolean es, GError **error)
{
  g_autofree char  *path = g_strconcat(SHADER_PATH, name, NULL);
  g_autoptr(GBytes) source = g_resources_lookup_data(path, G_RESOURCE_LOOKUP_FLAGS_NONE, error);
  if (source == NULL)
    return 0;
  const char *parts[] = {
    es ? "#version 300 es\nprecision highp float;\nprecision highp int;\n"
       : "#version 150\n#extension GL_ARB_shader_bit_encoding : require\n",
    g_bytes_get_data(source, NULL),
  };
  GLint  lengths[] = {-1, (GLint) g_bytes_get_size(source)};
  GLuint shader = glCreateShader(kind);
  GLint  compiled = 0;
  glShaderSource(shader, 2, parts, lengths);
  glCompileShader(shader);
  glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
  if (compiled)
    return shader;
  char log[512] = "";
  glGetShaderInfoLog(shader, sizeof log, NULL, log);
  g_set_error(error, LAC_ERROR, LAC_ERROR_DEVICE,
              "the graphics driver does not take the shader %s: %s", name, log);
  glDeleteShader(shader);
  return 0;
}

static gboolean
link_program(LacFieldGl *gl, gboolean es, GError **error)
{
  GLuint vertex = compile(GL_VERTEX_SHADER, "field.vert", es, error);
  if (vertex == 0)
    return FALSE;
  GLuint fragment = compile(GL_FRAGMENT_SHADER, "field.frag", es, error);
  if (fragment == 0) {
    glDeleteShader(vertex);
    return FALSE;
  }
  GLint linked = 0;
  gl->program = glCreateProgram();
  glAttachShader(gl->program, vertex);
  glAttachShader(gl->program, fragment);
  glLinkProgram(gl->program);
  glDeleteShader(vertex);
  glDeleteShader(fragment);
  glGetProgramiv(gl->program, GL_LINK_STATUS, &linked);
  if (!linked) {
    g_set_error_literal(error, LAC_ERROR, LAC_ERROR_DEVICE,
                        "the graphics driver does not link the shader of the field viewer");
    return FALSE;
  }
  for (gsize i = 0; i < N_UNIFORMS; i++)
    gl->uniforms[i] = glGetUniformLocation(gl->program, uniform_names[i]);
  return TRUE;
}

static void
set_nearest(void)
{
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
}

/* One row a colour map: two-dimensional because OpenGL ES has no other. */
static GLuint
make_table(void)
{
  gsize               n_maps;
  const LacColourMap *maps = lac_colour_maps(&n_maps);
  GLuint              table = 0;
  glGenTextures(1, &table);
  glBindTexture(GL_TEXTURE_2D, table);
  set_nearest();
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 256, (GLsizei) n_maps, 0, GL_RGBA, GL_UNSIGNED_BYTE,
               NULL);
  for (gsize i = 0; i < n_maps; i++)
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, (GLint) i, 256, 1, GL_RGBA, GL_UNSIGNED_BYTE,
                    maps[i].rgba);
  return table;
}

LacFieldGl *
lac_field_gl_new(gboolean es, GError **error)
{
  LacFieldGl *gl = g_new0(LacFieldGl, 1);
  if (!link_program(gl, es, error)) {
    lac_field_gl_free(gl);
    return NULL;
  }
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  glGenVertexArrays(1, &gl->vertices);
  gl->table = make_table();
  return gl;
}

void
lac_field_gl_free(LacFieldGl *gl)
{
  glDeleteTextures(MAX_PLANES, gl->planes);
  glDeleteTextures(1, &gl->table);
  glDeleteVertexArrays(1, &gl->vertices);
  glDeleteProgram(gl->program);
  g_clear_pointer(&gl->frame, lac_frame_unref);
  g_free(gl);
}

/* Only planes that are shown are uploaded: a run may have many more. */
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
  if (gl->nx[i] != plane->nx || gl->ny[i] != plane->ny) {
    set_nearest();
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R32F, (GLsizei) plane->nx, (GLsizei) plane->ny, 0, GL_RED,
                 GL_FLOAT, plane->data);
    gl->nx[i] = plane->nx;
    gl->ny[i] = plane->ny;
  } else {
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, (GLsizei) plane->nx, (GLsizei) plane->ny, GL_RED,
                    GL_FLOAT, plane->data);
  }
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

static int
find_row(const LacColourMap *map)
{
  gsize               n_maps;
  const LacColourMap *maps = lac_colour_maps(&n_maps);
  for (gsize i = 0; i < n_maps; i++)
    if (g_str_equal(maps[i].name, map->name))
      return (int) i;
  return 0;
}

static void
bind(GLuint unit, GLint uniform, GLuint texture)
{
  glActiveTexture(GL_TEXTURE0 + unit);
  glBindTexture(GL_TEXTURE_2D, texture);
  glUniform1i(uniform, (GLint) unit);
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
  GLuint other = pane->difference ? upload(gl, scene->frame, pane->other) : value;
  bind(0, gl->uniforms[VALUE], value);
  bind(1, gl->uniforms[OTHER], other);
  glUniform1i(gl->uniforms[DIFFERENCE], pane->difference);
  glUniform1i(gl->uniforms[ROW], find_row(pane->map));
  glUniform2f(gl->uniforms[SCALE], (float) pane->scale.low, (float) pane->scale.high);
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
  bind(2, gl->uniforms[TABLE], gl->table);
  glUniform1i(gl->uniforms[SMOOTH], scene->smooth);
  glUniform4f(gl->uniforms[BACKDROP], back.red, back.green, back.blue, 1);
  glUniform4f(gl->uniforms[NOT_FINITE], (float) lac_colour_not_finite[0] / 255,
              (float) lac_colour_not_finite[1] / 255, (float) lac_colour_not_finite[2] / 255, 1);
  for (guint i = 0; i < view->layout->n_panes; i++)
    if (scene->panes[i].plane < MAX_PLANES && scene->panes[i].other < MAX_PLANES)
      draw_pane(gl, scene, view, i);
  glDisable(GL_SCISSOR_TEST);
  glBindVertexArray(0);
  glUseProgram(0);
  glActiveTexture(GL_TEXTURE0);
  glFlush(); /* GTK puts no fence between this context and its own */
}

gint64
lac_field_gl_get_upload_ns(const LacFieldGl *gl)
{
  return gl->upload_ns;
}
