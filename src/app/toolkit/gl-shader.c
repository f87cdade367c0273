/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shader compilation, linking, lookup textures. */
#include "app/toolkit/gl-shader.h"

#include "base/error.h"

#include <gio/gio.h>

#define SHADER_PATH "/io/github/lacuna/Lacuna/shaders/"

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
              "the graphics driver cannot compile the shader %s: %s", name, log);
  glDeleteShader(shader);
  return 0;
}

GLuint
lac_gl_program_new(const char        *fragment,
                   gboolean           es,
                   const char *const *names,
                   gsize              n_uniforms,
                   GLint             *uniforms,
                   GError           **error)
{
  GLuint shaders[2], program;
  GLint  linked = 0;
  shaders[0] = compile(GL_VERTEX_SHADER, "field.vert", es, error);
  if (shaders[0] == 0)
    return 0;
  shaders[1] = compile(GL_FRAGMENT_SHADER, fragment, es, error);
  if (shaders[1] == 0) {
    glDeleteShader(shaders[0]);
    return 0;
  }
  program = glCreateProgram();
  for (gsize i = 0; i < G_N_ELEMENTS(shaders); i++) {
    glAttachShader(program, shaders[i]);
    glDeleteShader(shaders[i]);
  }
  glLinkProgram(program);
  glGetProgramiv(program, GL_LINK_STATUS, &linked);
  if (!linked) {
    glDeleteProgram(program);
    g_set_error(error, LAC_ERROR, LAC_ERROR_DEVICE, "the graphics driver cannot link the shader %s",
                fragment);
    return 0;
  }
  for (gsize i = 0; i < n_uniforms; i++)
    uniforms[i] = glGetUniformLocation(program, names[i]);
  return program;
}

void
lac_gl_set_nearest(void)
{
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
}

GLuint
lac_gl_colour_maps_new(void)
{
  gsize               n_maps;
  const LacColourMap *maps = lac_colour_maps(&n_maps);
  GLuint              table = 0;
  glGenTextures(1, &table);
  glBindTexture(GL_TEXTURE_2D, table);
  lac_gl_set_nearest();
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 256, (GLsizei) (n_maps * LAC_N_VISIONS), 0, GL_RGBA,
               GL_UNSIGNED_BYTE, NULL);
  for (gsize i = 0; i < n_maps * LAC_N_VISIONS; i++)
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, (GLint) i, 256, 1, GL_RGBA, GL_UNSIGNED_BYTE,
                    lac_vision_map((LacVision) (i / n_maps), &maps[i % n_maps])->rgba);
  return table;
}

int
lac_gl_colour_map_row(const LacColourMap *map, LacVision vision)
{
  gsize               n_maps;
  const LacColourMap *maps = lac_colour_maps(&n_maps);
  for (gsize i = 0; i < n_maps; i++)
    if (g_str_equal(maps[i].name, map->name))
      return (int) ((gsize) vision * n_maps + i);
  return 0;
}

void
lac_gl_bind(GLuint unit, GLint uniform, GLenum target, GLuint texture)
{
  glActiveTexture(GL_TEXTURE0 + unit);
  glBindTexture(target, texture);
  glUniform1i(uniform, (GLint) unit);
}
