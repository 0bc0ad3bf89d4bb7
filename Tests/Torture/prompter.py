#!/usr/bin/python3
"""Responds to the prompts of gnome-keyring: prompter.py PASSWORD, or prompter.py --refuse.

Prints the name on the bus under which the keyring finds it (GNOME_KEYRING_TEST_PROMPTER), and ends with its input. It
is the prompter with which gcr, the library that shows those prompts, is tested.
"""
import ctypes
import sys

gcr = ctypes.CDLL("libgcr-base-3.so.1")
gcr.gcr_mock_prompter_start.restype = ctypes.c_char_p
name = gcr.gcr_mock_prompter_start()
for _ in range(50):
    if sys.argv[1] == "--refuse":
        gcr.gcr_mock_prompter_expect_password_cancel()
    else:
        gcr.gcr_mock_prompter_expect_password_ok(sys.argv[1].encode(), ctypes.c_void_p())
print(name.decode(), flush=True)
sys.stdin.read()
