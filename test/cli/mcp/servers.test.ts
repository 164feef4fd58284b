import {mkdir, readFile, symlink, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {mcp} from '../../../src/cli/mcp/mcp.ts';
import {parseLaunch} from '../../../src/cli/args.ts';
import {tempProject} from '../../helpers/temp-project.ts';

async function place() {
	const project = await tempProject({});
	const home = join(project.dir, '../home');
	const run = async (...args: string[]) => {
		const out: string[] = [];
		const err: string[] = [];
		const parsed = parseLaunch(['mcp', '--cwd', project.dir, ...args]);
		if (!parsed.ok) return {code: 2, out: '', err: parsed.sentence};
		if (parsed.launch.command !== 'mcp') throw new Error(parsed.launch.command);
		const code = await mcp({
			action: parsed.launch.action,
			version: '1',
			env: {HOME: home, PATH: ''},
			stdin: process.stdin,
			stdout: {write: (text: string) => out.push(text)} as never,
			stderr: {write: (text: string) => err.push(text)} as never,
			signal: new AbortController().signal,
		});
		return {code, out: out.join(''), err: err.join('')};
	};
	return {project, run, user: join(home, '.config/inkpod/mcp.json'), shared: join(project.dir, '.mcp.json')};
}

const json = async (file: string): Promise<unknown> => JSON.parse(await readFile(file, 'utf8'));

describe('inkpod mcp add', () => {
	it('adds a program or an address to the file of the user, and keeps the rest of it', async () => {
		const {run, user} = await place();
		expect(await run('add', 'files', '--env', 'LOG=a=b', '--', 'npx', '-y', 'server', '.')).toMatchObject({
			code: 0,
		});
		await run('add', 'tracker', 'https://tracker.example/mcp', '--header', 'Authorization: Bearer ${TOKEN}');
		expect(await json(user)).toEqual({
			mcpServers: {
				files: {command: 'npx', args: ['-y', 'server', '.'], env: {LOG: 'a=b'}},
				tracker: {
					type: 'http',
					url: 'https://tracker.example/mcp',
					headers: {Authorization: 'Bearer ${TOKEN}'},
				},
			},
		});
	});

	it('adds to the project on request, with its indentation, and says that it is asked about', async () => {
		const {run, shared} = await place();
		await writeFile(shared, '{\n\t"note": [1],\n\t"mcpServers": {"a": {"command": "x", "other": 1}}\n}\n');
		const {code, out} = await run('add', 'b', '--project', '--', 'y');
		expect([code, out]).toEqual([0, expect.stringContaining('asks whether you trust it')]);
		expect(await readFile(shared, 'utf8')).toContain('\n\t"note"');
		expect(await json(shared)).toEqual({
			note: [1],
			mcpServers: {a: {command: 'x', other: 1}, b: {command: 'y'}},
		});
	});

	it.each([
		['a name that is taken', ['add', 'a', '--', 'y'], /already has a server a/],
		['a name that is no name', ['add', '../x', '--', 'y'], /is not a server name/],
		['no command', ['add', 'b'], /inkpod mcp add NAME -- COMMAND/],
		[
			'a header for a program',
			['add', 'b', '--header', 'A: b', '--', 'y'],
			/--header is for servers with an address/,
		],
		[
			'a variable for an address',
			['add', 'b', 'http://x', '--env', 'A=b'],
			/--env is for servers that are programs/,
		],
		[
			'a variable without a value',
			['add', 'b', '--env', 'SECRET-TOKEN-1234567890', '--', 'y'],
			/^(?!.*SECRET).*--env/s,
		],
		['an unknown action', ['frob'], /serve, add, list, remove, login or logout/],
	])('refuses %s and changes nothing', async (_, args, sentence) => {
		const {run, user} = await place();
		await run('add', 'a', '--', 'x');
		const before = await readFile(user, 'utf8');
		expect(await run(...args)).toMatchObject({code: 2, err: expect.stringMatching(sentence)});
		expect(await readFile(user, 'utf8')).toBe(before);
	});

	it('never follows a link of the project, and never changes a file that it cannot read', async () => {
		const {project, run, user, shared} = await place();
		await project.write('../elsewhere.json', '{"mcpServers": {}}');
		await symlink('../elsewhere.json', shared);
		expect(await run('add', 'b', '--project', '--', 'y')).toMatchObject({
			code: 2,
			err: expect.stringContaining('link'),
		});
		await mkdir(join(user, '..'), {recursive: true});
		await writeFile(user, '{"mcpServers": {');
		expect(await run('add', 'b', '--', 'y')).toMatchObject({
			code: 2,
			err: expect.stringContaining('not valid JSON'),
		});
		expect(await readFile(user, 'utf8')).toBe('{"mcpServers": {');
	});
});

describe('inkpod mcp remove', () => {
	it('removes one server, and says when there is none', async () => {
		const {run, user} = await place();
		await run('add', 'a', '--', 'x');
		await run('add', 'b', '--', 'x');
		expect(await run('remove', 'a')).toMatchObject({code: 0, out: expect.stringContaining('Removed a')});
		expect(await json(user)).toEqual({mcpServers: {b: {command: 'x'}}});
		expect(await run('remove', 'a')).toMatchObject({code: 2, err: expect.stringContaining('has no server a')});
		expect(await run('remove', 'a', '--project')).toMatchObject({
			code: 2,
			err: expect.stringContaining('not exist'),
		});
	});
});

describe('inkpod mcp list', () => {
	it('lists the servers of both files without starting any', async () => {
		const {run, shared} = await place();
		expect((await run('list')).out).toContain('inkpod mcp add');
		await run('add', 'mine', '--', 'touch', 'started');
		await writeFile(
			shared,
			'{"mcpServers": {"theirs": {"url": "https://a.example/"}, "bad": {}, "mine": {"command": "z"}}}',
		);
		const {out, err} = await run('list');
		expect(out).toMatch(/^mine +yours +touch started$/m);
		expect(out).toMatch(/^theirs +project +https:\/\/a\.example\/$/m);
		expect(out).toMatch(/^bad +broken /m);
		expect(err).toContain('mine');
		expect(JSON.parse((await run('list', '--json')).out)).toContainEqual(
			expect.objectContaining({name: 'mine', source: 'user', transport: 'stdio'}),
		);
	});
});
