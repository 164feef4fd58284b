import {lstatSync} from 'node:fs';
import {effectiveIds} from '../../platform/system.ts';

/** The devices of the machine that a command sees (bwrap(1), `--dev`). */
const devices = ['null', 'zero', 'full', 'random', 'urandom', 'tty'].map(name => `/dev/${name}`);

/**
Returns the lines of a script that keep the devices as they are, in the namespace of the script: root owns them, and
could change their permissions and times even without privileges. `$mount` is the program. bubblewrap cannot do this:
what it mounts read-only are no devices. A device can be read and written nevertheless. Where the kernel refuses it, the
devices stay as they were.
*/
export function closedDevices(): string {
	const own = devices.filter(isOwn);
	if (own.length === 0) return '';
	const close = '"$mount" -o bind,ro,nosuid,noexec $device $device';
	return `for device in ${own.join(' ')}; do ${close}; done 2>/dev/null`;
}

function isOwn(path: string): boolean {
	try {
		const stats = lstatSync(path);
		return stats.isCharacterDevice() && stats.uid === effectiveIds().uid;
	} catch {
		return false;
	}
}

/** The arguments of bubblewrap for a namespace in which a script may mount, and in which all else is as outside. */
export const mountingNamespace: readonly string[] = [
	...['--unshare-user', '--uid', '0', '--gid', '0', '--cap-add', 'ALL', '--die-with-parent'],
	...['--dev-bind', '/', '/'],
];

/** Returns arguments of bubblewrap that run a program after the devices were closed. None if nothing has to be done. */
export function afterClosing(mount: string | undefined): readonly string[] {
	const lines = closedDevices();
	if (lines === '' || mount === undefined) return [];
	const script = `mount=$1\n${lines}\nshift\nexec "$@"`;
	return [...mountingNamespace, '--', '/bin/sh', '-c', script, 'inkpod', mount];
}
