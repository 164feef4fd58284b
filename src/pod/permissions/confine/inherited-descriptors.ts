import {readdirSync, readFileSync} from 'node:fs';

/**
Returns the descriptors above 2 that this process inherited, and that its children would inherit, too: those without
FD_CLOEXEC. Node opens its own with it. There are none where /proc is missing.
*/
export function inheritedDescriptors(): readonly number[] {
	const folder = '/proc/self/fdinfo';
	try {
		return readdirSync(folder)
			.map(Number)
			.filter(fd => fd > 2 && isInherited(`${folder}/${fd}`));
	} catch {
		return [];
	}
}

/** The flag is 02000000 on Linux, and fdinfo shows flags in octal (proc(5)). */
const closeOnExec = 0o2000000;

function isInherited(path: string): boolean {
	try {
		const [, flags = ''] = /^flags:\s*([0-7]+)$/m.exec(readFileSync(path, 'utf8')) ?? [];
		return flags !== '' && (Number.parseInt(flags, 8) & closeOnExec) === 0;
	} catch {
		return false;
	}
}

/**
Returns the arguments that let bash close descriptors before it becomes the shell of the command, or the program that
starts this shell: `first` with its arguments.
*/
export function closingShell(
	shell: string,
	command: string,
	descriptors: readonly number[],
	first: readonly string[] = [],
): readonly string[] {
	const plain = [...first, shell, '-c', command];
	if (descriptors.length === 0 || !/(?:^|\/)bash$/.test(shell)) return plain;
	const closings = descriptors.map(fd => `${fd}>&-`).join(' ');
	return [shell, '-c', `exec ${closings}; exec "$@"`, shell, ...plain];
}
