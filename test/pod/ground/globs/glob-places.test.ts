import {describe, expect, it} from 'vitest';
import {codesOf, matchingGlobs} from '../../../../src/pod/ground/globs/glob-places.ts';
import {compileAlternatives} from '../../../../src/pod/ground/globs/glob-pattern.ts';
import {seededRandom} from '../../../helpers/random.ts';
import {slowCovers, slowMatches} from '../../../helpers/slow-path-glob.ts';

describe('globs over a path', () => {
	it('match the same as a search through all possibilities, however many globs there are', () => {
		const rounds = process.env['INKPOD_TEST'] === 'long' ? 200_000 : 4000;
		const random = seededRandom(7);
		let matches = 0;
		for (let round = 0; round < rounds; round++) {
			const patterns = Array.from({length: 1 + Math.floor(random() * 9)}, () => randomText(random, patternParts));
			const path = randomText(random, pathParts);
			const globs = compileAlternatives(patterns.map(pattern => `/${pattern}`));
			for (const hasContents of [false, true]) {
				const isMeant = hasContents ? slowCovers : slowMatches;
				const expected = patterns.flatMap((pattern, glob) => (isMeant(written(pattern), path) ? [glob] : []));
				matches += expected.length;
				expect([patterns, path, matchingGlobs(globs, codesOf(path), hasContents)]).toEqual([
					patterns,
					path,
					expected,
				]);
			}
		}
		expect(matches).toBeGreaterThan(rounds / 2);
	});

	it.each([
		['braces', Array.from({length: 500}, (_, at) => `/${'ab'.repeat(8)}${at}`)],
		['stars', Array.from({length: 60}, (_, at) => `${'*a'.repeat(60)}*b${at}`)],
		['stars of any depth', Array.from({length: 60}, (_, at) => `${'**/a*/'.repeat(20)}b${at}`)],
		['one long glob', [`${'*a'.repeat(4000)}b`]],
		['folders', Array.from({length: 500}, (_, at) => `/aaaa/${at}/*`)],
	])('take one step for each character and 32 places: %s', (_, patterns) => {
		const globs = compileAlternatives(patterns);
		const places = patterns.reduce((sum, pattern) => sum + pattern.length + 3, 0);
		for (const path of ['a'.repeat(2000), 'a/'.repeat(1000), `${'ab/'.repeat(666)}c`]) {
			const count = {steps: 0};
			matchingGlobs(globs, codesOf(path), true, count);
			expect(count.steps).toBeLessThanOrEqual(path.length * Math.ceil(places / 32));
		}
	});
});

const patternParts = [
	'a',
	'b',
	'a/',
	'/b',
	'*',
	'?',
	'**/',
	'/**',
	'[ab]',
	'[!a]',
	'[a-c]/',
	'\\*',
	'é',
	'👍',
	'ab'.repeat(17),
];
const pathParts = ['a', 'b', 'a/', '/b', 'c', '*', 'é', '👍', '/', 'ab'.repeat(17)];

function randomText(random: () => number, parts: readonly string[]): string {
	const length = Math.floor(random() * 6);
	return Array.from(
		{length},
		() => parts[Math.floor(random() * parts.length * (random() < 0.1 ? 1 : 0.93))] ?? '',
	).join('');
}

/** A slash at the end includes everything below. */
function written(pattern: string): string {
	return `/${pattern}`.endsWith('/') ? `${pattern}**` : pattern;
}
