#!/usr/bin/python3
"""Writes documents in and beside TOML 1.0.0, and what Python's tomllib reads in each: documents.py COUNT SEED

Each line is a JSON object: `text` is the document, `value` what it means, or null if it is not valid. A string is
written with an `s` before it, a floating-point number as `f` and its 64 bits, a date or a time as null. About half of
the documents are valid. The same seed gives the same documents.

Three kinds of documents are not written, because authctl reads them otherwise on purpose: with a byte order mark, with
names that Unicode regards as equivalent, and with the year 0, which Python does not have. An integer that needs more
than 64 bits is an error, as TOML demands.
"""
import json
import math
import random
import struct
import sys
import tomllib

NAMES = ["a", "b", "c", "a", "b", "d-1", "_", "1", '"a"', "'b'", '"c d"', "''", '"é"', "'\"'", '"\\u0061"', '"b\\n"']
TEXTS = ["", "x", "a b", "é", "中", "😀", "\t", "#", "]", "}", ",", "=", "'", "\x7f", "\x85", "\x00", "\x1f", "\r"]
ESCAPES = ["\\n", "\\t", '\\"', "\\\\", "\\b", "\\f", "\\r", "\\u00e9", "\\U0001F600", "\\u0000"]
WRONG_ESCAPES = ["\\x41", "\\e", "\\u12", "\\ud800", "\\U00110000", "\\U0000dfff", "\\u+123", "\\ ", "\\é", "\\/"]
INTEGERS = ["0", "1", "-1", "+7", "42", "1_000", "-0", "+0", "0x1F", "0xdead_BEEF", "0o17", "0b101", "0x0", "00x1",
            "01", "-01", "1__0", "_1", "1_", "0x", "0x_1", "0x1_", "0o8", "0b2", "+0x1", "-0b1", "0X1", "0O7", "0B1",
            "0b1_0", "9223372036854775807", "-9223372036854775808", "9223372036854775808", "-9223372036854775809",
            "++1", "0_1", "0x7fffffffffffffff", "0xffffffffffffffff", "0x8000000000000000", "1e", "0xe_1", "1_2_3",
            "٣", "0x+1"]
FLOATS = ["0.0", "-0.0", "+1.5", "3.14", "1e5", "1E-3", "6.02e+23", "1e06", "1_0.0_1", "1_0e1_0", "inf", "-inf", "+inf",
          "nan", "-nan", "+nan", "1.", ".5", "1.e5", "1._5", "1_.5", "1e_5", "1e5_", "01.5", "1e5.0", "1.5e", "Inf",
          "NaN", "infinity", "1e400", "-1e400", "4.9e-324", "1e-400", "0e0", "00.1", "0.1e1_", "1.5.2", "i", "1_e5",
          "0_.1"]
MARKS = list(" \t\n\"'#=.,[]{}\\-_+:0159aeTZxé") + ["\r\n", "\r", "\x00", "'''", '"""', "[[", "]]"]


class Writer:
    """Writes one document after the other."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def one(self, *choices):
        """One of these; functions are called."""
        chosen = self.random.choice(choices)
        return chosen() if callable(chosen) else chosen

    def some(self, most, make, between=""):
        """Up to so many of what a function makes."""
        return between.join(make() for _ in range(self.random.randint(0, most)))

    def is_rare(self):
        return self.random.random() < 0.03

    def blank(self):
        return self.random.choice(["", "", "", " ", "\t"])

    def name(self):
        return self.random.choice(NAMES)

    def key(self):
        parts = [self.name() for _ in range(self.random.choice([1, 1, 1, 2, 2, 3]))]
        return (self.blank() + "." + self.blank()).join(parts)

    def basic(self):
        parts = (*TEXTS[:11], *ESCAPES[:9], *self.rare(WRONG_ESCAPES + TEXTS))
        return '"' + self.some(4, lambda: self.one(*parts)) + '"'

    def literal(self):
        return "'" + self.some(4, lambda: self.one(*TEXTS[:12], "\\", *self.rare(TEXTS))) + "'"

    def rare(self, texts):
        return texts if self.is_rare() else []

    def long_basic(self):
        parts = (*TEXTS[:13], *ESCAPES, "\n", "\r\n", '"', '""', "\\\n", "\\  \n \n ", "\\\r\n",
                 *self.rare(WRONG_ESCAPES))
        return '"""' + self.some(6, lambda: self.one(*parts)) + '"""'

    def long_literal(self):
        return "'''" + self.some(6, lambda: self.one(*TEXTS[:13], "\\", "\n", "\r\n", "'", "''", '"')) + "'''"

    def moment(self):
        number = self.random.randint
        year = self.one("2000", "1900", "2023", "2024", "9999", "0001")
        date = f"{year}-{number(1, 12):02}-{number(1, self.one(28, 31)):02}"
        time = f"{number(0, 23):02}:{number(0, 59):02}:{number(0, 59):02}"
        time += self.one("", "", ".5", ".123456789", *self.rare([".", ":1"]))
        zone = self.one("", "Z", "z", "+01:30", "-00:00", "+23:59", *self.rare(["+24:00", "+1:30", "-01:60", "+0130"]))
        whole = date + self.one("T", "t", " ", *self.rare(["  ", "_", "x"])) + time + zone
        wrong = ["2023-13-01", "2023-00-10", "2023-01-32", "24:00:00", "23:60:00", "23:59:60", "7:00:00", "07:32",
                 "2023-1-1", "23-01-01", time + "Z", date + "Z", "02023-01-01"]
        return self.one(date, time, whole, whole, *self.rare(wrong))

    def number(self):
        return self.one(*INTEGERS[:13], *FLOATS[:16], *self.rare(INTEGERS + FLOATS))

    def lines(self):
        """White space, line ends and comments."""
        return self.some(2, lambda: self.one(" ", "\t", "\n", "\r\n", "# c\n", "#\n", "#é]\n"))

    def array(self, depth):
        text = "["
        for index in range(self.random.randint(0, 3)):
            text += ("," if index else "") + self.lines() + self.value(depth + 1) + self.lines()
        text += self.one("", "", ",", *self.rare([",,", " 1"])) + self.lines()
        return text + self.one("]", *self.rare(["", "]]"]))

    def table(self, depth):
        pairs = [self.blank() + self.key() + self.blank() + "=" + self.blank() + self.value(depth + 1) + self.blank()
                 for _ in range(self.random.randint(0, 3))]
        end = self.one("", *self.rare([",", "\n", "#"])) + self.one("}", *self.rare(["", "}}"]))
        return "{" + ",".join(pairs) + end

    def value(self, depth=0):
        kinds = [self.basic, self.literal, self.long_basic, self.long_literal, self.number, self.number, self.moment,
                 "true", "false", *self.rare(["True", "", "null", "word", "https://a"])]
        if depth < 4:
            kinds += [lambda: self.array(depth), lambda: self.table(depth), lambda: self.table(depth)]
        return self.one(*kinds)

    def statement(self):
        pair = lambda: self.blank() + self.key() + self.blank() + "=" + self.blank() + self.value()
        header = lambda: self.blank() + "[" + self.blank() + self.key() + self.blank() + "]"
        element = lambda: self.blank() + "[[" + self.key() + self.blank() + "]]"
        wrong = self.rare(["[]", "[[a]", "a", "= 1", "[ [a]]", "x x=1"])
        line = self.one(pair, pair, pair, header, header, element, "", *wrong)
        return line + self.blank() + self.one("", "", "# comment", "#", *self.rare(["#\x00", "x", "#\r"]))

    def document(self):
        text = self.some(7, self.statement, self.one("\n", "\n", "\n", "\r\n")) + self.one("", "\n")
        changes = self.random.choice([0, 0, 0, 1, 1, 2])
        for _ in range(changes):
            place = self.random.randint(0, len(text))
            end = place + self.random.choice([0, 0, 1, 1, 3])
            text = text[:place] + self.one("", *MARKS) + text[end:]
        return text


def meaning(value):
    """A value as it is written; raises ValueError for one that authctl refuses."""
    if isinstance(value, dict):
        return {name: meaning(member) for name, member in value.items()}
    if isinstance(value, list):
        return [meaning(element) for element in value]
    if isinstance(value, str):
        return "s" + value
    if isinstance(value, float):
        return "f" + ("nan" if math.isnan(value) else struct.pack(">d", value).hex())
    if isinstance(value, int):
        if not -(2 ** 63) <= value < 2 ** 63:
            raise ValueError("more than 64 bits")
        return value
    return None


def main():
    count, seed = map(int, sys.argv[1:])
    writer = Writer(seed)
    for _ in range(count):
        text = writer.document()
        while "0000-" in text:
            text = writer.document()
        try:
            value = meaning(tomllib.loads(text))
        except ValueError:
            value = None
        print(json.dumps({"text": text, "value": value}))


main()
