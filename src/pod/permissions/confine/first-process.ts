import {contains} from '../../ground/files/contains.ts';
import {projectMounts, type Walls} from './bwrap-arguments.ts';

/**
Returns the arguments of the first process in a confinement. The first process is a shell that runs the program of the
arguments that follow. The first process is not bubblewrap itself, for two reasons. After the command ends, bubblewrap
would wait for other processes, which could still write. A command can also reach the file of a running program through
`/proc`, and the owner of bubblewrap's file could write to it there. The shell's own messages about signals are dropped.
*/
export function firstProcess(walls: Walls): readonly string[] {
	return ['/bin/sh', '-c', script, 'inkpod', wantedMounts(walls)];
}

/**
Returns the mounts that a running command could have redirected, in order, in the form that the script reads: with
blanks in paths as octal numbers. `top`: a folder in which commands write. `same`: a mount inside such a folder that
must show the same path of the folder. `own`: a mount that shows something from inkpod.
*/
function wantedMounts(walls: Walls): string {
	const mounts = projectMounts(walls);
	const isIn = (path: string, top: string) => path !== top && contains(top, path);
	const tops = mounts.filter(({kind}) => kind === 'top').map(({path}) => path);
	const inside = mounts.filter(({path}) => tops.some(top => isIn(path, top)));
	if (inside.length === 0) return '';
	const wanted = mounts.filter(mount => tops.includes(mount.path) || inside.includes(mount));
	return wanted.map(({path, kind}) => `${escaped(path)} ${kind} `).join('');
}

/** Returns a path in the notation of `/proc/self/mountinfo` (proc(5)). */
function escaped(path: string): string {
	return path.replaceAll(/[ \t\n\\]/g, char => `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`);
}

/**
The script of the first process. It compares the kernel's list of mounts with the wanted mounts, because bubblewrap
follows links: a running command may replace a folder with a link at any moment. In this case, a mount could show a
folder outside, or could be at another place. Mounts do not change later, so one check is enough. Other mounts of the
machine inside the project are allowed. The check runs in a subshell, so that the command does not get its variables.
*/
const script = `
exec 3>&2 2>/dev/null </dev/null
check() {
	want=$1 n=0
	while read -r _ _ dev root point _; do
		kind= rest=\${want#* }
		case $want in
		"$point "*) kind=\${rest%% *} ;;
		esac
		if [ "$kind" = own ]; then
			want=\${rest#* }
			continue
		fi
		best= of= i=$n
		while [ "$i" -gt 0 ]; do
			eval "base=\\$point$i"
			case $point in
			"$base" | "$base"/*) [ \${#base} -ge \${#best} ] && best=$base of=$i ;;
			esac
			i=$((i - 1))
		done
		if [ "$kind" = same ] && [ "$of" ]; then
			eval "on=\\$dev$of in=\\$root$of"
			if [ "$dev \${root%/}" = "$on $in\${point#"$best"}" ]; then
				want=\${rest#* }
				continue
			fi
		fi
		[ "$kind" = top ] && want=\${rest#* }
		if [ "$kind$of" ]; then
			n=$((n + 1))
			eval "point$n=\\\${point%/} dev$n=\\$dev root$n=\\\${root%/}"
		fi
	done </proc/self/mountinfo
	[ -z "$want" ]
}
if [ "$1" ] && ! (check "$1"); then
	echo 'inkpod: The command did not start, because folders of the project were replaced meanwhile.' >&3
	exit 125
fi
shift
(exec "$@" 2>&3 3>&-)
exit $?
`;
