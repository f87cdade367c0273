// SPDX-License-Identifier: GPL-3.0-or-later
// A field, or the difference of two, through a colour table. app/field-scene.c samples in the same way.
uniform highp sampler2D u_value;
uniform highp sampler2D u_other;
uniform sampler2D       u_table; // [maps][256], one row a colour map
uniform int             u_row;
uniform bool            u_difference;
uniform bool            u_smooth;
uniform highp vec2      u_scale;  // low, high
uniform highp vec4      u_window; // (u, v) = xy + gl_FragCoord.xy * zw
uniform vec4            u_backdrop;
uniform vec4            u_not_finite;
out vec4                colour;

highp float cell(highp sampler2D field, ivec2 at)
{
  return texelFetch(field, clamp(at, ivec2(0), textureSize(field, 0) - 1), 0).r;
}

highp float fetch(highp sampler2D field, highp vec2 place)
{
  highp vec2 at = place * vec2(textureSize(field, 0));
  if (!u_smooth)
    return cell(field, ivec2(floor(at)));
  highp vec2 corner = floor(at - 0.5);
  highp vec2 f = at - 0.5 - corner;
  ivec2 i = ivec2(corner);
  highp float lower = cell(field, i) * (1.0 - f.x) + cell(field, i + ivec2(1, 0)) * f.x;
  highp float upper = cell(field, i + ivec2(0, 1)) * (1.0 - f.x) + cell(field, i + ivec2(1, 1)) * f.x;
  return lower * (1.0 - f.y) + upper * f.y;
}

// By its bits: some drivers assume that isnan() never holds.
bool not_finite(highp float value)
{
  return (floatBitsToUint(value) & 0x7f800000u) == 0x7f800000u;
}

void main()
{
  highp vec2 place = u_window.xy + gl_FragCoord.xy * u_window.zw;
  if (any(lessThan(place, vec2(0.0))) || any(greaterThanEqual(place, vec2(1.0)))) {
    colour = u_backdrop;
    return;
  }
  highp float value = fetch(u_value, place);
  if (u_difference)
    value -= fetch(u_other, place);
  if (not_finite(value)) {
    colour = u_not_finite;
    return;
  }
  highp float t = (value - u_scale.x) / (u_scale.y - u_scale.x);
  int entry = clamp(int(floor(t * 256.0)), 0, 255);
  colour = texelFetch(u_table, ivec2(entry, u_row), 0);
}
