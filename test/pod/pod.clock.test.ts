import {readdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {steadyNow} from '../../src/pod/protocol.ts';
import {readSession} from '../../src/pod/disk/log/read.ts';
import {verifySession} from '../../src/pod/disk/check/verify.ts';
import {blocksOf} from '../../src/transcript/state.ts';
import {createTranscriptStore} from '../../src/screen/rows/store.ts';
import {requestsOf, scriptedModel, systemClock} from '../../src/worker/index.ts';
import {seededRandom} from '../helpers/random.ts';
import {allowed, reopened, testPod} from '../helpers/pod.ts';
import {tempProject} from '../helpers/temp-project.ts';

it('a jump of the clock changes only times: no negative durations, unique ids, the same after a restart', async () => {
	const random = seededRandom(20_261_121);
	const clock = {...systemClock(), now: () => Date.UTC(2026, 0, 1) + Math.floor((random() - 0.5) * 4e10)};
	const project = await tempProject({'a.md': 'one\n'});
	const model = scriptedModel([
		[
			{type: 'reasoning', text: 'I look.'},
			{type: 'tool_call', name: 'read_file', arguments: {path: 'a.md'}},
		],
		[{type: 'text', text: 'one'}],
		[{type: 'text', text: 'again'}],
	]);
	const first = await testPod(project, {model, clock});
	expect(await first.run('see @a.md')).toEqual({accepted: true});
	await first.rest();
	await first.pod.send({method: 'shutdown'});
	const second = await testPod(project, {model, clock, session: await reopened(first)});
	expect(second.items()).toEqual(first.items());
	await second.run('again');
	await second.rest();
	const items = second.items();
	expect(items.at(-1)).toMatchObject({type: 'run_end', outcome: 'finished'});
	for (const item of items) if ('ms' in item) expect(item.ms).toBeGreaterThanOrEqual(0);
	expect(new Set(items.map(({id}) => id)).size).toBe(items.length);
	const store = createTranscriptStore({columns: 80, view: 'normal'});
	store.dispatch({
		type: 'snapshot',
		session: {id: 's', model: 'm', scope: project.scope},
		items,
		tail: [],
		status: second.status(),
	});
	for (const block of blocksOf(store.transcript))
		if (block.kind === 'usage') expect(block.run.ms).toBeGreaterThanOrEqual(0);
	store.dispose();
	const read = await readSession(first.session.dir);
	expect(read.ok && verifySession(read.session)).toMatchObject({ok: true, findings: []});
});

const hour = 3_600_000;
const jumps = [
	['an hour forward', hour],
	['an hour back', -hour],
] as const;

describe.each(jumps)('a clock that is set %s', (_name, jump) => {
	/** A clock whose time of day jumps with every look at it. Its steady clock does not. */
	const jumpingClock = () => {
		let offset = 0;
		return {...systemClock(), now: () => Date.UTC(2026, 0, 1) + (offset += jump)};
	};

	it('does not change the durations of thoughts, tools and answers, or of the turn', async () => {
		const project = await tempProject({'a.md': 'one\n'});
		const model = scriptedModel([
			[
				{type: 'reasoning', text: 'I look.', chunk: 1, delayMs: 1},
				{type: 'tool_call', name: 'bash', arguments: {command: 'sleep 0.01'}},
			],
			[{type: 'text', text: 'one'}],
		]);
		const pod = await testPod(project, {model, clock: jumpingClock(), ...allowed});
		await pod.run('see');
		await pod.rest();
		const items = pod.items();
		const durations = items.flatMap(item => ('ms' in item ? [item.ms] : []));
		expect(durations).toHaveLength(2);
		for (const ms of durations) expect(ms > 0 && ms < hour / 2).toBe(true);
		for (const {request, end} of requestsOf(items)) {
			const ms = Date.parse(end?.endedAt ?? '') - Date.parse(request.startedAt);
			expect(ms >= 0 && ms < hour / 2).toBe(true);
		}
		const store = createTranscriptStore({columns: 80, view: 'normal'});
		const session = {id: 's', model: 'm', scope: project.scope};
		store.dispatch({type: 'snapshot', session, items, tail: [], status: pod.status()});
		const feet = blocksOf(store.transcript).flatMap(block => (block.kind === 'usage' ? [block.run.ms] : []));
		expect(feet.length).toBeGreaterThan(0);
		for (const ms of feet) expect(ms >= 0 && ms < hour / 2).toBe(true);
		store.dispose();
	});

	it('does not change the time of a background command, or the wait before a retry', async () => {
		const project = await tempProject();
		const model = scriptedModel([
			[{type: 'tool_call', name: 'bash', arguments: {command: 'sleep 60', background: true}}],
			[{type: 'error', reason: 'overloaded', message: 'Too busy.', retryable: true, retryAfterMs: 30_000}],
		]);
		const pod = await testPod(project, {model, clock: jumpingClock(), ...allowed});
		await pod.run('see');
		await pod.until(() => pod.status().retryAt !== undefined);
		const {retryAt = 0, background = []} = pod.status();
		expect(Math.abs(retryAt - steadyNow() - 30_000)).toBeLessThan(hour / 2);
		expect(background.map(({since}) => Math.abs(steadyNow() - since) < hour / 2)).toEqual([true]);
		await pod.pod.send({method: 'cancel'});
		await pod.rest();
	});
});

it('the screen takes durations from the steady clock, and only ages from the time of day', async () => {
	const root = join(import.meta.dirname, '../../src/screen');
	const names = (await readdir(root, {recursive: true})).filter(name => /\.tsx?$/.test(name));
	const texts = await Promise.all(names.map(async name => [name, await readFile(join(root, name), 'utf8')] as const));
	const used = texts.filter(([, text]) => text.includes('Date.now')).map(([name]) => name);
	expect(used.toSorted()).toEqual([
		'control/drafts/draft-autosave.ts',
		'control/pages/approvals-page.ts',
		'control/pages/rewind/rewind-commands.ts',
		'mount/open-picker.ts',
	]);
});
