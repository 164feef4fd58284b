import {mkdir, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {openPod} from '../../src/library/open-pod.ts';
import {configDirectory, type Env} from '../../src/pod/ground/env/env.ts';
import {recordedIn} from '../../src/pod/ground/history/recorded.ts';
import {sessionDir, sessionsRoot} from '../../src/pod/disk/paths.ts';
import type {Item} from '../../src/worker/index.ts';
import {base, openAgain, openChat, ways, type Stored} from '../helpers/resumes.ts';
import {socketDir} from '../helpers/socket-pod.ts';
import {oneWordServer, type OneWordServer} from '../helpers/told-server.ts';
import {tempHome} from '../pod/disk/fixture.ts';

/*
L14, "The session decides": a session that was begun with a model continues with it, in whatever way it is opened again
and whatever the environment suggests. Nothing is sent to a server that the session did not use before, unless the user
names the model or answers the question.
*/

const long = process.env['INKPOD_TEST'] === 'long';
const written = process.env['INKPOD_SEED'];
const seed = written === undefined ? {} : {seed: Number(written)};

type Stage = Awaited<ReturnType<typeof stage>>;

/** A home whose configuration names a server. `other`: a provider that a key in the environment would choose. */
async function stage() {
	const {home, cwd, env: own} = await tempHome();
	const runtime = await socketDir();
	await mkdir(join(runtime, 'inkpod'), {mode: 0o700});
	const [mine, other] = [await oneWordServer(), await oneWordServer()];
	const env: Env = {...own, INKPOD_HOME: join(home, 'state'), XDG_RUNTIME_DIR: runtime, MINE_KEY: 'k1'};
	const configured = async (server: OneWordServer, text = '') => {
		const file = join(configDirectory(env), 'config.toml');
		await mkdir(dirname(file), {recursive: true});
		const provider = `wire = "openai-compatible"\nbase_url = "${server.baseURL}"\nkey_env = "MINE_KEY"\n`;
		const theirs = `[providers.theirs]\nwire = "openai-compatible"\nbase_url = "${other.baseURL}"\n`;
		await writeFile(file, `${text}[providers.mine]\n${provider}${theirs}`);
	};
	await configured(mine);
	const otherKey: Env = {OPENAI_API_KEY: 'k2', OPENAI_BASE_URL: other.baseURL, INKPOD_MODEL: 'openai/gpt-6-astra'};
	return {cwd, env, mine, other, runtime, configured, otherKey};
}

const model = 'mine/m';
const origins = ['flag', '/model', 'configuration', 'own'] as const;
type OriginOfModel = (typeof origins)[number];

/** Makes a session of one turn, whose model was chosen in one of the ways, and closes it. */
async function begin({cwd, env, mine, runtime, configured}: Stage, origin: OriginOfModel): Promise<Stored> {
	if (origin === 'configuration') await configured(mine, `[model]\nname = "${model}"\n`);
	const id = origin === 'own' ? await beginOwn(cwd, env) : await beginChat(cwd, env, origin);
	if (origin === 'configuration') await configured(mine);
	return {id, dir: sessionDir(sessionsRoot(env), cwd, id), cwd, runtime};
}

async function beginOwn(cwd: string, env: Env): Promise<string> {
	const opened = await openPod({
		directory: cwd,
		env,
		model: {
			name: 'own/told',
			async *stream() {
				yield {type: 'start', key: 'a', part: {type: 'text'}};
				yield {type: 'delta', key: 'a', text: 'Own.'};
				yield {type: 'end', key: 'a'};
				yield {type: 'finish', stop: 'end', usage: {input: 1, output: 1}};
			},
		},
	});
	if (!opened.ok) throw new Error(opened.sentence);
	await opened.pod.send('first');
	await opened.pod.close();
	return opened.pod.id;
}

async function beginChat(cwd: string, env: Env, origin: OriginOfModel): Promise<string> {
	const first = origin === 'flag' ? {model} : origin === '/model' ? {model: 'offline'} : {};
	const opened = await openChat({...base, cwd, ...first}, env);
	if ('refused' in opened) throw new Error(opened.refused);
	if (origin === '/model') await opened.pod?.send({method: 'model', name: model});
	expect(await opened.send('first', 'deny')).toMatchObject({isSent: true});
	await opened.close();
	return opened.session;
}

const changes = ['the same', 'another key', 'no key', 'the server off', 'another address'] as const;
type Change = (typeof changes)[number];

async function changed({env, mine, other, otherKey, configured}: Stage, change: Change): Promise<Env> {
	const {MINE_KEY: _, ...rest} = env;
	if (change === 'another key') return {...env, ...otherKey};
	if (change === 'no key') return {...rest, ...otherKey};
	if (change === 'the server off') await mine.close();
	if (change === 'another address') await configured(other);
	return env;
}

const setupOf = (items: ReadonlyArray<{readonly type: string}>) => recordedIn(items as readonly Item[]).model?.name;

/** What has to come of a message in a session that is open again. The user refuses to send it to another address. */
function expected(change: Change) {
	if (change === 'no key') return {isSent: false, sentence: expect.stringContaining('MINE_KEY') as unknown};
	if (change !== 'another address') return {isSent: true, asked: []};
	return {isSent: false, asked: [expect.stringMatching(/^Send this session to http/) as unknown]};
}

describe.each(ways)('a session that is opened with %s', way => {
	it.each(changes)('stays with its model when the environment is %s', async change => {
		for (const origin of origins.filter(each => each !== 'own')) {
			const told = await stage();
			const stored = await begin(told, origin);
			const before = told.mine.bodies.length;
			const again = await openAgain(way, stored, await changed(told, change));
			// The library refuses a session at once whose model cannot be used.
			if (way === 'library' && change === 'no key') {
				expect(again).toMatchObject({refused: expect.stringContaining('MINE_KEY') as unknown});
				continue;
			}
			if ('refused' in again) throw new Error(`${way}, ${change}: ${again.refused}`);
			const sent = await again.send('second', 'deny');
			expect({case: `${origin}, ${way}, ${change}`, ...sent}).toMatchObject(expected(change));
			if (sent.isSent) expect(setupOf(sent.items)).toBe(model);
			const answered = sent.isSent && change !== 'the server off';
			expect(told.mine.bodies.length - before).toBe(answered ? 1 : 0);
			expect(told.other.connections()).toBe(0);
		}
	});

	it('says that its model belongs to a program, and sends nothing', async () => {
		const told = await stage();
		const stored = await begin(told, 'own');
		const again = await openAgain(way, stored, {...told.env, ...told.otherKey});
		const sentence = 'refused' in again ? again.refused : (await again.send('second', 'send')).sentence;
		expect(sentence).toContain('The model "own/told" of this session belongs to the program that made it.');
		expect(told.other.connections()).toBe(0);
	});
});

/** A line that resumes a session, in an environment, with an answer to the question about another server. */
const anyLine = fc.record({
	way: fc.constantFrom(...ways),
	address: fc.constantFrom('mine', 'other'),
	hasKey: fc.boolean(),
	hasOther: fc.boolean(),
	flag: fc.constantFrom(undefined, undefined, model, 'theirs/m'),
	choice: fc.constantFrom('send', 'deny'),
});

describe('any resume line', () => {
	const numRuns = long ? 400 : 25;

	it(`sends nothing to a server that the user did not confirm (${numRuns} sessions)`, async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(anyLine, {minLength: 1, maxLength: 4}), async lines => {
				const told = await stage();
				const stored = await begin(told, 'flag');
				/** The providers with their addresses that a session may use, by its id. */
				const confirmed = new Map([[stored.id, new Set([told.mine.origin])]]);
				for (const {way, address, hasKey, hasOther, flag, choice} of lines) {
					await told.configured(told[address]);
					const {MINE_KEY: key, ...rest} = told.env;
					const env = {...rest, ...(hasKey && {MINE_KEY: key}), ...(hasOther && told.otherKey)};
					const isFlagged = flag !== undefined && ['-c', '-r', '--fork', 'acp', 'library'].includes(way);
					const before = [told.mine.connections(), told.other.connections()];
					const again = await openAgain(way, stored, env, isFlagged ? {model: flag} : {});
					const sent = 'refused' in again ? undefined : await again.send('next', choice);
					// `-c` opens the latest session, which may be a fork that was confirmed for another server.
					const opened = 'refused' in again ? stored.id : again.session;
					const allowed = new Set(confirmed.get(opened) ?? confirmed.get(stored.id));
					if (isFlagged) allowed.add(flag === model ? told[address].origin : told.other.origin);
					if (choice === 'send' && (sent?.asked.length ?? 0) > 0) allowed.add(told[address].origin);
					const line = JSON.stringify({way, address, hasKey, hasOther, flag: isFlagged && flag, choice});
					for (const [index, server] of [told.mine, told.other].entries())
						if (!allowed.has(server.origin))
							expect({line, connections: server.connections()}).toEqual({
								line,
								connections: before[index],
							});
					if (!('refused' in again)) {
						// What was sent is confirmed for the session that it belongs to.
						if (sent?.isSent === true) confirmed.set(opened, allowed);
						await again.close();
					}
				}
			}),
			{numRuns, ...seed},
		);
	});
});
