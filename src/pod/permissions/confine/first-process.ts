import {contains} from '../../ground/files/contains.ts';
import {projectMounts, type Walls} from './bwrap-arguments.ts';

/**
Returns the first process in a confinement, which runs the program of the further arguments. It is not bubblewrap itself
for two reasons. bubblewrap waits for others after the end of the command was reported, and they could still write. A
command can also reach the file of a running program by `/proc`, and that of bubblewrap is writable there for its owner.
Messages of this shell about signals are not the command's.
*/
export function firstProcess(walls: Walls): readonly string[] {
	return ['/bin/sh', '-c', script, 'inkpod', wantedMounts(walls)];
}

/**
Returns the mounts that a running command could have redirected, as the script reads them: in order, with blanks in
paths as octal numbers. `top`: the beginning of a folder in which commands write. `same`: what it shows must be what is
at this place of the folder. `own`: something of inkpod's.
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

/** Writes a path as proc(5) does in `mountinfo`. */
function escaped(path: string): string {
	return path.replaceAll(/[ \t\n\\]/g, char => `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`);
}

/**
bubblewrap follows links. A command that is running may replace a folder by a link at any moment, so that a mount shows
a folder outside, or is at another place. A mount stays what it is afterwards, so the kernel's list of them is compared
once. A mount of the machine in the project is a part of it. The subshell keeps the variables of the check away from the
command.
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
