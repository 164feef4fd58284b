import {readFile, readdir, stat, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {exportBundle} from '../../src/cli/bundle/export-bundle.ts';
import {verifyBundle} from '../../src/cli/bundle/verify-bundle.ts';
import {previewSession} from '../../src/cli/chat/pick-session.ts';
import {context} from '../../src/cli/context.ts';
import {exportSession, type ExportFormat} from '../../src/cli/export/export.ts';
import {openReplay} from '../../src/cli/replay/open-replay.ts';
import {sessions} from '../../src/cli/sessions.ts';
import {verify} from '../../src/cli/verify.ts';
import {decodeFile} from '../../src/pod/disk/bundle/decode-file.ts';
import {commandOutput, commandStart} from '../../src/pod/ground/history/shell-item.ts';
import {waitingText, type QueueMessage} from '../../src/pod/protocol.ts';
import {createSession} from '../../src/pod/disk/log/open.ts';
import {forkSession} from '../../src/pod/disk/conversations/fork.ts';
import {openSession} from '../../src/pod/disk/log/open.ts';
import {createQueueFile, readQueue} from '../../src/pod/disk/log/queue-file.ts';
import {readSession} from '../../src/pod/disk/log/read.ts';
import {createTranscriptStore} from '../../src/screen/rows/store.ts';
import {plainText} from '../../src/screen/spans/row.ts';
import {systemClock, type Item} from '../../src/worker/index.ts';
import {countedClock} from '../helpers/clock.ts';
import {createItems} from '../helpers/items.ts';
import {tempHome, type Home} from '../pod/disk/fixture.ts';

const clock = countedClock();
const made = createItems();
const run = [made.setup(), made.user('Tell me'), made.sent()];
const answer = made.assistant('Once upon a streamed time');
const thought = made.reasoning('Hm thinking', 0);
const call = made.call('c1', 'read_file', {path: 'a'});
const output = made.result('c1', 'read', 'half an output');
const start = commandStart('npm test', clock);
const shellOutput = commandOutput(start, clock);
const waiting = message('w1', 'and then a waiting message');
const command: QueueMessage = {id: 'w2', segments: [{type: 'text', text: '!ls'}], command: 'ls -l waiting'};

type State = {readonly items: readonly Item[]; readonly open: readonly Item[]; readonly queue: readonly QueueMessage[]};

/** What a kill leaves: items, streamed text, and a queue. */
const states: Readonly<Record<string, State>> = {
	'an answer': {items: run, open: [answer], queue: []},
	'thoughts and an answer': {items: run, open: [thought, answer], queue: []},
	'an answer and a waiting message': {items: run, open: [answer], queue: [waiting]},
	'only a sent request': {items: run, open: [], queue: []},
	'only waiting messages': {items: run, open: [], queue: [waiting, command]},
	'a waiting message that is in history': {
		items: [...run, {...made.user('already sent'), origin: {kind: 'submit', id: 'w1', segments: []}}],
		open: [answer],
		queue: [waiting, command],
	},
	'the output of a tool': {items: answered(run, call), open: [output], queue: [waiting]},
	'a command of the user': {
		items: [...run, made.end(), start],
		open: [{...shellOutput, text: `${shellOutput.text}half of the tests`}],
		queue: [],
	},
	'a command without output': {items: [...run, made.end(), start], open: [], queue: []},
	'an answer that is in history': {items: [...run, answer], open: [answer], queue: []},
	'text after the end of the run': {items: [...run, made.end()], open: [answer], queue: [waiting]},
};

function message(id: string, text: string): QueueMessage {
	return {id, segments: [{type: 'text', text}]};
}

function answered(before: readonly Item[], called: Item): readonly Item[] {
	const sent = before.findLast(({type}) => type === 'request');
	if (sent?.type !== 'request') throw new Error('no request');
	return [...before, called, made.answered(sent, 'tool_calls', {input: 1, output: 1})];
}

async function killed({items, open, queue}: State) {
	const home = await tempHome();
	const session = createSession({root: home.root, cwd: home.cwd}, clock);
	await session.log.write(items);
	const isText = (item: Item) => 'text' in item;
	const text = (item: Item) => (isText(item) ? (item as {text: string}).text : (item as {content: string}).content);
	const begin = (item: Item) => {
		const header = item.id === shellOutput.id ? shellOutput.text : '';
		return {...item, ...(isText(item) ? {text: header} : {content: header})} as Item;
	};
	session.stream?.write(open.map(item => ({item: begin(item), text: text(item).slice(textOf(begin(item)).length)})));
	const {isMine, dir, id} = session;
	if (queue.length > 0) await createQueueFile({dir: () => dir, messages: () => queue, isMine}).save();
	await session.close();
	return {home, dir, id};
}

function textOf(item: Item): string {
	return 'text' in item ? item.text : (item as {content: string}).content;
}

/** Opens a session as `-r` does. Returns what its screen shows. */
async function resumed(dir: string) {
	const opened = await openSession(dir, systemClock());
	if (!opened.ok) throw new Error(opened.sentence);
	await opened.session.close();
	const {items} = opened.session;
	const delivered = new Set(items.map(item => (item.type === 'message' ? item.origin?.['id'] : undefined)));
	const left = readQueue(dir).messages.filter(({id}) => !delivered.has(id));
	return {items, texts: [...items.map(shownOf), ...left.map(waitingText)].filter(text => text !== '')};
}

function shownOf(item: Item): string {
	if (item.type === 'message') return item.text;
	if (item.type === 'reasoning') return item.text;
	return item.type === 'tool_result' ? item.content : '';
}

async function captured(implement: (io: {stdout: Out; stderr: Out}) => Promise<number>) {
	let [out, err] = ['', ''];
	const code = await implement({
		stdout: {write: text => ((out += text), true)},
		stderr: {write: text => ((err += text), true)},
	});
	return {code, out, err};
}
type Out = {write(text: string): boolean};

async function snapshotOf(dir: string): Promise<ReadonlyArray<readonly [string, number, string]>> {
	const names = (await readdir(dir)).toSorted();
	return Promise.all(
		names.map(async name => {
			const path = join(dir, name);
			return [name, (await stat(path)).mtimeMs, (await readFile(path)).toString('latin1')] as const;
		}),
	);
}

async function exported(home: Home, id: string, format: ExportFormat) {
	const options = {id, format, exact: true, force: false, env: home.env, cwd: home.cwd};
	return captured(async io => exportSession({...options, ...io}));
}

describe.each(Object.entries(states))('after a kill during %s', (_, state) => {
	it('every reader shows the words of the next start, and changes no file', async () => {
		const {home, dir, id} = await killed(state);
		const before = await snapshotOf(dir);
		const where = {id, env: home.env, cwd: home.cwd};
		const md = await exported(home, id, 'md');
		const html = await exported(home, id, 'html');
		const json = await exported(home, id, 'json');
		const verified = await captured(async io => verify({...where, ...io}));
		const ledger = await captured(async io =>
			context({...where, json: true, request: false, terminal: false, ...io}),
		);
		const list = await captured(async io => sessions({json: true, env: home.env, cwd: home.cwd, ...io}));
		const preview = await previewSession(dir, new AbortController().signal);
		const replayed = await replayOf(where);
		const bundle = join(home.cwd, 'b.tar');
		const packing = {...where, to: bundle, exact: true, force: true, version: '1'};
		const packed = await captured(async ({stderr}) => exportBundle({...packing, stderr}));
		const checked = await captured(async io => verifyBundle({file: bundle, version: '1', env: {}, ...io}));
		const unpacked = await replayOf({...where, id: bundle});
		const read = await readSession(dir);
		const forked = await forkSession(dir, {backupsOf: () => [], copyOutputs: async () => 0}, systemClock());
		expect(await snapshotOf(dir)).toEqual(before);
		if (!forked.ok || !read.ok) throw new Error('not read');
		const fork = await resumed(forked.dir);
		const {items, texts} = await resumed(dir);
		const {isUnfinished, waiting: left} = read.session.open;

		const exportedJson = JSON.parse(json.out) as {
			items: readonly Item[];
			unfinished?: {waiting: readonly {text: string}[]};
		};
		const jsonTexts = [
			...exportedJson.items.map(shownOf),
			...(exportedJson.unfinished?.waiting ?? []).map(({text}) => text),
		];
		expect(jsonTexts.filter(text => text !== '')).toEqual(texts);
		expect(fork.texts).toEqual(texts);
		expect(replayed.words).toEqual(texts);
		expect(unpacked.words).toEqual(texts);
		for (const text of texts)
			for (const {out} of [md, html]) for (const line of text.split('\n')) expect(out).toContain(line);
		expect(read.session.items.map(shownOf)).toEqual(items.map(shownOf));
		for (const one of left) {
			expect(ledger.out).toContain(waitingText(one));
			expect(preview.map(({text}) => text).join('\n')).toContain(waitingText(left.at(-1) ?? one));
			expect(await hits(home, waitingText(one))).toContain(id);
		}
		for (const item of read.session.open.streamed) {
			expect(await hits(home, shownOf(item).split('\n')[0] ?? '')).toContain(id);
			expect(verified.out).toMatch(/The next start saves from stream\.log/);
		}
		expect([md, html, json, verified, ledger, list, packed, checked].map(({code}) => code)).toEqual(
			Array(8).fill(0),
		);
		for (const {out} of [md, html]) expect(out.includes('State')).toBe(isUnfinished);
		expect(exportedJson.unfinished !== undefined).toBe(left.length + read.session.open.streamed.length > 0);
		const says = list.out.includes('"unfinished": true');
		const hasFiles = state.open.length > 0 || state.queue.length > 0;
		if (hasFiles && left.length + read.session.open.streamed.length > 0) expect(says).toBe(true);
		if (says) expect(isUnfinished).toBe(true);
	});
});

async function hits(home: Home, search: string): Promise<string> {
	return (await captured(async io => sessions({json: true, search, env: home.env, cwd: home.cwd, ...io}))).out;
}

async function replayOf({id, env, cwd}: {readonly id: string; readonly env: Home['env']; readonly cwd: string}) {
	const bundle = id.endsWith('.tar') ? {path: id, decoding: decodeFile(id, 1e9)} : undefined;
	const opened = await openReplay({source: id, bundle, at: undefined, speed: 1, env, cwd, manifest: undefined});
	if (!opened.ok) throw new Error(opened.sentence);
	const replay = opened.play(() => {});
	replay.press('end');
	const words: string[] = [];
	replay.pod.subscribe(event => {
		if (event.type !== 'snapshot') return;
		const queue = event.status.queue.map(({preview, isCommand}) => {
			const text = preview.map(segment => (segment.type === 'text' ? segment.text : '')).join('');
			return isCommand === true ? waitingText(command) : text;
		});
		words.push(...event.items.map(shownOf), ...queue);
	});
	replay.close();
	await opened.close();
	return {words: words.filter(text => text !== '')};
}

describe('the row of a lost answer', () => {
	it('comes after the text that was seen', async () => {
		const {dir} = await killed({items: run, open: [thought, answer], queue: []});
		const {items} = await resumed(dir);
		const store = createTranscriptStore({columns: 80, view: 'normal'});
		const session = {id: 's', model: 'm', scope: {pwd: '/', writable: false, readRoots: []}};
		store.dispatch({
			type: 'snapshot',
			session,
			items: [...items],
			tail: [],
			status: {kind: 'paused', asks: [], queue: []},
		});
		const rows: string[] = [];
		for (let at = 0; at < store.count(); at++) rows.push(...store.rows(at).map(row => plainText(row)));
		store.dispose();
		const lost = rows.findIndex(row => row.includes('request sent, answer lost'));
		expect(lost).toBeGreaterThan(rows.findIndex(row => row.includes('Once upon a streamed time')));
		expect(rows.filter(row => row.includes('answer lost'))).toHaveLength(1);
	});
});

describe('a session beside which something hostile lies', () => {
	it('is read without it', async () => {
		const {dir} = await killed({items: run, open: [], queue: []});
		await writeFile(join(dir, 'stream.log'), 'x'.repeat(1000));
		await writeFile(join(dir, 'queue.json'), '{"messages":[');
		const read = await readSession(dir);
		expect(read.ok && [read.session.items.length, read.session.open.waiting]).toEqual([run.length, []]);
	});
});
