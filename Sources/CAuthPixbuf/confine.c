#define _GNU_SOURCE
#include "CAuthPixbuf.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The pixels of the largest picture three times, and the program. */
static const rlim_t MEMORY = 2ULL << 30;

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

/* No file of any file system can be opened any more (landlock(7)); one that is in memory alone can. */
static void forbid_files(void) {
  struct landlock_ruleset_attr none = {
    .handled_access_fs = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_READ_FILE |
                         LANDLOCK_ACCESS_FS_READ_DIR};
  int rules = (int)syscall(SYS_landlock_create_ruleset, &none, sizeof none, 0);
  if (rules < 0) return;
  syscall(SYS_landlock_restrict_self, rules, 0);
  close(rules);
}

#ifdef ARCHITECTURE
#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define ARGUMENT(index) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[index]))
#define ANSWER(value) BPF_STMT(BPF_RET | BPF_K, value)
#define REFUSAL (SECCOMP_RET_ERRNO | EPERM)
#define ALLOW(number) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1), ANSWER(SECCOMP_RET_ALLOW)
/* Allowed as long as none of these bits is set in an argument. Both the number and the argument are 32 bits. */
#define ALLOW_WITHOUT(number, index, bits)                                                                             \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 4), ARGUMENT(index),                                                  \
    BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1), ANSWER(REFUSAL), ANSWER(SECCOMP_RET_ALLOW)

/* What a decoder needs: memory, the files that are open, and files to read where Landlock allows them. No socket, no
   other process, no program, no code that it has written itself. */
static struct sock_filter calls[] = {
  LOAD(arch),
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
  ANSWER(SECCOMP_RET_KILL_PROCESS),
  LOAD(nr),
  ALLOW(__NR_read),
  ALLOW(__NR_pread64),
  ALLOW(__NR_readv),
  ALLOW(__NR_write),
  ALLOW(__NR_writev),
  ALLOW(__NR_lseek),
  ALLOW(__NR_close),
  ALLOW(__NR_fstat),
  ALLOW(__NR_newfstatat),
  ALLOW(__NR_memfd_create),
  ALLOW(__NR_munmap),
  ALLOW(__NR_mremap),
  ALLOW(__NR_brk),
  ALLOW(__NR_madvise),
  ALLOW(__NR_futex),
  ALLOW(__NR_getrandom),
  ALLOW(__NR_clock_gettime),
  ALLOW(__NR_gettid),
  ALLOW(__NR_getpid),
  ALLOW(__NR_tgkill),
  ALLOW(__NR_sched_yield),
  ALLOW(__NR_rt_sigaction),
  ALLOW(__NR_rt_sigprocmask),
  ALLOW(__NR_rt_sigreturn),
  ALLOW(__NR_exit),
  ALLOW(__NR_exit_group),
  ALLOW_WITHOUT(__NR_mmap, 2, PROT_EXEC),
  ALLOW_WITHOUT(__NR_mprotect, 2, PROT_EXEC),
  ALLOW_WITHOUT(__NR_openat, 2, O_WRONLY | O_RDWR | O_CREAT | O_TRUNC),
  ANSWER(REFUSAL),
};

static void forbid_calls(void) {
  struct sock_fprog program = {.len = sizeof calls / sizeof *calls, .filter = calls};
  syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
}
#else
static void forbid_calls(void) {}
#endif

void cpixbuf_confine(void) {
  cpixbuf_load();
  struct rlimit memory = {MEMORY, MEMORY}, none = {0, 0};
  setrlimit(RLIMIT_AS, &memory);
  setrlimit(RLIMIT_CORE, &none);
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (dlopen("libglycin-2.so.0", RTLD_LAZY | RTLD_NOLOAD) != NULL) return;
  forbid_files();
  forbid_calls();
}
