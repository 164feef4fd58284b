import {describe, expect, it} from 'vitest';
import {applies, firstMatch, type Rule, type Subject} from '../../../../src/pod/permissions/approval/rule.ts';
import {maxRulesSize, rulesProblem} from '../../../../src/pod/permissions/approval/rule.ts';
import {fileSubject} from '../../../../src/pod/permissions/approval/subject.ts';
import {seededRandom} from '../../../helpers/random.ts';
import {tempProject} from '../../../helpers/temp-project.ts';
import {loadManifest} from '../../../../src/pod/open/manifest/load-manifest.ts';

const folders = {pwd: '/home/me/proj', startedIn: '/home/me', home: '/home/me'};

describe('a list of rules', () => {
	it('has the same effect as its rules one by one', () => {
		const rounds = process.env['INKPOD_TEST'] === 'long' ? 50_000 : 400;
		const random = seededRandom(3);
		const pick = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)]!;
		let matches = 0;
		for (let round = 0; round < rounds; round++) {
			const rules = Array.from({length: 1 + Math.floor(random() * 8)}, (): Rule => ({
				tool: pick(tools),
				action: pick(['allow', 'ask', 'deny']),
				...(random() < 0.9 && {match: pick(patterns)}),
			}));
			const [tool, subject] = pick<() => readonly [string, Subject]>([
				() => ['bash', {kind: 'command', command: pick(commands)}],
				() => ['edit_file', fileSubject(pick(paths), pick(paths), folders)],
				() => ['grep', {kind: 'tool', tool: 'grep'}],
			])();
			const expected = rules.find(rule => applies(rule, tool, {...subject}));
			if (expected !== undefined) matches++;
			expect([rules, subject, firstMatch(rules, tool, subject)]).toEqual([rules, subject, expected]);
		}
		expect(matches).toBeGreaterThan(rounds / 4);
	});
});

const tools = ['bash', 'edit_file', 'grep', '*', 'e*', '?ash', 'write_file'];
const patterns = [
	'a',
	'*',
	'a*',
	'a/b',
	'a/',
	'/a/**',
	'{a,b}',
	'{a,b}/*',
	'~/proj/a',
	'../proj/b',
	'git push*',
	'* x',
	'gr*',
];
const commands = ['a', 'git push', 'echo a x', 'b; a', '$x push', 'git -C a push x', '"git" push', 'xargs -I{} a {}'];
const paths = ['a', 'a/b', 'b/a', '../a', '/home/me/a', 'c', 'a/b/c'];

describe('rules that are too large', () => {
	const many = (count: number, match: (index: number) => string, tool = 'bash') =>
		Array.from({length: count}, (_, index) => ({tool, match: match(index), action: 'deny'}));

	it.each([
		['280 patterns of 256 alternatives', many(280, at => `${'{a,b}'.repeat(8)}${at}`, 'edit_file')],
		['240 folders of 256 alternatives', many(240, at => `/${'{a,b}'.repeat(8)}/${at}/*`, 'edit_file')],
		['400 commands of many stars', many(400, at => `${'*a'.repeat(15)}*${at}`)],
		['300 patterns of many stars', many(300, at => `${'*'.repeat(40)}b${at}`)],
		['one rule of very many alternatives', many(1, () => `{${'a,'.repeat(512)}}`, 'edit_file')],
	])('are refused with the limit and a remedy: %s', async (_, rules) => {
		expect(rulesProblem(rules)).toMatch(/the limit for one file is 8192\. Use fewer alternatives/);
		const lines = rules.flatMap(({tool, match, action}) => [
			'[[permission]]',
			`tool = "${tool}"`,
			`match = "${match}"`,
			`action = "${action}"`,
		]);
		const text = lines.join('\n');
		const fitting = text.length > 32_000 ? text.slice(0, text.lastIndexOf('[[', 32_000)) : text;
		const project = await tempProject({'inkpod.toml': fitting});
		const loaded = await loadManifest({start: project.dir});
		expect(loaded).toMatchObject({ok: false, sentence: expect.stringContaining('the limit for one file is 8192')});
	});

	it.each([
		['500 short rules', many(500, at => `git x${at}*`)],
		['300 rules of 27 characters', many(300, at => `npm run some-long-script-${at}`.slice(0, 27))],
		['a file without patterns', Array.from({length: 500}, () => ({tool: 'bash', action: 'deny'}))],
	])('do not include %s', (_, rules) => {
		expect(rulesProblem(rules)).toBeUndefined();
	});

	it('leave a wrong type to the schema', () => {
		expect(rulesProblem([1, undefined, {match: 1}, {match: '{a'}, []])).toBeUndefined();
		expect(rulesProblem(Array.from({length: 501}))).toContain('more than 500 rules');
		expect(maxRulesSize).toBe(8192);
	});
});
