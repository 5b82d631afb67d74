# Sourced by ./orrery and by bin/orrery. POSIX sh, and no process is started on the usual path: the version of a JDK is
# read from the file `release` in its directory, because starting java only to ask costs a tenth of a second each.

ORRERY_JAVA_MINIMUM=25

# java_release HOME: sets java_major and java_libc from HOME/release; fails when there is no such JDK.
java_release() {
    java_major=0
    java_libc=
    [ -r "$1/release" ] && [ -x "$1/bin/java" ] || return 1
    while IFS= read -r java_line || [ -n "$java_line" ]; do
        case $java_line in
            JAVA_VERSION=*)
                java_line=${java_line#*=}
                java_line=${java_line#\"}
                java_major=${java_line%%[!0-9]*}
                ;;
            LIBC=*musl*) java_libc=musl ;;
            LIBC=*) java_libc=other ;;
        esac
    done <"$1/release"
    [ -n "$java_major" ] || java_major=0
    [ "$java_major" -gt 0 ]
}

# java_fits HOME: new enough, and with a compiler when the caller needs one.
java_fits() {
    [ -n "$1" ] && java_release "$1" && [ "$java_major" -ge "$ORRERY_JAVA_MINIMUM" ] || return 1
    [ "${find_java_needs_compiler:-no}" = no ] || [ -x "$1/bin/javac" ]
}

# java_home_of COMMAND: prints the directory that COMMAND is really in, symbolic links followed.
java_home_of() {
    java_link=$1
    while [ -h "$java_link" ]; do
        java_next=$(readlink "$java_link")
        case $java_next in
            /*) java_link=$java_next ;;
            *) java_link=${java_link%/*}/$java_next ;;
        esac
    done
    (cd "${java_link%/*}/.." 2>/dev/null && pwd -P)
}

# find_java [compiler]: sets ORRERY_JAVA to the home of a JDK; fails, having said why in one sentence, without one.
find_java() {
    find_java_needs_compiler=no
    [ "${1:-}" != compiler ] || find_java_needs_compiler=yes
    ORRERY_JAVA=

    # Whoever names a JDK for Orrery means that one: another would be a surprise.
    if [ -n "${ORRERY_JAVA_HOME:-}" ]; then
        if java_fits "$ORRERY_JAVA_HOME"; then
            ORRERY_JAVA=$ORRERY_JAVA_HOME
            return 0
        fi
        echo "orrery: ORRERY_JAVA_HOME is $ORRERY_JAVA_HOME, which is not a JDK $ORRERY_JAVA_MINIMUM or newer." >&2
        return 1
    fi
    # The runtime of this distribution, where it has one: it has been tested with these jars.
    if [ "$find_java_needs_compiler" = no ] && java_fits "${ORRERY_RUNTIME:-}"; then
        ORRERY_JAVA=$ORRERY_RUNTIME
        return 0
    fi
    if java_fits "${JAVA_HOME:-}"; then
        ORRERY_JAVA=$JAVA_HOME
        return 0
    fi
    java_on_path=$(command -v java 2>/dev/null) || java_on_path=
    case $java_on_path in
        /*)
            java_candidate=$(java_home_of "$java_on_path") || java_candidate=
            if java_fits "$java_candidate"; then
                ORRERY_JAVA=$java_candidate
                return 0
            fi
            ;;
    esac

    # Of several, the version we test with is preferred to a newer one.
    java_newest=
    for java_candidate in \
        /usr/lib/jvm/* /usr/lib64/jvm/* /usr/java/* /usr/local/java/* /usr/local/openjdk-* /opt/* /opt/java/* /opt/jvm/* \
        "${HOME:-/nonexistent}"/.sdkman/candidates/java/* "${HOME:-/nonexistent}"/.jdks/* \
        "${HOME:-/nonexistent}"/.local/share/mise/installs/java/* "${HOME:-/nonexistent}"/.asdf/installs/java/* \
        /Library/Java/JavaVirtualMachines/*/Contents/Home "${HOME:-/nonexistent}"/Library/Java/JavaVirtualMachines/*/Contents/Home \
        /opt/homebrew/opt/openjdk*/libexec/openjdk.jdk/Contents/Home /usr/local/opt/openjdk*/libexec/openjdk.jdk/Contents/Home; do
        java_fits "$java_candidate" || continue
        if [ "$java_major" -eq "$ORRERY_JAVA_MINIMUM" ]; then
            ORRERY_JAVA=$java_candidate
            return 0
        fi
        [ -n "$java_newest" ] || java_newest=$java_candidate
    done
    if [ -z "$java_newest" ] && [ -x /usr/libexec/java_home ]; then
        java_candidate=$(/usr/libexec/java_home -v "$ORRERY_JAVA_MINIMUM+" 2>/dev/null) || java_candidate=
        ! java_fits "$java_candidate" || java_newest=$java_candidate
    fi
    if [ -n "$java_newest" ]; then
        ORRERY_JAVA=$java_newest
        return 0
    fi
    echo "orrery: no JDK $ORRERY_JAVA_MINIMUM or newer found; install one (for example Eclipse Temurin $ORRERY_JAVA_MINIMUM), or set ORRERY_JAVA_HOME to its directory." >&2
    return 1
}
