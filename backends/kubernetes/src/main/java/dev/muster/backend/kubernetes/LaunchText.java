package dev.muster.backend.kubernetes;

import dev.muster.spi.Rendered;
import java.util.List;
import java.util.Map;

/**
 * What a pod's shim reads to start its program: shell functions in which every value stands in single quotes, so that no byte of it is
 * interpreted. {@code prepare} installs what the image lacks of the requirements. {@code start} makes the plan's files, finds the program as the
 * kernel would, and says what is wrong where it cannot be run; the variables are set by {@code env}, for a shell cannot pass an exact environment on.
 */
final class LaunchText {
    private static final String BUSYBOX = "/muster/bin/busybox";
    static final List<String> ADDED_BY_SHELLS = List.of("PWD", "OLDPWD", "SHLVL", "_");

    private LaunchText() {}

    static String of(Rendered rendered) {
        StringBuilder text = new StringBuilder();
        String path = rendered.env().get("PATH");
        text.append("search=").append(path == null ? "$PATH" : quote(path)).append('\n');
        text.append("given() {\nexec ")
                .append(BUSYBOX)
                .append(" setsid ")
                .append(BUSYBOX)
                .append(" env");
        ADDED_BY_SHELLS.forEach(name -> text.append(" -u ").append(name));
        text.append(" --");
        rendered.env().forEach((name, value) -> text.append(' ').append(quote(name + "=" + value)));
        text.append(" \"$@\"\n}\n").append(PREPARE).append("start() {\ncd /muster/code || exit 126\n");
        for (Map.Entry<String, String> file : rendered.files().entrySet()) {
            write("/muster/code/" + file.getKey(), file.getValue(), text);
        }
        text.append("program=").append(quote(rendered.argv().getFirst())).append('\n');
        text.append(FIND).append("given ${python:+\"PATH=$search\"} ${python:+\"VIRTUAL_ENV=$python\"} \"$found\"");
        rendered.argv().stream().skip(1).forEach(word -> text.append(' ').append(quote(word)));
        return text.append("\n}\n").toString();
    }

    private static void write(String path, String content, StringBuilder text) {
        text.append(BUSYBOX).append(" mkdir -p ").append(quote(parent(path)));
        text.append(" && printf %s ").append(quote(content)).append(" >").append(quote(path));
        text.append(" || exit 126\n");
    }

    private static final String PREPARE = """
            refuse() {
                printf %s "$2" >/muster/state/message
                exit "$1"
            }
            find_program() {
                found=
                set -f
                IFS=:
                for folder in $search; do
                    if [ -z "$found" ] && [ -f "${folder:-.}/$1" ] && [ -x "${folder:-.}/$1" ]; then
                        found=${folder:-.}/$1
                    fi
                done
                unset IFS
                set +f
                [ -n "$found" ]
            }
            prepare() {
                [ -e /launch/requirements ] || exit 0
                find_program python3 || refuse 127 "the job has Python requirements and the image has no python3 on PATH ($search)"
                given "$found" /launch/requirements.py /launch/requirements /muster/python /muster/state
            }
            """;

    private static final String FIND = """
            python=
            if [ -e /muster/state/python ]; then
                read -r python </muster/state/python
                search=$python/bin:$search
            fi
            case $program in
                */*)
                    found=$program
                    [ -e "$found" ] || refuse 127 "there is no program $program in the image (a relative path is read from the working folder, the copy of the code)"
                    ;;
                *)
                    find_program "$program" || refuse 127 "there is no program $program on PATH ($search) in the image: put it there, or name it by its path"
                    ;;
            esac
            if [ -d "$found" ] || [ ! -x "$found" ]; then
                refuse 126 "$program may not be executed: make it executable (chmod +x), or name its interpreter first"
            fi
            """;

    private static String parent(String path) {
        return path.substring(0, path.lastIndexOf('/'));
    }

    static String quote(String value) {
        return "'" + value.replace("'", "'\\''") + "'";
    }
}
