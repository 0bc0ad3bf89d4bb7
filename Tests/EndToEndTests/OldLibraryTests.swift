import TestSupport
import Testing

@Suite("a libcurl that can't do what is needed, end to end")
struct OldLibraryTests {
  @Test("without the callback before each request nothing is sent")
  func withoutPrerequest() throws {
    let place = try Workplace.loggedIn()
    // CURLOPT_PREREQFUNCTION is 20312, CURLE_UNKNOWN_OPTION is 48: what libcurl before 7.80 returns for it.
    let library = try CProgram(
      """
      #define _GNU_SOURCE
      #include <dlfcn.h>
      #include <stdarg.h>
      #include <string.h>
      static int (*set)(void *, int, ...);
      static int setopt(void *easy, int option, ...) {
        va_list list;
        va_start(list, option);
        void *value = va_arg(list, void *);
        va_end(list);
        return option == 20312 ? 48 : set(easy, option, value);
      }
      void *dlsym(void *handle, const char *name) {
        static void *(*next)(void *, const char *);
        if (!next) next = dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.34");
        void *found = next(handle, name);
        if (strcmp(name, "curl_easy_setopt") != 0) return found;
        set = found;
        return setopt;
      }
      """, as: .library)
    let outcome = try place.run("call", "me", environment: ["LD_PRELOAD": library.path])
    #expect(outcome.status != 0)
    #expect(outcome.error.contains("libcurl is too old"), "\(outcome.error)")
    #expect(try place.lab.count("api") == 0)
  }
}
