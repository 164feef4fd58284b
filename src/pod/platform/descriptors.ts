import {randomUUID} from 'node:crypto';
import {closeSync, constants, openSync, unlinkSync, writeSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

/** Bytes, or the path of a file whose bytes are meant. */
export type DescriptorContents = {readonly bytes: Uint8Array} | {readonly source: string};

/** Open files for a program that is started. */
type OpenDescriptors = Disposable & {
	readonly fds: readonly 3[];
};

/**
Opens files that hold these contents: for bytes a file without a name. The program that is started with them reads each
from its beginning. A file that has vanished counts as empty. Throws system errors.
*/
export function openDescriptors(contents: readonly DescriptorContents[]): OpenDescriptors {
	const fds: number[] = [];
	const close = () => {
		for (const fd of fds.splice(0)) closeSync(fd);
	};
	try {
		for (const one of contents) {
			const fd = ('source' in one ? openSource(one.source) : undefined) ?? openNameless();
			fds.push(fd);
			if ('bytes' in one) write(fd, one.bytes);
		}
	} catch (error) {
		close();
		throw error;
	}
	return {fds: fds.map(namedDescriptor), [Symbol.dispose]: close};
}

function openSource(path: string): number | undefined {
	try {
		return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
	} catch {
		return undefined;
	}
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
