import {mkdtemp, readdir, readFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {describe, expect, it} from 'vitest';
import {readSession} from '../../src/pod/disk/log/read.ts';
import {verifySession} from '../../src/pod/disk/check/verify.ts';
import {seededRandom} from '../helpers/random.ts';
import {histories, idle, listening, onlyHistory, pressUntil, send} from '../helpers/chat.ts';
import {killsOf, timeFor} from '../helpers/kills.ts';
import {openTerminal, type Terminal} from '../helpers/pty.ts';
import {tempProject} from '../helpers/temp-project.ts';
import {startServer, type ServerAnswer} from '../helpers/wire-servers/index.ts';
import {modelNames, testKey} from '../worker/wires/wire-model.ts';

const wire = 'openai-compatible';
const kills = killsOf('queue');
const seed = Number(process.env['INKPOD_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

/** A chat that is killed. Its messages are words like `k3q1;`. */
type Stage = {
	readonly name: string;
	readonly terminal: Terminal;
	/** The terminal that is attached to the chat, or the chat itself. */
	readonly other: Terminal;
	/** The words that a queue or a transcript has shown. */
	readonly shown: Set<string>;
	/** The words that the user deletes. */
	readonly deleted: Set<string>;
	/** Is called before each key. */
	readonly onKey: () => void;
};

/** A state of the queue. Another state needs only another entry. */
type State = {
	readonly answers: readonly ServerAnswer[];
	/** The number of keys that the user presses, a typed message being one. */
	readonly keys: number;
	/** What the user does, until the chat is killed. */
	readonly act: (stage: Stage) => Promise<void>;
	readonly isAttached?: boolean;
};

const says = (text: string, delayMs = 0): ServerAnswer => [{type: 'text', text, chunk: 6, delayMs}];
/** It never ends. */
const slow: ServerAnswer = [{type: 'text', text: 'bit '.repeat(300), chunk: 6, delayMs: 4}, {type: 'stall'}];
const quick = says('bit '.repeat(20), 4);
const shortCall: ServerAnswer = [
	{type: 'text', text: 'bit '.repeat(10), chunk: 4, delayMs: 3},
	{type: 'tool_call', name: 'bash', arguments: {command: 'sleep 0.1'}},
];
const rest = Array.from({length: 12}, (_, index) => says(`answer ${index}`));
const keys = {up: '\x1b[A', steer: '\x13', promote: '\x1bq', cancel: '\x03', clear: '\x15', end: '\x05'};

const states: Readonly<Record<string, State>> = {
	queued: {
		keys: 10,
		answers: [slow],
		async act(stage) {
			for (let n = 0; n < 5; n++) await queue(stage, n, n === 2 ? '!: ' : '');
		},
	},
	edited: {
		keys: 22,
		answers: [slow],
		async act(stage) {
			for (let n = 0; n < 2; n++) await queue(stage, n);
			for (let edits = 0; edits < 6; edits++) {
				await takeBack(stage, 1);
				press(stage, ' x');
				press(stage, '\r');
				await stage.terminal.waitFor(rowOf(wordOf(stage, 1)));
			}
		},
	},
	reordered: {
		keys: 26,
		answers: [slow],
		async act(stage) {
			for (let n = 0; n < 3; n++) await queue(stage, n);
			for (let n = 3; n < 23; n++) {
				press(stage, keys.promote);
				await stage.terminal.waitFor(screen => firstRow(screen).includes(wordOf(stage, 2 - (n % 3))));
			}
		},
	},
	removed: {
		keys: 10,
		answers: [slow],
		async act(stage) {
			for (let n = 0; n < 3; n++) await queue(stage, n);
			for (let n = 2; n > 0; n--) {
				await takeBack(stage, n);
				stage.deleted.add(wordOf(stage, n));
				press(stage, keys.clear);
				await stage.terminal.waitFor(screen => !screen.includes(wordOf(stage, n)));
			}
		},
	},
	steered: {
		keys: 8,
		answers: [shortCall, shortCall, shortCall, slow],
		async act(stage) {
			for (let n = 0; n < 4; n++) await queue(stage, n, '', keys.steer);
		},
	},
	'being sent': {
		keys: 8,
		answers: [quick, quick, quick, quick, quick],
		async act(stage) {
			for (let n = 0; n < 4; n++) await queue(stage, n);
		},
	},
	cancelled: {
		keys: 8,
		answers: [slow],
		async act(stage) {
			for (let n = 0; n < 3; n++) await queue(stage, n);
			press(stage, keys.cancel);
			await stage.terminal.waitFor(screen => idle.test(screen) && !screen.includes('queued:'));
			press(stage, ' x');
			press(stage, '\r');
			await stage.terminal.waitFor('▌');
		},
	},
	attached: {
		keys: 13,
		answers: [slow],
		isAttached: true,
		async act(stage) {
			const {terminal, other} = stage;
			for (let n = 0; n < 3; n++) await queue({...stage, terminal: n === 1 ? terminal : other}, n);
			await terminal.waitFor(rowOf(wordOf(stage, 2)));
			press(stage, keys.promote);
			await other.waitFor(screen => firstRow(screen).includes(wordOf(stage, 2)));
			await takeBack(stage, 1);
			await other.waitFor(screen => !screen.includes(wordOf(stage, 1)));
			await takeBack({...stage, terminal: other}, 0);
			for (const terminal of [stage.terminal, other])
				for (const key of [' x', '\r']) press({...stage, terminal}, key);
			await terminal.waitFor(rowOf(wordOf(stage, 0)));
		},
	},
};

describe('a chat with queued messages that is killed', () => {
	it(
		`has each message exactly once (INKPOD_SEED=${seed} INKPOD_KILLS=${kills})`,
		{timeout: timeFor(kills)},
		async () => {
			const random = seededRandom(seed);
			const toll: Record<string, number> = {};
			const names = Object.keys(states);
			const jobs = Array.from({length: kills}, (_, n) => ({
				state: names[n % names.length]!,
				name: `k${n}`,
				moment: {key: random(), pause: random() ** 2 * 60, between: random() < 0.5 ? 0 : 400},
			}));
			const waiting = jobs.values();
			const take = async () => {
				for (const {state, name, moment} of waiting) {
					const shown = await killOnce(states[state]!, name, moment).catch((error: unknown) => {
						throw new Error(`${state} ${name}, killed at ${JSON.stringify(moment)}`, {cause: error});
					});
					toll[state] = (toll[state] ?? 0) + shown;
				}
			};
			await Promise.all([take(), take()]);
			console.log(`killed queues: seed ${seed}, ${kills} kills, messages shown ${JSON.stringify(toll)}`);
			if (kills >= 100) for (const name of names) expect(toll[name]).toBeGreaterThan(0);
		},
	);
});

/** `key`: the part of the keys after which the chat is killed. The rest are pauses in milliseconds. */
type Moment = {readonly key: number; readonly pause: number; readonly between: number};

/** Kills a chat, and then its attached terminal. Returns how many messages had been shown. */
async function killOnce({answers, keys: count, act, isAttached = false}: State, name: string, moment: Moment) {
	const at = await place();
	await using server = await startServer(wire, [...answers, ...rest]);
	const reached = Promise.withResolvers<void>();
	let left = Math.floor(moment.key * count);
	const onKey = () => {
		if (left-- <= 0) reached.resolve();
	};
	const stage = await openStage(at, server.url, {name, isAttached, onKey});
	const {terminal, other, shown} = stage;
	let isKilled = false;
	const acting = act(stage).catch((error: unknown) => {
		if (!isKilled) throw error;
	});
	await Promise.race([reached.promise, acting]);
	await sleep(moment.pause);
	isKilled = true;
	for (const each of new Set([terminal, other])) {
		each.kill('SIGKILL');
		if (isAttached) await sleep(moment.between);
	}
	await Promise.all([terminal.exit, other.exit, acting]);
	for (const each of [terminal, other]) for (const word of wordsAbove(each, name)) shown.add(word);
	expect(server.refusals).toEqual([]);
	// Sockets of killed processes are in the old folder.
	const next = {...at, run: await mkdtemp(join(at.home, 'run-'))};
	await inspect(next, {name, isAttached, needed: await neededOf(at, stage)});
	for (const each of new Set([terminal, other])) await each.close();
	return shown.size;
}

type Place = {readonly cwd: string; readonly home: string; readonly run: string};

async function place(): Promise<Place> {
	const project = await tempProject();
	return {cwd: project.dir, home: join(dirname(project.dir), 'home'), run: await project.mkdir('../run')};
}

async function open({cwd, home, run}: Place, url: string, ...args: readonly string[]): Promise<Terminal> {
	const model = args.includes('attach') ? [] : ['--model', `${wire}/${modelNames[wire]}`, '--approval', 'auto'];
	return openTerminal({
		cwd,
		home,
		rows: 60,
		args: [...args, ...model],
		env: {OPENAI_COMPATIBLE_API_KEY: testKey, OPENAI_COMPATIBLE_BASE_URL: url, XDG_RUNTIME_DIR: run},
	});
}

async function attach(at: Place, url: string): Promise<Terminal> {
	await listening(at.run);
	const terminal = await open(at, url, 'attach');
	await terminal.waitFor(/Attached to the session/);
	return terminal;
}

async function openStage(
	at: Place,
	url: string,
	{name, isAttached, onKey}: Pick<Stage, 'name' | 'onKey'> & {readonly isAttached: boolean},
): Promise<Stage> {
	const terminal = await open(at, url, ...(isAttached ? [] : ['--no-socket']));
	await terminal.waitFor(idle);
	const other = isAttached ? await attach(at, url) : terminal;
	await send(terminal, 'go');
	await other.waitFor('bit ');
	return {name, terminal, other, shown: new Set(), deleted: new Set(), onKey};
}

async function queue(stage: Stage, n: number, prefix = '', key = '\r'): Promise<void> {
	const {terminal, shown} = stage;
	const word = wordOf(stage, n);
	press(stage, prefix + word);
	await terminal.waitFor(word);
	press(stage, key);
	await terminal.waitFor(screen => rowOf(word).test(screen));
	shown.add(word);
}

/** Takes the last queued message, which is this one, into the composer. */
async function takeBack(stage: Stage, n: number): Promise<void> {
	const {terminal} = stage;
	press(stage, keys.up);
	await terminal.waitFor(screen => composerOf(screen).includes(wordOf(stage, n)));
}

function press({terminal, onKey}: Stage, key: string): void {
	onKey();
	terminal.write(key);
}

function wordOf({name}: Pick<Stage, 'name'>, n: number): string {
	return `${name}q${n};`;
}

/** Matches a row of the queue, of the transcript or of a command with this word. */
function rowOf(word: string): RegExp {
	return new RegExp(`^ ?[◦↑→×▌!$●].*${word}`, 'm');
}

/** Returns the first row of the queue. */
function firstRow(screen: string): string {
	return /^◦ queued.*$/m.exec(screen)?.[0] ?? '';
}

function composerOf(screen: string): string {
	const start = screen.lastIndexOf('\n❯ ');
	return start === -1 ? '' : screen.slice(start);
}

function wordsIn(text: string, name: string): string[] {
	return text.match(new RegExp(`${name}q\\d+;`, 'g')) ?? [];
}

/** Returns the words of the queue and of the transcript. */
function wordsAbove(terminal: Terminal, name: string): string[] {
	const screen = terminal.screen();
	return wordsIn(screen.slice(0, screen.length - composerOf(screen).length), name);
}

/** Returns the words that the next process must show: those that were shown or saved. */
async function neededOf(at: Place, {name, shown, deleted}: Stage): Promise<string[]> {
	const names = await readdir(at.home, {recursive: true});
	const saved = names.filter(file => /(?:history|queue|draft)\.json$/.test(file));
	const texts = await Promise.all(saved.map(async file => readFile(join(at.home, file), 'utf8')));
	const kept = [...shown].filter(word => !deleted.has(word));
	return [...new Set([...kept, ...wordsIn(texts.join('\n'), name)])].toSorted();
}

type Needed = {readonly name: string; readonly isAttached: boolean; readonly needed: readonly string[]};

/** Opens the session again. Each message is there once, and is sent once. */
async function inspect(at: Place, {name, isAttached, needed}: Needed): Promise<void> {
	await using server = await startServer(wire, rest);
	await using terminal = await open(at, server.url, '-c');
	await terminal.waitFor(idle);
	const other = isAttached ? await attach(at, server.url) : undefined;
	const places = () => [
		...wordsIn(terminal.screen(), name),
		...(other === undefined ? [] : wordsIn(composerOf(other.screen()), name)),
	];
	try {
		await expect.poll(() => places().toSorted(), {timeout: 10_000}).toEqual(needed);
	} catch (error) {
		throw new Error([terminal, other].map(each => each?.screen()).join('\n'), {cause: error});
	}
	for (const each of [other, terminal]) if (each !== undefined) await sendAll(each);
	expect(server.refusals).toEqual([]);
	const {items} = await onlyHistory(at.home);
	expect(items.flatMap(item => wordsIn(sentText(item), name)).toSorted()).toEqual(needed);
	const [file = ''] = await histories(at.home);
	const read = await readSession(dirname(file));
	expect(read.ok && verifySession(read.session)).toMatchObject({ok: true});
	await other?.close();
}

/** Sends the draft and the queue. */
async function sendAll(terminal: Terminal): Promise<void> {
	terminal.write(`${keys.end} And now?`);
	await terminal.waitFor('And now?');
	await pressUntil(
		terminal,
		'\r',
		screen => screen.includes('◦ idle') && screen.includes('Ask anything') && !/^(?:◦ queued|[↑→×] )/m.test(screen),
	);
}

/** Returns the text of a message or command of the user. */
function sentText({type, role, text, origin}: Readonly<Record<string, unknown>>): string {
	if (type !== 'message') return '';
	if (role === 'user') return String(text);
	const {started, command} = (origin ?? {}) as {readonly started?: boolean; readonly command?: string};
	return started === true ? String(command) : '';
}
