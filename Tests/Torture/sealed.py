"""Reads the session file of a profile with `store = "file"`, as its format is documented in SealedFile.swift."""
import base64
import json
import struct

MASK = 0xFFFFFFFF


def quarter(state, a, b, c, d):
    """A quarter round (RFC 8439, section 2.1)."""
    for one, two, three, count in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
        state[one] = (state[one] + state[two]) & MASK
        mixed = state[three] ^ state[one]
        state[three] = (mixed << count | mixed >> (32 - count)) & MASK


def stream(key, nonce, count):
    """The bytes that encrypt a text (RFC 8439, section 2.4): the blocks from 1 on."""
    blocks = []
    for block in range(1, count // 64 + 2):
        first = list(struct.unpack("<16I", b"expand 32-byte k" + key + struct.pack("<I", block) + nonce))
        state = first[:]
        for _ in range(10):
            for column in range(4):
                quarter(state, column, 4 + column, 8 + column, 12 + column)
            for column in range(4):
                quarter(state, column, 4 + (column + 1) % 4, 8 + (column + 2) % 4, 12 + (column + 3) % 4)
        blocks.append(struct.pack("<16I", *((one + two) & MASK for one, two in zip(state, first))))
    return b"".join(blocks)


def items(path, key_path):
    """The items of a profile by their kind; None if there is no file."""
    try:
        with open(path, "rb") as file:
            sealed = file.read()
    except FileNotFoundError:
        return None
    with open(key_path, "rb") as file:
        key = base64.b64decode(file.read())
    if sealed[:9] != b"ACTLSEAL\1":
        raise ValueError(f"{path} is not a session file")
    nonce, length, start = sealed[17:29], int.from_bytes(sealed[41:45], "big"), 46 + sealed[45]
    text = sealed[start:start + length - 16]
    return json.loads(bytes(a ^ b for a, b in zip(text, stream(key, nonce, len(text)))))["items"]
