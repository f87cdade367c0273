/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Colours of paper and of the window's two styles. The series are distinguishable for colour-blind readers.
 * Source of the series: M. Okabe, K. Ito (2008), Color Universal Design; lightened for the dark style. The colours of
 * operations maximise the least distance (Oklab, for normal vision and for each kind of colour blindness) from one
 * another, from the series and from the two greys, without saturated reds. */
#include "report/canvas/palette.h"

#define RGB(r, g, b)                                                       \
  {                                                                        \
    (float) (r) / 255.0F, (float) (g) / 255.0F, (float) (b) / 255.0F, 1.0F \
  }

const LacPalette lac_palette_paper = {
  .foreground = RGB(26, 26, 26),
  .faint = RGB(105, 105, 105),
  .background = RGB(255, 255, 255),
  .grid = RGB(226, 226, 226),
  .series = {RGB(0, 114, 178), RGB(213, 94, 0), RGB(0, 158, 115), RGB(204, 121, 167),
             RGB(230, 159, 0), RGB(86, 180, 233)},
  .operations = {RGB(90, 30, 135), RGB(120, 120, 225), RGB(15, 75, 90), RGB(165, 60, 135),
                 RGB(15, 105, 15), RGB(135, 90, 75), RGB(90, 225, 150), RGB(105, 45, 45)},
  .neutral = RGB(140, 150, 165),
  .rest = RGB(190, 194, 200),
  .alert = RGB(192, 28, 40),
};

const LacPalette lac_palette_light = {
  .foreground = RGB(46, 46, 46),
  .faint = RGB(110, 110, 110),
  .background = RGB(250, 250, 250),
  .grid = RGB(222, 222, 222),
  .series = {RGB(0, 114, 178), RGB(213, 94, 0), RGB(0, 158, 115), RGB(204, 121, 167),
             RGB(230, 159, 0), RGB(86, 180, 233)},
  .operations = {RGB(90, 30, 135), RGB(120, 120, 225), RGB(15, 75, 90), RGB(165, 60, 135),
                 RGB(15, 105, 15), RGB(135, 90, 75), RGB(90, 225, 150), RGB(105, 45, 45)},
  .neutral = RGB(140, 150, 165),
  .rest = RGB(190, 194, 200),
  .alert = RGB(192, 28, 40),
};

const LacPalette lac_palette_dark = {
  .foreground = RGB(238, 238, 238),
  .faint = RGB(165, 165, 165),
  .background = RGB(36, 36, 36),
  .grid = RGB(66, 66, 66),
  .series = {RGB(86, 180, 233), RGB(255, 145, 66), RGB(62, 201, 160), RGB(226, 157, 195),
             RGB(240, 190, 70), RGB(150, 170, 255)},
  .operations = {RGB(165, 105, 210), RGB(60, 90, 195), RGB(165, 225, 240), RGB(195, 105, 15),
                 RGB(15, 150, 75), RGB(165, 60, 60), RGB(105, 255, 180), RGB(135, 60, 150)},
  .neutral = RGB(125, 135, 150),
  .rest = RGB(90, 96, 106),
  .alert = RGB(240, 85, 90),
};

LacColour
lac_palette_text_on(LacColour colour)
{
  static const LacColour white = {1, 1, 1, 1}, black = {0, 0, 0, 1};
  return 0.299F * colour.red + 0.587F * colour.green + 0.114F * colour.blue < 0.55F ? white : black;
}
