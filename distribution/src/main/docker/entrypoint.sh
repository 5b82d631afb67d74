#!/bin/sh
# The entry point of the image. `start` listens on every address of the container and keeps its data in /data. Its first
# start makes account keys and prints them, because the emulator's key is public. Any other command runs as it is.
set -eu
if [ "${1:-start}" = start ]; then
    [ $# -eq 0 ] || shift
    case " $* " in
        *' --emulator-key '*) keys= ;;
        *) keys=--new-keys ;;
    esac
    set -- start --host 0.0.0.0 --data "${ORRERY_DATA:-/data}" $keys "$@"
fi
exec orrery "$@"
