import {createHash} from 'node:crypto';
import {readdir, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it, vi} from 'vitest';
import {context} from '../../src/cli/context.ts';
import {verify} from '../../src/cli/verify.ts';
import {labelName} from '../../src/pod/disk/list/label.ts';
import {createSession} from '../../src/pod/disk/log/open.ts';
import {idOf, sessionsRoot} from '../../src/pod/disk/paths.ts';
import {systemClock, type Item, type Model} from '../../src/worker/index.ts';
import {files} from '../helpers/conversation.ts';
import {createItems} from '../helpers/items.ts';
import {reopened, testPod, type TestPod} from '../helpers/pod.ts';
import {tempProject, type TempProject} from '../helpers/temp-project.ts';
import {answer, says, eventModel} from '../helpers/event-model.ts';
import {startServer, wires} from '../helpers/wire-servers/index.ts';
import {storedSession, tempHome, type Home} from '../pod/disk/fixture.ts';
import {modelAt} from '../worker/wires/wire-model.ts';

type Ran = {readonly code: number; readonly out: string; readonly err: string};

async function run(
	cwd: string,
	home: string,
	id: string,
	how: {readonly json?: boolean; readonly request?: boolean; readonly terminal?: boolean} = {},
): Promise<Ran> {
	let [out, err] = ['', ''];
	const code = await context({
		id,
		cwd,
		env: {HOME: home},
		json: false,
		request: false,
		terminal: false,
		...how,
		stdout: {write: text => (out += text)},
		stderr: {write: text => (err += text)},
	});
	return {code, out, err};
}

/** Opens a pod whose session is where the program looks for it. */
async function podOf(project: TempProject, model: Model): Promise<TestPod> {
	return testPod(project, {
		model,
		session: createSession({root: sessionsRoot({HOME: homeOf(project)}), cwd: project.dir}, systemClock()),
	});
}

const homeOf = (project: TempProject) => join(project.dir, '..', 'home');

/** Returns every file of the session with its contents. The session itself renews its facts for the list meanwhile. */
async function bytesOf({session: {dir}}: TestPod): Promise<unknown> {
	const names = (await readdir(dir)).filter(name => !name.startsWith(labelName));
	return Promise.all(
		names.toSorted().map(async name => [
			name,
			createHash('sha256')
				.update(await readFile(join(dir, name)))
				.digest('hex'),
		]),
	);
}

describe.each(wires)('inkpod context --request, over the %s wire', wire => {
	it('prints the same bytes that the server received during a turn, after it and after a restart', async () => {
		const project = await tempProject(files);
		const stall = {type: 'stall'} as const;
		await using server = await startServer(wire, [
			[
				{type: 'reasoning', text: 'I look, 二つとも.'},
				{type: 'tool_call', callId: 'one', name: 'glob', arguments: {pattern: '**/*.ts'}},
				{type: 'tool_call', callId: 'two', name: 'read_file', arguments: {path: 'a.ts', limit: 1}},
			],
			[stall],
			[{type: 'text', text: 'There.'}],
		]);
		const told = await podOf(project, await modelAt(wire, server));
		const {id} = told.session;
		const asked = async () => {
			const before = await bytesOf(told);
			const ran = await run(project.dir, homeOf(project), id, {request: true});
			expect(await bytesOf(told)).toEqual(before);
			return ran;
		};
		await told.run('What is in @a.ts? 👍');
		await vi.waitFor(() => expect(server.requests).toHaveLength(2), {timeout: 20_000});
		const body = {code: 0, out: server.requests[1]!.body, err: ''};
		expect(await asked()).toEqual(body);
		await told.pod.send({method: 'pause'});
		expect(await asked()).toEqual(body);
		await told.pod.send({method: 'shutdown'});
		expect(await asked()).toEqual(body);
		const inPieces = await run(project.dir, homeOf(project), id, {request: true, json: true});
		const {pieces} = JSON.parse(inPieces.out) as {readonly pieces: ReadonlyArray<{readonly text: string}>};
		expect(pieces.map(({text}) => text).join('')).toBe(body.out);
		const again = await testPod(project, {model: await modelAt(wire, server), session: await reopened(told)});
		await again.pod.send({method: 'resume'});
		await again.rest();
		expect(server.requests[2]!.body).toBe(body.out);
		expect(server.refusals).toEqual([]);
		expect((await asked()).out).not.toBe(body.out);
		let said = '';
		expect(
			await verify({
				id,
				requests: true,
				cwd: project.dir,
				env: {HOME: homeOf(project)},
				stdout: {write: text => (said += text)},
				stderr: {write: text => (said += text)},
			}),
		).toBe(0);
		expect(said).toContain(
			[
				'requests 3: 3 identical, 0 different, 0 that cannot be rebuilt, 0 never sent\n',
				'All requests are identical to what was sent.\n',
			].join(''),
		);
	});
});

describe('inkpod context', () => {
	it('shows the share of the window from the catalogue or from your configuration', async () => {
		const project = await tempProject(files);
		await using server = await startServer('anthropic', [[{type: 'text', text: 'There.'}]]);
		const told = await podOf(project, await modelAt('anthropic', server));
		await told.run('Hello.');
		await told.rest();
		const shown = async () => (await run(project.dir, homeOf(project), told.session.id)).out.split('\n')[1];
		expect(await shown()).toMatch(/tokens, 0% of 1,000,000, /);
		await project.write(
			'../home/.config/inkpod/config.toml',
			'[model]\nname = "anthropic/claude-sonnet-5"\nwindow = 4000\n',
		);
		expect(await shown()).toMatch(/tokens, \d\d% of 4,000, /);
	});

	it('lists the contents of the next request, totals by kind, and the state of the files', async () => {
		const project = await tempProject(files);
		const told = await podOf(project, eventModel(answer(says('Fine.')), answer(says('Fine.'))));
		await told.run('Look at @a.ts and @"日本 b.ts":2-3.');
		await told.rest();
		await project.write('a.ts', 'changed\n');
		const [file] = told.items().filter(item => item.type === 'message' && item.origin?.kind === 'file');
		expect(await told.pod.send({method: 'context', op: 'pin', ids: [file!.id]})).toEqual({accepted: true});
		const {code, out, err} = await run(project.dir, homeOf(project), told.session.id);
		expect([code, err]).toEqual([0, '']);
		const lines = out.split('\n');
		expect(lines[0]).toBe(`session  ${told.session.id}, ${eventModel().name}`);
		expect(lines[1]).toMatch(/^context {2}≈ [\d,]+ tokens, window unknown, [\d,]+ bytes in \d+ rows$/);
		expect(out).toMatch(/ prompt +[\d,]+ +[\d,]+ {2}System prompt\n/);
		expect(out).toMatch(/ file +[\d,]+ +[\d,]+ {2}a\.ts · changed on disk · pinned\n/);
		expect(out).toMatch(/ file +[\d,]+ +[\d,]+ {2}日本 b\.ts:2-3 · 9 of 19 bytes\n/);
		expect(out).toMatch(/2× +file +[\d,]+ +[\d,]+\n/);
		const json = JSON.parse((await run(project.dir, homeOf(project), told.session.id, {json: true})).out) as {
			bytes: number;
			session: string;
		};
		expect(json).toEqual({session: told.session.id, ...(await told.pod.ledger())});
	});

	it('escapes control characters without changing the meaning of the JSON', async () => {
		const home = await tempHome();
		const make = createItems();
		const items = [{...make.setup(), model: 'offline'}, make.user('evil \u001b[31m\u009b2J\u202e')];
		const {dir} = await storedSession(home, [items]);
		const exact = await run(home.cwd, home.home, idOf(dir), {request: true});
		const shown = await run(home.cwd, home.home, idOf(dir), {request: true, terminal: true});
		const table = await run(home.cwd, home.home, idOf(dir));
		expect(JSON.parse(shown.out)).toEqual(JSON.parse(exact.out));
		for (const {out} of [shown, table]) expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
	});

	it('exits with 1 and a reason for a session without a request and for an unknown session', async () => {
		const home = await tempHome();
		expect(await run(home.cwd, home.home, 'ZZZZ')).toMatchObject({code: 1, out: ''});
		const none = await stored(home, createItems().user('hello'));
		expect(await run(home.cwd, home.home, none, {request: true})).toMatchObject({
			code: 1,
			out: '',
			err: expect.stringContaining('no setup') as unknown,
		});
		const make = createItems();
		const strange = await stored(home, {...make.setup(), model: 'hologram/9'}, make.user('hello'));
		expect(await run(home.cwd, home.home, strange, {request: true})).toMatchObject({
			code: 1,
			out: '',
			err: expect.stringContaining('hologram/9') as unknown,
		});
		expect(await run(home.cwd, home.home, strange)).toMatchObject({code: 0});
	});
});

describe('inkpod verify --requests', () => {
	it('exits with 1 and names the first request after a change of the history', async () => {
		const project = await tempProject(files);
		await using server = await startServer('openai', [
			[{type: 'text', text: 'One.'}],
			[{type: 'text', text: 'Two.'}],
		]);
		const told = await podOf(project, await modelAt('openai', server));
		for (const words of ['Hello.', 'And?']) {
			await told.run(words);
			await told.rest();
		}
		const items = told
			.items()
			.map(item => (item.type === 'message' && item.text === 'One.' ? {...item, text: 'Two?'} : item));
		const home = await tempHome();
		const {code, out} = await checked(home, await stored(home, ...items));
		const second = items.filter(({type}) => type === 'request')[1]!;
		expect(code).toBe(1);
		expect(out).toContain('requests 2: 1 identical, 1 different, 0 that cannot be rebuilt, 0 never sent\n');
		expect(out).toContain(`FAILURE at request 2 (${second.id}, `);
	});

	it.each([
		['its own answer', 'Two.', '2: 2 identical, 0 different, 0 that'],
		[
			'an earlier answer',
			'One.',
			'2: 1 identical, 0 different, 1 that cannot be checked because of the damage, 0 that',
		],
		[
			'an earlier message',
			'Hello.',
			'2: 0 identical, 0 different, 2 that cannot be checked because of the damage, 0',
		],
	])('counts an intact request as intact despite damage in %s', async (_, words, counts) => {
		const project = await tempProject(files);
		await using server = await startServer('openai', [
			[{type: 'text', text: 'One.'}],
			[{type: 'text', text: 'Two.'}],
		]);
		const told = await podOf(project, await modelAt('openai', server));
		for (const asked of ['Hello.', 'And?']) {
			await told.run(asked);
			await told.rest();
		}
		const home = await tempHome();
		const {dir, path} = await storedSession(home, [told.items()]);
		await writeFile(path, (await readFile(path, 'utf8')).replaceAll(`"text":"${words}"`, '"text":"?"'));
		const {code, out} = await checked(home, idOf(dir));
		expect(code).toBe(1);
		expect(out).toContain(`requests ${counts}`);
		expect(out).not.toContain('FAILURE at request');
	});

	it('exits with 0 and gives a reason for requests that cannot be rebuilt or were never sent', async () => {
		const home = await tempHome();
		const make = createItems();
		const request = make.request();
		const {code, out} = await checked(
			home,
			await stored(home, {...make.setup(), model: 'scripted/demo'}, make.user('hello'), request, {
				...make.request('error'),
				requestHash: '',
			}),
		);
		expect(code).toBe(0);
		expect(out).toContain(
			[
				'requests 2: 0 identical, 0 different, 1 that cannot be rebuilt, 1 never sent\n',
				'note: This version of inkpod has no provider for the model scripted/demo',
			].join(''),
		);
	});
});

async function stored(home: Home, ...items: readonly Item[]): Promise<string> {
	return idOf((await storedSession(home, [items])).dir);
}

async function checked({cwd, env}: Home, id: string): Promise<{readonly code: number; readonly out: string}> {
	let out = '';
	const code = await verify({
		id,
		requests: true,
		cwd,
		env,
		stdout: {write: text => (out += text)},
		stderr: {write: text => (out += text)},
	});
	return {code, out};
}
