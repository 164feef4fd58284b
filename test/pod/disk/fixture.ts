import {mkdtemp, readdir, readFile, realpath, rm, writeFile, mkdir} from 'node:fs/promises';
import * as fs from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import fc from 'fast-check';
import {onTestFinished} from 'vitest';
import {createSession} from '../../../src/pod/disk/log/open.ts';
import type {Files, OpenFile} from '../../../src/pod/disk/files.ts';
import {closing, encodeBatch, headerLine, headerSum, type Header} from '../../../src/pod/disk/format/line.ts';
import {historyFile, sessionsRoot} from '../../../src/pod/disk/paths.ts';
import type {Opened} from '../../../src/pod/disk/log/open.ts';
import type {Session} from '../../../src/pod/disk/log/log.ts';
import {HistoryError, type Item} from '../../../src/worker/index.ts';
import {anyText as anyCharacters} from '../../helpers/any-text.ts';
import {countedClock} from '../../helpers/clock.ts';

export const long = process.env['INKPOD_TEST'] === 'long';

/** A separate home folder for a test, and a project in it. */
export type Home = {
	readonly home: string;
	readonly root: string;
	readonly cwd: string;
	readonly env: Readonly<Record<string, string>>;
};

export async function tempHome(): Promise<Home> {
	const home = await realpath(await mkdtemp(join(tmpdir(), 'inkpod-session-')));
	onTestFinished(async () => rm(home, {recursive: true, force: true}));
	const cwd = join(home, 'project');
	await mkdir(cwd);
	const env = {HOME: home};
	return {home, root: sessionsRoot(env, home), cwd, env};
}

export function user(id: string, text: string): Item {
	return {
		id,
		at: '2026-01-01T00:00:00.000Z',
		type: 'message',
		role: 'user',
		text,
		origin: {kind: 'submit', segments: [{type: 'text', text}]},
	};
}

export function call(id: string, callId: string): Item {
	return {id, at: '2026-01-01T00:00:01.000Z', type: 'tool_call', callId, name: 'read_file', arguments: '{"path":"ä'};
}

export function result(id: string, callId: string): Item {
	return {
		id,
		at: '2026-01-01T00:00:02.000Z',
		type: 'tool_result',
		callId,
		summary: 'read',
		content: '日本語\n]}\n',
		isError: false,
		ms: 3,
	};
}

export function request(id: string): Item {
	return {
		id,
		at: '2026-01-01T00:00:03.000Z',
		type: 'request',
		model: 'm',
		usage: {input: 1},
		requestHash: 'h',
		startedAt: 'a',
		endedAt: 'b',
		stop: 'end',
	};
}

/** Returns the bytes of a whole history.json. */
export function historyOf(
	items: readonly Item[],
	header: Omit<Header, 'format'> = {
		session: '01JD8XK3Q2ABCDEFGHJKMNPQRS',
		cwd: '/p',
		created: '2026-01-01T00:00:00.000Z',
	},
): Buffer {
	const line = headerLine(header);
	return Buffer.concat([Buffer.from(`${line}\n`), ...encodeBatch(items, headerSum(line)).pieces, closing]);
}

/** Creates a session with these batches, and closes it. */
export async function storedSession(
	at: Home,
	batches: ReadonlyArray<readonly Item[]>,
): Promise<{readonly dir: string; readonly path: string}> {
	const session = createSession(at, countedClock());
	for (const batch of batches) await session.log.write(batch);
	await session.close();
	return {dir: session.dir, path: historyFile(session.dir)};
}

/** Creates a session folder with the given bytes as its history. */
export async function sessionOfBytes(
	at: Home,
	bytes: Buffer,
	id = '01JD8XK3Q2ABCDEFGHJKMNPQRS',
): Promise<{readonly dir: string; readonly path: string}> {
	const dir = join(at.root, 'p-0123456789ab', id);
	const path = historyFile(dir);
	await mkdir(dirname(path), {recursive: true});
	await writeFile(path, bytes);
	return {dir, path};
}

/** Returns the names in a session's folder, without the history, the lock and inkpod's files of torn ends. */
export async function namesIn(dir: string): Promise<string[]> {
	return (await readdir(dir)).toSorted();
}

export async function itemsOnDisk(session: Pick<Session, 'dir'>): Promise<unknown[]> {
	const parsed = JSON.parse(await readFile(historyFile(session.dir), 'utf8')) as {
		items: Array<Record<string, unknown>>;
	};
	return parsed.items.map(item =>
		Object.fromEntries(Object.entries(item).filter(([key]) => key !== 'sum' && key !== 'check')),
	);
}

/**
A fault in the file operations. It is called before each of them. It may throw an error, or return the number of bytes
that a write takes.
*/
export type Fault = (
	operation: 'open' | 'write' | 'truncate' | 'datasync' | 'sync' | 'rename' | 'link' | 'mkdir',
	path: string,
	size: number,
) => number | void;

/** Returns the real file operations with faults. */
export function faultyFiles(fault: Fault): Files {
	return {
		...fs,
		async mkdir(path, mode) {
			fault('mkdir', path, 0);
			return fs.mkdir(path, mode);
		},
		async rename(from, to) {
			fault('rename', from, 0);
			await fs.rename(from, to);
		},
		async link(from, to) {
			fault('link', to, 0);
			await fs.link(from, to);
		},
		async open(path, flags, mode) {
			fault('open', path, 0);
			return faultyFile(await fs.open(path, flags, mode), path, fault);
		},
	};
}

function faultyFile(file: OpenFile, path: string, fault: Fault): OpenFile {
	return {
		read: async (...args) => file.read(...args),
		async write(buffer, offset, length, position) {
			const taken = fault('write', path, length) ?? length;
			return file.write(buffer, offset, taken, position);
		},
		async truncate(length) {
			fault('truncate', path, length);
			await file.truncate(length);
		},
		async datasync() {
			fault('datasync', path, 0);
			await file.datasync();
		},
		async sync() {
			fault('sync', path, 0);
			await file.sync();
		},
		stat: async () => file.stat(),
		close: async () => file.close(),
	};
}

/**
The real file operations without the wait for the disk. A test that opens and writes many hundred times uses them.
*/
export const unsynced: Files = {
	...fs,
	async open(path, flags, mode) {
		const file = await fs.open(path, flags, mode);
		return Object.assign(file, {async datasync() {}, async sync() {}});
	},
};

/** Creates an error of the system. */
export function systemError(code: string): NodeJS.ErrnoException {
	return Object.assign(new Error(`${code}: as a test wanted`), {code});
}

const anyText = fc.oneof(
	anyCharacters({maxLength: 40}),
	fc.constantFrom(
		'\ud800',
		',"sum":"00000000000000000000000000000000"}',
		'\n]}\n',
		'\u2028\u0000\u001b[2J',
		'ü'.repeat(100),
	),
);
const anyKey = fc.string({maxLength: 8}).filter(key => key !== '__proto__' && key !== '');
const anyJson = fc
	.jsonValue({maxDepth: 2})
	.map(value => JSON.parse(JSON.stringify(value).replaceAll('__proto__', 'proto')) as unknown);
const anyProvider = fc.dictionary(anyKey, anyJson, {maxKeys: 2});

/** Any item without its id, with a key that this version does not know. */
const anyBody = fc.oneof(
	fc.record({
		type: fc.constant('message'),
		role: fc.constantFrom('user', 'assistant', 'system'),
		text: anyText,
		origin: fc.record({kind: anyText, more: anyJson}),
	}),
	fc.record({type: fc.constant('reasoning'), text: anyText, ms: fc.nat(), provider: anyProvider}),
	fc.record({
		type: fc.constant('tool_call'),
		callId: anyText,
		name: anyText,
		arguments: anyText,
		provider: anyProvider,
	}),
	fc.record({
		type: fc.constant('tool_result'),
		callId: anyText,
		summary: anyText,
		content: anyText,
		isError: fc.boolean(),
		ms: fc.nat(),
		unknown: anyJson,
	}),
	fc.record({
		type: fc.constant('setup'),
		model: anyText,
		prompt: anyText,
		tools: fc.constant([]),
		settings: anyProvider,
	}),
	fc.record({type: fc.constant('run_end'), outcome: fc.constantFrom('finished', 'error'), cause: anyText}),
	fc.record({
		type: fc.constant('context'),
		op: fc.constantFrom('drop', 'pin'),
		ids: fc.array(anyText, {maxLength: 3}),
	}),
);

export const anyBatch: fc.Arbitrary<Item[]> = fc.array(
	fc
		.tuple(fc.uuid(), anyBody)
		.map(([id, body]) => ({id, at: '2026-01-01T00:00:00.000Z', ...body}) as unknown as Item),
	{minLength: 1, maxLength: 5},
);

/** Returns the opened session, or throws its refusal. */
export function opened(answer: Opened): Session {
	if (!answer.ok) throw new Error(answer.sentence);
	return answer.session;
}

/** Returns the error of a write that fails. */
export async function failed(done: Promise<unknown>): Promise<HistoryError> {
	try {
		await done;
	} catch (error) {
		if (error instanceof HistoryError) return error;
		throw error;
	}
	throw new Error('it was written');
}
