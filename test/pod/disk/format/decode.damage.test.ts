import {describe, expect, it} from 'vitest';
import {decode, type Decoded} from '../../../../src/pod/disk/format/decode.ts';
import {verifySession} from '../../../../src/pod/disk/check/verify.ts';
import type {Item} from '../../../../src/worker/index.ts';
import {call, historyOf, long, request, result, user} from '../fixture.ts';

const id = '01JD8XK3Q2ABCDEFGHJKMNPQRS';
const header = {session: id, cwd: '/home/me/proj', created: '2026-01-01T00:00:00.000Z'};

/** A conversation of 40 items: ten times a message, a call, its result and the request. */
const items: readonly Item[] = Array.from({length: 10}, (_, n) => [
	user(`01JD8XK3Q2ABCDEFGHJKMNP${n}A`, `words ${n} "é" \n]}\n`),
	call(`01JD8XK3Q2ABCDEFGHJKMNP${n}B`, `call-${n}`),
	request(`01JD8XK3Q2ABCDEFGHJKMNP${n}C`),
	result(`01JD8XK3Q2ABCDEFGHJKMNP${n}D`, `call-${n}`),
]).flat();
const bytes = historyOf(items, header);
const lines = bytes.toString('latin1').split('\n').slice(0, -1);
const byId = new Map(items.map(item => [item.id, item]));
const closingLine = lines.length;

function read(file: Buffer): {readonly decoded: Decoded; readonly named: readonly number[]} {
	const decoded = decode(file);
	if (!decoded.ok) throw new Error(decoded.reason);
	const {findings} = verifySession({id, decoded});
	const named = findings.filter(({about}) => about !== 'pairing').map(({line}) => line ?? 0);
	return {decoded, named: [...new Set(named)].toSorted((one, other) => one - other)};
}

/** Returns the ids of the items that are not readable. Fails if an item is not as it was written, or appears twice. */
function missing({lines: found}: Decoded): string[] {
	const ids = found.flatMap(line => ('item' in line ? [line.item.id] : []));
	for (const line of found) if ('item' in line && line.item !== byId.get(line.item.id)) expectSame(line.item);
	expect(new Set(ids).size).toBe(ids.length);
	return items.map(item => item.id).filter(one => !ids.includes(one));
}

function expectSame(item: Item): void {
	if (JSON.stringify(item) !== JSON.stringify(byId.get(item.id))) throw new Error(`${item.id} was changed`);
}

/** Returns the changed bytes that take the place of one byte. */
function changesOf(byte: number): number[] {
	const bits = Array.from({length: 8}, (_, bit) => byte ^ (1 << bit));
	return [...new Set([...bits, ...Buffer.from('\0\n",{ 9')])].filter(other => other !== byte);
}

/** Every byte and change in the long run; otherwise every 151st byte, and all bytes around the ends of some lines. */
function* damages(): Generator<{readonly at: number; readonly to: number; readonly line: number}> {
	let line = 1;
	for (const [at, byte] of bytes.entries()) {
		const isEnd = bytes.subarray(at, at + 60).includes(0x0a) && line % 20 === 1;
		if (long || at % 151 === 0 || isEnd || at < 20)
			for (const to of changesOf(byte)) if (long || (at + to) % 9 === 0 || to === 0x0a) yield {at, to, line};
		if (byte === 0x0a) line += 1;
	}
}

describe('a history with one changed byte', () => {
	it('reports its line, and every other item is readable', () => {
		let tried = 0;
		for (const {at, to, line} of damages()) {
			const file = Buffer.from(bytes);
			file[at] = to;
			const {decoded, named} = read(file);
			const what = `byte ${at} of line ${line} from ${bytes[at]} to ${to}`;
			const last = to === 0x0a || line >= closingLine - 1 ? line + 1 : line;
			const item = items[line - 2]?.id;
			expect({
				what,
				isNamed: named.length > 0,
				otherLines: named.filter(one => one < line || one > last),
				otherItems: missing(decoded).filter(one => one !== item),
			}).toEqual({what, isNamed: true, otherLines: [], otherItems: []});
			tried += 1;
		}
		expect(tried).toBeGreaterThan(long ? 80_000 : 500);
	}, 600_000);

	it('yields the item whose comma or newline was changed', () => {
		for (let line = 1; line < closingLine; line += long ? 1 : 7) {
			const end = lines.slice(0, line).join('\n').length;
			for (const at of lines[line - 1]!.endsWith(',') ? [end - 1, end] : [end]) {
				const file = Buffer.from(bytes);
				file[at] = 0x58;
				expect(missing(read(file).decoded)).toEqual([]);
			}
		}
	});
});

describe('a history with a line that was deleted, duplicated or swapped', () => {
	const step = long ? 1 : 3;
	const places = lines.map((_, at) => at).filter(at => at % step === 0 || at < 4 || at > lines.length - 4);
	const fileOf = (changed: readonly string[]) => Buffer.from(`${changed.join('\n')}\n`, 'latin1');

	it.each(places)('reports a deleted line %i', at => {
		const {decoded, named} = read(fileOf(lines.toSpliced(at, 1)));
		const line = at + 1;
		expect(missing(decoded)).toEqual(items[at - 1] === undefined ? [] : [items[at - 1]!.id]);
		expect(named).toEqual([line === closingLine - 1 ? line - 1 : line]);
	});

	it.each(places)('reports a duplicated line %i', at => {
		const {decoded, named} = read(fileOf(lines.toSpliced(at, 0, lines[at]!)));
		expect(missing(decoded)).toEqual([]);
		expect(named.length).toBeGreaterThan(0);
		for (const line of named) expect([at + 1, at + 2]).toContain(line);
	});

	it.each(places.slice(0, -1))('reports swapped lines %i', at => {
		const swapped = lines.with(at, lines[at + 1]!).with(at + 1, lines[at]!);
		const {decoded, named} = read(fileOf(swapped));
		expect(missing(decoded)).toEqual([]);
		expect(named.length).toBeGreaterThan(0);
		// With the closing before the last item, the end is missing, too.
		for (const line of named) expect([at + 1, at + 2, closingLine + 1]).toContain(line);
	});
});
