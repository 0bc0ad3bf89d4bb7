#include "CQRCode.h"

#include <dlfcn.h>
#include <qrencode.h>
#include <stddef.h>

int cqrcode_encode(const char *text, unsigned char *modules) {
  /* The versioned name: the one without belongs to the development package. */
  void *library = dlopen("libqrencode.so.4", RTLD_LAZY | RTLD_LOCAL);
  if (library == NULL) return 0;
  int width = 0;
  /* __typeof__ takes the types from the library's own header. */
  __typeof__(&QRcode_encodeString) encode = (__typeof__(encode))dlsym(library, "QRcode_encodeString");
  __typeof__(&QRcode_free) release = (__typeof__(release))dlsym(library, "QRcode_free");
  QRcode *code = NULL;
  /* The lowest level of correction makes the smallest code: nothing gets dirty on a screen. */
  if (encode != NULL && release != NULL) code = encode(text, 0, QR_ECLEVEL_L, QR_MODE_8, 1);
  if (code != NULL && code->width <= CQRCODE_LARGEST) {
    width = code->width;
    for (int index = 0; index < width * width; index++) modules[index] = code->data[index] & 1;
  }
  if (code != NULL) release(code);
  dlclose(library);
  return width;
}
