import * as fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {defaultLimits, type Limits} from '../../src/pod/config/limits.ts';
import type {Event, Item, Method} from '../../src/pod/protocol.ts';
import {reopened, testPod, type TestPod} from '../helpers/pod.ts';
import {tempProject} from '../helpers/temp-project.ts';
import {startServer, wires, type ServerAnswer, type WireName} from '../helpers/wire-servers/index.ts';
import {modelAt} from '../worker/wires/wire-model.ts';

const long = process.env['INKPOD_TEST'] === 'long';
const seed = Number(process.env['INKPOD_SEED'] ?? 20_261_125);
const limits: Limits = {...defaultLimits, retry: {maxAttempts: 3, maxWaitMs: 600_000}};
const files = {'a.md': 'one\n', '.env': 'A=1\n', 'b/.env': 'B=2\n'};

const text = fc.constantFrom('Hello.', 'A longer answer, in 日本語 and 👍🏽.', '# Title\n\n- one\n- two\n');
const called = fc.constantFrom(
	['read_file', {path: 'a.md'}],
	['read_file', {path: '.env'}],
	['read_file', {path: 'b/.env'}],
	['glob', {pattern: '**/*'}],
	['fly', {}],
	['grep', '{"pattern":'],
) as fc.Arbitrary<readonly [string, string | Record<string, string>]>;
const chunk = fc.integer({min: 1, max: 9});
const step = fc.oneof(
	{weight: 2, arbitrary: fc.record({type: fc.constant('text' as const), text, chunk})},
	{weight: 1, arbitrary: fc.record({type: fc.constant('reasoning' as const), text, chunk})},
	{
		weight: 3,
		arbitrary: fc
			.tuple(called, chunk)
			.map(([[name, args], size]) => ({type: 'tool_call' as const, name, arguments: args, chunk: size})),
	},
);
/** The outcome of a request: an answer, an answer that breaks off or stalls, or a failure that is retried. */
const reply: fc.Arbitrary<ServerAnswer> = fc
	.tuple(
		fc.array(step, {minLength: 1, maxLength: 5}),
		fc.constantFrom('whole', 'whole', 'whole', 'cut', 'stall', 'again'),
	)
	.map(([steps, ending]) => {
		// No provider allows an answer that has only thoughts.
		const whole = steps.every(({type}) => type === 'reasoning')
			? [...steps, {type: 'text' as const, text: 'So.'}]
			: steps;
		if (ending === 'again') return [{type: 'error', reason: 'overloaded', message: 'Too busy.', retryAfterMs: 1}];
		return ending === 'whole' ? whole : [...whole, {type: ending}];
	});
/**
Each text is unique, because the servers recognise signed text by its words. Google signs a text after its end, and
accepts an incomplete text without a signature. The test server cannot know where a text was stopped, so it signs
thoughts on calls. Chat completions have one place for thoughts in an answer.
*/
function playable(wire: WireName, answer: ServerAnswer, n: number): ServerAnswer {
	if ('status' in answer) return answer;
	const lastCall = answer.findLastIndex(({type}) => type === 'tool_call');
	const thinks = (index: number) =>
		wire === 'google' ? index < lastCall : wire !== 'openai-compatible' || index === 0;
	return answer
		.filter(({type}, index) => type !== 'reasoning' || thinks(index))
		.map((part, index) =>
			part.type === 'text' || part.type === 'reasoning' ? {...part, text: `${part.text} ${n}.${index}`} : part,
		);
}

const turn = fc.record({
	wire: fc.constantFrom(...wires),
	replies: fc.array(reply, {minLength: 1, maxLength: 4}),
	at: fc.record({on: fc.constantFrom('delta', 'delta', 'item', 'status'), n: fc.integer({min: 1, max: 25})}),
	when: fc.constantFrom('now', 'soon'),
	by: fc.constantFrom('pause', 'pause', 'cancel'),
	permit: fc.boolean(),
	isUnpaced: fc.boolean(),
	restart: fc.boolean(),
	then: fc.constantFrom('resume', 'run', 'notify'),
});

describe('a turn that is stopped at a random moment', () => {
	it(`keeps what was streamed, survives a restart, and can be followed by any other turn (seed ${seed})`, async () => {
		const project = await tempProject(files);
		await fc.assert(
			fc.asyncProperty(turn, async ({wire, replies, at, when, by, permit, isUnpaced, restart, then}) => {
				await using server = await startServer(wire, [
					...replies.map((answer, n) => playable(wire, answer, n)),
					...Array.from({length: 8}, (): ServerAnswer => [{type: 'text', text: 'At last.'}]),
				]);
				const model = await modelAt(wire, server, {stallTimeoutMs: 40});
				let told = await testPod(project, {model, limits, isUnpaced});
				answerAsks(told, permit);
				let stopped: Promise<unknown> | undefined;
				stopAt(told, at, () => {
					const stop = () => (stopped ??= told.pod.send({method: by}));
					if (when === 'now') void stop();
					else setImmediate(stop);
				});
				const receipt = await told.run('go');
				await told.rest();
				await stopped;
				await told.rest();
				if (!receipt.accepted) expect([receipt.code, told.items()]).toEqual(['aborted', []]);
				expectPrefix(told.events);
				expect(tailOf(told)).toEqual([]);
				if (restart && receipt.accepted) {
					await told.pod.send({method: 'shutdown'});
					const again = await testPod(project, {model, limits, session: await reopened(told)});
					expect([again.items(), again.status().kind]).toEqual([told.items(), told.status().kind]);
					told = again;
					answerAsks(told, permit);
				}
				await told.pod.send(following[told.status().kind === 'paused' || then !== 'resume' ? then : 'run']);
				await told.rest();
				expect(server.refusals).toEqual([]);
				expect(answersOf(told.items())).toEqual([]);
				await told.pod.send({method: 'shutdown'});
			}),
			{seed, numRuns: long ? 300 : 20},
		);
	});
});

const following: Readonly<Record<'resume' | 'run' | 'notify', Method>> = {
	resume: {method: 'resume'},
	run: {method: 'run', segments: [{type: 'text', text: 'and now'}]},
	notify: {method: 'notify', text: 'something is done', run: true},
};

function stopAt({pod}: TestPod, {on, n}: {readonly on: string; readonly n: number}, stop: () => void): void {
	let count = 0;
	pod.subscribe(event => {
		if (event.type === on && ++count === n) stop();
	});
}

function answerAsks({pod}: TestPod, permit: boolean): void {
	pod.subscribe(event => {
		if (event.type !== 'status') return;
		for (const {id} of event.status.asks)
			setImmediate(() => void pod.send({method: 'answer', askId: id, choice: permit ? 'allow' : 'deny'}));
	});
}

/**
Every part that started before the stop must be committed under its id, with the streamed text, in the order of the
starts. A part may be missing only if it was incomplete or empty.
*/
function expectPrefix(events: readonly Event[]): void {
	const streamed = new Map<string, {readonly type: Item['type']; text: string}>();
	for (const event of events) {
		if (event.type !== 'delta' || event.begin?.type === 'tool_result') continue;
		if (event.begin !== undefined) streamed.set(event.id, {type: event.begin.type, text: ''});
		const part = streamed.get(event.id);
		if (part !== undefined) part.text += event.text;
	}
	const committed = new Map(
		events.flatMap(event =>
			event.type === 'item' && streamed.has(event.item.id) ? [[event.item.id, event.item] as const] : [],
		),
	);
	expect([...committed.keys()]).toEqual([...streamed.keys()].filter(id => committed.has(id)));
	for (const [id, {type, text: shown}] of streamed) {
		const item = committed.get(id);
		if (item === undefined) expect(type === 'tool_call' || shown === '').toBe(true);
		else if (item.type === 'message' || item.type === 'reasoning') expect(item.text).toBe(shown);
	}
}

function tailOf({pod}: TestPod): readonly Item[] {
	let tail: readonly Item[] = [];
	pod.subscribe(event => {
		if (event.type === 'snapshot') ({tail} = event);
	})();
	return tail;
}

/** Returns the calls that have more than one result. */
function answersOf(items: readonly Item[]): string[] {
	const counts = new Map<string, number>();
	for (const item of items) {
		if (item.type === 'tool_call') counts.set(item.callId, (counts.get(item.callId) ?? 0) + 1);
		if (item.type === 'tool_result') counts.set(item.callId, (counts.get(item.callId) ?? 0) - 1);
	}
	return [...counts].flatMap(([callId, left]) => (left < 0 ? [callId] : []));
}
