/* SPDX-License-Identifier: GPL-3.0-or-later */
/* LD_PRELOAD library with faults: a computation that never ends, a slow disk, short seconds.
 * STUCK_MARK: file created when LAPACK's eigenvalue solver is called, which then does not return.
 * STUCK_SYNC_MS: duration of every fsync(). STUCK_SECOND_MS: duration of one second of alarm(). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

typedef void Solver(const char *,
                    const char *,
                    const int *,
                    double *,
                    const int *,
                    double *,
                    double *,
                    const int *,
                    int *,
                    const int *,
                    int *,
                    size_t,
                    size_t);
Solver       dsyevd_;

void
dsyevd_(const char *jobz,
        const char *uplo,
        const int  *n,
        double     *a,
        const int  *lda,
        double     *w,
        double     *work,
        const int  *n_work,
        int        *integers,
        const int  *n_integers,
        int        *info,
        size_t      jobz_length,
        size_t      uplo_length)
{
  const char *mark = getenv("STUCK_MARK");

  if (mark != NULL) {
    close(open(mark, O_CREAT | O_WRONLY, 0666));
    for (volatile unsigned turn = 0;; turn++)
      continue;
  }
  union {
    void   *symbol;
    Solver *call;
  } next = {dlsym(RTLD_NEXT, "dsyevd_")};
  next.call(jobz, uplo, n, a, lda, w, work, n_work, integers, n_integers, info, jobz_length,
            uplo_length);
}

int
fsync(int fd)
{
  const char           *text = getenv("STUCK_SYNC_MS");
  const long            ms = text != NULL ? atol(text) : 0;
  const struct timespec pause = {ms / 1000, ms % 1000 * 1000000};

  nanosleep(&pause, NULL);
  return (int) syscall(SYS_fsync, fd);
}

unsigned
alarm(unsigned seconds)
{
  const char      *text = getenv("STUCK_SECOND_MS");
  const long       ms = (text != NULL ? atol(text) : 1000) * (long) seconds;
  struct itimerval timer = {.it_value = {ms / 1000, ms % 1000 * 1000}};

  setitimer(ITIMER_REAL, &timer, NULL);
  return 0;
}
