import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {createPathRows} from '../../../../src/pod/references/completion/path-rows.ts';
import {bestRows, parsePathQuery} from '../../../../src/pod/references/completion/rank.ts';

const seed = 20_262;
const runs = process.env['INKPOD_TEST'] === 'long' ? 2000 : 100;
const part = fc.oneof(
	fc.stringMatching(/^[a-zA-Z0-9._ -]{1,12}$/u),
	fc.string({unit: 'grapheme', minLength: 1, maxLength: 8}).map(text => text.replaceAll('/', '_')),
);
const entry = fc.record({
	path: fc.array(part, {minLength: 1, maxLength: 4}).map(parts => parts.join('/')),
	directory: fc.boolean(),
	ignored: fc.boolean(),
});

describe('path rows', () => {
	it('return every path unchanged, copied or not', () => {
		fc.assert(
			fc.property(fc.array(entry, {maxLength: 60}), fc.nat(), fc.nat(), (entries, from, length) => {
				const rows = createPathRows(1);
				for (const {path, directory, ignored} of entries) rows.add(path, directory, ignored);
				expect(Array.from({length: rows.size}, (_, row) => rows.entry(row))).toEqual(entries);
				const first = Math.min(from, entries.length);
				const count = Math.min(length, entries.length - first);
				const copy = createPathRows(1);
				copy.add('Before', false, false);
				copy.copy(rows, first, count);
				copy.add('after', true, true);
				expect(Array.from({length: copy.size}, (_, row) => copy.entry(row).path)).toEqual([
					'Before',
					...entries.slice(first, first + count).map(({path}) => path),
					'after',
				]);
			}),
			{seed, numRuns: runs},
		);
	});

	it('match by letters that a path contains in this order, and by no others', () => {
		fc.assert(
			fc.property(
				fc.array(entry, {minLength: 1, maxLength: 20}),
				fc.infiniteStream(fc.boolean()),
				fc.nat(),
				(entries, picks, which) => {
					const rows = createPathRows();
					for (const {path, directory, ignored} of entries) rows.add(path, directory, ignored);
					const row = which % entries.length;
					const letters = Array.from(entries[row]!.path)
						.filter(() => picks.next().value)
						.join('')
						.replace(/\/+$/u, '');
					const wanted = parsePathQuery(letters);
					// A query of one accent is empty.
					fc.pre(wanted.key !== '');
					const hits = bestRows(rows, wanted, {maxRows: 100});
					expect(hits.map(hit => hit.row)).toContain(row);
					for (const hit of hits)
						expect(inOrder(parsePathQuery(entries[hit.row]!.path).key, wanted.key)).toBe(true);
				},
			),
			{seed, numRuns: runs},
		);
	});

	it('keep the best matches when there are too many', () => {
		const rows = createPathRows();
		for (let index = 0; index < 5000; index += 1)
			rows.add(`d/a-x-${'y'.repeat((index * 7919) % 100)}b`, false, index % 2 === 1);
		rows.add('z/ab', false, false);
		const hits = bestRows(rows, parsePathQuery('ab'), {maxRows: 10});
		expect(hits).toHaveLength(10);
		expect(rows.entry(hits[0]!.row).path).toBe('z/ab');
		for (const {row} of hits) expect(rows.entry(row).ignored).toBe(false);
	});

	function inOrder(key: string, letters: string): boolean {
		let at = -1;
		for (const letter of letters) {
			at = key.indexOf(letter, at + 1);
			if (at < 0) return false;
		}
		return true;
	}

	it('contain the same best matches as a full sort', () => {
		const names = fc.array(
			fc.array(fc.constantFrom('a', 'b', 'ab', 'ba', 'abc', 'c-ab', '.a'), {minLength: 1, maxLength: 4}),
			{minLength: 30, maxLength: 200},
		);
		fc.assert(
			fc.property(
				names,
				fc.constantFrom('a', 'ab', 'abc', 'a/b', 'cb'),
				fc.array(fc.boolean(), {minLength: 200, maxLength: 200}),
				(paths, query, ignored) => {
					const rows = createPathRows();
					for (const [index, parts] of paths.entries()) rows.add(parts.join('/'), false, ignored[index]!);
					const all = bestRows(rows, parsePathQuery(query), {maxRows: 1000});
					expect(bestRows(rows, parsePathQuery(query), {maxRows: 5})).toEqual(all.slice(0, 5));
				},
			),
			{seed, numRuns: runs},
		);
	});
});
