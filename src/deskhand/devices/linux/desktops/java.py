"""What lets Java programs tell of their controls: a bridge to accessibility that Debian has apart from Java."""

from __future__ import annotations

from pathlib import Path

_BRIDGE = Path("/usr/share/java/java-atk-wrapper.jar")
_MODULE = "java.atk.wrapper"
"""What Java calls a jar of that name."""
_NATIVE = "libatk-wrapper.so"
_USUAL = ("/usr/java/packages/lib", "/usr/lib64", "/lib64", "/lib", "/usr/lib", "/usr/lib/jni")
"""Where Java looks for native libraries by itself."""


def java_options() -> dict[str, str]:
    """Give the variable that has Swing and AWT programs load the bridge; none where it is not installed.

    The variable is read by the `java` command since Java 9. The bridge is not put on the class path or the module path,
    which most programs set themselves; on the path for upgraded modules it is in nobody's way. A Java that is not
    Debian's finds the native part only if the program leaves `java.library.path` as it is.
    """
    native = next(Path("/usr/lib").glob(f"*/jni/{_NATIVE}"), None)
    if not native or not _BRIDGE.exists():
        return {}
    options = (
        "-Djavax.accessibility.assistive_technologies=org.GNOME.Accessibility.AtkWrapper",
        f"--upgrade-module-path={_BRIDGE}",
        f"--add-modules={_MODULE}",
        f"-Djava.library.path={':'.join((str(native.parent), *_USUAL))}",
    )
    return {"JDK_JAVA_OPTIONS": " ".join(options)}
