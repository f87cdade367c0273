// SPDX-License-Identifier: GPL-3.0-or-later
// Along parallel lines of sight through a volume. report/volume/look.c looks in the same way, term by term.
uniform highp sampler3D u_volume;
uniform sampler2D       u_table;  // [maps][256], one row a colour map
uniform int             u_row;
uniform highp vec4      u_window; // (x, y) = xy + gl_FragCoord.xy * zw; the picture's nearer edges are at -1 and 1
uniform highp vec3      u_middle, u_right, u_up; // of the picture, in shares of the volume
uniform highp vec3      u_along;  // of the line of sight, shares a unit of length
uniform highp vec3      u_facing; // the same as a direction in space
uniform highp vec3      u_cell;   // one cell, in shares
uniform highp vec3      u_step;   // one cell, in units of length
uniform highp float     u_stride; // between samples, at most
uniform highp vec2      u_scale;  // decimal logarithms of what the colours span
uniform highp float     u_level;
uniform highp vec3      u_surface;
out vec4                colour;

const float veil = 0.34;
const float ambient = 0.25;

highp float sample_at(highp vec3 place)
{
  return textureLod(u_volume, place, 0.0).r;
}

float find_light(highp vec3 at)
{
  highp vec3 slope = vec3(
    sample_at(at + vec3(u_cell.x, 0.0, 0.0)) - sample_at(at - vec3(u_cell.x, 0.0, 0.0)),
    sample_at(at + vec3(0.0, u_cell.y, 0.0)) - sample_at(at - vec3(0.0, u_cell.y, 0.0)),
    sample_at(at + vec3(0.0, 0.0, u_cell.z)) - sample_at(at - vec3(0.0, 0.0, u_cell.z))) / (2.0 * u_step);
  return ambient + (1.0 - ambient) * abs(dot(slope, u_facing)) * inversesqrt(max(dot(slope, slope), 1e-30));
}

void main()
{
  highp vec2  place = u_window.xy + gl_FragCoord.xy * u_window.zw;
  highp vec3  from = u_middle + place.x * u_right + place.y * u_up;
  highp vec3  along = mix(u_along, vec3(1e-7), lessThan(abs(u_along), vec3(1e-7)));
  highp vec3  first = -from / along, second = (1.0 - from) / along;
  highp vec3  near = min(first, second), far = max(first, second);
  highp float begin = max(max(near.x, near.y), near.z), end = min(min(far.x, far.y), far.z);
  highp float integral = 0.0, before = 0.0;
  float light = 0.0, cover = 0.0;
  if (end > begin) {
    int n = int(ceil((end - begin) / u_stride));
    highp float stride = (end - begin) / float(n);
    for (int i = 0; i < n; i++) {
      highp vec3  at = from + (begin + stride * (float(i) + 0.5)) * u_along;
      highp float value = sample_at(at);
      integral += value;
      if (u_level > 0.0 && (before < u_level) != (value < u_level)) {
        highp float back = (value - u_level) / (value - before) * stride;
        float part = (1.0 - cover) * veil;
        light += part * find_light(at - back * u_along);
        cover += part;
      }
      before = value;
    }
    integral *= stride;
  }
  highp float value = integral > 0.0 ? log(integral) / log(10.0) : u_scale.x;
  int entry = clamp(int(floor((value - u_scale.x) / (u_scale.y - u_scale.x) * 256.0)), 0, 255);
  vec3 behind = texelFetch(u_table, ivec2(entry, u_row), 0).rgb;
  colour = vec4((1.0 - cover) * behind + light * u_surface, 1.0);
}
