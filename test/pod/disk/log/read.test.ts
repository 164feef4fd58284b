import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {decode} from '../../../../src/pod/disk/format/decode.ts';
import type {OpenFile} from '../../../../src/pod/disk/files.ts';
import {closing} from '../../../../src/pod/disk/format/line.ts';
import {decodeFile} from '../../../../src/pod/disk/format/decode-file.ts';
import {anyBatch, historyOf, long, user} from '../fixture.ts';

/** Creates a file whose reads return as many bytes as `sizes` give, in order and repeatedly. */
function slowFile(bytes: Buffer, sizes: readonly number[]): OpenFile {
	let reads = 0;
	const give = async (buffer: Uint8Array, offset: number, length: number, position: number) => {
		const size = Math.min(length, sizes[reads++ % sizes.length]!);
		return {bytesRead: bytes.copy(buffer, offset, position, position + size)};
	};
	return {
		read: give,
		stat: async () => ({dev: 0, ino: 0, size: bytes.length, mtimeMs: 0, isFile: () => true}),
	} as Partial<OpenFile> as OpenFile;
}

/** A damaged history: bytes are changed, lines inserted, or its end is cut or overwritten. */
const anyFile = fc
	.tuple(
		anyBatch,
		fc.array(
			fc.record({
				at: fc.double({min: 0, max: 1, noNaN: true}),
				put: fc.constantFrom('\0', '\n', '\n]}\n', ']}', ',', ' ', '\n\n', '"', '\n{"type":"hologram"}'),
			}),
			{maxLength: 3},
		),
		fc.option(fc.double({min: 0, max: 1, noNaN: true}), {freq: 1}),
	)
	.map(([items, changes, cut]) => {
		let bytes = historyOf(items);
		for (const {at, put} of changes) {
			const place = Math.floor(at * bytes.length);
			bytes = Buffer.concat([bytes.subarray(0, place), Buffer.from(put), bytes.subarray(place)]);
		}
		return cut === null ? bytes : bytes.subarray(0, Math.floor(cut * bytes.length));
	});

describe('a history that is read in pieces', () => {
	it('decodes like the whole file, damaged or cut, with reads of any size', async () => {
		await fc.assert(
			fc.asyncProperty(
				anyFile,
				fc.array(fc.integer({min: 1, max: 400}), {minLength: 1, maxLength: 6}),
				async (bytes, sizes) => {
					expect(await decodeFile(slowFile(bytes, sizes))).toEqual(decode(bytes));
				},
			),
			{numRuns: long ? 20_000 : 600, seed: 20_261_121},
		);
	});

	it('may have lines that are longer than a piece', async () => {
		const bytes = historyOf([user('a', 'one'), user('b', 'x'.repeat(1_500_000)), user('c', 'three')]);
		expect(await decodeFile(slowFile(bytes, [1_000_000]))).toEqual(decode(bytes));
	});

	it('may become shorter while it is read', async () => {
		const bytes = historyOf([user('a', 'one'), user('b', 'two')]);
		const shorter = bytes.subarray(0, bytes.length - closing.length - 5);
		const file = slowFile(shorter, [1000]);
		expect(
			await decodeFile({
				...file,
				stat: async () => ({dev: 0, ino: 0, size: bytes.length, mtimeMs: 0, isFile: () => true}),
			}),
		).toEqual(decode(shorter));
	});

	it('lets other tasks run while it is decoded', async () => {
		const bytes = historyOf(Array.from({length: 20_000}, (_, n) => user(`id-${n}`, 'some words')));
		let turns = 0;
		let isOver = false;
		const count = () => {
			turns++;
			if (!isOver) setImmediate(count);
		};
		setImmediate(count);
		const decoded = await decodeFile(slowFile(bytes, [1_000_000]));
		isOver = true;
		expect(decoded).toMatchObject({ok: true, closed: true});
		expect(turns).toBeGreaterThan(10);
	});
});
