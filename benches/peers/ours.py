"""Where our program is and how these scripts call it."""

import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


class Failure(Exception):
    """Our program is missing, failed, or answered what it should not."""


def default_program() -> Path:
    """The release build of the repository that holds this file."""
    return Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release" / "fogtree"


def call(program: Path, *arguments: str, stdin: str = "", seconds: float = 600) -> str:
    """The standard output of `program arguments`; a Failure says what went wrong."""
    command = f"{program.name} {' '.join(arguments)}"
    try:
        done = subprocess.run([program, *arguments], input=stdin, capture_output=True, text=True,
                              timeout=seconds)
    except OSError as error:
        raise Failure(f"cannot run {program}: {error.strerror} (`cargo build --release` makes it)") from error
    except subprocess.TimeoutExpired as error:
        raise Failure(f"`{command}` did not end within {seconds:.0f} s") from error
    if done.returncode != 0:
        raise Failure(f"`{command}` ended with code {done.returncode}: {done.stderr.strip() or 'no message'}")
    return done.stdout
