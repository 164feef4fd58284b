import {chmod, readFile} from 'node:fs/promises';
import {PassThrough} from 'node:stream';
import {describe, expect, it} from 'vitest';
import {mcpLogin} from '../../../src/cli/mcp/login.ts';
import {configure} from '../../helpers/mcp-server.ts';
import {oauthServer} from '../../helpers/oauth-server.ts';
import {tempProject} from '../../helpers/temp-project.ts';

async function place() {
	const server = await oauthServer();
	const project = await tempProject();
	await configure(project, {secured: {type: 'http', url: server.url}});
	// A browser: it writes down its arguments and environment, and goes to the address and back.
	const browser = [
		`#!${process.execPath}`,
		`const ran = {args: process.argv.slice(2), env: process.env};`,
		`require('fs').writeFileSync(__dirname + '/ran.json', JSON.stringify(ran));`,
		`fetch(process.argv[2]);`,
	].join('\n');
	await chmod(await project.write('../bin/xdg-open', browser), 0o755);
	const env = {HOME: project.path('../home'), PATH: project.path('../bin'), ANTHROPIC_API_KEY: 'sk-secret'};
	const run = async (
		kind: 'login' | 'logout',
		noBrowser: boolean,
		onAddress: (address: string) => void = () => {},
		{typed, trust = false}: {readonly typed?: string; readonly trust?: boolean} = {},
	) => {
		const out: string[] = [];
		const err: string[] = [];
		const isTTY = typed !== undefined;
		const stdin = Object.assign(new PassThrough(), {isTTY});
		const stderr = Object.assign(new PassThrough(), {isTTY});
		stderr.on('data', (bytes: Buffer) => {
			const text = bytes.toString();
			err.push(text);
			const [address] = /http:\S+\/authorize\S+/.exec(text) ?? [];
			if (address !== undefined) onAddress(address);
		});
		stdin.end(typed);
		const code = await mcpLogin({
			kind,
			name: 'secured',
			noBrowser,
			trust,
			cwd: project.dir,
			env,
			signal: new AbortController().signal,
			stdout: {write: text => out.push(text)},
			stdin,
			stderr,
		});
		return {code, out: out.join(''), err: err.join('')};
	};
	return {server, project, run};
}

describe.skipIf(process.platform === 'darwin')('inkpod mcp login', () => {
	it('starts the browser with the address as its only argument, and without keys', async () => {
		const {run, project, server} = await place();
		const {code, out} = await run('login', false);
		expect([code, out]).toEqual([0, 'Logged in to secured.\n']);
		const ran = JSON.parse(await readFile(project.path('../bin/ran.json'), 'utf8')) as {
			args: string[];
			env: object;
		};
		expect(ran.args).toEqual([expect.stringMatching(new RegExp(`^${server.origin}/authorize\\?`))]);
		expect(ran.env).not.toHaveProperty('ANTHROPIC_API_KEY');
	});

	it('only prints the address with --no-browser', async () => {
		const {run, project, server} = await place();
		const {code, err} = await run('login', true, address => void server.browse(address));
		expect([code, err]).toEqual([0, expect.stringMatching(/^Log in at:\nhttp:\/\/127\.0\.0\.1:\d+\/authorize\?/)]);
		await expect(readFile(project.path('../bin/ran.json'))).rejects.toThrow('ENOENT');
		expect(await run('logout', false)).toMatchObject({code: 0, out: 'The stored login for secured is removed.\n'});
	});

	it('exits with 1 when the login fails', async () => {
		const {run, project} = await place();
		await configure(project, {});
		expect(await run('login', true)).toMatchObject({
			code: 1,
			err: expect.stringContaining('no MCP server secured'),
		});
	});

	describe('with an entry of the project', () => {
		const projectPlace = async () => {
			const {server, project, run} = await place();
			await configure(project, {});
			await project.write('.mcp.json', JSON.stringify({mcpServers: {secured: {type: 'http', url: server.url}}}));
			const logIn = async (how: {readonly typed?: string; readonly trust?: boolean} = {}) =>
				run('login', true, address => void server.browse(address), how);
			return {server, logIn};
		};

		it('connects to nothing without a terminal, and names --trust', async () => {
			const {server, logIn} = await projectPlace();
			expect(await logIn()).toMatchObject({code: 3, out: '', err: expect.stringContaining('--trust')});
			expect(server.seen).toEqual([]);
			expect(await logIn({trust: true})).toMatchObject({code: 0, out: 'Logged in to secured.\n'});
			expect((await logIn()).code).toBe(3);
		});

		it.each(['n\n', '\n', ''])('connects to nothing after %j', async typed => {
			const {server, logIn} = await projectPlace();
			const {code, err} = await logIn({typed});
			expect([code, err]).toEqual([3, expect.stringContaining(server.url)]);
			expect(server.seen).toEqual([]);
		});

		it('logs in after a yes, which also counts later', async () => {
			const {logIn} = await projectPlace();
			expect((await logIn({typed: 'y\n'})).code).toBe(0);
			expect((await logIn()).code).toBe(0);
		});
	});
});
