/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stand-in for sysprof: the other end of SYSPROF_CONTROL_FD, with the rings of sysprof's own library. Runs a program
 * and prints each mark it receives. sysprof-cli itself needs polkit, which tests do not have. */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <sysprof-capture.h>
#include <unistd.h>

/* Exported by the library, but declared in none of its headers. */
typedef struct _MappedRingBuffer MappedRingBuffer;
typedef bool (*MappedRingBufferCallback)(const void *data, size_t *length, void *user_data);
MappedRingBuffer *mapped_ring_buffer_new_reader(size_t buffer_size);
int               mapped_ring_buffer_get_fd(MappedRingBuffer *self);
bool              mapped_ring_buffer_drain(MappedRingBuffer        *self,
                                           MappedRingBufferCallback callback,
                                           void                    *user_data);

enum { MOST_RINGS = 16, RING_BYTES = 1 << 20 };

static MappedRingBuffer *rings[MOST_RINGS];
static int               n_rings;

static bool
tell(const void *data, size_t *length, void *user_data)
{
  const SysprofCaptureFrame *frame = data;
  (void) user_data;
  if (frame->type == SYSPROF_CAPTURE_FRAME_MARK) {
    const SysprofCaptureMark *mark = data;
    printf("%s|%s|%s|%lld\n", mark->group, mark->name, mark->message, (long long) mark->duration);
  }
  *length = frame->len;
  return true;
}

static void
send_ring(int socket, int ring)
{
  char          byte = 0, space[CMSG_SPACE(sizeof(int))] = {0};
  struct iovec  part = {&byte, 1};
  struct msghdr message = {
    .msg_iov = &part, .msg_iovlen = 1, .msg_control = space, .msg_controllen = sizeof space};
  struct cmsghdr *head = CMSG_FIRSTHDR(&message);
  head->cmsg_level = SOL_SOCKET;
  head->cmsg_type = SCM_RIGHTS;
  head->cmsg_len = CMSG_LEN(sizeof(int));
  memcpy(CMSG_DATA(head), &ring, sizeof ring);
  sendmsg(socket, &message, MSG_NOSIGNAL);
}

/* Serves ring requests until the program closes its end. */
static void
serve(int socket)
{
  static const char wanted[] = "CreatRing";
  char              text[sizeof wanted];
  while (recv(socket, text, sizeof text, MSG_WAITALL) == sizeof text && n_rings < MOST_RINGS) {
    if (memcmp(text, wanted, sizeof wanted) != 0)
      return;
    rings[n_rings] = mapped_ring_buffer_new_reader(RING_BYTES);
    send_ring(socket, mapped_ring_buffer_get_fd(rings[n_rings++]));
  }
}

int
main(int argc, char **argv)
{
  int  ends[2], status;
  char number[16];
  if (argc < 2 || socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
    return 2;
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    snprintf(number, sizeof number, "%d", ends[1]);
    setenv("SYSPROF_CONTROL_FD", number, 1);
    execv(argv[1], argv + 1);
    _exit(127);
  }
  close(ends[1]);
  serve(ends[0]);
  waitpid(child, &status, 0);
  for (int i = 0; i < n_rings; i++)
    mapped_ring_buffer_drain(rings[i], tell, NULL);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
