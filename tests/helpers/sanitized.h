/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Under a sanitizer a test leaves out what runs lines again that it ran before: it would find nothing more there, in minutes. */
#pragma once

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#  define TEST_IS_SANITIZED 1
#else
#  define TEST_IS_SANITIZED 0
#endif
