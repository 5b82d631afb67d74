#!/bin/sh
# The entry point of the image. `start` listens on every address of the container and keeps its data in /data. Its first
# start makes account keys and prints them, because the emulator's key is public. Any other command runs as it is.
set -eu
data=${ORRERY_DATA:-/data}
if [ "${1:-start}" = start ]; then
    [ $# -eq 0 ] || shift
    case " $* " in
        *' --emulator-key '*) ;;
        *)
            # A data directory has this file from its first start on.
            [ -e "$data/format" ] || orrery keys new --data "$data"
            ;;
    esac
    set -- start --host 0.0.0.0 --data "$data" "$@"
fi
exec orrery "$@"
