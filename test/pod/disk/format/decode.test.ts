import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {decode, type Decoded} from '../../../../src/pod/disk/format/decode.ts';
import {closing, encodeBatch, headerLine, headerSum} from '../../../../src/pod/disk/format/line.ts';
import {encodeAppend, type Tip} from '../../../../src/pod/disk/log/log.ts';
import {shownItems} from '../../../../src/pod/disk/log/notices.ts';
import type {Item} from '../../../../src/worker/index.ts';
import {anyBatch, call, historyOf, long, request, result, user} from '../fixture.ts';

const items = [user('a', 'one'), call('b', 'c1'), result('c', 'c1'), request('d'), user('e', 'five')];

function decoded(bytes: Buffer): Decoded {
	const read = decode(bytes);
	if (!read.ok) throw new Error(read.reason);
	return read;
}

function shown(read: Decoded): Array<Item | string> {
	return read.lines.map(line => ('item' in line ? line.item : `${line.line} ${line.damage}`));
}

/** Replaces text in one line, 1-based. */
function changed(bytes: Buffer, line: number, change: (text: string) => string): Buffer {
	const lines = bytes.toString('latin1').split('\n');
	lines[line - 1] = change(lines[line - 1]!);
	return Buffer.from(lines.join('\n'), 'latin1');
}

describe('the decoder', () => {
	it('returns the same items with all their keys after each append, and the file is valid JSON', () => {
		fc.assert(
			fc.property(fc.array(anyBatch, {minLength: 1, maxLength: 4}), batches => {
				const line = headerLine({session: 's', cwd: '/ü', created: 'now'});
				let tip: Tip = {sum: headerSum(line), end: Buffer.byteLength(line), comma: false};
				let file = Buffer.concat([Buffer.from(line), closing]);
				const written: Item[] = [];
				for (const batch of batches) {
					const {bytes, next} = encodeAppend(batch, tip);
					file = Buffer.concat([file.subarray(0, tip.end), bytes]);
					tip = next;
					written.push(...batch);
					const whole = JSON.parse(file.toString()) as {items: unknown[]};
					expect(whole.items).toHaveLength(written.length);
					const read = decoded(file);
					expect(read).toMatchObject({closed: true, torn: false, unchecked: [], ...tip});
					expect(shown(read)).toEqual(written);
				}
			}),
			{numRuns: long ? 5000 : 150, seed: 20_261_121},
		);
	});

	it('lets the next append begin without a comma when the file has no items', () => {
		const line = headerLine({session: 's', cwd: '/', created: ''});
		expect(decoded(Buffer.from(`${line}\n]}\n`))).toMatchObject({
			lines: [],
			comma: false,
			closed: true,
			torn: false,
			end: line.length,
		});
		expect(decoded(Buffer.from(line))).toMatchObject({
			lines: [],
			comma: false,
			closed: false,
			torn: true,
			end: line.length,
		});
	});

	it('ignores empty lines', () => {
		const read = decoded(Buffer.from(historyOf(items).toString().replaceAll('\n', '\n\n')));
		expect(shown(read)).toEqual(items);
		expect(read).toMatchObject({closed: false, torn: false});
	});

	it('accepts a byte order mark at the start', () => {
		const plain = decoded(historyOf(items));
		const marked = decoded(Buffer.concat([Buffer.from('\ufeff'), historyOf(items)]));
		expect(shown(marked)).toEqual(items);
		expect(marked).toMatchObject({closed: true, sum: plain.sum, end: plain.end + 3});
	});

	it('refuses an unknown type with its line', () => {
		const future = {...user('f', 'x'), type: 'hologram'} as unknown as Item;
		expect(decode(historyOf([items[0]!, future, items[4]!]))).toEqual({
			ok: false,
			reason: 'unknown_type',
			line: 3,
			type: 'hologram',
		});
	});

	it('refuses a newer format, an empty file and a file of another kind', () => {
		const newer = changed(historyOf(items), 1, () => '{"format":"inkpod.history/12","items":[');
		expect(decode(newer)).toEqual({ok: false, reason: 'newer_format'});
		expect(decode(Buffer.alloc(0))).toEqual({ok: false, reason: 'empty'});
		expect(decode(Buffer.alloc(100))).toEqual({ok: false, reason: 'not_history'});
	});
});

describe('a damaged line', () => {
	it('is left out when its text was changed, and the chain continues from its checksum', () => {
		const read = decoded(changed(historyOf(items), 3, line => line.replace('read_file', 'RM_FILE!!')));
		expect(shown(read)).toEqual([items[0], '3 changed', items[2], items[3], items[4]]);
		expect(read).toMatchObject({closed: true, torn: false, unchecked: [], sum: decoded(historyOf(items)).sum});
	});

	it('is reported but readable when its checksum was changed', () => {
		const read = decoded(
			changed(historyOf(items), 3, line =>
				line.replace(/"sum":"./, found => `${found.slice(0, -1)}${found.endsWith('0') ? '1' : '0'}`),
			),
		);
		expect(shown(read)).toEqual([items[0], '3 misplaced', ...items.slice(1)]);
		expect(read.unchecked).toEqual([]);
	});

	it('does not affect the check of the next line when its JSON is broken and its checksum is readable', () => {
		const read = decoded(changed(historyOf(items), 3, line => line.replace('{"id"', '\0"id"')));
		expect(shown(read)).toEqual([items[0], '3 changed', items[2], items[3], items[4]]);
		expect(read.unchecked).toEqual([]);
	});

	it('restarts the chain when it is unreadable, and the next line has its own check', () => {
		const read = decoded(changed(historyOf(items), 3, line => '\0'.repeat(line.length)));
		expect(shown(read)).toEqual([items[0], '3 unreadable', items[2], items[3], items[4]]);
		expect(read.unchecked).toEqual([]);
		expect(shownItems(read)[1]).toMatchObject({
			type: 'message',
			role: 'system',
			origin: {kind: 'notice', about: 'damaged'},
			text: expect.stringContaining('Line 3') as unknown,
		});
	});

	it('does not affect the check of the next append, and causes no warning, when it is the last line', () => {
		const bytes = changed(historyOf(items), 6, () => 'gone');
		const read = decoded(bytes);
		const {bytes: more} = encodeAppend([user('f', 'six')], read);
		const again = decoded(Buffer.concat([bytes.subarray(0, read.end), more]));
		expect(shown(again)).toEqual([...items.slice(0, 4), '6 unreadable', user('f', 'six')]);
		expect(again.unchecked).toEqual([]);
	});

	it('is left out when it matches its checksum but not its type', () => {
		const odd = {...items[1]!, callId: 7} as unknown as Item;
		expect(shown(decoded(historyOf([items[0]!, odd, items[2]!])))).toEqual([items[0], '3 misshapen', items[2]]);
	});

	it('never becomes a changed item, and costs at most two lines, whichever byte is changed', () => {
		const bytes = historyOf(items);
		const start = bytes.indexOf('\n') + 1;
		const end = bytes.length - closing.length;
		fc.assert(
			fc.property(fc.integer({min: start, max: end - 1}), fc.integer({min: 1, max: 255}), (at, flip) => {
				const bad = Buffer.from(bytes);
				bad[at] = bad[at]! ^ flip;
				const read = decode(bad);
				if (!read.ok) expect(read.reason).toBe('unknown_type');
				else {
					const whole = read.lines.flatMap(line => ('item' in line ? [line.item] : []));
					for (const item of whole) expect(items).toContainEqual(item);
					expect(whole.length).toBeGreaterThanOrEqual(items.length - 2);
					expect(read.torn).toBe(false);
				}
			}),
			{numRuns: long ? 20_000 : 1000, seed: 20_261_121},
		);
	});
});

describe('an unfinished append', () => {
	const before = historyOf(items.slice(0, 2));
	const {bytes: append} = encodeAppend(items.slice(2), decoded(before));
	const end = decoded(before).end;

	it('keeps all complete items and nothing else, wherever it is cut', () => {
		for (let cut = 1; cut < append.length; cut += 1) {
			const file = Buffer.concat([before.subarray(0, end), append.subarray(0, cut), before.subarray(end + cut)]);
			const read = decoded(file);
			const whole = shown(read) as Item[];
			expect(whole).toEqual(items.slice(0, whole.length));
			expect(whole.length).toBeGreaterThanOrEqual(2);
			expect(read.unchecked).toEqual([]);
			expect(read.closed).toBe(false);
			expect(file.subarray(0, read.end).toString().endsWith('"}')).toBe(true);
		}
	});

	it('loses nothing when only the closing is cut', () => {
		for (const missing of [1, 2, 3])
			expect(decoded(before.subarray(0, before.length - missing))).toMatchObject({
				closed: false,
				torn: false,
				end,
			});
		expect(decoded(before.subarray(0, end))).toMatchObject({closed: false, torn: true, end});
	});

	it('loses nothing when closing brackets follow the closing brackets', () => {
		for (const stray of [']}\n', ']', '\n]}\n]}\n'])
			expect(decoded(Buffer.concat([before, Buffer.from(stray)]))).toMatchObject({
				...decoded(before),
				closed: false,
				torn: false,
				end,
			});
		const middle = Buffer.concat([before, before.subarray(end - 40)]);
		expect(decoded(middle)).toMatchObject({closed: true, torn: false});
	});

	it('keeps an unknown line that matches its checksum', () => {
		const odd = {...items[1]!, callId: 7} as unknown as Item;
		const file = historyOf([items[0]!, odd]);
		const read = decoded(file.subarray(0, file.length - closing.length));
		expect(shown(read)).toEqual([items[0], '3 misshapen']);
		expect(read.end).toBe(file.length - closing.length);
	});

	it('is reported when bytes follow the end of the document', () => {
		expect(decoded(Buffer.concat([before, Buffer.from('rubbish')]))).toMatchObject({
			closed: false,
			torn: true,
			end,
		});
		expect(decoded(Buffer.concat([before, Buffer.from('\n\n')]))).toMatchObject({closed: false, torn: false, end});
	});

	it('does not end at a checksum inside a text or a nested value', () => {
		const sum = '0123456789abcdef0123456789abcdef';
		const tricky = {...items[2]!, content: `,"sum":"${sum}"}`, extra: {a: 1, sum}} as unknown as Item;
		const text = Buffer.concat(encodeBatch([tricky], decoded(before).sum).pieces).toString();
		for (let cut = 0; cut < text.length; cut += 1) {
			const read = decoded(Buffer.concat([before.subarray(0, end), Buffer.from(`,\n${text.slice(0, cut)}`)]));
			expect(shown(read)).toHaveLength(2);
		}
	});
});
