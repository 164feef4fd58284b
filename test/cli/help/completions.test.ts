import {execFile} from 'node:child_process';
import {chmod, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {promisify} from 'node:util';
import {describe, expect, it} from 'vitest';
import {subcommandNames} from '../../../src/cli/args.ts';
import {completions} from '../../../src/cli/help/completions.ts';
import {helpText} from '../../../src/cli/help/usage.ts';
import {manual} from '../../../src/cli/help/manual.ts';
import type {Shell} from '../../../src/cli/start/launch.ts';
import {usedOptions} from '../../../src/cli/help/usage.ts';
import {findProgram} from '../../../src/pod/platform/programs.ts';
import {table} from '../../../src/cli/subcommands/list.ts';
import {tempProject} from '../../helpers/temp-project.ts';

const run = promisify(execFile);
const script = (shell: Shell) => completions(shell, table);

/** Completes a line in bash, with a program inkpod that lists two sessions. */
async function completed(line: string): Promise<readonly string[]> {
	const {dir} = await tempProject({'a.json': '{}', 'sub/b.txt': ''});
	await writeFile(path.join(dir, 'inkpod'), `#!/bin/sh\nprintf '01AB  now  words\\n01CD  now  words\\n'\n`);
	await chmod(path.join(dir, 'inkpod'), 0o755);
	await writeFile(path.join(dir, 'c.bash'), script('bash'));
	const commands = `
		. ./c.bash
		COMP_WORDS=(${line.replace(/ $/, " ''")}); COMP_CWORD=$(( \${#COMP_WORDS[@]} - 1 ))
		_inkpod; printf '%s\\n' "\${COMPREPLY[@]}"`;
	const {stdout} = await run('bash', ['-c', commands], {cwd: dir, env: {PATH: `${dir}:/usr/bin:/bin`}});
	return stdout.split('\n').filter(word => word !== '');
}

describe('the options of all subcommands', () => {
	const used = usedOptions(table);
	const named = (name: string) => used.find(option => option.name === name);

	it('are of one kind when they have one name', () => {
		const kinds = new Map<string, string>();
		for (const {options} of table)
			for (const [name, {value, short, isRepeatable, completes}] of Object.entries(options)) {
				const kind = JSON.stringify([value, short, isRepeatable, completes]);
				expect([name, kinds.get(name) ?? kind]).toEqual([name, kind]);
				kinds.set(name, kind);
			}
		expect(kinds.size).toBe(used.length + 1);
	});

	it('are all named once, except the one that ssh uses', () => {
		expect(new Set(used.map(({name}) => name)).size).toBe(used.length);
		expect(named('stdio')).toBeUndefined();
		const help = [...helpText(table).matchAll(/[ (;]--([a-z-]+)/g)].map(([, name]) => name);
		expect(new Set(used.map(({name}) => name))).toEqual(new Set(help));
	});

	it('name all subcommands of an option, its value and its words', () => {
		expect(named('json')?.about).toBe('with sessions, records, blame, trash, context, models, config, mcp, doctor');
		expect(named('restore')?.about).toBe('with trash: bring one back');
		expect(named('header')).toMatchObject({value: `'K: V'`});
		expect(named('continue')).toMatchObject({about: 'continue the most recent session in this directory'});
		expect(named('model')).toMatchObject({
			value: 'PROVIDER/NAME',
			about: expect.stringContaining('or scripted:FILE') as string,
		});
	});
});

describe('the completions in bash', () => {
	it.each([
		['inkpod ver', ['verify']],
		['inkpod --app', ['--approval']],
		['inkpod --approval ac', ['accept-edits']],
		['inkpod --effort m', ['minimal', 'medium', 'max']],
		['inkpod export ', ['01AB', '01CD']],
		['inkpod -r 01C', ['01CD']],
		['inkpod export 01AB --format h', ['html']],
		['inkpod import a', ['a.json']],
		['inkpod --cwd s', ['sub']],
		['inkpod completions z', ['zsh']],
		['inkpod what is', []],
	])('of %j are %j', async (line, expected) => {
		expect(await completed(line)).toEqual(expected);
	});
});

describe('the completions', () => {
	it.each(['bash', 'zsh', 'fish'] as const)('have no mistakes of syntax: %s', async shell => {
		if (findProgram(shell, process.env['PATH']) === undefined) return;
		const {dir} = await tempProject({script: script(shell)});
		await run(shell, ['-n', 'script'], {cwd: dir});
	});

	it.each(['zsh', 'fish'] as const)('name every subcommand and option: %s', shell => {
		const text = script(shell);
		for (const name of subcommandNames) expect(text).toContain(name);
		for (const {name} of usedOptions(table)) expect(text).toContain(name);
	});
});

describe('the manual', () => {
	it('has all forms and options, and no request in a text', () => {
		const page = manual('1.2.3', table);
		expect(page).toMatch(/^\.TH INKPOD 1 "" "inkpod 1\.2\.3"\n/);
		for (const {about} of usedOptions(table)) expect(page).toContain(about.replaceAll('-', '\\-'));
		expect([...page.matchAll(/^\.(\w+)/gm)].map(([, request]) => request)).toEqual(
			expect.arrayContaining(['TH', 'SH', 'TP', 'B', 'br']),
		);
		expect(page).not.toMatch(/^\.(?!TH|SH|TP|B|br)/m);
	});
});
