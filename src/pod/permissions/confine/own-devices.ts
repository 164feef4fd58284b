import {lstatSync} from 'node:fs';
import {effectiveIds} from '../../platform/system.ts';

/** The devices that a command sees (bwrap(1), `--dev`). */
const devices = ['null', 'zero', 'full', 'random', 'urandom', 'tty'].map(name => `/dev/${name}`);

/**
Returns the lines of a script that mount the devices that this user owns read-only in the namespace of the script.
Usually only root owns devices. A command of the owner could otherwise change their permissions and times, even without
privileges. A read-only device can still be read and written. bubblewrap cannot do this, because devices do not work in
its read-only mounts. `$mount` is the mount program. If the kernel refuses a mount, the device stays as it is.
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

/**
The arguments of bubblewrap for a namespace in which a script may mount. Everything else is the same as outside of the
namespace.
*/
export const mountingNamespace: readonly string[] = [
	...['--unshare-user', '--uid', '0', '--gid', '0', '--cap-add', 'ALL', '--die-with-parent'],
	...['--dev-bind', '/', '/'],
];

/**
Returns arguments of bubblewrap that first mount the devices read-only and then run a program. Returns none if the user
owns no device, or there is no mount program.
*/
export function afterClosing(mount: string | undefined): readonly string[] {
	const lines = closedDevices();
	if (lines === '' || mount === undefined) return [];
	const script = `mount=$1\n${lines}\nshift\nexec "$@"`;
	return [...mountingNamespace, '--', '/bin/sh', '-c', script, 'inkpod', mount];
}
