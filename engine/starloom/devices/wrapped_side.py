"""Files of a system that a program such as `docker exec` reaches, as one side of a copy by commands there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from starloom.devices.copying import FileKind

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

_CALL: Final = """\
cd -- "$1" || exit
path=$2 last=$3
case $path in "~/"*) path=$HOME/${path#??} ;; esac
"""
_KIND: Final = """\
if [ -f "$path" ]; then
  if [ -x "$path" ]; then echo program; else echo file; fi
  wc -c <"$path"
elif [ -e "$path" ]; then echo other
fi
"""
_DIGEST: Final = """\
{ sha256sum || shasum -a 256 || openssl dgst -sha256 -r; } <"$path" 2>/dev/null || {
  echo "it cannot be read, or there is neither sha256sum, shasum nor openssl there" >&2
  exit 1
}
"""
_READ: Final = 'tail -c "+$((last + 1))" <"$path" | head -c "$4"\n'
_WRITE: Final = """\
umask 077
case $path in */*) mkdir -p -- "${path%/*}" || exit ;; esac
: >>"$path" || exit
if [ "$(wc -c <"$path")" -ne "$last" ]; then echo "somebody else writes it" >&2; exit 1; fi
cat >>"$path"
"""
_ALLOW: Final = 'chmod "$last" "$path"\n'
_RENAME: Final = """\
case $last in "~/"*) last=$HOME/${last#??} ;; esac
mv -f -- "$path" "$last"
"""
_REMOVE: Final = 'rm -f -- "$path"\n'


class WrappedSide:
    """Files of the other system.

    Args:
        call: what a command prints there that is given this to read; raises OSError if it fails.
        cwd: what paths are relative to; None: where commands are put.
        target: what the system is called.
    """

    doubtful = 0

    def __init__(
        self, call: Callable[[tuple[str, ...], bytes], Awaitable[bytes]], cwd: str | None, target: str
    ) -> None:
        self.where = f" in {target!r}" if target else " over there"
        self._call = call
        self._cwd = "." if cwd is None else cwd

    def full(self, path: str) -> str:
        """The path with the folder it is relative to."""
        return path if path.startswith(("/", "~/")) or self._cwd == "." else f"{self._cwd}/{path}"

    async def kind(self, path: str) -> FileKind | None:
        """The kind of a file; None: it does not exist."""
        words = (await self._do(_KIND, path)).split()
        if not words:
            return None
        if words[0] == b"other":
            raise IsADirectoryError(0, "it is not a regular file")
        return FileKind(int(words[1]), 0o700 if words[0] == b"program" else 0o600)

    async def digest(self, path: str) -> str:
        """The SHA-256 of a file's content."""
        return (await self._do(_DIGEST, path)).split()[0].decode()

    async def read(self, path: str, place: int, size: int) -> bytes:
        """Read a number of bytes of a file from an offset on."""
        return await self._do(_READ, path, str(place), str(size))

    async def write(self, path: str, place: int, data: bytes) -> None:
        """Append bytes to a file, which is created if it does not exist."""
        await self._do(_WRITE, path, str(place), data=data)

    async def allow(self, path: str, mode: int) -> None:
        """Set the permissions of a file."""
        await self._do(_ALLOW, path, f"{mode:o}")

    async def rename(self, path: str, target: str) -> None:
        """Move a file over another path."""
        await self._do(_RENAME, path, target)

    async def remove(self, path: str) -> None:
        """Remove a file if it exists."""
        await self._do(_REMOVE, path)

    async def _do(self, script: str, path: str, *last: str, data: bytes = b"") -> bytes:
        safe = f"./{path}" if path.startswith("-") else path
        return await self._call(("sh", "-c", _CALL + script, "sh", self._cwd, safe, *(last or ("",))), data)
