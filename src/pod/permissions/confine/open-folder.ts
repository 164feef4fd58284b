import {chmodSync, closeSync, constants, fstatSync, openSync, readlinkSync} from 'node:fs';
import {errorCode} from '../../ground/files/fs-error.ts';
import {handleOf} from '../../platform/file-identity.ts';
import {pathOnly} from './copy-tree.ts';
import {bytesOf} from './effects.ts';

export type OpenFolder = {
	/**
	Returns a path to an entry through its open folder. Returns `undefined` if the folder is missing, is outside of the
	roots, or was moved. The path is valid until the next call.
	*/
	readonly entry: (path: string) => Buffer | undefined;
	readonly close: () => void;
};

/** Keeps the folder of the last entry open, because most steps change the same folder as the step before. */
export function createOpenFolder(roots: readonly string[]): OpenFolder {
	let held: {readonly path: string; readonly fd: number} | undefined;
	const close = () => {
		if (held !== undefined) closeSync(held.fd);
		held = undefined;
	};
	return {
		close,
		entry(path) {
			const at = path.lastIndexOf('/');
			const folder = path.slice(0, at);
			if (!roots.some(root => folder === root || folder.startsWith(`${root}/`))) return undefined;
			if (held?.path !== folder) {
				close();
				const fd = openFolder(folder);
				if (fd === undefined) return undefined;
				held = {path: folder, fd};
			}
			const handle = handleOf(held.fd);
			if (readlinkSync(handle, 'buffer').toString('latin1') !== folder) return undefined;
			return bytesOf(`${handle}/${path.slice(at + 1)}`);
		},
	};
}

/**
Sets the permissions of an entry through its descriptor, because a link may replace the entry at any moment. Returns
false for a link.
*/
export function setMode(entry: Buffer, mode: number): boolean {
	const fd = openSync(entry, pathOnly | constants.O_NOFOLLOW);
	try {
		if (fstatSync(fd).isSymbolicLink()) return false;
		chmodSync(handleOf(fd), mode);
		return true;
	} finally {
		closeSync(fd);
	}
}

function openFolder(path: string): number | undefined {
	try {
		return openSync(bytesOf(path), constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
	} catch (cause) {
		if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes(errorCode(cause))) return undefined;
		throw cause;
	}
}
