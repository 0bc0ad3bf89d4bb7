#include "CAuthIDN.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

/* From idn2.h; they are part of the library's binary interface. IDN2_USE_STD3_ASCII_RULES is not among them: with it,
   libidn2 2.3.3 takes forbidden signs out of a name ("ü@b" becomes "üb") instead of refusing it. */
enum { OK = 0, NFC_INPUT = 1, NONTRANSITIONAL = 8 };

const char *cidn_to_ascii(const char *name, char *ascii) {
  /* The versioned name: the one without belongs to the development package. It is never closed: its messages stay. */
  void *library = dlopen("libidn2.so.0", RTLD_LAZY | RTLD_LOCAL);
  if (library == NULL) return "libidn2 is not installed";
  int (*translate)(const char *, char **, int) = (int (*)(const char *, char **, int))dlsym(library, "idn2_to_ascii_8z");
  const char *(*message)(int) = (const char *(*)(int))dlsym(library, "idn2_strerror");
  void (*release)(void *) = (void (*)(void *))dlsym(library, "idn2_free");
  if (translate == NULL || message == NULL || release == NULL) return "libidn2 is too old";
  char *result = NULL;
  int code = translate(name, &result, NFC_INPUT | NONTRANSITIONAL);
  if (code != OK) return message(code);
  size_t size = strlen(result) + 1;
  if (size <= CIDN_LONGEST + 1) memcpy(ascii, result, size);
  release(result);
  return size <= CIDN_LONGEST + 1 ? NULL : "it is too long";
}
