import {describe, expect, it} from 'vitest';
import {applies} from '../../../../src/pod/permissions/approval/rule.ts';
import {cpuTime} from '../../../helpers/cpu-time.ts';
import {hiddenCommands} from './hidden-commands.ts';
import {hiddenInShell, hiddenPushes} from './hidden-in-shell.ts';
import {ordinaryCommands} from './ordinary-commands.ts';

const isAbout = (match: string, command: string, action: 'deny' | 'ask' = 'deny') => {
	return applies({tool: 'bash', match, action}, 'bash', {kind: 'command', command});
};

describe.each(Object.entries({...hiddenCommands, ...hiddenInShell}))(
	'a rule that denies a program, for %s',
	(_, commands) => {
		it.each(commands)('denies %j', command => {
			expect(isAbout('evil*', command)).toBe(true);
			expect(isAbout('evil*', command, 'ask')).toBe(true);
		});
	},
);

describe('a rule that denies a subcommand', () => {
	it.each(hiddenPushes)('denies %j', command => {
		expect(isAbout('git push*', command)).toBe(true);
	});

	it.each([
		'git -C sub push',
		"git -C 'a b' push o HEAD",
		'git -C "a b" push',
		'git -C a\\ b push',
		"git -c user.name='A B' push",
		'git --no-pager push',
		'git -c a=b -C sub --git-dir x push --force',
		'sudo -u me git -C sub push',
		'/usr/bin/git -P push',
		'xargs git -C sub push',
	])('denies %j: options may come before it', command => {
		expect(isAbout('git push*', command)).toBe(true);
	});

	it.each([
		'git -C sub status',
		'git commit -m push',
		'git stash push',
		'mygit push',
		'git-push x',
		'ls -l git/push',
	])('ignores %j', command => {
		expect(isAbout('git push*', command)).toBe(false);
	});
});

describe('a rule without a wildcard', () => {
	it.each([
		'env -S"git push"',
		"sed 's/x/git push/e' f",
		'python3 -c \'import os; os.system("git push")\'',
		'perl -e \'exec "git","push"\'',
		"git -c alias.z='!git push' z",
	])('denies %j: the command ends inside a script', command => {
		expect(isAbout('git push', command)).toBe(true);
	});

	it.each(['git push origin', 'git -C sub push origin', 'git pushx'])('ignores %j', command => {
		expect(isAbout('git push', command)).toBe(false);
	});
});

/** These contain data where a shell could have a command, and the text does not show the difference. */
const takenForAnything = new Set([
	'python3 -c \'import json; print(json.load(open("a.json"))["name"])\'',
	"curl -s https://example.com | jq '.items[] | {name, id}'",
	'if [[ -n "$x" && $x == a* ]]; then echo yes; fi',
	'case "$1" in a) echo a;; *) echo b;; esac',
]);

describe('a rule that denies a program which the command does not name', () => {
	it.each(ordinaryCommands.filter(command => !takenForAnything.has(command)))('does not apply to %j', command => {
		expect(['evil*', 'evil *', 'git push*'].filter(match => isAbout(match, command))).toEqual([]);
	});

	it.each([...takenForAnything])('applies to %j', command => {
		expect(isAbout('evil*', command)).toBe(true);
	});

	it.each([
		['rm *', 'docker run --rm x'],
		['rm *', 'find . -perm 755'],
		['rm *', 'ls -lrm x'],
		['docker *', 'cat docker/compose.yml'],
		['docker *', 'sed -i s/a/b/ docker/compose.yml'],
		['make*', 'cmake -S .'],
		['npm publish*', 'npm run publish-docs'],
	])('%j does not match a part of another word in %j', (match, command) => {
		expect(isAbout(match, command)).toBe(false);
	});
});

describe('the time to judge a command', () => {
	it('grows only with the length of the command', () => {
		const begun = cpuTime();
		const pieces = [
			'xargs -I% ',
			'-I% ',
			'% ',
			'{} ',
			'-x a ',
			'git -C a ',
			's/',
			'[$x]',
			'a]',
			'$1',
			"$'",
			'# \\\n',
			'\\',
			'sudo -u ',
			'perl -e ',
			'=!',
			'1e',
			'::: ',
			'日 ',
			'1',
			'-',
			'.',
			'a.',
			'sed 1/',
			'-c',
			'$x=',
		];
		for (const piece of pieces) isAbout('*a*b*c*d*e*f', piece.repeat(32_000 / piece.length));
		expect(cpuTime() - begun).toBeLessThan(10_000);
	});
});
