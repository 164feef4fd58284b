import {readFileIn} from './git-files.ts';

/** The names of the objects in a pack, in hexadecimal. */
export type PackIndex = {
	readonly has: (name: string) => boolean;
	readonly every: (test: (name: string) => boolean) => boolean;
};

/** Reads the index of a pack (gitformat-pack(5), version 2). */
export function packIndexIn(folder: string, path: string, hashBytes: 20 | 32): PackIndex | undefined {
	const bytes = readFileIn(folder, path, maxBytes);
	if (bytes === undefined || bytes.length < names || bytes.readUInt32BE(0) !== magic) return undefined;
	if (bytes.readUInt32BE(4) !== 2) return undefined;
	const count = bytes.readUInt32BE(names - 4);
	if (bytes.length < names + count * hashBytes) return undefined;
	const nameAt = (n: number) => bytes.subarray(names + n * hashBytes, names + (n + 1) * hashBytes);
	return {
		has(name) {
			const wanted = Buffer.from(name, 'hex');
			if (wanted.length !== hashBytes) return false;
			let [low, high] = [0, count];
			while (low < high) {
				const middle = (low + high) >> 1;
				const order = nameAt(middle).compare(wanted);
				if (order === 0) return true;
				if (order < 0) low = middle + 1;
				else high = middle;
			}
			return false;
		},
		every(test) {
			for (let n = 0; n < count; n++) if (!test(nameAt(n).toString('hex'))) return false;
			return true;
		},
	};
}

const magic = 0xff744f63;
/** The names begin after the header and the table of first bytes. */
const names = 8 + 256 * 4;
/** An index of five million objects. */
const maxBytes = 192 * 1024 * 1024;
