import {readdir, stat} from 'node:fs/promises';
import {describe, expect, it} from 'vitest';
import {compactionsDir, historyFile, sideDir} from '../../src/pod/disk/paths.ts';
import {readSession, type StoredSession} from '../../src/pod/disk/log/read.ts';
import {verifyRequests} from '../../src/pod/disk/check/verify-requests.ts';
import {verifySummaries} from '../../src/pod/disk/check/verify-summaries.ts';
import type {Item, ItemOf} from '../../src/pod/protocol.ts';
import type {Answer, ModelRequest} from '../../src/worker/index.ts';
import {seededRandom} from '../helpers/random.ts';
import {answersIn, compactingModel, compactionLimits, words, writes} from '../helpers/compacting.ts';
import {reopened, testPod, type TestPod} from '../helpers/pod.ts';
import {attached, served, socketDir} from '../helpers/socket-pod.ts';
import {tempProject} from '../helpers/temp-project.ts';

const runs = process.env['INKPOD_TEST'] === 'long' ? 200 : 6;
const seed = Number(process.env['INKPOD_SEED'] ?? 20_261_123);
const limits = compactionLimits({retainedTokens: 100, autoReadTokens: 200});

const usage = {type: 'usage' as const, input: 100, output: 10};
const talk = () => [{type: 'text' as const, text: words(80, 'talk')}, usage];

/** Returns answers as a real model gives them: reads, marks, words, thoughts, failures, and a summary in the end. */
function anySummariser(random: () => number): (request: ModelRequest) => Answer {
	const pick = (max: number) => Math.floor(random() * max);
	let refusals = pick(3);
	const steps: ReadonlyArray<() => Answer> = [
		() => [call('read_file', {path: 'a.ts'}), call('read_file', {path: 'gone.ts'}), usage],
		() => [{type: 'reasoning', text: 'Hm.'}, call('mark_read_required', {path: 'a.ts'}), usage],
		() => [call('add_reference', {path: 'a.ts'}), call('fly', {}), usage],
		() => [{type: 'text', text: 'Let me think.'}, usage],
	];
	const call = (name: string, args: object) => ({
		type: 'tool_call' as const,
		callId: `c${pick(1e9)}`,
		name,
		arguments: {...args},
	});
	return request => {
		if (answersIn(request) === 0 && refusals-- > 0)
			return [{type: 'error', reason: 'too_long', message: 'The request is too long for scripted.'}];
		if (answersIn(request) >= 3)
			return pick(4) === 0 ? [usage] : [call('write_summary', {text: `${pick(1e6)}`}), usage];
		if (pick(12) === 0) return [{type: 'error', reason: 'other', message: 'Something is wrong.'}];
		return steps[pick(steps.length)]!();
	};
}

async function sideOf(told: TestPod, id: string): Promise<StoredSession> {
	const read = await readSession(sideDir(told.session.dir, id));
	if (!read.ok) throw new Error(read.sentence);
	return read.session;
}

const hashesIn = (items: readonly Item[]) => items.flatMap(item => (item.type === 'request' ? [item.requestHash] : []));
const compactionsIn = (items: readonly Item[]) =>
	items.filter((item): item is ItemOf<'compaction'> => item.type === 'compaction');

async function talked(told: TestPod): Promise<void> {
	for (const text of ['See @a.ts', 'Second', 'Third']) {
		expect(await told.run(text)).toEqual({accepted: true});
		await told.rest();
	}
}

describe('the conversation of a compaction', () => {
	it(`records every request that it sends, whatever becomes of it (INKPOD_SEED=${seed})`, async () => {
		const toll = {finished: 0, unfinished: 0, requests: 0, rewinds: 0};
		for (let run = 0; run < runs; run++) {
			const model = compactingModel(talk, anySummariser(seededRandom(seed + run)));
			const told = await testPod(await tempProject({'a.ts': 'a\n'}), {model, limits});
			await talked(told);
			const sent = model.summaries.length;
			const receipt = await told.pod.send({method: 'compact'});
			const [id] = await readdir(compactionsDir(told.session.dir));
			const side = await sideOf(told, id!);
			const verdict = await verifySummaries({dir: told.session.dir, items: told.items()});
			expect([run, verdict.ok, verdict.count, verdict.unfinished]).toEqual([
				run,
				true,
				1,
				receipt.accepted ? 0 : 1,
			]);
			expect(await verifyRequests(side.items)).toEqual({
				same: model.summaries.length - sent,
				different: 0,
				unmade: 0,
				redacted: 0,
				unsent: 0,
				unchecked: 0,
			});
			const [item] = compactionsIn(told.items());
			expect(item?.id).toBe(receipt.accepted ? id : undefined);
			if (item !== undefined) expect(item.usage).toEqual(usageIn(side.items));
			toll[receipt.accepted ? 'finished' : 'unfinished']++;
			toll.requests += hashesIn(side.items).length;
			toll.rewinds += side.items.filter(({type}) => type === 'rewind').length;
			await told.pod.send({method: 'shutdown'});
		}
		expect(Math.min(...Object.values(toll))).toBeGreaterThan(0);
	});

	it('is an ordinary session with the id of the compaction, readable only by you', async () => {
		const model = compactingModel(talk, anySummariser(seededRandom(seed)));
		const told = await testPod(await tempProject({'a.ts': 'a\n'}), {model, limits});
		await talked(told);
		await told.pod.send({method: 'compact'});
		const [id] = await readdir(compactionsDir(told.session.dir));
		const side = await sideOf(told, id!);
		expect([side.id, side.cwd]).toEqual([id, told.session.cwd]);
		expect(await readdir(side.dir)).toEqual(['history.json']);
		const modes = await Promise.all(
			[compactionsDir(told.session.dir), side.dir, historyFile(side.dir)].map(modeOf),
		);
		expect(modes).toEqual([0o700, 0o700, 0o600]);
		expect(side.items.slice(0, 3).map(({type}) => type)).toEqual(['setup', 'message', 'request']);
	});

	it('is the same live, in another terminal and after a restart', async () => {
		const model = compactingModel(talk, writes('So far.'));
		const told = await testPod(await tempProject({'a.ts': 'a\n'}), {model, limits});
		await talked(told);
		await told.pod.send({method: 'compact'});
		const [{id}] = compactionsIn(told.items()) as [Item];
		const live = await told.pod.conversation(id);
		expect(live).toEqual({items: (await sideOf(told, id)).items});
		const {path} = await served(told.pod, {folder: await socketDir()});
		expect(await (await attached(path)).conversation(id)).toEqual(live);
		await told.pod.send({method: 'shutdown'});
		const again = await testPod(await tempProject(), {model, limits, session: await reopened(told)});
		expect(await again.pod.conversation(id)).toEqual(live);
		expect(await again.pod.conversation('../..')).toMatchObject({
			sentence: expect.stringMatching(/missing/) as string,
		});
	});

	it('is on disk before the request arrives, and its cost counts after a stop and a restart', async () => {
		let onDisk: readonly string[] = [];
		const sent = Promise.withResolvers<void>();
		const model = compactingModel(talk, async () => {
			const [id] = await readdir(compactionsDir(told.session.dir));
			onDisk = hashesIn((await sideOf(told, id!)).items);
			sent.resolve();
			return [{type: 'stall'}];
		});
		const told: TestPod = await testPod(await tempProject({'a.ts': 'a\n'}), {model, limits, facts: priced});
		await talked(told);
		const known = told.context()?.cost?.known ?? 0;
		const compacted = told.pod.send({method: 'compact'});
		await sent.promise;
		expect(onDisk).toHaveLength(1);
		await told.pod.send({method: 'cancel'});
		expect(await compacted).toMatchObject({accepted: false, code: 'aborted'});
		expect(told.context()?.cost).toMatchObject({unknown: 1, known});
		await told.pod.send({method: 'shutdown'});
		const again = await testPod(await tempProject(), {model, limits, facts: priced, session: await reopened(told)});
		await again.until(() => again.context()?.cost?.unknown === 1);
		expect(again.context()?.cost).toEqual(told.context()?.cost);
		const unfinished = {compactions: 1, requests: 1};
		expect([(await again.pod.ledger()).unfinished, (await told.pod.ledger()).unfinished]).toEqual([
			unfinished,
			unfinished,
		]);
	});
});

const priced = {scripted: {prices: [{input: 1, output: 1}]}};

function usageIn(items: readonly Item[]) {
	const ends = items.flatMap(item => (item.type === 'request_end' ? [item.usage] : []));
	const sum = (key: 'input' | 'output') => ends.reduce((all, {[key]: count = 0}) => all + count, 0);
	return {input: sum('input'), output: sum('output')};
}

async function modeOf(path: string): Promise<number> {
	return (await stat(path)).mode & 0o777;
}
