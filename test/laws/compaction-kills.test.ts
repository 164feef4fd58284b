import {spawn} from 'node:child_process';
import {createHash} from 'node:crypto';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import {setTimeout as sleep} from 'node:timers/promises';
import {describe, expect, it} from 'vitest';
import type {Event} from '../../src/pod/protocol.ts';
import {createSession} from '../../src/pod/disk/log/open.ts';
import {openSession} from '../../src/pod/disk/log/open.ts';
import {historyFile} from '../../src/pod/disk/paths.ts';
import {readSession} from '../../src/pod/disk/log/read.ts';
import type {Session} from '../../src/pod/disk/log/log.ts';
import {verifyRequests} from '../../src/pod/disk/check/verify-requests.ts';
import {verifySession} from '../../src/pod/disk/check/verify.ts';
import {verifySummaries} from '../../src/pod/disk/check/verify-summaries.ts';
import {systemClock} from '../../src/worker/index.ts';
import {builtProgram} from '../helpers/built.ts';
import {seededRandom} from '../helpers/random.ts';
import {words} from '../helpers/compacting.ts';
import {testPod} from '../helpers/pod.ts';
import {cleanEnvironment} from '../helpers/pty.ts';
import {killsOf, timeFor} from '../helpers/kills.ts';
import {tempProject, type TempProject} from '../helpers/temp-project.ts';
import {startServer, type ServerAnswer, type WireServer} from '../helpers/wire-servers/index.ts';
import {modelAt, modelNames, testKey} from '../worker/wires/wire-model.ts';

const kills = killsOf('compaction');
const seed = Number(process.env['INKPOD_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const wire = 'openai-compatible';

const tooLong = {status: 400, body: JSON.stringify({error: {message: 'prompt is too long: 2 tokens > 1 maximum'}})};
const said: ServerAnswer = [{type: 'text', text: words(300, 'talk')}];

/** Returns a refusal, then the slow answers of a compaction: thoughts, calls in two batches, words; then an answer. */
function slowAnswers(n: number): ServerAnswer[] {
	const slow = {chunk: 3, delayMs: 5};
	const call = (name: string, args: object) => ({
		type: 'tool_call' as const,
		callId: `call_${n}_${name}`,
		name,
		arguments: {...args},
		...slow,
	});
	return [
		tooLong,
		[{type: 'reasoning', text: 'What matters in it?', ...slow}, call('read_file', {path: 'a.md'})],
		[call('mark_read_required', {path: 'a.md'}), call('write_summary', {text: words(40, 'summary')})],
		[{type: 'text', text: words(20, 'done'), ...slow}],
		[{type: 'text', text: 'I am here.', ...slow}],
	];
}

type Victim = {readonly project: TempProject; readonly home: string; readonly dir: string; readonly id: string};

/** Creates a session with some turns, where the program finds it. */
async function victim(): Promise<Victim> {
	const project = await tempProject({'a.md': 'a line\n'});
	const home = join(project.dir, '..', 'home');
	const root = join(cleanEnvironment(home)['INKPOD_HOME']!, 'sessions');
	await using server = await startServer(wire, [said, said, said]);
	const session = createSession({root, cwd: project.dir}, systemClock());
	const told = await testPod(project, {model: await modelAt(wire, server), session});
	for (const text of ['See @a.md', 'Second', 'Third']) {
		await told.run(text);
		await told.rest();
	}
	await told.pod.send({method: 'shutdown'});
	return {project, home, dir: session.dir, id: session.id};
}

/** Runs the program. When its compaction begins, it is killed after this time. */
async function killedWhileCompacting({project, home, id}: Victim, url: string, afterMs: number): Promise<void> {
	const args = ['-p', '-r', id, '--output-format', 'stream-json', '--model', `${wire}/${modelNames[wire]}`, 'And?'];
	const child = spawn(process.execPath, [await builtProgram(), ...args], {
		cwd: project.dir,
		env: {
			...cleanEnvironment(home),
			OPENAI_COMPATIBLE_API_KEY: testKey,
			OPENAI_COMPATIBLE_BASE_URL: url,
		},
		stdio: ['ignore', 'pipe', 'ignore'],
	});
	const closed = new Promise(resolve => child.on('close', resolve));
	for await (const line of createInterface({input: child.stdout})) {
		const event = JSON.parse(line) as Event;
		if (event.type === 'status' && event.status.step === 'compacting')
			void sleep(afterMs).then(() => child.kill('SIGKILL'));
	}
	await closed;
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

/** Checks that each request of a compaction that arrived is in a side session, and that everything is sound. */
async function inspect(
	dir: string,
	{requests}: WireServer,
): Promise<{readonly sent: number; readonly unfinished: number}> {
	const read = await readSession(dir);
	if (!read.ok) throw new Error(read.sentence);
	expect(verifySession(read.session)).toMatchObject({ok: true});
	const sides = await verifySummaries(read.session);
	expect(sides.findings.filter(({level}) => level === 'failure')).toEqual([]);
	const recorded = sides.sessions.flatMap(({items}) =>
		items.flatMap(item => (item.type === 'request' ? [item.requestHash] : [])),
	);
	const sent = requests.filter(({body}) => body.includes('write_summary')).map(({body}) => hashOf(body));
	expect(sent.filter(hash => !recorded.includes(hash))).toEqual([]);
	for (const {items} of sides.sessions)
		expect(await verifyRequests(items)).toMatchObject({different: 0, unmade: 0, unchecked: 0});
	return {sent: sent.length, unfinished: sides.unfinished};
}

async function openedAgain(dir: string): Promise<Session> {
	const opened = await openSession(dir, systemClock());
	if (!opened.ok) throw new Error(opened.sentence);
	return opened.session;
}

describe('a process that is killed while it compacts', () => {
	it(`has recorded every request that arrived (${seed}, ${kills})`, {timeout: timeFor(kills)}, async () => {
		const random = seededRandom(seed);
		const toll = {sent: 0, unfinished: 0};
		for (let done = 0; done < kills;) {
			const killed = await victim();
			for (let deaths = 0; deaths < deathsEach && done < kills; deaths++, done++) {
				await using server = await startServer(wire, slowAnswers(done));
				// The first one dies when it has sent a request.
				const afterMs = done === 0 ? 400 : random() ** 1.5 * 900;
				await killedWhileCompacting(killed, `${server.url}/v1`, afterMs);
				const found = await inspect(killed.dir, server);
				toll.sent += found.sent;
				toll.unfinished = Math.max(toll.unfinished, found.unfinished);
				expect(server.refusals).toEqual([]);
			}
			await goOn(killed);
		}
		console.log(`compactions killed: seed ${seed}, ${kills} kills, ${JSON.stringify(toll)}`);
		expect(toll.sent).toBeGreaterThan(0);
	});
});

const deathsEach = 5;

/** Continues the session against a strict server. */
async function goOn({project, dir}: Victim): Promise<void> {
	await using server = await startServer(wire, [[{type: 'text', text: 'And on.'}]]);
	const told = await testPod(project, {model: await modelAt(wire, server), session: await openedAgain(dir)});
	expect(await told.run('And now?')).toEqual({accepted: true});
	await told.rest();
	expect(told.items().at(-1)).toMatchObject({type: 'run_end', outcome: 'finished'});
	expect(server.refusals).toEqual([]);
	await told.pod.send({method: 'shutdown'});
	JSON.parse(await readFile(historyFile(dir), 'utf8'));
}
