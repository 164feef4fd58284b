import {describe, expect, it} from 'vitest';
import {entriesOfEnvironment} from '../../../src/pod/scope/git-config-env.ts';
import {readGitConfigs, userConfigPaths} from '../../../src/pod/scope/git-config.ts';
import {wordsOf} from '../../../src/pod/scope/git-config-words.ts';
import {tempProject} from '../../helpers/temp-project.ts';

describe('the words of a setting', () => {
	it.each([
		['a path', 'tools/x', 'tools/x'],
		['a program with arguments', 'tools/x -w', 'tools/x'],
		['a program with a blank, without a shell', '/p/my tools/x', '/p/my tools/x'],
		['quotes', '\'my tools/x\' "%f"', 'my tools/x'],
		['double quotes', '"my \\"tools/x" a', 'my "tools/x'],
		['a backslash', 'my\\ tools/x', 'my tools/x'],
		['quotes in a word', 'to\'ol\'"s"/x', 'tools/x'],
		['an unclosed quote', "it's tools/x", 'tools/x'],
		['the home folder', '$HOME/tools/x', '/home/u/tools/x'],
		['the home folder in braces and quotes', '"${HOME}"/tools/x', '/home/u/tools/x'],
		['a variable', '"$PWD"/tools/x', './tools/x'],
		['a variable with a default', '${A:-.}/tools/x', './tools/x'],
		['a substitution', '!"$(git rev-parse --show-toplevel)/tools/x" a', './tools/x'],
		['a substitution in backquotes', '!`git rev-parse --git-dir`/../tools/x', './tools/x'],
		['words in a substitution', '$(tools/x)', 'tools/x'],
		['a folder that is entered', '!cd tools && ./x', 'tools/x'],
		['a folder for git', '!git -C tools -c core.editor=./x commit', 'tools/x'],
		['an argument without a slash', '!sh -e runner', './runner'],
		['a module of Node', 'node tools/x %f', 'tools/x.js'],
		['a module of Python', 'python3 -m tools.x', 'tools/x.py'],
		['one of a quoted command', "!sh -c 'a; python3 -u runner'", './runner'],
		['a quoted command', 'sh -c \'a; tools/x "$1"\' -', 'tools/x'],
		['an option', 'ssh -Ftools/x', 'tools/x'],
		['an option with a name', 'ssh -oProxyCommand=tools/x', 'tools/x'],
		['a list', '{a,tools/x}', 'tools/x'],
	])('include %s', (_name, value, path) => {
		expect(wordsOf(value, '/home/u')).toContain(path);
	});

	it.each([
		['the name of a program', 'code --wait'],
		['a word', 'main'],
		['a program that is run by another one', '!npx lint'],
		['an address', 'https://example.com/x.git'],
	])('do not include %s', (_name, value) => {
		expect(wordsOf(value, '/home/u').filter(word => !word.includes(' '))).toEqual([]);
	});

	it('are found in little time, whatever the value is', () => {
		const started = performance.now();
		for (const part of ['"', "'", '${', '$(', '`', '\\', '-a ', 'cd a ', 'sh -c "', '{,', '$a'])
			wordsOf(part.repeat(5000), '/home/u');
		expect(performance.now() - started).toBeLessThan(10_000);
	});
});

describe('settings in the environment', () => {
	it('are those of git, and its programs', () => {
		const env = {
			...{GIT_CONFIG_COUNT: '2', GIT_CONFIG_KEY_0: 'core.hooksPath', GIT_CONFIG_VALUE_0: 'h'},
			...{GIT_CONFIG_KEY_1: 'diff.a.b.textconv', GIT_CONFIG_VALUE_1: 'tools/x'},
			GIT_CONFIG_PARAMETERS: "'alias.x'='!a b' 'core.pager=it'\\''s' 'core.bare'",
			...{EDITOR: 'tools/ed', GIT_PAGER: ''},
		};
		expect(entriesOfEnvironment(env)).toEqual([
			{key: 'core.hookspath', value: 'h'},
			{key: 'diff.textconv', value: 'tools/x'},
			{key: 'alias.x', value: '!a b'},
			{key: 'core.pager', value: "it's"},
			{key: 'core.bare', value: 'true'},
			{key: 'core.editor', value: 'tools/ed'},
		]);
	});

	it.each(['', '-1', 'x', '1e9'])('are read whatever their number is: %j', count => {
		expect(entriesOfEnvironment({GIT_CONFIG_COUNT: count}).length).toBeLessThanOrEqual(1000);
	});

	it('name files and folders as a configuration does', async () => {
		const project = await tempProject({system: '[core]\nhooksPath = ~root/hooks\n'});
		const env = {GIT_CONFIG_SYSTEM: project.path('system'), GIT_EDITOR: 'tools/ed', HOME: '/home/u'};
		const {folders, programs} = await readGitConfigs(userConfigPaths(env).slice(0, 1), env);
		expect({folders, programs}).toEqual({folders: ['/root/hooks'], programs: ['tools/ed']});
	});
});
