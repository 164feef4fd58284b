import {execFile} from 'node:child_process';
import {chmod, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {promisify} from 'node:util';
import {describe, expect, it} from 'vitest';
import {optionValues, subcommandNames} from '../../../src/cli/args.ts';
import {completions} from '../../../src/cli/help/completions.ts';
import {helpText} from '../../../src/cli/help/help-text.ts';
import {manual} from '../../../src/cli/help/manual.ts';
import {options} from '../../../src/cli/start/read-options.ts';
import type {Shell} from '../../../src/cli/start/launch.ts';
import {readUsage} from '../../../src/cli/help/usage.ts';
import {findProgram} from '../../../src/pod/processes/programs.ts';
import {tempProject} from '../../helpers/temp-project.ts';

const run = promisify(execFile);
const script = (shell: Shell) => completions(shell, readUsage(helpText), optionValues);

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

describe('the usage', () => {
	const usage = readUsage(helpText);

	it('has every subcommand, and every option of the help', () => {
		const names = new Set(usage.forms.flatMap(({name}) => (name === undefined ? [] : [name])));
		expect([...names].toSorted()).toEqual(subcommandNames.toSorted());
		const written = [...helpText.matchAll(/^ {2}(?:-\w, | {4})--([\w-]+)/gm)].map(([, name]) => name);
		expect(usage.options.slice(0, written.length).map(({long}) => long)).toEqual(written);
		const named = [...helpText.matchAll(/[ (;]--([a-z-]+)/g)].map(([, name]) => name);
		expect(new Set(usage.options.map(({long}) => long))).toEqual(new Set(named));
		expect(usage.options).toHaveLength(new Set(named).size);
	});

	it('has every option that inkpod takes, except the one that ssh uses', () => {
		const taken = Object.keys(options).filter(name => name !== 'stdio');
		expect(usage.options.map(({long}) => long).toSorted()).toEqual(taken.toSorted());
		const letters = Object.entries(options).flatMap(([name, facts]) =>
			'short' in facts ? [[name, `-${facts.short}`]] : [],
		);
		const shorts = usage.options.flatMap(({long, short}) => (short === undefined ? [] : [[long, short]]));
		expect(Object.fromEntries(shorts)).toEqual(Object.fromEntries(letters));
	});

	it('names all subcommands of an option in one line, and its value', () => {
		const option = (name: string) => usage.options.find(({long}) => long === name);
		expect(option('json')?.about).toBe('with inkpod sessions, trash, context, models, config, mcp, doctor');
		expect(option('header')).toMatchObject({value: `'K: V'`});
		expect(option('continue')).toMatchObject({about: 'continue the most recent session in this directory'});
	});

	it('joins the lines of an option', () => {
		const model = usage.options.find(({long}) => long === 'model');
		expect(model).toMatchObject({
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
		for (const {long} of readUsage(helpText).options) expect(text).toContain(long);
	});
});

describe('the manual', () => {
	it('has all forms and options, and no request in a text', () => {
		const page = manual('1.2.3', readUsage(helpText));
		expect(page).toMatch(/^\.TH INKPOD 1 "" "inkpod 1\.2\.3"\n/);
		for (const {about} of readUsage(helpText).options)
			if (about !== '') expect(page).toContain(about.replaceAll('-', '\\-'));
		expect([...page.matchAll(/^\.(\w+)/gm)].map(([, request]) => request)).toEqual(
			expect.arrayContaining(['TH', 'SH', 'TP', 'B', 'br']),
		);
		expect(page).not.toMatch(/^\.(?!TH|SH|TP|B|br)/m);
	});
});
