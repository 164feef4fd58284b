import {describe, expect, it} from 'vitest';
import {applies} from '../../../../src/pod/permissions/approval/rule.ts';
import {compileTextGlobs, matchesText, passageOf, unknown} from '../../../../src/pod/permissions/approval/text-glob.ts';
import type {Passage, Places, TextSymbol} from '../../../../src/pod/permissions/approval/text-glob.ts';
import type {StepCount} from '../../../../src/pod/ground/globs/glob-places.ts';
import {seededRandom} from '../../../helpers/random.ts';
import {cpuTime} from '../../../helpers/cpu-time.ts';
import {slowMightMatch} from '../../../helpers/slow-text-glob.ts';

describe('a glob over a text', () => {
	it.each([
		['*', '', true],
		['', '', true],
		['', 'a', false],
		['?', '', false],
		['**a**', 'bab', true],
		['*?*?*', 'a', false],
		['a\\*', 'a*', true],
		['a\\*', 'ab', false],
		['\\', '\\', true],
		['a\\', 'a\\', true],
		['\\\\?', '\\x', true],
		['?', '👍', true],
		['??', '👍', false],
		['👍*', '👍x', true],
		['*\n*', 'a\nb', true],
	])('%j on %j is %s', (pattern, text, expected) => {
		expect(matchesText(pattern, text)).toBe(expected);
	});

	it.each([31, 32, 33, 63, 64, 65, 1000])('matches %i characters, around the boundary of a word of bits', count => {
		const text = 'ab'.repeat(count).slice(0, count);
		for (const pattern of [text, '?'.repeat(count), `*${text}*`, `${text.slice(0, -1)}*?`]) {
			expect(matchesText(pattern, text)).toBe(true);
			expect(matchesText(pattern, text.slice(0, -1))).toBe(false);
		}
		expect(compiled(text).mightMatch(passageOf([{symbols: [unknown, text.at(-1)!], starts: new Set([0])}]))).toBe(
			true,
		);
		expect(compiled(text).mightMatch(passageOf([{symbols: [unknown, 'c'], starts: new Set([0])}]))).toBe(false);
	});

	it('matches the same texts as a simple search through sets of positions', () => {
		const rounds = process.env['INKPOD_TEST'] === 'long' ? 1_000_000 : 20_000;
		const random = seededRandom(12);
		let matches = 0;
		for (let round = 0; round < rounds; round++) {
			const [pattern, places, other] = [randomPattern(random), randomPlaces(random), randomPlaces(random)];
			const expected = slowMightMatch(pattern, places) || slowMightMatch(pattern, other);
			if (expected) matches++;
			const found = compiled(pattern).mightMatch(passageOf([other, places]));
			if (found !== expected) expect.fail(`${pattern} ${show(places)}: not ${expected}`);
		}
		expect(matches).toBeGreaterThan(rounds / 20);
		expect(matches).toBeLessThan(rounds * 0.95);
	});

	it.each(['*', 'a*', '*?', '*a?', '**', 'a'])(
		'takes one step for each symbol and word, however often %j is repeated',
		part => {
			const passage = passageOf([{symbols: Array.from('a'.repeat(2000)), starts: new Set([0])}]);
			for (const count of [1, 10, 100, 500]) {
				const taken = {steps: 0};
				const pattern = `${part.repeat(count)}b`;
				compiled(pattern).mightMatch(passage, taken);
				expect(taken.steps).toBeLessThanOrEqual(2001 * Math.ceil((pattern.length + 10) / 32));
			}
		},
	);

	it.each([
		['500 stars', `${'a*'.repeat(499)}b`, 'a'.repeat(32_000)],
		['500 stars and marks', `${'*?'.repeat(499)}b`, 'a'.repeat(32_000)],
		['a run of stars', `${'*'.repeat(999)}b`, 'a'.repeat(32_000)],
		['500 stars on many words', `${'a*'.repeat(499)}b`, 'a '.repeat(16_000)],
		['500 stars on many commands', `${'a*'.repeat(499)}b`, 'a;'.repeat(16_000)],
		['500 stars on many options', `${'a*'.repeat(499)}b`, 'a -x '.repeat(6400)],
		['500 stars on many paths', `${'a*'.repeat(499)}b`, 'a/'.repeat(16_000)],
	])('%s: ten such rules judge a command of 32 KB quickly', (_, match, command) => {
		const subject = {kind: 'command', command} as const;
		const since = cpuTime();
		const rule = {tool: 'bash', match, action: 'deny'} as const;
		for (let turn = 0; turn < 10; turn++) expect(applies(rule, 'bash', subject)).toBe(false);
		expect(cpuTime() - since).toBeLessThan(5000);
	});
});

type Chance = () => number;

/** Compiles one glob between others, which must not change its matches. */
function compiled(pattern: string) {
	const globs = compileTextGlobs(['a*b', pattern, '?']);
	return {
		mightMatch: (passage: Passage, count?: StepCount) => globs.mightMatch(passage, count).includes(1),
	};
}

function randomPattern(random: Chance): string {
	const parts = ['a', 'b', '*', '*', '?', '\\*', '\\', 'a*', '**', 'ab'.repeat(17)];
	return Array.from({length: pick(random, 7)}, () => parts[pick(random, random() < 0.05 ? 10 : 9)]!).join('');
}

function randomPlaces(random: Chance): Places {
	const alphabet: readonly TextSymbol[] = ['a', 'a', 'b', 'b', '*', '\\', unknown];
	const length = pick(random, random() < 0.1 ? 80 : 8);
	const symbols = Array.from({length}, () => alphabet[pick(random, alphabet.length)]!);
	const places = (density: number) => symbols.flatMap((_, at) => (random() < density ? [at] : []));
	const skips = new Map(places(0.3).map(at => [at, random() < 0.5 ? ('save' as const) : ('resume' as const)]));
	return {
		symbols,
		starts: new Set(random() < 0.5 ? [0] : places(0.3)),
		...(random() < 0.3 && {ends: new Set(places(0.2))}),
		...(random() < 0.3 && {skips}),
	};
}

function pick(random: Chance, count: number): number {
	return Math.floor(random() * count);
}

function show({symbols, starts, ends, skips}: Places): string {
	const sets = {starts: [...starts], ends: [...(ends ?? [])], skips: [...(skips ?? [])]};
	return JSON.stringify({symbols: symbols.map(String), ...sets});
}
