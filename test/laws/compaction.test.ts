import * as fc from 'fast-check';
import {copyFile, mkdir} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {planCompaction, type Plan} from '../../src/pod/context/compaction/plan.ts';
import {contentOf, ledgerOf} from '../../src/pod/context/ledger/ledger.ts';
import {estimateTokens} from '../../src/pod/ground/text/tokens.ts';
import type {Item} from '../../src/pod/protocol.ts';
import {openSession} from '../../src/pod/disk/log/open.ts';
import {historyFile} from '../../src/pod/disk/paths.ts';
import {readSession} from '../../src/pod/disk/log/read.ts';
import type {Session} from '../../src/pod/disk/log/log.ts';
import {verifyRequests} from '../../src/pod/disk/check/verify-requests.ts';
import {verifySession} from '../../src/pod/disk/check/verify.ts';
import {pairResults, stamp, systemClock, type Draft, type ModelRequest} from '../../src/worker/index.ts';
import {context, contextPieces, projectedItems} from '../../src/pod/ground/history/reader.ts';
import {createTranscriptStore} from '../../src/screen/rows/store.ts';
import {blocksOf} from '../../src/transcript/state.ts';
import {lastCompaction} from '../../src/screen/control/commands/run-command.ts';
import {compactingModel, compactionLimits, words, writes} from '../helpers/compacting.ts';
import {countedClock} from '../helpers/clock.ts';
import {testPod, type TestPod} from '../helpers/pod.ts';
import {anyHistory, randomHistory} from '../helpers/random-history.ts';
import {refusePairs} from '../helpers/random-session.ts';
import {attached, served, socketDir} from '../helpers/socket-pod.ts';
import {tempProject} from '../helpers/temp-project.ts';

const long = process.env['INKPOD_TEST'] === 'long';
const seed = Number(process.env['INKPOD_SEED'] ?? 20_261_207);
const clock = countedClock('compaction');

/** Carries out a plan without reading files again. */
function carriedOut(items: readonly Item[], {firstKept, keptIds}: Extract<Plan, {ok: true}>): Item[] {
	const draft: Draft<'compaction'> = {
		type: 'compaction',
		summary: 'So far.',
		firstKept,
		keptIds: [...keptIds],
		refs: [],
		refused: [],
		before: 0,
		after: 0,
		model: 'm',
		usage: {},
	};
	return [...items, stamp(clock, draft)];
}

const sentItems = (items: readonly Item[]) =>
	new Set(
		contextPieces(items).pieces.flatMap(({item, part}) => (item === undefined || part === undefined ? [] : [item])),
	);

describe('a compaction', () => {
	it(`separates no call from its result and loses nothing, for any history and any cut (seed ${seed})`, () => {
		let compacted = 0;
		fc.assert(
			fc.property(anyHistory, fc.nat(8), (random, retainedTokens) => {
				const items = randomHistory(random);
				const plan = planCompaction(items, {retainedTokens, estimate: estimateTokens});
				if (!plan.ok) return;
				compacted++;
				const after = carriedOut(items, plan);
				const [before, inContext] = [projectedItems(items), new Set(projectedItems(after))];
				expect(refusePairs(context(after).messages)).toBeUndefined();
				for (const [call, result] of pairResults(before))
					expect(inContext.has(call)).toBe(inContext.has(result));
				const cut = before.findIndex(({id}) => id === plan.firstKept);
				expect(projectedItems(after).slice(-(before.length - cut))).toEqual(before.slice(cut));
				const summarised = new Set(plan.summarised);
				for (const item of sentItems(items))
					expect([item.id, summarised.has(item) || inContext.has(item)]).toEqual([item.id, true]);
				expect(context(JSON.parse(JSON.stringify(after)) as Item[])).toEqual(context(after));
				expect(context(carriedOut(after, plan))).toEqual(context(after));
				expect(planCompaction(after, {retainedTokens, estimate: estimateTokens})).toEqual({
					ok: false,
					reason: 'nothing',
				});
				const undone = [...after, stamp(clock, {type: 'context', op: 'restore', ids: [after.at(-1)!.id]})];
				expect(context(undone)).toEqual(context(items));
			}),
			{numRuns: long ? 20_000 : 1500, seed, verbose: 1},
		);
		expect(compacted).toBeGreaterThan(long ? 3000 : 150);
	});
});

const limits = compactionLimits({retainedTokens: 600, autoReadTokens: 400});
const files = {
	'notes.md': `${words(20, 'alpha')}\n${words(20, 'beta')}\n${words(20, 'gamma')}\n`,
	'small.ts': 'export const small = 1;\n',
	bin: new Uint8Array([0, 255]),
};

/** Returns the steps of each turn: a message, a read, two parallel reads. */
function longTalk(turnsBefore: () => number) {
	return compactingModel(
		({messages}) => {
			const turn = turnsBefore();
			const isAnswered = messages.at(-1)?.role === 'tool';
			if (isAnswered || turn % 3 === 0)
				return [
					{type: 'text', text: `${words(30, 'answer')} ${turn}`},
					{type: 'usage', input: 10, output: 1},
				];
			const paths = turn % 3 === 1 ? ['small.ts'] : ['small.ts', 'notes.md'];
			return paths.map((path, n) => ({
				type: 'tool_call' as const,
				callId: `call_${n}`,
				name: 'read_file',
				arguments: {path},
			}));
		},
		(request, n) =>
			writes(
				`Summary of ${n}.`,
				{path: 'notes.md', offset: 2, limit: 1},
				{path: 'bin'},
				{path: 'small.ts'},
			)(request),
	);
}

/** Returns the session that a process leaves if it dies now. */
async function killed({file, session}: TestPod, n: number): Promise<Session> {
	const dir = join(dirname(session.dir), `copy-${n}`, session.id);
	await mkdir(dir, {recursive: true});
	await copyFile(file, historyFile(dir));
	const copy = await openSession(dir, systemClock());
	if (!copy.ok) throw new Error(copy.sentence);
	return copy.session;
}

function bytesOf({prompt, tools, messages}: ModelRequest): number {
	const texts = messages.flatMap(message => {
		if (message.role === 'user') return [message.text];
		return message.role === 'tool'
			? message.results.map(({content}) => content)
			: message.parts.map(part => contentOf(part));
	});
	return Buffer.byteLength([prompt, ...tools.map(tool => JSON.stringify(tool)), ...texts].join(''));
}

/** Returns the rows about the compactions, the files that they read again, and the first turn. */
function shown(items: readonly Item[]): readonly string[] {
	return blocksOf(storeOf(items)).flatMap(block =>
		block.kind === 'user' || block.kind === 'compaction' || block.kind === 'system' ? [JSON.stringify(block)] : [],
	);
}

describe('a long session', () => {
	const turns = long ? 300 : 36;

	it(`keeps turn 1 and a correct ledger when it is compacted, killed and resumed (${turns} turns)`, async () => {
		const project = await tempProject(files);
		let turn = 0;
		const model = longTalk(() => turn);
		const asked = () => model.requests.at(-1)!;
		let told = await testPod(project, {model, limits});
		for (; turn < turns; turn++) {
			expect(await told.run(`Turn ${turn + 1} begins.`)).toEqual({accepted: true});
			await told.rest();
			if ((turn + 1) % Math.floor(turns / 4) !== 0 || turn + 1 === turns) continue;
			expect(await told.pod.send({method: 'compact'})).toEqual({accepted: true});
			const live = told.items();
			const ledger = await told.pod.ledger();
			expect(ledger.bytes).toBe(bytesOf(context(live)));
			expect(ledger.rows.flatMap(({kind, path, range}) => (kind === 'auto_read' ? [{path, range}] : []))).toEqual(
				[
					{path: 'notes.md', range: {first: 2, last: 2}},
					{path: 'small.ts', range: undefined},
				],
			);
			const folder = await socketDir();
			const {path} = await served(told.pod, {folder});
			const second: Item[] = [];
			(await attached(path)).subscribe(event => event.type === 'snapshot' && second.push(...event.items));
			const resumed = await testPod(project, {model, limits, session: await killed(told, turn)});
			expect(second).toEqual(live);
			expect(resumed.items()).toEqual(live);
			expect(shown(resumed.items())).toEqual(shown(live));
			const blocks = shown(live);
			expect(blocks[0]).toContain('Turn 1 begins.');
			expect(blocks.filter(block => block.includes('[Auto-read file: notes.md:2-2]\\nbeta'))).not.toEqual([]);
			expect(live.findLast(({type}) => type === 'compaction')).toMatchObject({
				refused: [{path: 'bin', reason: 'it is not a text file.'}],
			});
			await told.pod.send({method: 'shutdown'});
			told = resumed;
			const withNext = [...live, stamp(clock, {type: 'message', role: 'user', text: 'Next.'})];
			expect(await told.run('Next.')).toEqual({accepted: true});
			await told.rest();
			const next = model.requests.findLast(({messages}) => messages.at(-1)?.role === 'user')!;
			expect(next.messages).toEqual(context(withNext).messages);
			expect(ledgerOf(withNext, {estimate: estimateTokens}).bytes).toBe(bytesOf(next));
			expect(asked().messages[0]).toMatchObject({text: expect.stringContaining('Summary of') as unknown});
		}
		const items = told.items();
		expect(items.filter(({type}) => type === 'compaction')).toHaveLength(3);
		expect(items.filter(item => item.type === 'message' && item.role === 'user')).toHaveLength(turns + 3);

		const last = lastCompaction(storeOf(items))?.id;
		expect(await told.pod.send({method: 'context', op: 'restore', ids: [last!]})).toEqual({accepted: true});
		expect(lastCompaction(storeOf(told.items()))?.id).toBe(items.filter(({type}) => type === 'compaction')[1]!.id);
		await told.run('After the undo.');
		await told.rest();
		expect(JSON.stringify(model.requests.at(-1)!.messages)).toContain('Next.');
		await told.pod.send({method: 'shutdown'});
		const read = await readSession(told.session.dir);
		if (!read.ok) throw new Error(read.sentence);
		expect(verifySession(read.session).findings.filter(({level}) => level === 'failure')).toEqual([]);
		expect(await verifyRequests(read.session.items)).toMatchObject({different: 0, unmade: 0});
	});
});

function storeOf(items: readonly Item[]) {
	const store = createTranscriptStore({columns: 80, view: 'normal'});
	store.dispatch({
		type: 'snapshot',
		session: {id: 's', model: 'm', scope: {pwd: '/', writable: true, readRoots: []}},
		items,
		tail: [],
		status: {kind: 'idle', asks: [], queue: []},
	});
	return store.transcript;
}
