import {access, chmod, mkdir, readdir, writeFile} from 'node:fs/promises';
import {createServer, type Server} from 'node:http';
import type {AddressInfo} from 'node:net';
import {dirname, join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import {doctor} from '../../src/cli/doctor.ts';
import type {Fact} from '../../src/cli/doctor/environment.ts';
import {probeConfinement} from '../../src/pod/permissions/confine/probe.ts';
import {historyFile, lockFile} from '../../src/pod/disk/paths.ts';
import {storedSession, tempHome, user} from '../pod/disk/fixture.ts';

const confinable = await probeConfinement({PATH: '/usr/bin:/bin'}, '/nowhere');

type Place = {readonly cwd: string; readonly env: Readonly<Record<string, string>>};

async function place(
	extra: Readonly<Record<string, string>> = {},
): Promise<Place & {readonly home: Awaited<ReturnType<typeof tempHome>>}> {
	const home = await tempHome();
	const around = dirname(home.cwd);
	await mkdir(join(around, 'run'), {recursive: true});
	return {
		home,
		cwd: home.cwd,
		env: {
			HOME: join(around, 'home'),
			...(home.env as Record<string, string>),
			XDG_CONFIG_HOME: join(around, 'config'),
			XDG_RUNTIME_DIR: join(around, 'run'),
			PATH: '/usr/bin:/bin',
			LANG: 'C.UTF-8',
			TERM: 'xterm-256color',
			...extra,
		},
	};
}

async function examine(
	{cwd, env}: Place,
	{model, json = false}: {readonly model?: string; readonly json?: boolean} = {},
): Promise<{readonly code: number; readonly out: string}> {
	let out = '';
	const code = await doctor({
		json,
		version: '1.2.3',
		cwd,
		env,
		stdout: {write: text => (out += text), isTTY: true, columns: 80, rows: 24},
		...(model !== undefined && {model}),
	});
	return {code, out};
}

/** Moves the local servers to a closed port, because this machine may have some on the usual ones. */
async function withoutLocalServers({env}: Place): Promise<void> {
	const names = ['ollama', 'lmstudio', '"llama.cpp"', 'vllm'];
	const toml = names.map(name => `[providers.${name}]\nbase_url = "http://127.0.0.1:9"\n`).join('');
	await mkdir(join(env['XDG_CONFIG_HOME']!, 'inkpod'), {recursive: true});
	await writeFile(join(env['XDG_CONFIG_HOME']!, 'inkpod', 'config.toml'), toml);
}

async function serving(
	status: number,
): Promise<{readonly server: Server; readonly url: string; readonly asked: string[]}> {
	const asked: string[] = [];
	const server = createServer((request, response) => {
		asked.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)}`);
		response.writeHead(status).end('{}');
	});
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
	onTestFinished(() => void server.close());
	return {server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, asked};
}

describe('inkpod doctor', () => {
	it('lists the configured MCP servers without starting them', async () => {
		const at = await place();
		await mkdir(join(at.env['XDG_CONFIG_HOME']!, 'inkpod'), {recursive: true});
		await writeFile(
			join(at.env['XDG_CONFIG_HOME']!, 'inkpod', 'mcp.json'),
			'{"mcpServers": {"mine": {"command": "touch", "args": ["started"]}, "bad": {}}}',
		);
		await writeFile(
			join(at.cwd, '.mcp.json'),
			'{"mcpServers": {"theirs": {"url": "https://a.example/mcp?key=1"}}}',
		);
		const {code, out} = await examine(at);
		expect(code).toBe(1);
		expect(out).toContain('✓ mcp         mine: touch started\n');
		expect(out).toContain(
			'✓ mcp         theirs: https://a.example/mcp (from this project: starts once you trust it)\n',
		);
		expect(out).toMatch(/× mcp {9}\S+mcp\.json: mcpServers\.bad has neither a command nor a url\.\n/);
		await expect(access(join(at.cwd, 'started'))).rejects.toThrow('ENOENT');
	});

	it('prints one fact per line and exits with 0 when nothing is wrong', async () => {
		const {code, out} = await examine(await place({TMUX: '/tmp/tmux,1,0'}));
		expect(code).toBe(0);
		expect(out).toMatch(/^✓ inkpod {6}1\.2\.3 on /);
		expect(out).toMatch(/\n✓ terminal {4}80 columns, 24 rows, TERM=xterm-256color, in tmux\n/);
		expect(out).toMatch(/\n✓ locale {6}LANG=C\.UTF-8\n/);
		expect(out).toMatch(/\n✓ model {7}offline, default\n✓ reach {7}offline: no network check needed\n/);
		expect(out).toMatch(/\n✓ workflows {3}0 available\n/);
		expect(
			out
				.split('\n')
				.slice(0, -1)
				.every(line => /^[✓·] \w/.test(line)),
		).toBe(true);
	});

	it('names keys and addresses, but prints no value, password or query', async () => {
		const {url, asked} = await serving(404);
		const {out, code} = await examine(
			await place({
				ANTHROPIC_API_KEY: 'sk-very-secret',
				ANTHROPIC_BASE_URL: `${url.replace('//', '//me:hidden@')}?key=alsohidden`,
			}),
			{model: 'anthropic/some'},
		);
		expect(code).toBe(0);
		expect(out).toMatch(/✓ keys {8}anthropic: key from ANTHROPIC_API_KEY\n/);
		expect(out).toMatch(
			/· serve {7}If your system starts inkpod serve, the server does not get the key of anthropic\. /,
		);
		expect(out).toContain(
			'✓ model       anthropic/some, from --model, key from ANTHROPIC_API_KEY\n' +
				`✓ reach       GET ${url} without a key: status 404\n`,
		);
		expect(out).not.toMatch(/very-secret|hidden/);
		expect(asked).toEqual([expect.stringMatching(/^GET \/v1 /)]);
		expect(asked.join()).not.toMatch(/very-secret|hidden|authorization|x-api-key/i);
	});

	it('names the sources of keys, and what to do next without a model', async () => {
		const at = await place({GROQ_API_KEY: 'k'});
		await withoutLocalServers(at);
		const file = join(at.env['XDG_CONFIG_HOME']!, 'inkpod', 'credentials');
		await writeFile(file, '{"keys": {"xai": {"key": "hidden-1"}, "kimi": {"keychain": true}}}', {mode: 0o600});
		const {out} = await examine(at);
		expect(out).toMatch(
			/✓ keys {8}kimi: key from keychain\n✓ keys {8}groq: key from GROQ_API_KEY\n✓ keys {8}xai: key from file\n/,
		);
		expect(out).toMatch(/· next {8}No model is chosen\. List the models/);
		expect(out).not.toContain('hidden');
		await chmod(file, 0o644);
		const open = await examine(at);
		expect(open.out).toMatch(/× keys {8}\S+credentials is not used: other users can read or change it/);
		expect(open.code).toBe(1);
	});

	it('says how to connect a model if there is none', async () => {
		const at = await place();
		await withoutLocalServers(at);
		const {out} = await examine(at);
		expect(out).toMatch(/· keys {8}No key found\. Enter one with: inkpod login anthropic/);
		expect(out).toMatch(/✓ local {7}No model server answers on this machine/);
		expect(out).toMatch(/· next {8}No model is connected\. Enter a key with inkpod login PROVIDER/);
	});

	it('exits with 1 and a reason when the server cannot be reached', async () => {
		const {server, url} = await serving(200);
		await new Promise(resolve => server.close(resolve));
		expect(
			await examine(await place({OPENAI_COMPATIBLE_BASE_URL: url}), {model: 'openai-compatible/m'}),
		).toMatchObject({
			code: 1,
			out: expect.stringContaining(
				`× reach       GET ${url} without a key: the server cannot be reached (ECONNREFUSED)`,
			) as unknown,
		});
	});

	it.each([
		['an impossible model', {model: 'nobody/x'}, /× model {7}The model "nobody\/x" cannot be used/],
		['a model whose key is missing', {model: 'anthropic/x'}, /× model .*set ANTHROPIC_API_KEY in the environment/],
		[
			'a missing script',
			{model: 'scripted:/nowhere.json'},
			/× reach {7}Cannot read the script \/nowhere\.json \(ENOENT\)/,
		],
	])('reports %s as a failure', async (_name, options, line) => {
		expect(await examine(await place(), options)).toMatchObject({
			code: 1,
			out: expect.stringMatching(line) as unknown,
		});
	});

	it('reports broken configuration files and continues with the rest', async () => {
		const at = await place();
		await mkdir(join(at.env['XDG_CONFIG_HOME']!, 'inkpod'), {recursive: true});
		await writeFile(join(at.env['XDG_CONFIG_HOME']!, 'inkpod', 'config.toml'), '[screen]\nbell = "loud"\n');
		await writeFile(join(at.cwd, 'inkpod.toml'), 'scope = 3\n');
		const {code, out} = await examine(at);
		expect(code).toBe(1);
		expect(out).toMatch(/× config .*config\.toml.*bell[^\n]*\n× project .*inkpod\.toml[^\n]*scope/);
		expect(out).toMatch(/✓ sessions/);
	});

	it('reports an unknown key binding and a broken workflow', async () => {
		const at = await place();
		await mkdir(join(at.env['XDG_CONFIG_HOME']!, 'inkpod'), {recursive: true});
		await writeFile(join(at.env['XDG_CONFIG_HOME']!, 'inkpod', 'config.toml'), '[keys]\nfly = "f3"\n');
		await mkdir(join(at.cwd, '.inkpod', 'workflows'), {recursive: true});
		await writeFile(join(at.cwd, '.inkpod', 'workflows', 'bad.md'), '---\nrequires: [nothing]\n---\nDo it.\n');
		const {code, out} = await examine(at);
		expect(code).toBe(1);
		expect(out).toMatch(/× config .*\[keys\].*fly/);
		expect(out).toMatch(/× workflows {3}\.inkpod\/workflows\/bad\.md: /);
	});

	it('counts sessions, and reports broken ones, stale locks and stale sockets without changing them', async () => {
		const at = await place();
		const {dir} = await storedSession(at.home, [[user('a', '1')]]);
		await storedSession(at.home, [[user('b', '2')]]);
		await writeFile(
			lockFile(dir),
			JSON.stringify({
				pid: 2 ** 22 - 1,
				processStart: '1',
				bootId: 'another',
				host: (await import('node:os')).hostname(),
			}),
		);
		const whole = await examine(at);
		expect(whole).toMatchObject({
			code: 0,
			out: expect.stringMatching(/✓ sessions {4}2 sessions, \d+ B\n/) as unknown,
		});
		expect(whole.out).toMatch(/· locks {7}Locks of exited processes, which the next start takes over: \w{26}\n/);
		await writeFile(historyFile(dir), '{"format":"inkpod.history/99","session":"x","items":[\n]}\n');
		expect(await examine(at)).toMatchObject({
			code: 1,
			out: expect.stringMatching(/× sessions {4}\w{26}: /) as unknown,
		});
	});

	it.skipIf(process.getuid?.() === 0)('reports a folder that is not writable', async () => {
		const at = await place();
		const closed = join(dirname(at.cwd), 'closed');
		await mkdir(closed, {mode: 0o500});
		expect(await examine({...at, env: {...at.env, INKPOD_HOME: join(closed, 'state')}})).toMatchObject({
			code: 1,
			out: expect.stringMatching(/× sessions .*not writable \(EACCES\)/) as unknown,
		});
		await chmod(closed, 0o700);
	});

	it('prints the same facts with --json', async () => {
		const {code, out} = await examine(await place(), {json: true});
		const facts = JSON.parse(out) as Fact[];
		expect(code).toBe(0);
		expect(facts.map(({about}) => about)).toEqual(
			expect.arrayContaining([
				'node',
				'terminal',
				'keys',
				'config',
				'model',
				'sessions',
				'workflows',
				'ripgrep',
				'editor',
				'pager',
				'clipboard',
			]),
		);
	});
});

describe('the confinement check of inkpod doctor', () => {
	it.runIf(confinable.ok)('tries a layer of the project, and says why commands cannot work on one', async () => {
		const there = await place();
		await examine(there);
		expect(await readdir(there.cwd)).toEqual([]);
		const {out} = await examine({...there, env: {...there.env, INKPOD_HOME: '/dev/null/state'}});
		expect(out).toMatch(
			/bwrap works, but cells \(layers over the project\) do not: overlayfs does not work here\. Confined commands/,
		);
	});
});

describe('the network check of inkpod doctor', () => {
	it('names the variables in use and their mistakes, but not their values', async () => {
		const there = await place({
			https_proxy: 'socks5://me:topsecret@proxy.example:1080',
			SSL_CERT_FILE: '/nowhere/ca.pem',
			OPENAI_API_KEY: 'sk-0123',
		});
		const {code, out} = await examine(there, {model: 'openai/gpt-6'});
		expect(code).toBe(1);
		expect(out).toContain('Connections use https_proxy, SSL_CERT_FILE');
		expect(out).toContain('https_proxy names a proxy with the scheme socks5');
		expect(out).toContain('SSL_CERT_FILE is ignored: /nowhere/ca.pem cannot be read (ENOENT)');
		expect(out).not.toContain('topsecret');
	});
});
