import {execFile} from 'node:child_process';
import {chmod, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {promisify} from 'node:util';
import {describe, expect, it} from 'vitest';
import {subcommandNames} from '../../src/cli/args.ts';
import {completions} from '../../src/cli/help/completions.ts';
import {usedOptions} from '../../src/cli/help/usage.ts';
import type {Shell} from '../../src/cli/start/launch.ts';
import {findProgram} from '../../src/pod/platform/programs.ts';
import {table} from '../../src/cli/subcommands/list.ts';
import {openTerminal} from '../helpers/pty.ts';
import {tempProject} from '../helpers/temp-project.ts';

/** Needs the packages zsh and fish. */
const [zsh, fish, bash] = ['zsh', 'fish', 'bash'].map(shell => findProgram(shell, process.env['PATH']));
const run = promisify(execFile);
const options = usedOptions(table).map(({name}) => `--${name}`);

/** Makes a folder with files, a script of completions, and a program inkpod that lists two sessions. */
async function folder(shell: Shell): Promise<{readonly dir: string; readonly PATH: string}> {
	const {dir} = await tempProject({
		'a.tar.gz': '',
		'a.json': '{}',
		'sub/b.txt': '',
		script: completions(shell, table),
	});
	await writeFile(path.join(dir, 'inkpod'), `#!/bin/sh\nprintf '01AB  now  words\\n01CD  now  words\\n'\n`);
	await chmod(path.join(dir, 'inkpod'), 0o755);
	return {dir, PATH: `${dir}:${process.env['PATH']}`};
}

/** Lines, and words that complete them. All options of managing sessions are among them. */
const lines: ReadonlyArray<readonly [line: string, words: readonly string[]]> = [
	['inkpod exp', ['export']],
	['inkpod rep', ['replay', 'repair']],
	['inkpod export ', ['01AB', '01CD']],
	['inkpod export 01AB --fo', ['--format', '--force']],
	['inkpod export 01AB --format ', ['md', 'html', 'json', 'bundle']],
	['inkpod export 01AB --bun', ['--bundle']],
	['inkpod export 01AB --to a.t', ['a.tar.gz']],
	['inkpod export 01AB --ex', ['--exact']],
	['inkpod verify a.t', ['a.tar.gz']],
	['inkpod verify --req', ['--request', '--requests']],
	['inkpod replay 01', ['01AB', '01CD']],
	['inkpod replay 01AB --sp', ['--speed']],
	['inkpod replay 01AB --a', ['--at']],
	['inkpod import a.j', ['a.json']],
	['inkpod trash --re', ['--restore']],
	['inkpod trash --em', ['--empty']],
	['inkpod sessions --sea', ['--search']],
	['inkpod --con', ['--continue']],
	['inkpod --resume ', ['01AB', '01CD']],
	['inkpod -r ', ['01AB', '01CD']],
	['inkpod --cwd su', ['sub']],
	['inkpod completions ', ['bash', 'zsh', 'fish']],
];

/** The prompt of a shell without a command. */
const prompt = /ready> *\s*$/;

describe.skipIf(fish === undefined)('the completions in fish', () => {
	const completed = async (line: string) => {
		const {dir, PATH} = await folder('fish');
		const command = `source script; complete -C ${JSON.stringify(line)}`;
		const {stdout} = await run(fish!, ['--no-config', '-c', command], {cwd: dir, env: {PATH, HOME: dir}});
		return stdout.split('\n').map(found => found.split('\t', 1)[0]!.replace(/\/$/, ''));
	};

	it.each(lines)('of %j are %j', async (line, words) => {
		expect(await completed(line)).toEqual(expect.arrayContaining([...words]));
	});

	it('have every subcommand and option', async () => {
		expect(await completed('inkpod ')).toEqual(expect.arrayContaining([...subcommandNames]));
		expect(await completed('inkpod --')).toEqual(expect.arrayContaining(options));
	});
});

/**
Writes what zsh offers into a file. The functions of zsh call compadd for each list. Without LISTMAX, and with fewer
rows, zsh would ask before it shows a long list.
*/
const offer = `
autoload -U compinit; compinit -u -D
LISTMAX=10000
source ./script
compadd() {
	builtin compadd -O found "$@"
	print -rl -- $found >> ./offered
	builtin compadd "$@"
}
PS1='ready> '
`;

describe.skipIf(zsh === undefined)('the completions in zsh', () => {
	it('are the same words, and every subcommand and option', async () => {
		const {dir, PATH} = await folder('zsh');
		await writeFile(path.join(dir, 'offer'), offer);
		await using terminal = await openTerminal({
			command: [zsh!, '-f', '-i'],
			cwd: dir,
			env: {PATH, HOME: dir},
			rows: 150,
		});
		await terminal.waitFor(/[#%]\s*$/);
		terminal.write('. ./offer\r');
		await terminal.waitFor(prompt);
		const all = [...lines, ['inkpod ', subcommandNames], ['inkpod --', options]] as const;
		for (const [line, words] of all) {
			await writeFile(path.join(dir, 'offered'), '');
			terminal.write(`${line}\t`);
			await expect
				.poll(async () => offered(dir), {message: line, timeout: 10_000})
				.toEqual(expect.arrayContaining([...words]));
			terminal.write('\x15\x0c');
			await terminal.waitFor(/^ready>\s*$/);
		}
	});
});

async function offered(dir: string): Promise<readonly string[]> {
	const {stdout} = await run('cat', [path.join(dir, 'offered')]);
	return stdout.split('\n');
}

describe.skipIf(bash === undefined)('the completions in bash', () => {
	it('are the same words, typed into a shell', async () => {
		const {dir, PATH} = await folder('bash');
		await using terminal = await openTerminal({
			command: [bash!, '--norc', '--noprofile', '-i'],
			cwd: dir,
			env: {PATH, HOME: dir, PS1: 'ready> '},
			rows: 60,
		});
		terminal.write(`PS1='ready> '; . ./script; bind 'set show-all-if-ambiguous on'; clear\r`);
		await terminal.waitFor(prompt);
		for (const [line, words] of lines) {
			terminal.write(`${line}\t`);
			await terminal.waitFor(screen => words.every(word => screen.includes(word)), {what: line});
			terminal.write('\x15\x0c');
			await terminal.waitFor(prompt);
		}
	});
});
