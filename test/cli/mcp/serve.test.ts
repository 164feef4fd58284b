import {mkdir, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {Client} from '@modelcontextprotocol/sdk/client/index.js';
import {StdioClientTransport} from '@modelcontextprotocol/sdk/client/stdio.js';
import {describe, expect, it, onTestFinished} from 'vitest';
import {builtProgram, projectRoot} from '../../helpers/built.ts';
import {cleanEnvironment} from '../../helpers/pty.ts';
import {tempProject, type TempProject} from '../../helpers/temp-project.ts';

async function connect(project: TempProject, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
	const transport = new StdioClientTransport({
		command: process.execPath,
		args: [await builtProgram(), 'mcp', 'serve', ...args],
		cwd: project.dir,
		env: {...cleanEnvironment(join(project.dir, '../home')), ...env},
		stderr: 'pipe',
	});
	let errors = '';
	transport.stderr?.on('data', chunk => (errors += String(chunk)));
	const client = new Client({name: 'test', version: '1'});
	const problems: Error[] = [];
	client.onerror = error => problems.push(error);
	await client.connect(transport);
	onTestFinished(async () => client.close());
	const call = async (name: string, given: Readonly<Record<string, unknown>>) => {
		const {content, isError} = await client.callTool({name, arguments: given});
		const [first] = content as ReadonlyArray<{readonly text: string}>;
		return {text: first?.text ?? '', isError: isError === true};
	};
	const names = async () => (await client.listTools()).tools.map(({name}) => name);
	return {client, call, names, problems, errors: () => errors, pid: transport.pid!};
}

describe('inkpod mcp serve', () => {
	it('offers the tools that read, through the same scope and limits as in a session', async () => {
		const project = await tempProject({'src/a.ts': 'const answer = 42;\n', 'notes.md': '# Notes\n'});
		const {call, names, problems} = await connect(project);
		expect(await names()).toEqual(['read_file', 'glob', 'grep']);
		expect((await call('read_file', {path: 'src/a.ts'})).text).toBe('const answer = 42;');
		expect((await call('glob', {pattern: '**/*.md'})).text).toContain('notes.md');
		expect((await call('grep', {pattern: 'answer'})).text).toContain('src/a.ts');
		expect(await call('read_file', {path: '/etc/passwd'})).toMatchObject({isError: true});
		expect(await call('read_file', {path: 'src/a.ts', offset: -1})).toMatchObject({isError: true});
		expect(problems).toEqual([]);
	});

	it('refuses secrets, because nobody can confirm them', async () => {
		const project = await tempProject({'.env': 'TOKEN=hunter2-hunter2\n'});
		const {call} = await connect(project, ['--write']);
		const read = await call('read_file', {path: '.env'});
		expect(read).toMatchObject({isError: true});
		expect(read.text).not.toContain('hunter2');
		expect((await call('grep', {pattern: 'hunter2'})).text).not.toContain('TOKEN=');
	});

	it('changes files only with --write, and none that other programs execute', async () => {
		const project = await tempProject({'a.txt': 'one\n'});
		await mkdir(join(project.dir, '.git/hooks'), {recursive: true});
		const readOnly = await connect(project);
		await expect(readOnly.call('write_file', {path: 'b.txt', content: 'x'})).rejects.toThrow('no tool write_file');
		const {call, names} = await connect(project, ['--write']);
		expect(await names()).toEqual(['read_file', 'glob', 'grep', 'write_file', 'edit_file']);
		const page = await readFile(join(projectRoot, 'docs/mcp.md'), 'utf8');
		const section = page.split('\n## ').find(part => part.startsWith('inkpod as a server\n'));
		for (const name of await names()) expect(section).toContain(`\`${name}\``);
		await call('read_file', {path: 'a.txt'});
		expect(await call('edit_file', {path: 'a.txt', edits: [{old: 'one', new: 'two'}]})).toMatchObject({
			isError: false,
		});
		expect(await readFile(join(project.dir, 'a.txt'), 'utf8')).toBe('two\n');
		expect(await call('write_file', {path: '.git/hooks/pre-commit', content: 'evil'})).toMatchObject({
			isError: true,
		});
		expect(await call('write_file', {path: '../outside.txt', content: 'x'})).toMatchObject({isError: true});
	});

	it('runs only commands that a rule of the user allows, never one of an untrusted project', async () => {
		const project = await tempProject({
			'inkpod.toml': '[[permission]]\ntool = "bash"\nmatch = "*"\naction = "allow"\n',
		});
		expect(await (await connect(project)).names()).not.toContain('bash');
		const {call, names} = await connect(project, ['--allow', 'bash(echo *)', '--no-confine']);
		expect(await names()).toContain('bash');
		expect((await call('bash', {command: 'echo hello'})).text).toContain('hello');
		const denied = await call('bash', {command: 'touch made'});
		expect(denied.isError).toBe(true);
		expect(denied.text).toContain('approve');
	});

	it('ends when its client is gone, with the commands that still run', async () => {
		const script = `require('fs').writeFileSync('pid', String(process.pid)); setInterval(() => {}, 1000);`;
		const project = await tempProject({'wait.cjs': script});
		const {client, call, pid} = await connect(project, ['--allow', 'bash', '--no-confine']);
		const started = await call('bash', {command: 'node wait.cjs', background: true});
		expect(started).toMatchObject({isError: false});
		await expect.poll(async () => readFile(join(project.dir, 'pid'), 'utf8').catch(() => '')).toMatch(/\d/);
		const command = Number(await readFile(join(project.dir, 'pid'), 'utf8'));
		await client.close();
		await expect.poll(() => isRunning(pid)).toBe(false);
		await expect.poll(() => isRunning(command)).toBe(false);
	});

	it('says on stderr why it does not start, and writes nothing but the protocol to stdout', async () => {
		const project = await tempProject({});
		await mkdir(join(project.dir, '../home/.config/inkpod'), {recursive: true});
		await writeFile(join(project.dir, '../home/.config/inkpod/config.toml'), 'broken =');
		await expect(connect(project)).rejects.toThrow('Connection closed');
	});
});

function isRunning(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch {
		return false;
	}
}
