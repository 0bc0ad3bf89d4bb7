#ifndef CIDN_H
#define CIDN_H

/*
 * Written in C because libidn2 is not linked: only a host name beyond ASCII needs it, and no other command should pay
 * for loading it. It is installed wherever libcurl is, because libcurl also uses it for such host names. The build does
 * not need it.
 */

/* The maximum length of a host name, in bytes (RFC 1035, section 2.3.4). */
#define CIDN_LONGEST 255

/* Converts a host name in UTF-8 to its ASCII form with xn-- (IDNA2008 with the mapping of UTS #46). Writes it to
   `ascii` as a string; `ascii` must have room for CIDN_LONGEST + 1 bytes. ASCII characters that are invalid in a host
   name are not refused: check the result for them. Returns NULL, or the reason why the name has no such form, as a
   static string. */
const char *cidn_to_ascii(const char *name, char *ascii);

#endif
