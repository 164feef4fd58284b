import {foldersAbove, stampOf, statsOf} from './effects.ts';
import {readTextIn} from './git-files.ts';

/** A version of a file `packed-refs` (git-pack-refs(1)), or its absence. Names have a character a byte. */
export type Packed = {
	readonly refs: ReadonlyMap<string, string>;
	/** Tells whether no other reference is a folder around or below a name. */
	readonly hasRoomFor: (ref: string) => boolean;
	readonly stamp: string;
	readonly text: string;
};

/** Reads `packed-refs`. Returns `undefined` for anything but a file. `last`: a version that may be the same. */
export function packedIn(entry: Buffer, last: Packed | undefined): Packed | undefined {
	const stats = statsOf(entry);
	const stamp = stats === undefined ? '' : stampOf(stats);
	if (last?.stamp === stamp) return last;
	const text = stats === undefined ? '' : readTextIn(entry.toString('latin1'), '', maxPacked);
	if (text === undefined) return undefined;
	const refs = parsePacked(text);
	let folders: ReadonlySet<string> | undefined;
	return {
		...{refs, stamp, text},
		hasRoomFor(ref) {
			folders ??= new Set([...refs.keys()].flatMap(foldersAbove));
			return !folders.has(ref) && !foldersAbove(ref).some(folder => refs.has(folder));
		},
	};
}

/** Returns the references and their objects. */
export function parsePacked(text: string): ReadonlyMap<string, string> {
	const refs = new Map<string, string>();
	for (const line of text.split('\n')) {
		const [, value = '', ref = ''] = packedLine.exec(line) ?? [];
		if (ref !== '') refs.set(ref, value);
	}
	return refs;
}

/** Returns the reference of a line, or an empty string. */
export function packedName(line: string): string {
	return packedLine.exec(line)?.[2] ?? '';
}

const packedLine = /^([\da-f]{40}|[\da-f]{64}) (refs\/.+)$/;

/** Returns the file without some references. The line after a tag names the object of the tag. */
export function packedWithout({text}: Packed, names: ReadonlySet<string>): string {
	let isGone = false;
	return text
		.split('\n')
		.filter(line => {
			if (!line.startsWith('^')) isGone = names.has(packedName(line));
			return !isGone;
		})
		.join('\n');
}

/** Some 200,000 references. */
export const maxPacked = 16 * 1024 * 1024;
