#ifndef CIDN_H
#define CIDN_H

/*
 * C because libidn2 is not linked: only a host beyond ASCII needs it, and no other command should pay for loading it.
 * It is there wherever libcurl is, which translates such hosts with it too. Nothing of it is needed to build this.
 */

/* The longest name that there can be, in bytes (RFC 1035, section 2.3.4). */
#define CIDN_LONGEST 255

/* Translates a host name in UTF-8 to its ASCII form with xn-- (IDNA2008 with the mapping of UTS #46): `ascii` gets it,
   as a string, and has room for CIDN_LONGEST + 1 bytes. Signs of ASCII that no host has are not refused: check them in
   what comes out. NULL, or why the name has no such form, as a text that stays. */
const char *cidn_to_ascii(const char *name, char *ascii);

#endif
