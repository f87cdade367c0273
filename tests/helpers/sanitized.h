/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Under sanitizers tests leave out repetitions of code they have already run, which take minutes and find nothing
 * more. */
#pragma once

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#  define TEST_IS_SANITIZED 1
#else
#  define TEST_IS_SANITIZED 0
#endif
