import {dirname, join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {describe, expect, it} from 'vitest';
import type {Event} from '../../src/pod/protocol.ts';
import {openSession} from '../../src/pod/disk/log/open.ts';
import {readSession} from '../../src/pod/disk/log/read.ts';
import {verifySession} from '../../src/pod/disk/check/verify.ts';
import {textOf} from '../../src/screen/spans/row.ts';
import {createTranscriptStore} from '../../src/screen/rows/store.ts';
import {systemClock} from '../../src/worker/index.ts';
import {seededRandom} from '../helpers/random.ts';
import {histories, idle, send} from '../helpers/chat.ts';
import {killsOf, timeFor} from '../helpers/kills.ts';
import {allowed, testPod} from '../helpers/pod.ts';
import {openTerminal, type Terminal} from '../helpers/pty.ts';
import {tempProject, type TempProject} from '../helpers/temp-project.ts';
import {startServer, type ServerAnswer} from '../helpers/wire-servers/index.ts';
import {modelAt, modelNames, testKey} from '../worker/wires/wire-model.ts';

const wire = 'openai-compatible';
const kills = killsOf('screen');
const seed = Number(process.env['INKPOD_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

/**
A state in which the program is killed. Its text has words like `k3w17;`, each once. Another state needs only another
entry.
*/
type State = {
	/** What the server answers. */
	readonly answers: (name: string) => ServerAnswer[];
	/** What you type. */
	readonly typed: (name: string) => string;
};

const count = 150;
const words = (name: string) => Array.from({length: count}, (_, n) => `${name}w${n};`).join(' ');
const printing = (name: string) =>
	`n=0; while [ $n -lt ${count} ]; do printf '${name}w%d;\\n' $n; n=$((n+1)); sleep 0.005; done`;

const states: Readonly<Record<string, State>> = {
	answer: {
		answers: name => [[{type: 'text', text: words(name), chunk: 7, delayMs: 3}]],
		typed: () => 'tell me',
	},
	'tool output': {
		answers: name => [
			[{type: 'tool_call', name: 'bash', arguments: {command: printing(name)}}],
			[{type: 'text', text: 'Done.'}],
		],
		typed: () => 'do it',
	},
	'!command': {answers: () => [], typed: name => `!${printing(name)}`},
};

describe('a chat that is killed', () => {
	it(
		`loses no word that its screen had shown (INKPOD_SEED=${seed} INKPOD_KILLS=${kills})`,
		{timeout: timeFor(kills)},
		async () => {
			const random = seededRandom(seed);
			const toll: Record<string, number> = {};
			const names = Object.keys(states);
			const jobs = Array.from({length: kills}, (_, n) => ({
				state: names[n % names.length]!,
				name: `k${n}`,
				pause: random() * 400,
			}));
			const queue = jobs.values();
			const take = async () => {
				for (const {state, name, pause} of queue) {
					const shown = await killOnce(states[state]!, name, pause).catch((error: unknown) => {
						throw new Error(`${state} ${name}, killed after ${pause} ms`, {cause: error});
					});
					toll[state] = (toll[state] ?? 0) + shown;
				}
			};
			await Promise.all([take(), take()]);
			console.log(`killed screens: seed ${seed}, ${kills} kills, words shown ${JSON.stringify(toll)}`);
			for (const name of names.slice(0, kills)) expect(toll[name]).toBeGreaterThan(0);
		},
	);
});

/** Kills a chat in a state. Returns how many words its screen had shown. */
async function killOnce(state: State, name: string, pause: number): Promise<number> {
	const project = await tempProject();
	await using server = await startServer(wire, state.answers(name));
	await using terminal = await openVictim(project, server.url);
	await terminal.waitFor(idle);
	await send(terminal, state.typed(name));
	await terminal.waitFor(screen => wordsOn(screen, name).length > 0, {what: `a word of ${name}`});
	await sleep(pause);
	terminal.kill('SIGKILL');
	await terminal.exit;
	const shown = wordsOn(terminal.screen(), name);
	await inspect(project, terminal.home, {name, shown});
	return shown.length;
}

async function openVictim(project: TempProject, url: string): Promise<Terminal> {
	return openTerminal({
		cwd: project.dir,
		home: join(dirname(project.dir), 'home'),
		rows: 60,
		args: ['--model', `${wire}/${modelNames[wire]}`, '--approval', 'auto', '--no-socket'],
		env: {OPENAI_COMPATIBLE_API_KEY: testKey, OPENAI_COMPATIBLE_BASE_URL: url},
	});
}

type Shown = {readonly name: string; readonly shown: readonly string[]};

/** Opens the session as the next process does, checks its screen, and sends one more message. */
async function inspect(project: TempProject, home: string, {name, shown}: Shown): Promise<void> {
	const [file = ''] = await histories(home);
	const dir = dirname(file);
	const opened = await openSession(dir, systemClock());
	if (!opened.ok) throw new Error(opened.sentence);
	await using server = await startServer(wire, [[{type: 'text', text: 'And on.'}]]);
	const told = await testPod(project, {model: await modelAt(wire, server), session: opened.session, ...allowed});
	expectShown(told.events, {name, shown});
	expect(await told.run('And now?')).toEqual({accepted: true});
	await told.rest();
	expect(server.refusals).toEqual([]);
	expect(told.items().at(-1)).toMatchObject({type: 'run_end', outcome: 'finished'});
	await told.pod.send({method: 'shutdown'});
	const read = await readSession(dir);
	expect(read.ok && verifySession(read.session)).toMatchObject({ok: true});
	const again = await openSession(dir, systemClock());
	if (!again.ok) throw new Error(again.sentence);
	expect(again.session.items).toEqual(told.items());
	await again.session.close();
}

/** Every word that was shown is on the next screen, and none is there twice. */
function expectShown(events: readonly Event[], {name, shown}: Shown): void {
	const store = createTranscriptStore({columns: 100, view: 'detail'});
	for (const event of events) store.dispatch(event);
	const rows = Array.from({length: store.count()}, (_, index) => store.rows(index).map(textOf)).flat();
	const found = rows.flatMap(row => row.match(new RegExp(`${name}w\\d+;`, 'g')) ?? []);
	expect(shown.filter(word => !found.includes(word))).toEqual([]);
	expect(found.length).toBe(new Set(found).size);
}

/** Returns the complete words on a screen. */
function wordsOn(screen: string, name: string): string[] {
	return [...new Set(screen.match(new RegExp(`${name}w\\d+;`, 'g')))];
}
