import {readFile, readdir, stat} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import {createMcp} from '../../../../../src/pod/servers/mcp/mcp.ts';
import {logInToMcp, logOutOfMcp} from '../../../../../src/pod/servers/mcp/oauth/login.ts';
import type {ToolOutput} from '../../../../../src/worker/index.ts';
import {configure} from '../../../../helpers/mcp-server.ts';
import {oauthServer, type OAuthFaults} from '../../../../helpers/oauth-server.ts';
import {tempProject} from '../../../../helpers/temp-project.ts';

async function place(faults: OAuthFaults = {}) {
	const server = await oauthServer(faults);
	const project = await tempProject();
	await configure(project, {secured: {type: 'http', url: server.url}});
	const env = {HOME: project.path('../home'), PATH: ''};
	const trust = {acceptPresent: false, onProblem() {}};
	const options = {env, pwd: project.dir, signal: new AbortController().signal, trust};
	const addresses: URL[] = [];
	const pages: string[] = [];
	const logIn = async (browse = true, timeoutMs = 60_000) =>
		logInToMcp('secured', {
			...options,
			timeoutMs,
			onAddress(address) {
				addresses.push(address);
				if (browse) void server.browse(address).then(async page => pages.push(await page.text()));
			},
		});
	const open = () => {
		const warnings: string[] = [];
		const mcp = createMcp({
			pwd: project.dir,
			env,
			trust: {checkAll: async claims => claims.map(() => 'denied')},
			attended: true,
			onStart() {},
			onWarning: text => warnings.push(text),
		});
		onTestFinished(async () => mcp.close());
		const call = async () => {
			const [tool] = mcp.tools();
			const context = {id: 'i', callId: 'c', signal: options.signal, progress() {}};
			return (await tool!.execute({}, context)) as ToolOutput;
		};
		return {mcp, warnings, call, prepare: async () => mcp.prepare(options.signal)};
	};
	return {server, project, env, options, addresses, pages, logIn, open};
}

/** Returns the texts of all files below a folder. */
async function textsBelow(folder: string): Promise<string> {
	const files = await readdir(folder, {recursive: true, withFileTypes: true});
	const texts = files
		.filter(file => file.isFile())
		.map(async file => readFile(join(file.parentPath, file.name), 'utf8'));
	return (await Promise.all(texts)).join('\n');
}

describe('a login at an MCP server', () => {
	it('takes the browser there and back, and the server then gives its tools', async () => {
		const {server, logIn, open, addresses, pages, project} = await place();
		const before = open();
		await before.prepare();
		expect(before.mcp.tools()).toEqual([]);
		expect(before.warnings.join()).toContain('Run: inkpod mcp login secured');
		expect(server.seen.filter(line => line.includes('register'))).toEqual([]);
		expect(await logIn()).toEqual({ok: true, sentence: 'Logged in to secured.'});
		expect(pages.join()).toContain('You are logged in');
		expect(addresses[0]!.searchParams.get('code_challenge_method')).toBe('S256');
		const {mcp, prepare, call} = open();
		await prepare();
		expect(mcp.tools().map(({definition}) => definition.name)).toEqual(['mcp__secured__whoami']);
		expect((await call()).content).toBe('you are logged in');
		expect(server.problems).toEqual([]);
		const file = project.path('../home/.config/inkpod/credentials');
		expect((await stat(file)).mode & 0o777).toBe(0o600);
	});

	it('renews its tokens, also in two sessions that use the same ones', async () => {
		const {server, logIn, open} = await place();
		await logIn();
		const [one, two] = [open(), open()];
		await one.prepare();
		await two.prepare();
		server.expire();
		expect((await one.call()).content).toBe('you are logged in');
		expect((await two.call()).content).toBe('you are logged in');
		server.expire();
		const three = open();
		await three.prepare();
		expect((await three.call()).content).toBe('you are logged in');
	});

	it('ends with one sentence and the next step when the server revokes it', async () => {
		const {server, logIn, open} = await place();
		await logIn();
		const session = open();
		await session.prepare();
		server.revoke();
		const output = await session.call();
		expect(output).toMatchObject({isError: true, content: expect.stringContaining('requires a new login')});
		await session.prepare();
		expect(session.mcp.tools()).toEqual([]);
		expect(session.warnings.join()).toContain('Run: inkpod mcp login secured');
		expect(await logIn()).toMatchObject({ok: true});
		await session.prepare();
		expect((await session.call()).content).toBe('you are logged in');
	});

	it('is removed by a logout', async () => {
		const {options, logIn, open} = await place();
		await logIn();
		expect(await logOutOfMcp('secured', options)).toEqual({
			ok: true,
			sentence: 'The stored login for secured is removed.',
		});
		expect(await logOutOfMcp('secured', options)).toMatchObject({sentence: 'No login for secured is stored.'});
		const session = open();
		await session.prepare();
		expect(session.mcp.tools()).toEqual([]);
	});

	it('never sends a token to another server, also after the address changed', async () => {
		const {logIn, project, open} = await place();
		await logIn();
		const other = await oauthServer();
		await configure(project, {secured: {type: 'http', url: other.url}});
		const session = open();
		await session.prepare();
		expect(session.mcp.tools()).toEqual([]);
		expect(session.warnings.join()).toContain('inkpod mcp login');
		expect(other.seen.every(line => line.endsWith('/mcp'))).toBe(true);
	});

	it('is stored in the file of keys only', async () => {
		const {server, logIn, open, project} = await place();
		await logIn();
		const session = open();
		await session.prepare();
		await session.call();
		const all = await textsBelow(project.path('..'));
		for (const token of server.tokens()) expect(all).not.toContain(token);
		expect(session.warnings).toEqual([]);
	});
});

describe('a login that is refused', () => {
	it.each<[string, OAuthFaults, RegExp]>([
		[
			'metadata that redirect to another host',
			{metadataRedirect: 'https://elsewhere.example/'},
			/redirects to another/,
		],
		['metadata of another issuer', {issuer: 'https://elsewhere.example'}, /issuer/i],
		['an answer of another issuer', {returnedIssuer: 'https://elsewhere.example'}, /issuer/i],
		['a login page without https', {authorizationEndpoint: 'http://elsewhere.example/'}, /https|not allowed/],
		[
			'a login page that is a program',
			{authorizationEndpoint: 'file:///bin/sh'},
			/https|not allowed|valid|protocol/i,
		],
		['a login page with a command', {authorizationEndpoint: 'https://a$(touch x)/'}, /failed|https/],
		['metadata without an end', {endlessMetadata: true}, /more than 1048576 bytes/],
		['the word of the server', {refusal: 'access_denied\u001b[2J'}, /refused the login: access_denied[^\u001b]*$/],
	])('by %s stores nothing and opens no other page', async (_, faults, sentence) => {
		const {logIn, addresses, project} = await place(faults);
		const result = await logIn();
		expect(result).toMatchObject({ok: false, sentence: expect.stringMatching(sentence)});
		expect(addresses.map(({origin}) => origin)).toEqual(
			addresses.map(() => expect.stringMatching(/^http:\/\/127\./)),
		);
		await expect(readFile(project.path('../home/.config/inkpod/credentials'))).rejects.toThrow('ENOENT');
	});

	it('ignores a return with another state, to another host, or a second one', async () => {
		const {server, options, project} = await place();
		const tried: number[] = [];
		const result = await logInToMcp('secured', {
			...options,
			onAddress(address) {
				void (async () => {
					const redirect = address.searchParams.get('redirect_uri')!;
					for (const query of ['?code=x&state=wrong', '?code=x', '', '?error=no&state=wrong'])
						tried.push((await fetch(`${redirect}${query}`)).status);
					tried.push((await fetch(redirect.replace('/callback', '/other'))).status);
					tried.push((await fetch(redirect, {method: 'POST'})).status);
					await server.browse(address);
				})();
			},
		});
		expect(tried).toEqual([404, 404, 404, 404, 404, 404]);
		expect(result.ok).toBe(true);
		expect(await readFile(project.path('../home/.config/inkpod/credentials'), 'utf8')).toContain('mcp-login-');
	});

	it('says that nobody logged in', async () => {
		const {logIn} = await place();
		expect(await logIn(false, 50)).toMatchObject({ok: false, sentence: expect.stringContaining('5 minutes')});
	});

	it.each([
		['an unknown server', {}, /no MCP server secured/],
		['a program', {secured: {command: 'x'}}, /needs no login/],
		[
			'an address without https',
			{secured: {url: 'http://a.example/mcp'}},
			/does not use https and is not on this machine/,
		],
		[
			'a header of the user',
			{secured: {url: 'https://a.example', headers: {authorization: 'x'}}},
			/header of its own/,
		],
	])('begins at no server: %s', async (_, servers, sentence) => {
		const {project, logIn} = await place();
		await configure(project, servers);
		expect(await logIn()).toMatchObject({ok: false, sentence: expect.stringMatching(sentence)});
	});
});
