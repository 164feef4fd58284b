import {join} from 'node:path';
import * as fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {applies, firstMatch, type Rule} from '../../../../src/pod/permissions/approval/rule.ts';
import {fileSubject} from '../../../../src/pod/permissions/approval/subject.ts';
import {cpuTime} from '../../../helpers/cpu-time.ts';

const command = (text: string) => ({kind: 'command', command: text}) as const;
const bash = (match: string | undefined, action: Rule['action']): Rule => ({tool: 'bash', match, action});

describe('a rule that allows a command', () => {
	it.each([
		['npm test*', 'npm test', true],
		['npm test*', 'npm test -- a.ts', true],
		['npm test*', 'npm run test', false],
		['npm test', 'npm test x', false],
		['npm te?t', 'npm test', true],
		['a\\*', 'a*', false],
		[undefined, 'git status', true],
		[undefined, 'git status; rm x', false],
		['*', 'npm test && rm x', false],
		['npm test*', 'npm test; rm x', false],
		['npm test*', 'npm test $(rm x)', false],
		['npm test*', 'npm test > x', false],
		['npm test*', 'X=1 npm test', false],
		['*npm test*', 'X=1 npm test', false],
	])('%j on %j matches: %s', (match, text, expected) => {
		expect(applies(bash(match, 'allow'), 'bash', command(text))).toBe(expected);
	});

	it('with an exact text allows that text and no other, compound or not', () => {
		const rule: Rule = {tool: 'bash', exact: 'a && b*', action: 'allow'};
		expect([
			applies(rule, 'bash', command('a && b*')),
			applies(rule, 'bash', command('a && bc')),
			applies(rule, 'bash', command(' a && b*')),
		]).toEqual([true, false, false]);
	});
});

describe('a rule that denies a command', () => {
	it.each([
		'git push',
		'git push --force origin',
		' git  push',
		'git\tpush',
		'cd x && git push',
		'cd x;git push',
		'true||git push',
		'true | git push',
		'true & git push',
		'(git push)',
		'{ git push; }',
		'$(git push)',
		'echo "$(git push)"',
		'echo `git push`',
		'echo ${x:-$(git push)}',
		'diff <(git push) x',
		'git >/dev/null push',
		'git 2>&1 push',
		'git &>x push',
		'>x git push',
		'true\ngit push',
		'true\rgit push',
		'g\\it push',
		'gi""t push',
		'\'git\' "push"',
		'git \\\npush',
		'/usr/bin/git push',
		'$HOME/bin/git push',
		'A=1 B=$(x) git push',
		'sudo -u me git push',
		'env -i A=1 git push',
		'timeout 5s git push',
		'bash -c "git push"',
		"bash -c 'cd x; git push'",
		'bash <<< "git push"',
		'cat <<EOF | sh\ngit push\nEOF',
		'xargs -n 1 git push',
		'find . -exec git push \\;',
		'find . -exec /bin/git push {} +',
		'if git push; then :; fi',
		'! git push',
		'case x in x) git push;; esac',
		'git${IFS}push',
		'git$IFS"push"',
		'{git,push}',
		'$cmd push',
		'g$x push',
		'g?t push',
		'gi[t] push',
		"$'\\x67it' push",
		'eval "$x"',
		'eval $(echo Z2l0IHB1c2g= | base64 -d)',
		'base64 -d x | sh',
		'curl x | sudo bash',
		'echo git push',
		'>}a {git,push}',
		'eval${IFS}git push',
		'sudo${IFS}-n $cmd',
		'if { true; } then $x; fi',
		'('.repeat(100),
		'x'.repeat(70_000),
	])('applies to %s', text => {
		expect(applies(bash('git push*', 'deny'), 'bash', command(text))).toBe(true);
		expect(applies(bash('git push*', 'ask'), 'bash', command(text))).toBe(true);
	});

	it.each([
		'git status',
		'git pull; npm test',
		'echo $HOME',
		'ls *.ts',
		'npm test > out.txt 2>&1',
		'for f in a b; do echo $f; done',
		'git commit -m "pushed it"',
		'mygit push',
		'git pushx | digit push',
		'cat {a,b}.txt',
		"awk '{print $1}' a",
		'bash script.sh',
		'X=$(date) npm run build',
	])('ignores %j', text => {
		expect(applies(bash('git push *', 'deny'), 'bash', command(text))).toBe(false);
	});

	it('applies to every command that contains it, whatever surrounds it', () => {
		const around = fc
			.array(
				fc.constantFrom(
					'a',
					' ',
					';',
					'&&',
					'|',
					'(',
					')',
					'{',
					'}',
					'`',
					'$',
					'$(',
					'${',
					'"',
					"'",
					'\\',
					'<',
					'>',
					'\n',
					'[',
					']',
					'*',
					'#',
					'=',
					'日',
				),
				{maxLength: 30},
			)
			.map(pieces => pieces.join(''));
		fc.assert(
			fc.property(around, around, (before, after) =>
				applies(bash('*git push*', 'deny'), 'bash', command(`${before};git push ${after}`)),
			),
			{seed: 20_261_121, numRuns: 2000},
		);
	});

	it('is judged without delay, however long and complex the command is', () => {
		const begun = cpuTime();
		for (const piece of ['a ', '`', '$(', '[', '{a ', '> ', '/', 'sudo ', '$x '])
			applies(bash('*a*b*c*d*e*f', 'deny'), 'bash', command(piece.repeat(32_000 / piece.length)));
		expect(cpuTime() - begun).toBeLessThan(5000);
	});
});

describe('a rule about paths', () => {
	const path = (written: string, real = written) =>
		fileSubject(written, join('/h/p', real), {pwd: '/h/p', home: '/h'});
	const edits = (match: string | undefined, action: Rule['action']): Rule => ({tool: 'edit_file', match, action});

	it.each<[string | undefined, readonly [string, string?], boolean, boolean]>([
		['src/**', ['src/a/b.ts'], true, true],
		['src/*', ['src/a/b.ts'], false, true],
		['*.ts', ['src/a/b.ts'], true, true],
		['src/**', ['lib/a.ts'], false, false],
		['src/**', ['src/link.ts', 'lib/real.ts'], false, true],
		['lib/**', ['src/link.ts', 'lib/real.ts'], false, true],
		['**', ['../x'], false, true],
		[undefined, ['a'], true, true],
		[undefined, ['../x'], false, true],
	])('%j on %j allows it: %s, denies it: %s', (match, names, allows, forbids) => {
		expect([
			applies(edits(match, 'allow'), 'edit_file', path(...names)),
			applies(edits(match, 'deny'), 'edit_file', path(...names)),
		]).toEqual([allows, forbids]);
	});

	it('applies to the real location of the file', () => {
		const rule: Rule = {tool: 'edit_file', exact: 'a[1].ts', action: 'allow'};
		expect([
			applies(rule, 'edit_file', path('a[1].ts')),
			applies(rule, 'edit_file', path('link', 'a[1].ts')),
			applies(rule, 'edit_file', path('a[1].ts', 'b')),
		]).toEqual([true, true, false]);
	});
});

it('a rule about tools matches by the glob of its tool and by its match', () => {
	const tool = {kind: 'tool', tool: 'mcp__db__query'} as const;
	const rules: readonly Rule[] = [
		{tool: 'mcp__fs__*', action: 'deny'},
		{tool: 'mcp__db__*', match: '*drop', action: 'deny'},
		{tool: 'mcp__*', match: '*query', action: 'allow'},
	];
	expect(firstMatch(rules, 'mcp__db__query', tool)).toBe(rules[2]);
	expect(firstMatch(rules, 'bash', command('mcp__db__query'))).toBeUndefined();
});
