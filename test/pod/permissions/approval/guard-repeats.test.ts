import {describe, expect, it} from 'vitest';
import {z} from 'zod';
import {createAsks, type Answer} from '../../../../src/pod/permissions/approval/asks.ts';
import type {Ask} from '../../../../src/pod/protocol.ts';
import {guardRepeats} from '../../../../src/pod/permissions/approval/guard-repeats.ts';
import {
	createHistory,
	createWorker,
	defineTool,
	memoryLog,
	stamp,
	type Item,
	type ToolEffect,
} from '../../../../src/worker/index.ts';
import {interruption, originRules, unansweredCalls} from '../../../../src/pod/ground/history/reader.ts';
import {countedClock} from '../../../helpers/clock.ts';
import {answer, says, eventModel} from '../../../helpers/event-model.ts';

type Dead = {readonly effect?: ToolEffect; readonly end?: 'paused' | 'error'; readonly attended?: boolean};

/** Creates a worker over a history whose process died, or whose run ended in this way, during a call of a tool. */
function dead({effect = 'write', end, attended = true}: Dead = {}) {
	const clock = countedClock();
	const ran: string[] = [];
	const tool = defineTool({
		name: 'change',
		description: '',
		effect,
		input: z.object({}),
		async execute(_, {callId}) {
			ran.push(callId);
			return {summary: 'changed', content: 'changed'};
		},
	});
	const setup = {type: 'setup', model: 'told/model', prompt: '', tools: [tool.definition], settings: {}} as const;
	const stored: Item[] = [
		stamp(clock, {...setup, tools: [...setup.tools]}),
		stamp(clock, {type: 'message', role: 'user', text: 'go'}),
		stamp(clock, {type: 'tool_call', callId: 'c', name: 'change', arguments: '{}'}),
		stamp(clock, {
			type: 'request',
			model: 'told/model',
			usage: {},
			requestHash: '',
			startedAt: '',
			endedAt: '',
			stop: 'tool_calls',
		}),
		...(end === undefined ? [] : [stamp(clock, {type: 'run_end', outcome: end})]),
	];
	const history = createHistory(memoryLog, stored);
	const worker = createWorker({
		history,
		clock,
		origins: originRules,
		tools: () => [tool],
		limits: {maxTurns: 9, maxOutputBytes: 1000, retry: {maxAttempts: 1, baseMs: 1, maxMs: 1, maxWaitMs: 600_000}},
		onDelta() {},
		onStep() {},
		random: () => 0,
	});
	const asked: Ask[] = [];
	const asks = createAsks(clock.id, open => asked.push(...open.filter(({id}) => !asked.some(ask => ask.id === id))));
	const resume = async (reply?: Answer | (() => void), abort = new AbortController()) => {
		const guard = guardRepeats(
			attended
				? async question => {
						const settled = asks.ask(question, abort.signal);
						if (typeof reply === 'function') reply();
						else if (reply !== undefined) asks.answer(asked.at(-1)!.id, reply);
						return settled;
					}
				: undefined,
		);
		return worker.resume({
			model: eventModel(answer(says('ok'))),
			setup: {...setup, tools: [...setup.tools]},
			interceptor: guard,
			signal: abort.signal,
		});
	};
	return {ran, asked, history, resume, results: () => history.items.filter(item => item.type === 'tool_result')};
}

describe('a call that may have run before the process died', () => {
	it('needs approval again when it changes something; an approval runs it once', async () => {
		const {ran, asked, resume} = dead();
		expect(await resume({choice: 'allow'})).toMatchObject({outcome: 'finished'});
		expect(asked).toMatchObject([
			{
				callId: 'c',
				detail: '{}',
				title: 'change may have run, wholly or in part, before inkpod exited. Run it again?',
			},
		]);
		expect(ran).toEqual(['c']);
	});

	it('is closed as interrupted when you deny it, and the model continues', async () => {
		const {ran, resume, results} = dead();
		expect(await resume({choice: 'deny'})).toMatchObject({outcome: 'finished'});
		expect([ran, results()]).toMatchObject([
			[],
			[{callId: 'c', summary: '[Interrupted: inkpod ended during the call]', isError: false}],
		]);
	});

	it('is closed as interrupted when no one can approve', async () => {
		const {ran, resume, results} = dead({attended: false});
		await resume();
		expect([ran, results()]).toMatchObject([[], [{content: '[Interrupted: inkpod ended during the call]'}]]);
	});

	it.each(['pause', 'cancel'] as const)(
		'stays open when a %s ends its question, and is asked about again the next time',
		async reason => {
			const {asked, history, resume, ran} = dead();
			const abort = new AbortController();
			expect(await resume(() => abort.abort(reason), abort)).toMatchObject({
				outcome: reason === 'pause' ? 'paused' : 'cancelled',
			});
			expect([unansweredCalls(history.items).length, interruption(history.items)]).toEqual([
				1,
				reason === 'pause' ? 'paused' : 'cancelled',
			]);
			await resume({choice: 'allow'});
			expect([asked.length, ran]).toEqual([2, ['c']]);
		},
	);

	it('runs again without a question when it only reads', async () => {
		const {asked, ran, resume} = dead({effect: 'read'});
		await resume();
		expect([asked, ran]).toEqual([[], ['c']]);
	});
});

it('a call needs approval again when its run ended with an error before the result', async () => {
	const {asked, resume} = dead({end: 'error'});
	await resume({choice: 'allow'});
	expect(asked).toHaveLength(1);
});

it('a call runs without a question when a pause stopped it before it began', async () => {
	const {asked, ran, resume} = dead({end: 'paused'});
	await resume();
	expect([asked, ran]).toEqual([[], ['c']]);
});
