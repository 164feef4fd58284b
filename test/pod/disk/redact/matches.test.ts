import {describe, expect, it} from 'vitest';
import {createMatches} from '../../../../src/pod/disk/redact/matches.ts';

function matchesOf(source: string, seconds = 10) {
	const created = createMatches(source, {seconds, most: 3});
	if (!created.ok) throw new Error(created.sentence);
	return created.matches;
}

describe('the search for a pattern', () => {
	it('ends if a text takes too long', () => {
		const matches = matchesOf('(a+)+b', 0.1);
		matches.look(`${'a'.repeat(60)}!`);
		expect(matches.problem()).toContain('0.1 seconds');
		matches.look('aaab');
		expect(matches.values.size).toBe(0);
	});

	it('ends if there are too many matches', () => {
		const matches = matchesOf(String.raw`\w{4}`);
		matches.look('one1 two2 six6 ten0');
		expect(matches.problem()).toContain('more than 3');
	});

	it('finds matches in strings of JSON, without the JSON after them, and with decoded escapes', () => {
		const matches = matchesOf(String.raw`sk-\S+`);
		matches.look(String.raw`{"a": ["sk-one\u0031"], "b": {"sk-two2": 1}}`);
		matches.look('say sk-three3 and sk-');
		expect([...matches.values]).toEqual(['sk-two2', 'sk-one1', 'sk-three3']);
	});

	it('counts matches that are too short', () => {
		const matches = matchesOf('[xy]+');
		matches.look('x yy xyxy');
		expect([[...matches.values], matches.shorter()]).toEqual([['xyxy'], 2]);
	});

	it('refuses what is not a regular expression', () => {
		expect(createMatches('(')).toMatchObject({ok: false});
	});
});
