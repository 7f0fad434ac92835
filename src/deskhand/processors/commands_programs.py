"""What programs do, as far as the judgement of a command goes: tables of names and options."""

from __future__ import annotations

import re
from collections.abc import Mapping

SYSTEM_FOLDERS = frozenset(
    {"/bin", "/usr/bin", "/usr/local/bin", "/sbin", "/usr/sbin", "/usr/local/sbin", "/usr/games"}
)


def _set(names: str) -> frozenset[str]:
    return frozenset(names.split())


READING = _set(
    """: arch b2sum base32 base64 basename bc break cal cat cksum cmp column comm continue cut df diff dirname dirs du
    echo egrep exit expand expr factor false fgrep fmt fold free getconf grep groups head hexdump id join
    jq locale logname ls lsblk lscpu lsmem lspci lsusb md5sum nl nproc numfmt od paste pathchk pgrep pr printenv
    ps pwd readlink realpath return rev seq sha1sum sha224sum sha256sum sha384sum sha512sum shift sleep stat
    strings sum tac tail times tr true tsort tty type uname unexpand uptime users vmstat w wc whereis which who
    whoami yes zcat zgrep bzcat xzcat"""
)
"""Programs that change nothing whatever their options."""
READING_BUT: Mapping[str, frozenset[str]] = {
    "date": _set("-s --set"),
    "getent": _set("hosts ahosts ahostsv4 ahostsv6 networks"),
    "file": _set("-C --compile"),
    "iconv": _set("-o --output"),
    "jobs": _set("-x"),
    "less": _set("-o -O --log-file --LOG-FILE -k --lesskey-file --lesskey-src --lesskey-content --lesskey-context"),
    "man": _set("-P --pager -H --html -X --gxditview -T --troff-device -C --config-file"),
    "more": _set(""),
    "printf": _set("-v"),
    "rg": _set("--pre --hostname-bin"),
    "shuf": _set("-o --output"),
    "sort": _set("-o --output --compress-program -T --temporary-directory"),
    "tree": _set("-o -R"),
    "shasum": _set(""),
    "wait": _set("-p"),
    "zstdcat": _set("-o --rm --output-dir-flat --output-dir-mirror"),
}
"""Programs that change nothing but for these options."""
MAKING = _set("mkdir touch")
"""Programs that make what they name, and replace nothing."""
PLACING = _set("cp mv ln")
"""Programs that put something in a place, over what is there unless told not to."""
PLACING_OPTIONS = re.compile(
    r"-[nrRavpisPLHdT]+|-t|--|--no-clobber|--recursive|--archive|--verbose|--update=none|--symbolic"
)
KEEPING_OPTIONS = re.compile(r"-[rRavpisPLHdT]*n[nrRavpisPLHdT]*|--no-clobber|--update=none")
"""Options of cp and mv with which they replace nothing."""
KEEPING_LINKS = _set("-a -d -P -r -R -s --archive --no-dereference --recursive --symbolic-link")
"""Options of cp with which it makes links."""
DELETING = _set("rm rmdir unlink shred")
OVERWRITING = _set(
    """dd install truncate patch split csplit mkfifo mknod rename
    gzip gunzip bzip2 bunzip2 xz unxz zip unzip 7z"""
)
PERMITTING = _set("chmod chown chgrp setfacl chattr")
NETWORK = _set(
    """curl wget ssh scp sftp rsync nc ncat netcat telnet ftp tftp lftp socat ping ping6 traceroute tracepath dig host
    nslookup whois nmap aria2c http httpie rclone ssh-copy-id mail sendmail mosh smbclient arp ip ifconfig ss netstat
    openssl gh hub aws gcloud az kubectl docker podman"""
)
PRIVILEGE = _set(
    """su pkexec runuser chroot unshare nsenter mount umount swapon swapoff modprobe insmod rmmod sysctl systemctl
    service shutdown reboot halt poweroff init telinit useradd userdel usermod groupadd groupdel passwd chpasswd visudo
    iptables nft ufw crontab at batch update-alternatives setcap fdisk sfdisk parted losetup dpkg-reconfigure kexec"""
)
INSTALLING: Mapping[str, frozenset[str]] = {
    "apt": _set("list show search policy depends rdepends"),
    "apt-get": _set(""),
    "apt-cache": _set("policy show search depends rdepends pkgnames stats"),
    "aptitude": _set("search show"),
    "dpkg": _set("-l --list -L --listfiles -s --status -S --search --get-selections"),
    "dpkg-query": _set("-l --list -L --listfiles -s --status -S --search -W --show"),
    **dict.fromkeys(("pip", "pip3"), _set("list show freeze check")),
    **dict.fromkeys(
        _set("uv npm yarn pnpm cargo gem go snap flatpak brew conda dnf yum pacman apk zypper pipx"), _set("")
    ),
}
"""What brings programs onto the system, and their commands that only read."""
CODE = _set(
    """bash sh dash zsh ksh fish csh tcsh python python2 python3 perl ruby node nodejs php lua tclsh Rscript java make
    cmake ninja gcc g++ cc clang go rustc gdb strace
    ltrace vim vi nano emacs ed ex expect screen tmux script source . eval
    sqlite3 mysql psql dc m4 osascript xdg-open parallel watch"""
)
"""What runs what it is given, or can be made to."""
SHELLS = _set("bash sh dash zsh ksh")
KILLING = _set("kill pkill killall xkill skill")
FORMATTING = re.compile(r"mkfs.*|mk[e]2fs|wipefs|mkswap|blkdiscard|badblocks")
SETTING = _set("export declare typeset local readonly")
"""What sets variables as its words say."""
SHELL_CHANGING = _set("alias unalias enable trap shopt bind complete compopt hash exec disown suspend logout unset let")
"""What changes what later commands mean, or calculates."""
WRAPPERS: Mapping[str, frozenset[str]] = {
    "command": _set(""),
    "builtin": _set(""),
    "nohup": _set(""),
    "setsid": _set(""),
    "nice": _set("-n --adjustment"),
    "ionice": _set("-c -n --class --classdata"),
    "timeout": _set("-k --kill-after -s --signal"),
    "stdbuf": _set("-i -o -e --input --output --error"),
    "time": _set("-f --format"),
    "env": _set(""),  # not -u: it takes variables away by which a program is kept from running things
    "busybox": _set(""),
    "toybox": _set(""),
    "sudo": _set("-u --user -g --group"),
    "doas": _set("-u"),
    "xargs": _set("-I -n -P -L -s -d -E -a --max-args --max-procs --replace --delimiter --arg-file --max-lines"),
}
"""Programs that run another, and those of their options that take a value."""
PASSED_OPTIONS = _set("-0 -r -t -p -v -V -w -f --null --no-run-if-empty --wait --foreground -x")
"""Options of those that only say how."""
GIT_READING = _set(
    """status log diff show rev-parse ls-files ls-tree blame describe shortlog cat-file reflog rev-list merge-base
    name-rev count-objects whatchanged version help check-ignore for-each-ref show-ref"""
)
GIT_NETWORK = _set("clone fetch pull push ls-remote submodule remote")
GIT_RISKY = _set("--output --ext-diff --textconv --filters -O --open-files-in-pager")
"""Options of its commands that run or write something; of those before the command, any may."""
SAFE_VARIABLES = re.compile(r"LANG|LC_\w+|TZ|COLUMNS|LINES|NO_COLOR|CLICOLOR|QUOTING_STYLE|BLOCK_SIZE|TIME_STYLE")
"""Variables that may be set for programs: they change how something is shown."""
LOADED_VARIABLES = re.compile(
    r"PATH|ENV|BASH_.*|BASHOPTS|SHELLOPTS|IFS|PS[0-4]|PROMPT_.*|CDPATH|GLOBIGNORE|HOME|SHELL|TMPDIR|PWD|OLDPWD|LD_.*|GIT_.*"
    r"|.*PAGER|.*EDITOR|VISUAL|LESS.*|PYTHON.*|PERL.*|RUBY.*|NODE_.*|.*_proxy|.*_PROXY|TERM|EXECIGNORE|TMOUT|MAIL.*|SSH_.*"
    r"|XDG_.*|VIRTUAL_ENV|USER|LOGNAME|.*_command_not_found.*|HIST.*|RANDOM|SECONDS|DIRSTACK|FUNCNEST"
)
"""Variables that the shell or its programs go by, also when they are not set for a program."""
KEYS = re.compile(
    r"(^|/)(\.ssh|\.gnupg|\.aws|\.kube|\.docker|\.password-store|\.mozilla|\.config/(gcloud|gh|chromium|google-chrome))(/|$)"
    r"|(^|/)(\.netrc|\.pgpass|\.git-credentials|\.npmrc|\.pypirc|\.env(\..+)?|g?shadow-?|sudoers|id_\w+)$"
    r"|^/proc/[^/]*/environ$|\.(pem|key|p12|pfx|kdbx|keystore|jks)$|(^|/)deskhand/settings\.toml$|(^|/)\.\w*_history$"
)
"""Files that hold keys and passwords, or may."""
STARTED_BY_ITSELF = re.compile(
    r"(^|/)(\.git|\.ssh|\.gnupg|\.local/(bin|share/(applications|systemd|dbus-1))|\.hg|\.vscode|\.husky|\.vim|\.emacs\.d)(/|$)"
    r"|(^|/)\.config/(autostart|systemd|environment\.d|fish|git|nvim|i3|sway|lesskey)(/|$)"
    r"|(^|/)\.(bash\w*|profile|zsh\w*|zlog\w+|kshrc|inputrc|xprofile|xsession\w*|xinitrc|vimrc|exrc|emacs|gitconfig|gdbinit)$"
    r"|(^|/)\.(npmrc|pypirc|pythonrc|envrc|tmux\.conf|screenrc|psqlrc|sqliterc|pam_environment|manpath|lesskey|forward)$"
)
"""Files that something runs, or goes by, without being told."""
DEVICES_THAT_ARE_NONE = re.compile(r"/dev/(null|zero|full|stdin|stdout|stderr|tty|u?random|fd/\d+)")
"""What may be written to without a trace."""
TOP_FOLDERS = re.compile(
    r"/|/(\*|bin|boot|dev|etc|home|lib\w*|media|mnt|opt|proc|root|run|sbin|srv|sys|usr|var)(/\*)?"
    r"|/(home|usr|var)/[^/]+(/\*)?"
)
"""Folders without which there is no system, or nobody's home."""
