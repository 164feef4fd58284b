import {mkdir, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {describe, expect, it} from 'vitest';
import type {Start} from '../../src/cli/start/launch.ts';
import {planStart} from '../../src/pod/open/start/plan.ts';
import {print} from '../../src/cli/print.ts';
import {tempHome, type Home} from '../pod/disk/fixture.ts';

const start = {session: {kind: 'new'}, readOnly: false, addDirs: []} as const;
const allows =
	'[[permission]]\ntool = "bash"\nmatch = "npm *"\naction = "allow"\n' +
	'[[permission]]\ntool = "bash"\nmatch = "npm publish*"\naction = "deny"\n';

async function write(path: string, text: string): Promise<void> {
	await mkdir(dirname(path), {recursive: true});
	await writeFile(path, text);
}

async function said(
	home: Home,
	change: Partial<Start> = {},
): Promise<{readonly code: number; readonly out: string; readonly err: readonly string[]}> {
	const script = join(home.home, 'script.json');
	await writeFile(script, JSON.stringify([[{type: 'text', text: 'Yes.'}]]));
	let [out, err] = ['', ''];
	const launch = {
		command: 'print',
		prompt: 'hi',
		format: 'text',
		...start,
		cwd: home.cwd,
		model: `scripted:${script}`,
		...change,
	} as const;
	const code = await print(launch, {
		env: home.env,
		stdout: {write: text => (out += text)},
		stderr: {write: text => (err += text)},
		piped: undefined,
		signal: new AbortController().signal,
	});
	return {code, out, err: err.split('\n').slice(0, -1)};
}

describe('print mode with a project’s configuration', () => {
	it('ignores an untrusted manifest with one line on stderr, and uses it with --trust', async () => {
		const home = await tempHome();
		const file = join(home.cwd, 'inkpod.toml');
		await write(file, `max_turns = 5\n${allows}`);
		expect(await said(home)).toEqual({
			code: 0,
			out: 'Yes.\n',
			err: [`inkpod: Ignored in "${file}": max_turns, allow rules (project not trusted).`],
		});
		expect(await said(home, {trust: true})).toEqual({code: 0, out: 'Yes.\n', err: []});
		expect((await said(home)).err).toHaveLength(1);
	});

	it('takes the mode from the command line only, and limits the project’s rules', async () => {
		const home = await tempHome();
		await write(
			join(home.home, '.config/inkpod/config.toml'),
			'[[permission]]\ntool = "bash"\nmatch = "git push*"\naction = "deny"\n',
		);
		await write(join(home.cwd, 'inkpod.toml'), allows);
		const user = [{tool: 'bash', match: 'git push*', action: 'deny'}];
		const [allow, deny] = [
			{tool: 'bash', match: 'npm *', action: 'allow'},
			{tool: 'bash', match: 'npm publish*', action: 'deny'},
		];
		const untrusted = await planStart({...start, cwd: home.cwd}, home.env);
		expect(untrusted).toMatchObject({
			ok: true,
			plan: {approval: {rules: {user, project: [deny]}}, untrusted: {rules: [allow, deny]}},
		});
		expect(untrusted.ok && untrusted.plan.said.approval).toBeUndefined();
		const trusted = await planStart({...start, cwd: home.cwd, trust: true, approval: 'auto'}, home.env);
		expect(trusted).toMatchObject({
			ok: true,
			plan: {approval: {rules: {user, project: [allow, deny]}}, said: {approval: 'auto'}},
		});
		expect(trusted.ok && trusted.plan.untrusted).toBeUndefined();
	});

	it('ignores a mode that a project file sets, with a warning', async () => {
		const home = await tempHome();
		await write(join(home.cwd, 'inkpod.toml'), 'approval = "auto"\n');
		const planned = await planStart({...start, cwd: home.cwd}, home.env);
		expect(planned).toMatchObject({
			ok: true,
			plan: {warnings: [expect.stringContaining('inkpod.toml:1: unknown key approval') as unknown]},
		});
		expect(planned.ok && planned.plan.said.approval).toBeUndefined();
	});
});
