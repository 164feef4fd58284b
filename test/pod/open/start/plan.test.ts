import {mkdir, symlink, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {describe, expect, it} from 'vitest';
import type {Start} from '../../../../src/cli/start/launch.ts';
import {planStart, type Planned} from '../../../../src/pod/open/start/plan.ts';
import {configDirectory} from '../../../../src/pod/ground/env/env.ts';
import {sessionsRoot} from '../../../../src/pod/disk/paths.ts';
import {storedSession, tempHome, user, type Home} from '../../disk/fixture.ts';

const start = {session: {kind: 'new'}, readOnly: false, addDirs: []} as const;

async function plan(
	home: Home,
	change: Partial<Start> = {},
	env: Readonly<Record<string, string>> = {},
	picked?: string,
): Promise<Planned> {
	return planStart({...start, cwd: home.cwd, ...change}, {...home.env, ...env}, picked === undefined ? {} : {picked});
}

describe('the options of a start', () => {
	const write = async (home: Home, text: string) => {
		await mkdir(configDirectory(home.env), {recursive: true});
		await writeFile(join(configDirectory(home.env), 'config.toml'), text);
	};

	it('apply to the chosen model, also when it is chosen again', async () => {
		const home = await tempHome();
		expect(await plan(home, {model: 'ollama/q', options: ['temperature=0.5']})).toMatchObject({
			plan: {
				model: {spec: {settings: {temperature: 0.5}}},
				modelSources: {options: {settings: {temperature: 0.5}}},
			},
		});
		expect(await plan(home, {model: 'ollama/q', options: ['warmth=1']})).toMatchObject({
			ok: false,
			sentence: expect.stringMatching(/^--option "warmth=1" is not an option/),
		});
	});

	it('replace a configured effort that the model lacks, and say so', async () => {
		const home = await tempHome();
		await write(home, '[model]\nname = "openai/gpt-5-mini"\neffort = "max"\n');
		const env = {OPENAI_API_KEY: 'k'};
		expect(await plan(home, {}, env)).toMatchObject({
			plan: {model: {spec: {settings: {reasoning: 'high'}}, lacksEffort: 'max'}},
		});
	});
});

describe('the session of a start', () => {
	it('is the chosen one, and an error without a choice', async () => {
		const home = await tempHome();
		expect(await plan(home, {session: {kind: 'pick'}}, {}, '/s')).toMatchObject({
			ok: true,
			plan: {session: {kind: 'stored', dir: '/s'}},
		});
		expect(await plan(home, {session: {kind: 'pick'}})).toEqual({
			ok: false,
			sentence: '-r needs a session id. List the sessions with: inkpod sessions',
		});
	});

	it('is the latest of the folder that the manifest names', async () => {
		const home = await tempHome();
		const {dir} = await storedSession(home, [[user('a', '1')]]);
		const file = join(home.home, 'inkpod.toml');
		await writeFile(file, '[scope]\npwd = "project"\n');
		expect(await plan(home, {session: {kind: 'latest'}, cwd: home.home, manifest: file})).toMatchObject({
			ok: true,
			plan: {session: {kind: 'stored', dir}},
		});
	});

	it.each([[{kind: 'latest'}], [{kind: 'id', id: '01JX'}]] as const)(
		'is an error for %j when the sessions folder is a symlink loop',
		async session => {
			const home = await tempHome();
			const root = sessionsRoot(home.env);
			await mkdir(dirname(root), {recursive: true});
			await symlink(root, root);
			expect(await plan(home, {session})).toEqual({
				ok: false,
				sentence: expect.stringContaining(root) as unknown,
			});
		},
	);
});

describe('the scope of a start', () => {
	/** Creates the repository `project` with `src`, a manifest in it, and one beside it. */
	async function repository(manifest: string, beside = ''): Promise<Home> {
		const home = await tempHome();
		await mkdir(join(home.cwd, '.git'));
		await mkdir(join(home.cwd, 'src/deep'), {recursive: true});
		await writeFile(join(home.cwd, 'inkpod.toml'), manifest);
		await writeFile(join(home.home, 'beside.toml'), beside);
		return home;
	}
	const narrow = '[scope]\npwd = "src"\nwritable = false\n';

	it.each([
		['is the writable folder of a manifest without a scope', '', {}, {pwd: '', writable: true}],
		['is that of the manifest', narrow, {}, {pwd: '/src', writable: false}],
		[
			'is the start directory below an untrusted manifest',
			'',
			{cwd: 'src/deep'},
			{pwd: '/src/deep', writable: true},
		],
		[
			'is that of the manifest above with --trust',
			narrow,
			{cwd: 'src/deep', trust: true},
			{pwd: '/src', writable: false},
		],
		[
			'is not writable with --read-only',
			'[scope]\nwritable = true\n',
			{readOnly: true},
			{pwd: '', writable: false},
		],
		[
			'is that of the manifest that the user names',
			'nonsense = 1\n',
			{manifest: '../beside.toml'},
			{pwd: '/src/deep', writable: true},
		],
	] as const)('%s', async (_, manifest, change, expected) => {
		const home = await repository(manifest, '[scope]\npwd = "project/src/deep"\n');
		const planned = await plan(home, {...change, cwd: join(home.cwd, 'cwd' in change ? change.cwd : '.')});
		expect(planned.ok && planned.plan.scope).toEqual({
			pwd: home.cwd + expected.pwd,
			writable: expected.writable,
			readRoots: [],
			home: home.home,
		});
	});

	it.each([
		[
			'an unknown key',
			{},
			'[scope]\n# why\nwritable = true\nread_roots = ["/"]\n',
			/inkpod\.toml:4: unknown key scope\.read_roots/,
		],
		[
			'a missing pwd',
			{},
			'[scope]\n\npwd = "gone"\n',
			/inkpod\.toml:3: scope\.pwd names "gone", which does not exist/,
		],
		[
			'a pwd that is a file',
			{},
			'[scope]\npwd = "inkpod.toml"\n',
			/inkpod\.toml:2: scope\.pwd names "inkpod\.toml", which does not exist or is not a directory/,
		],
		['a missing start directory', {cwd: '/gone'}, '', /"\/gone" does not exist or is not a directory/],
		['a missing manifest that the user names', {manifest: 'gone.toml'}, '', /gone\.toml does not exist/],
		['a missing folder to add', {addDirs: ['/gone']}, '', /\/gone: no such directory/],
	] as const)('is refused in one sentence with file, line and key: %s', async (_, change, manifest, sentence) => {
		const home = await repository(manifest);
		expect(await plan(home, change)).toEqual({ok: false, sentence: expect.stringMatching(sentence) as unknown});
	});
});

describe('the model of a start', () => {
	it.each([
		['no JSON', '{', 'is not valid JSON'],
		['not a script', '[[{"type": "sing"}]]', 'is invalid at'],
	])('is an error for a script that is %s', async (_, text, complaint) => {
		const home = await tempHome();
		const file = join(home.home, 'script.json');
		await writeFile(file, text);
		expect(await plan(home, {model: `scripted:${file}`})).toEqual({
			ok: false,
			sentence: expect.stringMatching(`^${file}: .*${complaint}`) as unknown,
		});
	});

	it.each([
		['stall_timeout = 90', {stallTimeoutMs: 90_000}],
		['stall_timeout = 5', {stallTimeoutMs: 5000}],
		['first_token_timeout = 1.5', {firstTokenTimeoutMs: 1500}],
		['first_token_timeout = 9\nstall_timeout = 5', {firstTokenTimeoutMs: 9000, stallTimeoutMs: 5000}],
		['name = "ollama/m"', undefined],
	])('has the configured waiting times for %s on this machine', async (line, options) => {
		const home = await tempHome();
		await mkdir(join(home.home, '.config/inkpod'), {recursive: true});
		await writeFile(join(home.home, '.config/inkpod/config.toml'), `[model]\n${line}\n`);
		const planned = await plan(home, {model: 'ollama/m'});
		expect(planned.ok && planned.plan.model.spec.options).toEqual(options);
	});

	it('has the window and prices of the user’s configuration, but any other model has only the prices', async () => {
		const home = await tempHome();
		await mkdir(join(home.home, '.config/inkpod'), {recursive: true});
		await writeFile(
			join(home.home, '.config/inkpod/config.toml'),
			'[model]\nname = "ollama/m"\nwindow = 8192\n[prices."ollama/m"]\ninput = 1\noutput = 2\n',
		);
		const prices = [{input: 1, output: 2}];
		expect(await plan(home)).toMatchObject({
			ok: true,
			plan: {model: {name: 'ollama/m', facts: {'ollama/m': {window: 8192, prices}}}},
		});
		const other = await plan(home, {model: 'ollama/n'});
		expect(other.ok && other.plan.model.facts).toEqual({'ollama/m': {prices}});
		await writeFile(join(home.cwd, 'inkpod.toml'), '[prices."ollama/m"]\ninput = 0\noutput = 0\n');
		expect(await plan(home)).toMatchObject({
			ok: true,
			plan: {
				model: {facts: {'ollama/m': {window: 8192, prices}}},
				warnings: [expect.stringContaining(':1: unknown key prices') as unknown],
			},
		});
	});

	it('ignores a project’s config.toml when there is no home', async () => {
		const home = await tempHome();
		await mkdir(join(home.cwd, '.config/inkpod'), {recursive: true});
		await writeFile(join(home.cwd, '.config/inkpod/config.toml'), '[model]\nname = "ollama/evil"\n');
		const before = process.cwd();
		process.chdir(home.cwd);
		try {
			expect(await plan(home, {}, {HOME: ''})).toMatchObject({ok: true, plan: {model: {name: 'offline'}}});
			expect(await plan(home, {}, {HOME: '.', XDG_CONFIG_HOME: '.config'})).toMatchObject({
				ok: true,
				plan: {model: {name: 'offline'}},
			});
		} finally {
			process.chdir(before);
		}
	});
});
