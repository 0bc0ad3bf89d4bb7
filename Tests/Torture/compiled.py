"""Compiles the C sources of this folder."""
import os
import subprocess


def compiled(name, folder, *options):
    """The file in a folder that is made of a source."""
    target = os.path.join(folder, name)
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), f"{name}.c")
    subprocess.run(["clang", "-O1", "-Wall", "-Werror", *options, "-o", target, source], check=True)
    return target


def library(name, folder):
    """A library for LD_PRELOAD."""
    return compiled(name, folder, "-shared", "-fPIC")
