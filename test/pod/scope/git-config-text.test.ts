import {spawnSync} from 'node:child_process';
import {describe, expect, it} from 'vitest';
import {parseGitConfig} from '../../../src/pod/scope/git-config-text.ts';

/** Returns the entries that git finds in a configuration, or `undefined` if it refuses the text. */
function asGit(text: string): readonly string[] | undefined {
	const ran = spawnSync('git', ['config', '--file', '-', '--no-includes', '--list', '-z'], {
		input: text,
		env: {PATH: process.env['PATH'], HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1'},
		encoding: 'utf8',
	});
	return ran.status === 0 ? ran.stdout.split('\0').slice(0, -1) : undefined;
}

function asInkpod(text: string): readonly string[] | undefined {
	const {entries, brokenLine} = parseGitConfig(text);
	if (brokenLine !== undefined) return undefined;
	return entries.map(({key, subsection, value}) => {
		const at = key.lastIndexOf('.');
		const full = subsection === undefined ? key : `${key.slice(0, at)}.${subsection}${key.slice(at)}`;
		return `${full}\n${value}`;
	});
}

/**
git lists a name without a value without a line break. Old versions replace each blank by a space, and keep one before a
continued line that is empty.
*/
const plain = (list: readonly string[] | undefined) =>
	list?.map(entry => (entry.includes('\n') ? entry : `${entry}\ntrue`).replaceAll('\t', ' ').trimEnd());

describe('a git configuration', () => {
	it.each([
		'[core]\n\tbare = true\n',
		'[core] bare\n[core "x"] bare = 1\n',
		'[core]bare=yes;x\n# a comment \\\n[core]\nfsmonitor=evil\n',
		'[a "b\\"c\\\\d"]\nx = "y # z" w \\\n more\n',
		'[A.B]\nNaMe = Value\n[A "B"]\nNaMe = Value\n',
		'\uFEFF[core]\r\n\tautocrlf = input\r\n',
		'[x]\ny = a\\tb\\nc\n',
		'[x]\ny = "open\n',
		'[x]\ny = \\q\n',
		'[x\ny = 1\n',
		'[x] y z\n',
		'[x]\ny = a \\\n',
	])('is read as git reads it: %j', text => {
		expect(plain(asInkpod(text))).toEqual(plain(asGit(text)));
	});

	it('is read as git reads it, whatever it contains', () => {
		const parts = [
			'[core]',
			'[a "b"]',
			'[a.b]',
			'[',
			']',
			'"',
			'\\',
			'\n',
			'\n',
			' ',
			'\t',
			'=',
			'=',
			'x',
			'Y-1',
			'#',
			';',
		];
		let seed = 7;
		const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
		let accepted = 0;
		for (let tries = 0; tries < 150; tries += 1) {
			const text = `[s]\n${Array.from({length: 1 + random(14)}, () => parts[random(parts.length)]).join('')}\n`;
			const expected = plain(asGit(text));
			if (expected !== undefined) accepted += 1;
			expect({text, entries: plain(asInkpod(text))}).toEqual({text, entries: expected});
		}
		expect(accepted).toBeGreaterThan(20);
	});

	it('is read on after a line that git refuses', () => {
		expect(parseGitConfig('[a]\nb = 1\n= 2\nc = 3\n')).toEqual({
			entries: [
				{key: 'a.b', value: '1'},
				{key: 'a.c', value: '3'},
			],
			brokenLine: 3,
		});
	});

	it('hides no program behind a comment that ends with a backslash', () => {
		const {entries} = parseGitConfig('# a comment \\\n[core] fsmonitor = evil\n');
		expect(entries).toEqual([{key: 'core.fsmonitor', value: 'evil'}]);
	});
});
