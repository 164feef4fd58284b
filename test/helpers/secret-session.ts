import {createHash} from 'node:crypto';
import {mkdir, readdir, readFile, writeFile} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';
import {encodeQueue} from '../../src/pod/disk/log/queue-file.ts';
import {createSession, type NewSession} from '../../src/pod/disk/log/open.ts';
import {childDir, childrenDir, compactionsDir, sessionDir, sideQuestionsDir} from '../../src/pod/disk/paths.ts';
import {originRules} from '../../src/pod/ground/history/reader.ts';
import {
	createGrowingContext,
	requestBody,
	stamp,
	systemClock,
	type Clock,
	type Draft,
	type Item,
	type ReadMedia,
} from '../../src/worker/index.ts';
import {pdf, sha256Of} from './images.ts';
import {compactionItem} from './side-sessions.ts';

/** A stored session with a secret in all kinds of places. `home` is its state folder. */
export type SecretSession = {readonly dir: string; readonly home: string; readonly request: string};

/** Where the session is, its secret, and the model to which its requests went. */
type SecretOptions = Pick<NewSession, 'root' | 'cwd'> & {readonly secret: string; readonly model?: string};

/** Creates a session with a secret in every kind of file and item that a session has. */
export async function createSecretSession({
	root,
	cwd,
	secret,
	model = models[0],
}: SecretOptions): Promise<SecretSession> {
	const clock = systemClock();
	const make = makerOf(clock);
	const id = clock.id();
	const dir = sessionDir(root, cwd, id);
	const setup = setupOf(make, model, secret);
	const child = await storeSide(childrenDir(dir), cwd, clock.id(), await withHashes(sideItems(make, setup, secret)));
	const compaction = await storeSide(
		compactionsDir(dir),
		cwd,
		clock.id(),
		await withHashes(sideItems(make, setup, secret)),
	);
	const blob = pdf(secret);
	const readMedia: ReadMedia = async ({sha256}) => (sha256 === sha256Of(blob) ? blob.toString('base64') : undefined);
	const items = await withHashes(
		[
			make({type: 'message', role: 'user', text: 'Nothing secret yet.'}),
			setup,
			...turnOf(make, {model, secret: 'plain', blob: undefined}),
			...turnOf(make, {model, secret, blob}),
			make({
				type: 'child_started',
				child: child.id,
				title: `Child ${secret}`,
				task: secret,
				model,
				context: 'fresh',
				scope: {pwd: cwd, writable: false},
			}),
			make({
				type: 'child_ended',
				child: child.id,
				outcome: 'finished',
				head: child.head,
				requests: 1,
				usage: {},
				ms: 1,
			}),
			...turnOf(make, {model, secret: 'later', blob: undefined}),
			{...compactionItem(compaction.id, compaction.head), summary: `The key is ${secret}.`},
			...turnOf(make, {model, secret: 'last', blob: undefined}),
			make({type: 'title', title: `About ${secret}`}),
		],
		readMedia,
	);
	const main = createSession({root, cwd, id}, clock);
	await main.log.write(items);
	await main.close();
	const last = items.at(-1)?.id ?? '';
	const aside = [
		make({type: 'message', role: 'user', text: `What is ${secret}?`}),
		...answerOf(make, {model, secret}),
	];
	const asked = (await withHashes([...items, ...aside], readMedia)).slice(items.length);
	await storeSide(sideQuestionsDir(dir), cwd, clock.id(), asked, {session: id, to: last});
	await writeFiles(dir, {secret, blob, make, child: child.id});
	return {dir, home: dirname(root), request: items.find(({type}) => type === 'request')?.id ?? ''};
}

/** The models of these sessions, one for each kind of wire. */
export const models = ['anthropic/claude-x', 'openai/gpt-x', 'google/gemini-x', 'groq/llama-x'] as const;

/** Returns the files below a folder that contain a secret, plain or in an encoding. */
export async function filesWith(folder: string, secret: string): Promise<readonly string[]> {
	const entries = await readdir(folder, {recursive: true, withFileTypes: true});
	const paths = entries.filter(entry => entry.isFile()).map(({parentPath, name}) => join(parentPath, name));
	const forms = formsOf(secret);
	const found = await Promise.all(
		paths.map(async path => {
			const bytes = await readFile(path);
			const isFound = basename(path).includes(secret) || forms.some(form => bytes.includes(form));
			return isFound ? [path] : [];
		}),
	);
	return found.flat();
}

/** The encodings of a secret. They are made in another way than by the program. */
function formsOf(secret: string): readonly Buffer[] {
	const escaped = JSON.stringify(secret).slice(1, -1);
	const twice = JSON.stringify(escaped).slice(1, -1);
	const bytes = Buffer.from(secret);
	const hex = bytes.toString('hex');
	const percent = hex.replaceAll(/../g, '%$&');
	const base64 = [0, 1, 2].map(before => {
		const whole = Buffer.concat([Buffer.alloc(before), bytes, Buffer.alloc(3)]).toString('base64');
		return whole.slice(before === 0 ? 0 : before + 1, Math.floor(((before + bytes.length) * 4) / 3));
	});
	const texts = [secret, escaped, twice, hex, hex.toUpperCase(), encodeURIComponent(secret), percent, ...base64];
	return [...texts.map(text => Buffer.from(text)), Buffer.from(secret, 'utf16le')];
}

type Make = (draft: Draft) => Item;

function makerOf(clock: Clock): Make {
	return draft => stamp(clock, draft);
}

function setupOf(make: Make, model: string, secret: string): Item {
	const tools = [{name: 'bash', description: `Runs with ${secret}.`, parameters: {type: 'object', default: secret}}];
	const isChat = model.startsWith('groq');
	return make({
		type: 'setup',
		model,
		prompt: `Use ${secret}.`,
		tools,
		settings: {rules: 1, ...(isChat && {dialect: 'safe'})},
	});
}

type TurnOptions = {readonly model: string; readonly secret: string; readonly blob?: Buffer | undefined};

function turnOf(make: Make, {model, secret, blob}: TurnOptions): readonly Item[] {
	const [one, two] = halvesOf(secret);
	const segments = [
		{type: 'text', text: `The key: ${one}`},
		{type: 'paste', id: 'p', chars: two.length, lines: 1, content: two},
		{type: 'text', text: `, I repeat: ${secret}`},
	];
	const text = `The key: ${secret}, I repeat: ${secret}`;
	const sha256 = blob === undefined ? '' : sha256Of(blob);
	const document = {kind: 'document', path: 'a.pdf', mime: 'application/pdf', bytes: blob?.length ?? 0, sha256};
	return [
		make({type: 'message', role: 'user', text, origin: {kind: 'submit', segments}}),
		make({type: 'message', role: 'system', text: `KEY=${secret}\n`, origin: {kind: 'file', path: '.env'}}),
		...(blob === undefined ? [] : [make({type: 'message', role: 'system', text: 'a.pdf', origin: document})]),
		...answerOf(make, {model, secret}),
	];
}

function answerOf(make: Make, {model, secret}: TurnOptions): readonly Item[] {
	const call = make({type: 'message', role: 'system', text: ''}).id;
	const bytes = Buffer.from(secret);
	const encoded = [bytes.toString('base64'), bytes.toString('hex'), encodeURIComponent(secret)].join(' and ');
	const provider = {[model.split('/')[0] ?? '']: {signature: bytes.toString('base64')}};
	const content = `Said ${JSON.stringify({key: secret})}, ${encoded}`;
	return [
		requestOf(make, model),
		make({type: 'reasoning', text: `They want ${secret}.`, ms: 1, provider}),
		make({type: 'message', role: 'assistant', text: `I use ${secret}.`}),
		make({type: 'tool_call', callId: call, name: 'bash', arguments: JSON.stringify({command: `echo "${secret}"`})}),
		make({
			type: 'tool_result',
			callId: call,
			summary: `echo ${secret}`,
			content,
			isError: false,
			ms: 1,
			details: {diff: `+${secret}`, more: {[secret]: 1}},
		}),
		requestOf(make, model),
		make({type: 'message', role: 'assistant', text: 'Done.'}),
		make({type: 'run_end', outcome: 'finished'}),
	];
}

function requestOf(make: Make, model: string): Item {
	const at = '2026-01-02T03:04:05.000Z';
	return make({type: 'request', model, usage: {}, requestHash: '?', startedAt: at, endedAt: at, stop: 'end'});
}

function sideItems(make: Make, setup: Item, secret: string): readonly Item[] {
	if (setup.type !== 'setup') throw new Error('not a setup');
	const {model} = setup;
	return [
		make({type: 'message', role: 'user', text: `Begin with ${secret}.`}),
		setup,
		...answerOf(make, {model, secret}),
	];
}

/** Sets the hashes of the requests, as if their bodies had been sent. The request items come before their answers. */
async function withHashes(items: readonly Item[], readMedia?: ReadMedia): Promise<readonly Item[]> {
	const asked = items.map(item => {
		if (item.type !== 'request') return item;
		const {usage: _, endedAt: __, stop: ___, ...rest} = item;
		return rest;
	});
	const requests = createGrowingContext(asked, originRules);
	const hashed: Item[] = [];
	for (const [index, item] of asked.entries()) {
		const composed = item.type === 'request' ? requests.at(index) : undefined;
		if (item.type !== 'request' || composed === undefined) {
			hashed.push(item);
			continue;
		}
		const made = await requestBody(item.model, {...composed.request, ...(readMedia && {readMedia})});
		if (!made.ok) throw new Error(made.sentence);
		hashed.push({...item, requestHash: createHash('sha256').update(made.body).digest('hex')});
	}
	return hashed;
}

type Stored = {readonly id: string; readonly head: {readonly items: number; readonly chain: string}};

async function storeSide(
	project: string,
	cwd: string,
	id: string,
	items: readonly Item[],
	fork?: NewSession['fork'],
): Promise<Stored> {
	const side = createSession({root: '', project, cwd, id, ...(fork && {fork})}, systemClock());
	await side.log.write(items);
	const chain = side.sum() ?? '';
	await side.close();
	return {id, head: {items: items.length, chain}};
}

/** Splits a text between two characters. */
function halvesOf(text: string): readonly [string, string] {
	const characters = Array.from(text);
	const half = Math.ceil(characters.length / 2);
	return [characters.slice(0, half).join(''), characters.slice(half).join('')];
}

type FileOptions = {readonly secret: string; readonly blob: Buffer; readonly make: Make; readonly child: string};

/** Writes the files beside the histories. */
async function writeFiles(dir: string, {secret, blob, make, child}: FileOptions): Promise<void> {
	const [project, home] = [dirname(dir), dirname(dirname(dirname(dir)))];
	const drafts = join(home, 'drafts', basename(project), basename(dir));
	const kept = Buffer.from(`KEY=${secret}\n`);
	const segments = [{type: 'text' as const, text: `Use ${secret}`}];
	const streamed = make({type: 'message', role: 'assistant', text: ''});
	const [one, two] = halvesOf(secret);
	const pieces = [`It is ${one}`, two];
	const stream = [
		{id: streamed.id, offset: 0, text: pieces[0], item: streamed},
		{id: streamed.id, offset: pieces[0]?.length, text: pieces[1]},
	];
	const draft = {
		format: 'inkpod.draft/1',
		at: '2026-01-01T00:00:00.000Z',
		sent: [segments],
		ids: [null],
		draft: segments,
	};
	const files: ReadonlyArray<readonly [string, string | Buffer]> = [
		[join(dir, 'blobs', sha256Of(blob)), blob],
		[join(dir, 'kept', sha256Of(kept)), kept],
		[join(dir, 'output', `${make({type: 'title', title: ''}).id}.txt`), `line\n${secret}\n\u0000`],
		[join(dir, 'stream.log'), stream.map(piece => `${JSON.stringify(piece)}\n`).join('')],
		[
			join(dir, 'queue.json'),
			encodeQueue([
				{id: 'q1', segments},
				{id: 'q2', segments: [], command: `echo ${secret}`},
			]),
		],
		[join(dir, 'label.json'), `${JSON.stringify({title: `About ${secret}`, pinned: true})}\n`],
		[
			join(dir, 'history.json.torn-2026-01-01T00-00-00.000Z'),
			`{"text":"half of ${JSON.stringify(secret).slice(1)}`,
		],
		[join(childDir(dir, child), 'output', 'a1.txt'), Buffer.from(secret, 'utf16le')],
		[join(drafts, 'draft.json'), JSON.stringify(draft)],
		[join(drafts, `paste-${basename(dir)}.txt`), `pasted ${secret}`],
		[join(project, 'index.json'), `{"first":${JSON.stringify(secret)}}`],
		[join(project, 'prompts-1.jsonl'), `\n${JSON.stringify({at: draft.at, session: basename(dir), segments})}\n`],
	];
	for (const [path, bytes] of files) {
		await mkdir(dirname(path), {recursive: true, mode: 0o700});
		await writeFile(path, bytes, {mode: 0o600});
	}
}
