"""File systems that only some processes see."""
import subprocess


class Mounts:
    """A mount namespace, in which a shell script has mounted what it wants; it ends with this, or with our process."""

    def __init__(self, script, *words):
        # An end of its input ends the holder, and with it the namespace.
        self.holder = subprocess.Popen(
            ["unshare", "--mount", "--propagation", "private", "sh", "-ec",
             f"{script}\necho ready\nread -r _ || true", "sh", *words],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if self.holder.stdout.readline() != "ready\n":
            raise RuntimeError(f"nothing was mounted: {self.holder.stderr.read()}")
        # A command that runs the rest of its command line there.
        self.through = ["nsenter", f"--mount=/proc/{self.holder.pid}/ns/mnt", "--"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Lets go of the namespace."""
        self.holder.communicate()
