import {mkdir, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {print} from '../../src/cli/print.ts';
import {histories} from '../helpers/chat.ts';
import {tempHome, type Home} from '../pod/disk/fixture.ts';

async function prompt(
	home: Home,
	text: string,
	trust = false,
): Promise<{readonly code: number; readonly out: string; readonly err: string}> {
	const script = join(home.home, 'script.json');
	await writeFile(script, JSON.stringify([[{type: 'text', text: 'Yes.'}]]));
	let [out, err] = ['', ''];
	const launch = {
		command: 'print',
		prompt: text,
		format: 'text',
		session: {kind: 'new'},
		readOnly: false,
		addDirs: [],
		cwd: home.cwd,
		model: `scripted:${script}`,
		...(trust && {trust}),
	} as const;
	const code = await print(launch, {
		env: home.env,
		stdout: {write: piece => (out += piece)},
		stderr: {write: piece => (err += piece)},
		piped: undefined,
		signal: new AbortController().signal,
	});
	return {code, out, err};
}

async function write(path: string, text: string): Promise<void> {
	await mkdir(dirname(path), {recursive: true});
	await writeFile(path, text);
}

const workflow = '---\ndescription: d\n---\nDo it.\n';

describe('print mode with project workflows', () => {
	it('exits with 3 for a project workflow that replaces your own, and sends it with --trust for one run', async () => {
		const home = await tempHome();
		await write(join(home.cwd, '.inkpod/workflows/w.md'), workflow);
		await write(join(home.home, '.config/inkpod/workflows/w.md'), workflow);
		const refused = await prompt(home, '/w');
		expect(refused).toMatchObject({code: 3, out: ''});
		expect(refused.err).toContain(
			'The workflow /w was not invoked: nobody can be asked whether to trust .inkpod/workflows/w.md, ' +
				'which replaces your ~/.config/inkpod/workflows/w.md. ' +
				'To trust the current files for this run, use --trust.',
		);
		expect(await histories(home.home)).toEqual([]);
		expect(await prompt(home, '/w', true)).toMatchObject({code: 0, out: 'Yes.\n'});
		expect(await histories(home.home)).toHaveLength(1);
		expect((await prompt(home, '/w')).code).toBe(3);
	});

	it('exits with 3 for a workflow that cannot be read', async () => {
		const home = await tempHome();
		await write(join(home.cwd, '.inkpod/workflows/w.md'), 'no frontmatter');
		expect(await prompt(home, '/w')).toMatchObject({
			code: 3,
			err: 'inkpod: The workflow /w cannot be invoked: .inkpod/workflows/w.md: it has no description.\n',
		});
		expect(await prompt(home, '/x')).toMatchObject({
			code: 3,
			err: expect.stringContaining('Unknown command /x'),
		});
	});
});
