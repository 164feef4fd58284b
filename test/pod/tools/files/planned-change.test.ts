import {applyPatch} from 'diff';
import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {cappedDiff, unifiedDiff} from '../../../../src/pod/tools/files/planned-change.ts';
import {cpuTime} from '../../../helpers/cpu-time.ts';

const seed = 20260107;
const numRuns = process.env['INKPOD_TEST'] === 'long' ? 5000 : 300;

it('a diff has the hunks under the file names', async () => {
	expect(await unifiedDiff({path: 'a.ts', before: '1\n2\n3\n4\n5\n', after: '1\n2\n3\n4\nfive\n'})).toBe(
		'--- a.ts\n+++ a.ts\n@@ -2,4 +2,4 @@\n 2\n 3\n 4\n-5\n+five\n',
	);
});

it('a diff starts from nothing for a new file, and is empty without changes', async () => {
	expect(await unifiedDiff({path: 'a.ts', after: 'x\n'})).toBe('--- /dev/null\n+++ a.ts\n@@ -0,0 +1,1 @@\n+x\n');
	expect(await unifiedDiff({path: 'a.ts', before: 'x', after: 'x'})).toBe('');
});

it('a name with a newline adds no line to a diff', async () => {
	expect((await unifiedDiff({path: 'a\n@@ -1,1 +1,1 @@', before: '', after: 'x\n'})).split('\n')).toHaveLength(5);
});

describe.each([
	['the least diff', 5000],
	['no time for it', -1],
])('a diff with %s', (_, maxMs) => {
	it(`a diff turns one text into the other (seed ${seed})`, async () => {
		const text = fc
			.array(fc.constantFrom('a\n', 'b\n', '\n', 'c', '- d\n', '+++ e\n'), {maxLength: 30})
			.map(parts => parts.join(''));
		await fc.assert(
			fc.asyncProperty(text, text, async (before, after) => {
				const diff = await unifiedDiff({path: 'a', before, after}, maxMs);
				expect(diff === '' ? before : applyPatch(before, diff)).toBe(after);
			}),
			{seed, numRuns},
		);
	});
});

it('a diff of two long, unrelated texts takes at most two seconds', async () => {
	const lines = (sign: string) =>
		Array.from({length: 40_000}, (_, index) => `${sign}${(index * 7919) % 10_007}\n`).join('');
	const since = cpuTime();
	const diff = await unifiedDiff({path: 'a', before: lines('a'), after: lines('b')});
	expect(cpuTime() - since).toBeLessThan(2000);
	expect(diff.split('\n').length).toBeGreaterThan(80_000);
});

it('a long diff is cut to whole lines, with the number of missing ones', () => {
	expect(cappedDiff('--- a\n+++ a\n+1\n+2\n+3\n', 17)).toBe(
		'--- a\n+++ a\n+1\n[...truncated, 2 more lines of the diff]',
	);
	expect(cappedDiff('--- a\n+++ a\n', 11)).toBe('--- a\n+++ a');
});
