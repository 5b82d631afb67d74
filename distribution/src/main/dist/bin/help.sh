# Sourced by ./orrery and by bin/orrery. POSIX sh. Answers what needs no JVM: help, the version and typing errors.
#
# The pages in the directory help are what `orrery COMMAND --help` prints. The file help/index has a line for each
# command: its path ("keys.new"; "orrery" for the command itself), then its options. An option ends with = when it takes
# a value, and with ~ when only the parser can tell. "+" stands for words, "!" for a command that needs a subcommand.

# help_answer DIRECTORY VERSION ALSO ARGUMENT...: answers and exits, or returns if a JVM has to. ALSO are commands that
# the caller adds.
help_answer() {
    help_dir=$1
    help_version=$2
    help_also=$3
    shift 3
    case ${1:-} in
        '')
            cat "$help_dir/overview.txt"
            help_more
            exit 0
            ;;
        -h | --help)
            help_page orrery
            help_more
            exit 0
            ;;
        -V | --version | version)
            echo "Orrery $help_version"
            exit 0
            ;;
        help)
            shift
            help_for "$@"
            ;;
        -*)
            help_find orrery
            help_refuse_option "$1"
            ;;
        *) help_check "$@" ;;
    esac
}

# A caller with commands of its own replaces this to add them to the overview.
help_more() { :; }

help_page() {
    cat "$help_dir/$1.txt"
}

# help_find PATH: sets help_options; fails if there is no such command.
help_find() {
    while read -r help_name help_options; do
        [ "$help_name" != "$1" ] || return 0
    done <"$help_dir/index"
    return 1
}

# help_below PATH: prints the names of the commands directly below.
help_below() {
    while read -r help_name help_options; do
        case $1/$help_name in
            orrery/orrery | orrery/*.*) continue ;;
            orrery/*) ;;
            "$1/$1".*) help_name=${help_name#"$1".} ;;
            *) continue ;;
        esac
        [ ! -e "$help_dir/${2:-}$help_name.txt" ] || echo "$help_name"
    done <"$help_dir/index"
}

# help WORD...: the page of a command
help_for() {
    help_path=
    for help_word; do
        help_path=$help_path${help_path:+.}$help_word
    done
    case " $help_also " in
        *" ${help_path:-orrery} "*) return 0 ;;
    esac
    if [ -z "$help_path" ] || [ "$help_path" = help ]; then
        help_page orrery
        help_more
    elif [ -e "$help_dir/$help_path.txt" ]; then
        help_page "$help_path"
    elif ! help_find "$1"; then
        help_unknown "$1"
    else
        help_unknown "$@"
    fi
    exit 0
}

# COMMAND ARGUMENT...
help_check() {
    case " $help_also " in
        *" $1 "*) return 0 ;;
    esac
    help_find "$1" || help_unknown "$1"
    help_path=$1
    help_spoken=$1
    shift
    # Down to the subcommand that is meant.
    while [ $# -gt 0 ] && help_find "$help_path.$1"; do
        help_path=$help_path.$1
        help_spoken="$help_spoken $1"
        shift
    done
    for help_word; do
        case $help_word in
            -h | --help)
                [ ! -e "$help_dir/$help_path.txt" ] || {
                    help_page "$help_path"
                    exit 0
                }
                ;;
            --) break ;;
        esac
    done
    help_find "$help_path"
    case " $help_options " in
        *' ! '*)
            case ${1:-} in
                -*) ;;
                '') help_fail "\`orrery $help_spoken\` needs a command: $(help_list "$help_path")." "orrery $help_spoken --help" ;;
                *)
                    # shellcheck disable=SC2086
                    help_unknown $help_spoken "$1"
                    ;;
            esac
            ;;
    esac
    while [ $# -gt 0 ]; do
        case $1 in
            -- | @*) return 0 ;;
            --*=*)
                case " $help_options " in
                    *" ${1%%=*}= "* | *" ${1%%=*}~ "* | *" ${1%%=*} "*) ;;
                    *) help_refuse_option "${1%%=*}" "$help_spoken" ;;
                esac
                ;;
            --*)
                case " $help_options " in
                    *" $1= "*) [ $# -eq 1 ] || shift ;;
                    *" $1~ "*) return 0 ;;
                    *" $1 "*) ;;
                    *) help_refuse_option "$1" "$help_spoken" ;;
                esac
                ;;
            -?*) return 0 ;;
        esac
        shift
    done
}

help_list() {
    help_names=
    for help_name in $(help_below "$1" "$1."); do
        help_names=$help_names${help_names:+, }$help_name
    done
    printf %s "$help_names"
}

# help_unknown WORD...: the last word is no command.
help_unknown() {
    help_parent=
    help_before=
    while [ $# -gt 1 ]; do
        help_parent=$help_parent${help_parent:+.}$1
        help_before="$help_before$1 "
        shift
    done
    if [ -z "$help_parent" ]; then
        # shellcheck disable=SC2046,SC2086
        help_near=$(help_nearest "$1" $(help_below orrery) $help_also)
    else
        # shellcheck disable=SC2046
        help_near=$(help_nearest "$1" $(help_below "$help_parent" "$help_parent."))
    fi
    help_fail "there is no command '$help_before$1'.${help_near:+" Did you mean '$help_before$help_near'?"}" \
        "orrery $help_before--help" commands
}

# help_refuse_option OPTION [COMMAND]
help_refuse_option() {
    help_known=
    for help_word in $help_options; do
        case $help_word in
            --*)
                help_word=${help_word%=}
                help_known="$help_known ${help_word%\~}"
                ;;
        esac
    done
    # shellcheck disable=SC2086
    help_near=$(help_nearest "$1" $help_known)
    help_fail "\`orrery${2:+ $2}\` has no option '$1'.${help_near:+" Did you mean '$help_near'?"}" \
        "orrery ${2:+$2 }--help" options
}

# help_fail SENTENCE PAGE [commands|options]
help_fail() {
    echo "orrery: $1 \`$2\` ${3:+lists the }${3:-says how}." >&2
    exit 2
}

# help_nearest WORD CANDIDATE...: prints the candidate that was most likely meant, if any is near: one that begins with
# the word, or the one with the fewest letters changed, left out, added or swapped.
help_nearest() {
    awk 'BEGIN {
        word = ARGV[1]; n = length(word); least = int((n + 2) / 3) + 1
        for (a = 2; a < ARGC; a++) {
            name = ARGV[a]; m = length(name)
            for (i = 0; i <= n; i++) d[i, 0] = i
            for (j = 0; j <= m; j++) d[0, j] = j
            for (i = 1; i <= n; i++) for (j = 1; j <= m; j++) {
                same = substr(word, i, 1) == substr(name, j, 1)
                k = d[i - 1, j - 1] + !same
                if (d[i - 1, j] + 1 < k) k = d[i - 1, j] + 1
                if (d[i, j - 1] + 1 < k) k = d[i, j - 1] + 1
                if (i > 1 && j > 1 && substr(word, i, 1) == substr(name, j - 1, 1) \
                    && substr(word, i - 1, 1) == substr(name, j, 1) && d[i - 2, j - 2] + 1 < k) k = d[i - 2, j - 2] + 1
                d[i, j] = k
            }
            k = d[n, m]
            if (n > 2 && index(name, word) == 1 && k > 1) k = 1
            if (k < least) { least = k; nearest = name }
        }
        print nearest
    }' "$@" 2>/dev/null || :
}
