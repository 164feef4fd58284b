import {foldersAbove, stampOf, statsOf} from './effects.ts';
import {readTextIn} from './git-files.ts';

/**
The contents of a file `packed-refs` (git-pack-refs(1)). They are empty if the file does not exist. Names are strings
with one character for each byte.
*/
export type Packed = {
	readonly refs: ReadonlyMap<string, string>;
	/**
	Tells whether a reference with this name can exist beside the packed references: neither a folder in the name nor a
	name below it is a packed reference.
	*/
	readonly hasRoomFor: (ref: string) => boolean;
	readonly stamp: string;
	readonly text: string;
};

/** Reads `packed-refs`. Returns `undefined` for anything except a file. Returns `last` if the file has not changed. */
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

/** Maps the packed references to their objects. */
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

/**
Returns the text without some references. After the line of a tag, a line with `^` may name the object of the tag, so
this line is removed, too.
*/
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

/** The size of about 200,000 references. */
export const maxPacked = 16 * 1024 * 1024;
