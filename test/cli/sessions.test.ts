import {mkdir, readdir, readFile, utimes, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {findLive} from '../../src/pod/open/start/find-live.ts';
import {context} from '../../src/cli/context.ts';
import {doctor} from '../../src/cli/doctor.ts';
import {notify} from '../../src/cli/notify.ts';
import {planStart} from '../../src/pod/open/start/plan.ts';
import {sessions, type SessionsOptions} from '../../src/cli/sessions.ts';
import {verify} from '../../src/cli/verify.ts';
import type {Env} from '../../src/pod/ground/env/env.ts';
import {historyFile, sessionDir} from '../../src/pod/disk/paths.ts';
import {handPod, served, sessionId, socketDir} from '../helpers/socket-pod.ts';
import {historyOf, tempHome, user, type Home} from '../pod/disk/fixture.ts';

const now = Date.UTC(2026, 10, 21, 12);
const hostile = '\u001b]52;c;eA==\u0007\u001b[2J\u009b31m\u202e \u{e0041}hi';

async function run(
	home: Home,
	options: Partial<SessionsOptions> = {},
): Promise<{readonly code: number; readonly out: string; readonly err: string}> {
	let out = '';
	let err = '';
	const code = await sessions({
		json: false,
		env: home.env,
		cwd: home.cwd,
		now,
		stdout: {write: text => (out += text)},
		stderr: {write: text => (err += text)},
		...options,
	});
	return {code, out, err};
}

async function made(home: Home, id: string, text: string, minutesAgo: number, cwd = home.cwd): Promise<void> {
	const dir = sessionDir(home.root, cwd, id);
	await mkdir(dir, {recursive: true});
	await writeFile(
		historyFile(dir),
		historyOf([user('a', text)], {session: id, cwd, created: '2026-01-01T00:00:00.000Z'}),
	);
	const seconds = now / 1000 - minutesAgo * 60;
	await utimes(historyFile(dir), seconds, seconds);
}

const told = expect.stringMatching(/^Sessions cannot be read: .*file is not a folder\. Set INKPOD_HOME /) as unknown;
const start = {session: {kind: 'new'}, readOnly: false, addDirs: []} as const;

describe('a state folder that is a file', () => {
	const words = {stdout: {write: () => {}}, stderr: {write: () => {}}};
	it.each<[string, (at: {readonly cwd: string; readonly env: Env}) => Promise<unknown>, unknown]>([
		['sessions', async at => sessions({...words, ...at, json: false}), 2],
		['sessions --all', async at => sessions({...words, ...at, json: true, all: true}), 2],
		['verify', async at => verify({...words, ...at, id: '01ABC'}), 2],
		[
			'context',
			async at => context({...words, ...at, id: '01ABC', request: false, json: false, terminal: false}),
			2,
		],
		['doctor', async at => doctor({...words, ...at, json: false, version: '1'}), 1],
		['notify', async at => notify({...words, ...at, id: '01ABC', text: 'x', run: false}), 2],
		['attach', async at => findLive({cwd: at.cwd}, at.env), {ok: false, sentence: told, isUsage: true}],
		['a new chat', async at => planStart({...start, cwd: at.cwd}, at.env), {ok: false, sentence: told}],
		[
			'-c',
			async at => planStart({...start, cwd: at.cwd, session: {kind: 'latest'}}, at.env),
			{ok: false, sentence: told},
		],
		[
			'-r ID',
			async at => planStart({...start, cwd: at.cwd, session: {kind: 'id', id: '01ABC'}}, at.env),
			{ok: false, sentence: told},
		],
	])('is reported by %s', async (_, run, expected) => {
		const {cwd, home} = await tempHome();
		const file = join(home, 'file');
		await writeFile(file, '');
		expect(await run({cwd, env: {HOME: home, INKPOD_HOME: file}})).toEqual(expected);
	});
});

describe('inkpod sessions', () => {
	it('prints a row for each session of the directory', async () => {
		const home = await tempHome();
		await made(home, '01JD8XK3Q2AAAAAAAAAAAAAAAA', 'explain @src/a.ts', 125);
		await made(home, '01JD8XK3Q2BBBBBBBBBBBBBBBB', '日本語で', 0);
		await made(home, '01JD8XK3Q2CCCCCCCCCCCCCCCC', 'other', 0, '/other');
		const {code, out} = await run(home);
		expect(code).toBe(0);
		expect(out.split('\n').map(row => row.split(/ {2,}/).toSpliced(2, 1))).toEqual([
			['01JD8XK3Q2B', 'just now', '日本語で'],
			['01JD8XK3Q2A', '2 h ago', 'explain @src/a.ts'],
			[''],
		]);
		expect((await run(home, {all: true})).out).toContain('/other');
	});

	it('shows the states of open sessions, and with --needs the ones that need you first', async () => {
		const home = await tempHome();
		const ended = '01JD8XK3Q2BBBBBBBBBBBBBBBB';
		await made(home, ended, 'ended', 0);
		await made(home, sessionId, 'open', 5);
		const runtime = await socketDir();
		const env = {...home.env, XDG_RUNTIME_DIR: runtime};
		const {client, hub} = handPod();
		await served(client, {folder: join(runtime, 'inkpod')});
		const states = async (options: Partial<SessionsOptions> = {}) => {
			const {out} = await run(home, {env, ...options});
			return out.split('\n').map(row => row.split(/ {2,}/).slice(1, 2).join(''));
		};
		expect(await states()).toEqual(['ended', 'open', '']);
		hub.setStatus({kind: 'running'});
		expect(await states()).toEqual(['ended', 'running', '']);
		hub.setStatus({asks: [{id: 'a', title: 'Run?', detail: '', choices: []}]});
		expect(await states({needs: true})).toEqual(['needs you', 'ended', '']);
		const {out} = await run(home, {env, json: true, needs: true});
		expect(JSON.parse(out)).toMatchObject([
			{id: sessionId, state: 'needs_you'},
			{id: ended, state: 'ended'},
		]);
	});

	it('shows the original of a fork', async () => {
		const home = await tempHome();
		await made(home, '01JD8XK3Q2AAAAAAAAAAAAAAAA', 'first', 5);
		const id = '01JD8XK3Q2BBBBBBBBBBBBBBBB';
		const dir = sessionDir(home.root, home.cwd, id);
		await mkdir(dir, {recursive: true});
		await writeFile(
			historyFile(dir),
			historyOf([user('a', 'first')], {
				session: id,
				cwd: home.cwd,
				created: '2026-01-01T00:00:00.000Z',
				fork: {session: '01JD8XK3Q2AAAAAAAAAAAAAAAA', to: 'a'},
			}),
		);
		expect((await run(home)).out).toContain('first (fork of 01JD8XK3Q2A)\n');
		const {out} = await run(home, {json: true});
		expect(JSON.parse(out)).toMatchObject([{id, forkOf: '01JD8XK3Q2AAAAAAAAAAAAAAAA'}, {}]);
	});

	it('writes each session with a searched text as soon as it is found, and reads no other', async () => {
		const home = await tempHome();
		await made(home, '01JD8XK3Q2AAAAAAAAAAAAAAAA', 'a needle in the hay', 65);
		await made(home, '01JD8XK3Q2BBBBBBBBBBBBBBBB', 'hay', 3);
		await made(home, '01JD8XK3Q2CCCCCCCCCCCCCCCC', 'the second NEEDLE', 1);
		const written: string[] = [];
		const {code} = await run(home, {search: 'needle', stdout: {write: text => written.push(text)}});
		expect(code).toBe(0);
		expect(written).toEqual([
			expect.stringMatching(/^01JD8XK3Q2C  1 min ago  \d+ B  the second NEEDLE\n$/),
			expect.stringMatching(/^01JD8XK3Q2A  1 h ago    \d+ B  a needle in the hay\n$/),
		]);
		const json: string[] = [];
		await run(home, {search: 'needle', json: true, stdout: {write: text => json.push(text)}});
		expect(json).toHaveLength(3);
		const found = JSON.parse(json.join('')) as unknown;
		expect(found).toMatchObject([{words: 'the second NEEDLE', hit: {match: 'NEEDLE'}}, {state: 'ended'}]);
		expect(json.join('')).toBe(`${JSON.stringify(found, undefined, 2)}\n`);
		expect((await run(home, {search: 'pin'})).out).toBe('No session contains this text.\n');
		expect((await run(home, {search: 'pin', json: true})).out).toBe('[]\n');
	});

	it('leaves out a session that contains the text but cannot be opened', async () => {
		const home = await tempHome();
		const id = '01JD8XK3Q2AAAAAAAAAAAAAAAA';
		await made(home, id, 'a needle in the hay', 65);
		const file = historyFile(sessionDir(home.root, home.cwd, id));
		const [header = '', ...items] = (await readFile(file, 'utf8')).split('\n');
		const newer = header.replace('inkpod.history/1', 'inkpod.history/9').replace(/,"check":"\w+"/, '');
		await writeFile(file, [newer, ...items].join('\n'));
		expect((await run(home, {search: 'needle'})).out).toBe('No session contains this text.\n');
	});

	it('searches the sessions of all directories, the ones that need you first', async () => {
		const home = await tempHome();
		await made(home, '01JD8XK3Q2BBBBBBBBBBBBBBBB', 'needle', 0, '/other');
		await made(home, sessionId, 'needle', 5);
		const runtime = await socketDir();
		const {client, hub} = handPod();
		await served(client, {folder: join(runtime, 'inkpod')});
		hub.setStatus({kind: 'running'});
		const env = {...home.env, XDG_RUNTIME_DIR: runtime};
		const {out} = await run(home, {env, search: 'needle', all: true, needs: true});
		expect(out.split('\n').map(row => row.split(/ {2,}/).toSpliced(0, 1).toSpliced(1, 2))).toEqual([
			['running', 'needle', home.cwd],
			['ended', 'needle', '/other'],
			[],
		]);
	});

	it('shows what differs behind equal names, and leaves it out of a list without them', async () => {
		const home = await tempHome();
		await made(home, '01JD8XK3Q2AAAAAAAAAAAAAAAA', `fix ${'it '.repeat(40)}`, 5);
		await made(home, '01JD8XK3Q2BBBBBBBBBBBBBBBB', `fix ${'it '.repeat(40)}`, 6, '/other');
		expect((await run(home)).out).not.toContain(' · ');
		const facts = {turns: 2, model: 'm', files: ['src/cart.ts'], fileCount: 2};
		const label = join(sessionDir(home.root, home.cwd, '01JD8XK3Q2AAAAAAAAAAAAAAAA'), 'label.json');
		await writeFile(label, JSON.stringify({facts}));
		const [first, second] = (await run(home, {all: true})).out.split('\n');
		expect(first).toMatch(/ fix it .*… · src\/cart\.ts, \+1 /);
		expect(second).toMatch(/ fix it .*… · 20\d\d-[\d-]+ [\d:]+ /);
	});

	it('reports that a directory has no sessions, and creates no files', async () => {
		const home = await tempHome();
		expect(await run(home)).toMatchObject({
			code: 0,
			out: expect.stringContaining('No sessions in this directory') as unknown,
		});
		expect(await run(home, {json: true})).toMatchObject({code: 0, out: '[]\n'});
		expect(await readdir(home.home)).toEqual(['project']);
	});

	it('escapes control characters, in its list and in JSON', async () => {
		const home = await tempHome();
		await made(home, '01JD8XK3Q2AAAAAAAAAAAAAAAA', hostile, 5, `/p/${hostile}`);
		const active = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u;
		const {out} = await run(home, {all: true});
		expect(out).not.toMatch(active);
		const {out: json} = await run(home, {all: true, json: true});
		expect(json).not.toMatch(active);
		expect(JSON.parse(json)).toMatchObject([
			{
				id: '01JD8XK3Q2AAAAAAAAAAAAAAAA',
				words: hostile,
				cwd: `/p/${hostile}`,
				created: '2026-01-01T00:00:00.000Z',
				changed: '2026-11-21T11:55:00.000Z',
			},
		]);
	});

	it('lists the sessions of the folder that the manifest names, and exits with 2 when it does not exist', async () => {
		const home = await tempHome();
		await made(home, '01JD8XK3Q2AAAAAAAAAAAAAAAA', 'x', 5);
		const manifest = join(home.home, 'inkpod.toml');
		await writeFile(manifest, '[scope]\npwd = "project"\n');
		expect((await run(home, {cwd: home.home})).out).toContain('01JD8XK3');
		expect((await run(home, {cwd: home.cwd, manifest})).out).toContain('01JD8XK3');
		expect(await run(home, {cwd: join(home.home, 'gone')})).toMatchObject({
			code: 2,
			out: '',
			err: expect.stringMatching(/^inkpod: .*gone.*\n$/) as unknown,
		});
	});

	it('lists a broken session and exits with 0', async () => {
		const home = await tempHome();
		await made(home, '01JD8XK3Q2AAAAAAAAAAAAAAAA', 'x', 5);
		await writeFile(historyFile(sessionDir(home.root, home.cwd, '01JD8XK3Q2AAAAAAAAAAAAAAAA')), '');
		expect(await run(home)).toMatchObject({code: 0, out: expect.stringContaining('is empty') as unknown});
	});

	it('exits with 2 and a reason when the list cannot be read', async () => {
		const home = await tempHome();
		const {code, out, err} = await run(home, {all: true, env: {INKPOD_HOME: `/${'x'.repeat(300)}`}});
		expect({code, out}).toEqual({code: 2, out: ''});
		expect(err).toMatch(/^inkpod: .*\n$/);
	});

	it('uses the state folder in HOME', async () => {
		const home = await tempHome();
		await made(home, '01JD8XK3Q2AAAAAAAAAAAAAAAA', 'x', 5);
		expect(home.root).toBe(join(home.home, '.local', 'state', 'inkpod', 'sessions'));
		expect((await run(home)).out).toContain('01JD8XK3');
	});
});
