// SPDX-License-Identifier: GPL-3.0-or-later
// A field, or the difference of two, through a colour table. app/field/scene.c samples in the same way.
uniform highp sampler2D u_value;
uniform highp sampler2D u_other;
uniform highp ivec2     u_value_size; // cells of the plane; its texture may be narrower
uniform highp ivec2     u_other_size;
uniform highp ivec2     u_texture_size;
uniform sampler2D       u_table; // [maps][256], one row a colour map
uniform int             u_row;
uniform bool            u_difference;
uniform int             u_errors; // field/error-form.h
uniform highp float     u_factor; // of a relative error; 0: there is none
uniform highp float     u_swipe; // places from there on show the other field; above 1: none
uniform bool            u_smooth;
uniform bool            u_fade;
uniform highp float     u_share; // of the other field in a fade
uniform int             u_transfer; // field/transfer.h
uniform highp vec4      u_warp;     // low, knee, base, span
uniform int             u_n_levels;
uniform highp float     u_levels[16];
uniform bool            u_textured;
uniform highp sampler2D u_texture; // noise smeared along the flow
uniform ivec2           u_corner;  // device pixels
uniform highp vec4      u_window; // (u, v) = xy + gl_FragCoord.xy * zw
uniform vec4            u_backdrop;
uniform vec4            u_not_finite;
out vec4                colour;

// A plane beyond the texture limit is stored cell after cell (app/field/gl.c).
highp float cell(highp sampler2D field, highp ivec2 size, highp ivec2 at)
{
  at = clamp(at, ivec2(0), size - 1);
  highp int width = textureSize(field, 0).x;
  if (width == size.x)
    return texelFetch(field, at, 0).r;
  highp int index = at.y * size.x + at.x;
  return texelFetch(field, ivec2(index % width, index / width), 0).r;
}

highp float fetch(highp sampler2D field, highp ivec2 size, highp vec2 place, bool is_smooth)
{
  highp vec2 at = place * vec2(size);
  if (!is_smooth)
    return cell(field, size, ivec2(floor(at)));
  highp vec2 corner = floor(at - 0.5);
  highp vec2 f = at - 0.5 - corner;
  ivec2 i = ivec2(corner);
  highp float lower = cell(field, size, i) * (1.0 - f.x) + cell(field, size, i + ivec2(1, 0)) * f.x;
  highp float upper = cell(field, size, i + ivec2(0, 1)) * (1.0 - f.x) + cell(field, size, i + ivec2(1, 1)) * f.x;
  return lower * (1.0 - f.y) + upper * f.y;
}

// By its bits: some drivers assume that isnan() never holds.
bool not_finite(highp float value)
{
  return (floatBitsToUint(value) & 0x7f800000u) == 0x7f800000u;
}

// field/transfer.c, term by term.
highp float bend(highp float value)
{
  if (u_transfer == 1)
    return value > 0.0 ? log(value) : -3.0e38;
  highp float size = abs(value) / u_warp.y;
  if (u_transfer == 2)
    return sign(value) * log(1.0 + size);
  if (u_transfer == 3)
    return sign(value) * log(size + sqrt(size * size + 1.0));
  return value;
}

vec4 paint(highp float value)
{
  if (not_finite(value)) { // stripes: no map has them
    ivec2 at = ivec2(gl_FragCoord.xy) - u_corner;
    return ((at.x + at.y) & 7) < 2 ? vec4(u_not_finite.rgb * 0.7, 1.0) : u_not_finite;
  }
  highp float t = u_warp.w > 0.0 ? (bend(value) - u_warp.z) / u_warp.w : 0.5;
  if (u_transfer == 4 && t > 0.0)
    t = sqrt(t);
  int entry = int(floor(clamp(t * 256.0, 0.0, 255.0)));
  return texelFetch(u_table, ivec2(entry, u_row), 0);
}

// field/error-form.c, term by term.
highp float form(highp float error)
{
  if (u_errors == 0 || not_finite(error))
    return error;
  if (u_errors == 2)
    return u_factor > 0.0 ? abs(error) * u_factor : uintBitsToFloat(0x7fc00000u);
  return u_errors == 1 ? abs(error) : log(max(abs(error), 1e-37)) * 0.4342944819;
}

highp float shown_at(highp vec2 place, bool is_smooth)
{
  highp float value;
  if (place.x >= u_swipe)
    value = fetch(u_other, u_other_size, place, is_smooth);
  else
    value = fetch(u_value, u_value_size, place, is_smooth);
  if (u_difference)
    value = form(value - fetch(u_other, u_other_size, place, is_smooth));
  return value;
}

int count_below(highp float value)
{
  int n = 0;
  for (int i = 0; i < u_n_levels; i++)
    n += value >= u_levels[i] ? 1 : 0;
  return n;
}

// Whether a level lies between this pixel and the one to its right or above it.
bool is_isoline(highp vec2 place)
{
  int here = count_below(shown_at(place, true));
  return here != count_below(shown_at(place + vec2(u_window.z, 0.0), true)) ||
         here != count_below(shown_at(place + vec2(0.0, u_window.w), true));
}

void main()
{
  highp vec2 place = u_window.xy + gl_FragCoord.xy * u_window.zw;
  if (any(lessThan(place, vec2(0.0))) || any(greaterThanEqual(place, vec2(1.0)))) {
    colour = u_backdrop;
    return;
  }
  highp float value = shown_at(place, u_smooth);
  colour = paint(value);
  if (u_fade)
    colour = mix(colour, paint(fetch(u_other, u_other_size, place, u_smooth)), u_share);
  if (u_textured)
    colour.rgb = clamp(colour.rgb * (0.4 + 1.2 * fetch(u_texture, u_texture_size, place, true)), 0.0, 1.0);
  if (u_n_levels > 0 && !not_finite(value) && is_isoline(place))
    colour.rgb *= 0.35;
}
