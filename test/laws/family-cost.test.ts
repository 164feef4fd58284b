import {cp, readdir, readFile, rm} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {exportSession} from '../../src/cli/export/export.ts';
import {sessions} from '../../src/cli/sessions.ts';
import {verify} from '../../src/cli/verify.ts';
import {lookUpModel} from '../../src/pod/ground/counts/catalogue.ts';
import {costOf} from '../../src/pod/protocol/cost.ts';
import {createSession} from '../../src/pod/disk/log/open.ts';
import {openSession} from '../../src/pod/disk/log/open.ts';
import {idOf, sessionsRoot} from '../../src/pod/disk/paths.ts';
import type {SideQuestionAnswer, Item, ModelSpending} from '../../src/pod/protocol.ts';
import {formatCost} from '../../src/text/formats.ts';
import {finishedRequests, scriptedModel, systemClock, type Answer, type ModelRequest} from '../../src/worker/index.ts';
import {isSummary, writes} from '../helpers/compacting.ts';
import {calls, child} from '../helpers/family.ts';
import {storedItems} from '../helpers/fixtures.ts';
import {allowed, testPod, type TestPod} from '../helpers/pod.ts';
import {tempProject, type TempProject} from '../helpers/temp-project.ts';

const priced = 'anthropic/claude-sonnet-4-5';
const unpriced = 'nobody/nothing';
const seeds = process.env['INKPOD_TEST'] === 'long' ? 200 : 20;

/** Numbers from 0 to 1 that depend only on the seed. */
function randomOf(seed: number): () => number {
	let state = seed * 2_654_435_761 + 1;
	return () => {
		state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
		return state / 2_147_483_648;
	};
}

const kinds = [
	'talk',
	'child',
	'background',
	'compact',
	'cancelled',
	'answered',
	'discarded',
	'retry',
	'uncounted',
] as const;
type Kind = (typeof kinds)[number];

/** The count of a longer request is higher, because a lower one would mean that a server cuts requests. */
function usage({messages}: ModelRequest, random: () => number): Answer[number] {
	return {
		type: 'usage',
		input: 20_000 + 2 * JSON.stringify(messages).length,
		output: 1 + Math.floor(random() * 5000),
	};
}

/** Answers by the last words of the user. A request after a call is answered with a text. */
function modelOf(name: string, random: () => number, atGate: () => Promise<void>) {
	const failed = new Set<string>();
	return scriptedModel(
		async (request): Promise<Answer> => {
			if (/Work on number 99|aside 99/.test(JSON.stringify(request.messages.at(-1)))) await atGate();
			if (isSummary(request))
				return [...writes('So far.')(request).filter(({type}) => type !== 'usage'), usage(request, random)];
			const words = lastWords(request);
			const hasCalled = request.messages.at(-1)?.role !== 'user';
			if (!hasCalled && /^(?:child|background)/.test(words)) {
				const more = words.startsWith('background') ? {background: true} : {};
				return [...calls(child(`Work on ${words.replace(/^\w+ /, 'number ')}`, more)), usage(request, random)];
			}
			if (words.startsWith('retry') && !failed.has(words)) {
				failed.add(words);
				return [{type: 'error', reason: 'overloaded', message: 'Busy.', retryable: true, retryAfterMs: 1}];
			}
			if (words.startsWith('uncounted')) return [{type: 'text', text: 'Without a count.'}];
			return [{type: 'text', text: `Answer to ${words}. ${'word '.repeat(400)}`}, usage(request, random)];
		},
		{name},
	);
}

/** A note about a child that ended may follow the words of the user. */
function lastWords({messages}: ModelRequest): string {
	const asked = messages.slice(messages.findLastIndex(({role}) => role === 'assistant') + 1);
	const texts = JSON.stringify(asked.filter(({role}) => role === 'user')).match(
		/(?:talk|child|background|retry|uncounted|aside)[ \w-]*/g,
	);
	return texts?.at(-1) ?? '';
}

async function act(told: TestPod, kind: Kind, n: number): Promise<void> {
	if (kind === 'answered' || kind === 'discarded') {
		const asked = await told.pod.btw({op: 'ask', question: `aside ${n}`});
		if ('sentence' in asked) throw new Error(asked.sentence);
		const {id} = asked;
		await expect.poll(async () => isRunning(await told.pod.btw({op: 'read', id}))).toBe(false);
		if (kind === 'discarded') await told.pod.btw({op: 'discard', id});
		else if (n % 2 === 0) await told.pod.btw({op: 'attach', id});
		else await told.pod.btw({op: 'keep', id});
		return;
	}
	if (kind === 'compact' || kind === 'cancelled') {
		const done = told.pod.send({method: 'compact', hint: 'x'});
		if (kind === 'cancelled') await told.pod.send({method: 'cancel'});
		await done;
	} else await told.run(`${kind} ${n}`);
	await told.rest();
}

function isRunning(answer: SideQuestionAnswer): boolean {
	return !('sentence' in answer) && answer.isRunning;
}

type Sum = {readonly usd: number; readonly known: number; readonly unknown: number; readonly tokens: number};

/** Models without requests do not count, and sums of fractions differ in their last digits. */
function sumOf(models: readonly ModelSpending[]): Sum {
	const sum = {usd: 0, known: 0, unknown: 0, tokens: 0};
	for (const {cost, input = 0, output = 0} of models) {
		sum.usd += cost.usd;
		sum.known += cost.known;
		sum.unknown += cost.unknown;
		sum.tokens += input + output;
	}
	return {...sum, usd: Number(sum.usd.toFixed(9))};
}

/** Sums up every request of every history of a folder, each once. */
async function byHand(dir: string): Promise<Sum> {
	const files = (await readdir(dir, {recursive: true})).filter(name => name.endsWith('history.json'));
	const sum = {usd: 0, known: 0, unknown: 0, tokens: 0};
	for (const file of files) {
		const items: readonly Item[] = storedItems(await readFile(join(dir, file), 'utf8'));
		const finished = finishedRequests(items);
		const sent = items.filter(({type}) => type === 'request').length;
		sum.unknown += sent - finished.length;
		for (const request of finished) {
			const prices = lookUpModel(request.model)?.prices;
			const cost = costOf(request, prices === undefined ? {} : {[request.model]: prices});
			if (cost === undefined) sum.unknown++;
			else {
				sum.known++;
				sum.usd += cost;
			}
			sum.tokens += (request.usage.input ?? 0) + (request.usage.output ?? 0);
		}
	}
	return {...sum, usd: Number(sum.usd.toFixed(9))};
}

async function written(run: (io: {stdout: Out; stderr: Out}) => Promise<number>) {
	let out = '';
	const stdout = {write: (text: string) => ((out += text), true)};
	const code = await run({stdout, stderr: {write: () => true}});
	return {code, out};
}
type Out = {write(text: string): boolean};
type Env = Readonly<Record<string, string>>;

async function exportedCost(dir: string, cwd: string, env: Env): Promise<string | undefined> {
	const options = {id: idOf(dir), dir, cwd, env, format: 'md', exact: true, force: false} as const;
	const {out} = await written(async io => exportSession({...options, ...io}));
	return /^- Cost: (.*)$/m.exec(out)?.[1]?.replaceAll('\\', '');
}

async function listedUsd(dir: string, cwd: string, env: Env): Promise<number> {
	const {out} = await written(async io => sessions({json: true, cwd, env, ...io}));
	const listed = JSON.parse(out) as ReadonlyArray<{readonly id: string; readonly facts?: {readonly usd?: number}}>;
	return Number((listed.find(({id}) => id === idOf(dir))?.facts?.usd ?? 0).toFixed(9));
}

async function resumedSum(
	project: TempProject,
	dir: string,
	name: string,
	env: Env,
): Promise<(wanted: Sum) => Promise<void>> {
	const opened = await openSession(dir, systemClock());
	if (!opened.ok) throw new Error(opened.sentence);
	const told = await testPod(project, {model: scriptedModel([], {name}), session: opened.session, env, ...allowed});
	return async wanted => {
		await expect.poll(async () => sumOf((await told.pod.spending()).models)).toEqual(wanted);
		await told.pod.send({method: 'shutdown'});
	};
}

describe('the cost of a family', () => {
	it.each(Array.from({length: seeds}, (_, seed) => seed))(
		'is the same live, resumed, exported, listed, and summed from the histories (%i)',
		{timeout: 60_000},
		async seed => {
			const random = randomOf(seed + 1);
			const project = await tempProject();
			const env = {HOME: join(project.dir, '..', 'home'), INKPOD_HOME: join(project.dir, '..', 'inkpod')};
			const name = seed % 4 === 3 ? unpriced : priced;
			const {pwd: cwd} = project.scope;
			const session = createSession({root: sessionsRoot(env), cwd}, systemClock());
			const gate = Promise.withResolvers<void>();
			let waiting = 0;
			const atGate = async () => {
				waiting++;
				await gate.promise;
			};
			const told = await testPod(project, {model: modelOf(name, random, atGate), session, env, ...allowed});
			await act(told, 'talk', 0);
			// Each family has two kinds for certain, and others by chance.
			const chosen = [kinds[seed % kinds.length], kinds[(seed + 1) % kinds.length]].map(kind => kind ?? 'talk');
			while (chosen.length < 6) chosen.push(kinds[Math.floor(random() * kinds.length)] ?? 'talk');
			for (const [index, kind] of chosen.entries()) await act(told, kind, index + 1);
			await expect.poll(() => told.status().children).toBeUndefined();
			await told.rest();

			// A kill leaves a copy of the folder as it is: here while a child and a side question wait for their answers.
			const running = told.run('child 99');
			const asked = await told.pod.btw({op: 'ask', question: 'aside 99'});
			if ('sentence' in asked) throw new Error(asked.sentence);
			const {id: aside} = asked;
			await expect.poll(() => waiting, {timeout: 20_000}).toBe(2);
			const killed = join(project.dir, '..', 'killed');
			const copy = join(killed, 'sessions', basename(dirname(session.dir)), idOf(session.dir));
			await cp(session.dir, copy, {recursive: true, filter: path => !path.endsWith('.new')});
			gate.resolve();
			await running;
			await told.rest();
			await expect.poll(async () => isRunning(await told.pod.btw({op: 'read', id: aside}))).toBe(false);

			const live = sumOf((await told.pod.spending()).models);
			expect(await byHand(session.dir)).toEqual(live);
			const shown = live.known === 0 ? undefined : formatCost(live);
			expect(await exportedCost(session.dir, cwd, env)).toBe(shown);
			await told.pod.send({method: 'shutdown'});
			expect(await listedUsd(session.dir, cwd, env)).toBe(live.usd);
			const {code, out} = await written(async io =>
				verify({id: idOf(session.dir), dir: session.dir, cwd, env, ...io}),
			);
			expect(out + String(code)).toMatch(/0$/);
			await (
				await resumedSum(project, session.dir, name, env)
			)(live);

			// A child without a history costs what its end says.
			await rm(join(session.dir, 'children'), {recursive: true});
			await (
				await resumedSum(project, session.dir, name, env)
			)(live);

			const copyEnv = {...env, INKPOD_HOME: killed};
			const left = await byHand(copy);
			expect(await exportedCost(copy, cwd, copyEnv)).toBe(left.known === 0 ? undefined : formatCost(left));
			expect(await listedUsd(copy, cwd, copyEnv)).toBe(left.usd);
			await (
				await resumedSum(project, copy, name, copyEnv)
			)(left);
		},
	);
});
