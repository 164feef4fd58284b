import {randomUUID} from 'node:crypto';
import {closeSync, openSync, unlinkSync, writeSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

/** Open files for a program that is started. */
export type OpenDescriptors = Disposable & {
	readonly fds: readonly 3[];
};

/**
Opens files without a name that hold these bytes. The program that is started with them reads each from its beginning.
Throws system errors.
*/
export function openDescriptors(contents: ReadonlyArray<{readonly bytes: Uint8Array}>): OpenDescriptors {
	const fds: number[] = [];
	const close = () => {
		for (const fd of fds.splice(0)) closeSync(fd);
	};
	try {
		for (const {bytes} of contents) {
			const fd = openNameless();
			fds.push(fd);
			write(fd, bytes);
		}
	} catch (error) {
		close();
		throw error;
	}
	return {fds: fds.map(namedDescriptor), [Symbol.dispose]: close};
}

function openNameless(): number {
	const path = join(tmpdir(), `inkpod-${randomUUID()}`);
	const fd = openSync(path, 'wx+', 0o600);
	unlinkSync(path);
	return fd;
}

/** With a position, the file stays at its beginning. */
function write(fd: number, bytes: Uint8Array): void {
	for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at, bytes.length - at, at);
}

/** Any descriptor works for execa, but its types name only the first ten. */
export function namedDescriptor(fd: number): 3 {
	return fd as 3;
}
