/*
 * A disk that fails or is slow on command, for LD_PRELOAD: what the file FAULTY_DISK says applies to every file whose path
 * holds "helper.db". `EIO`, `ENOSPC` and `EROFS` fail writes and syncs, `sync EIO` fails syncs alone, `slow 5` makes a sync
 * take 5 ms, `held` makes it wait until the file says something else, and `counted` notes it with a dot in FAULTY_DISK.syncs.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int concerns(int fd) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  return strstr(path, "helper.db") != NULL;
}

static void command(char *text, size_t size) {
  text[0] = 0;
  const char *file = getenv("FAULTY_DISK");
  if (file == NULL) return;
  int fd = open(file, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  ssize_t length = read(fd, text, size - 1);
  text[length > 0 ? length : 0] = 0;
  close(fd);
}

static void note_sync(void) {
  char path[4096];
  snprintf(path, sizeof path, "%s.syncs", getenv("FAULTY_DISK"));
  int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  static ssize_t (*real)(int, const void *, size_t);
  if (real == NULL) real = dlsym(RTLD_NEXT, "write");
  if (fd >= 0 && real(fd, ".", 1) == 1) close(fd);
}

static int code(const char *name) {
  if (strncmp(name, "EIO", 3) == 0) return EIO;
  if (strncmp(name, "ENOSPC", 6) == 0) return ENOSPC;
  if (strncmp(name, "EROFS", 5) == 0) return EROFS;
  return 0;
}

static int write_fails(int fd) {
  char text[64];
  if (!concerns(fd)) return 0;
  command(text, sizeof text);
  errno = code(text);
  return errno != 0;
}

static int sync_fails(int fd) {
  char text[64];
  if (!concerns(fd)) return 0;
  command(text, sizeof text);
  if (strncmp(text, "slow ", 5) == 0) {
    long milliseconds = atol(text + 5);
    struct timespec wait = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
    nanosleep(&wait, NULL);
    return 0;
  }
  while (strncmp(text, "held", 4) == 0) {
    struct timespec wait = {0, 5 * 1000000L};
    nanosleep(&wait, NULL);
    command(text, sizeof text);
  }
  if (strncmp(text, "counted", 7) == 0) note_sync();
  errno = code(strncmp(text, "sync ", 5) == 0 ? text + 5 : text);
  return errno != 0;
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t at) {
  static ssize_t (*real)(int, const void *, size_t, off64_t);
  if (real == NULL) real = dlsym(RTLD_NEXT, "pwrite64");
  return write_fails(fd) ? -1 : real(fd, bytes, count, at);
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t at) {
  static ssize_t (*real)(int, const void *, size_t, off_t);
  if (real == NULL) real = dlsym(RTLD_NEXT, "pwrite");
  return write_fails(fd) ? -1 : real(fd, bytes, count, at);
}

ssize_t write(int fd, const void *bytes, size_t count) {
  static ssize_t (*real)(int, const void *, size_t);
  if (real == NULL) real = dlsym(RTLD_NEXT, "write");
  return write_fails(fd) ? -1 : real(fd, bytes, count);
}

int fsync(int fd) {
  static int (*real)(int);
  if (real == NULL) real = dlsym(RTLD_NEXT, "fsync");
  return sync_fails(fd) ? -1 : real(fd);
}

int fdatasync(int fd) {
  static int (*real)(int);
  if (real == NULL) real = dlsym(RTLD_NEXT, "fdatasync");
  return sync_fails(fd) ? -1 : real(fd);
}
