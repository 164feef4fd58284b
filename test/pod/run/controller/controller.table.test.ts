import {describe, expect, it} from 'vitest';
import {z} from 'zod';
import type {ApprovalMode, Item, Method, Receipt} from '../../../../src/pod/protocol.ts';
import {defineTool, lastSetup, type Model, type ModelEvent, type Tool} from '../../../../src/worker/index.ts';
import {context} from '../../../../src/pod/ground/history/reader.ts';
import {reopened, testPod, type TestPod} from '../../../helpers/pod.ts';
import {refusePairs} from '../../../helpers/random-session.ts';
import {tempProject, type TempProject} from '../../../helpers/temp-project.ts';
import {answer, calls, says, sent, thinks, eventModel} from '../../../helpers/event-model.ts';

/**
The state of a pod when it receives a method. `reach` calls `act` within the event that announces the state. `release`
lets the pod continue.
*/
type State = {
	readonly kind: 'idle' | 'running' | 'paused';
	/** Whether nothing is committed yet. */
	readonly resolving?: boolean;
	reach(
		project: TempProject,
		act: (told: TestPod) => void,
	): Promise<{readonly told: TestPod; readonly release: () => void}>;
};

const rest = [answer(says('Done.')), answer(says('More.')), answer(says('Even more.'))];
const secrets = {'a.md': 'one\n', '.env': 'A=1\n', 'b/.env': 'B=2\n'};
const reading = (callId: string, path: string) => calls(callId, 'read_file', {path});
const busy: ModelEvent = {
	type: 'error',
	error: {reason: 'overloaded', message: 'Too busy.', retryable: true, retryAfterMs: 250},
};

/** Creates a model whose first answer stops after some events until it is released. */
function holding(
	before: readonly ModelEvent[],
	after: readonly ModelEvent[],
): {readonly model: Model; readonly release: () => void} {
	const gate = Promise.withResolvers<void>();
	async function* first() {
		yield* before;
		await gate.promise;
		yield* after;
	}
	const model = eventModel(first, ...rest);
	return {
		release: () => gate.resolve(),
		model: {
			name: model.name,
			async *stream(request, signal) {
				signal.addEventListener('abort', () => gate.resolve());
				yield* model.stream(request, signal);
			},
		},
	};
}

/** Creates a model that starts with these calls, and a tool `wait` that ends when it is released. */
function waiting(first: ModelEvent[]): {
	readonly model: Model;
	readonly moreTools: readonly Tool[];
	readonly release: () => void;
} {
	const gate = Promise.withResolvers<void>();
	const wait = defineTool({
		name: 'wait',
		description: '',
		effect: 'read',
		input: z.object({}),
		async execute(_, {signal}) {
			signal.addEventListener('abort', () => gate.resolve());
			await gate.promise;
			signal.throwIfAborted();
			return {summary: 'waited', content: 'waited'};
		},
	});
	return {model: eventModel(first, ...rest), moreTools: [wait], release: () => gate.resolve()};
}

/** Begins a run, and acts when a condition is true. */
function running(
	make: () => {
		readonly model: Model;
		readonly moreTools?: readonly Tool[];
		readonly release?: (told: TestPod) => void;
	},
	isThere: (told: TestPod) => boolean,
): State['reach'] {
	return async (project, act) => {
		const {release = () => {}, ...options} = make();
		const told = await testPod(project, options);
		const there = Promise.withResolvers<void>();
		let acted = false;
		const look = () => {
			if (acted || !isThere(told)) return;
			acted = true;
			act(told);
			there.resolve();
		};
		told.pod.subscribe(look);
		void told.run('go');
		await there.promise;
		return {told, release: () => release(told)};
	};
}

const allow = ({pod, status}: TestPod): void => {
	for (const {id} of status().asks) void pod.send({method: 'answer', askId: id, choice: 'allow'});
};
const streamed =
	(type: Item['type']) =>
	({events}: TestPod) =>
		events.some(event => event.type === 'delta' && event.text !== '') &&
		events.some(event => event.type === 'delta' && event.begin?.type === type);

const states: Readonly<Record<string, State>> = {
	idle: {
		kind: 'idle',
		async reach(project, act) {
			const told = await testPod(project, {model: eventModel(...rest)});
			act(told);
			return {told, release() {}};
		},
	},
	resolving: {
		kind: 'running',
		resolving: true,
		async reach(project, act) {
			const gate = Promise.withResolvers<void>();
			const hook = async (_prompt: object, signal: AbortSignal) => {
				signal.addEventListener('abort', () => gate.resolve());
				await gate.promise;
				return {type: 'continue'} as const;
			};
			const told = await testPod(project, {model: eventModel(...rest), hook});
			void told.run('go');
			await told.until(() => told.status().step === 'resolving');
			act(told);
			return {told, release: () => gate.resolve()};
		},
	},
	requesting: {
		kind: 'running',
		reach: running(
			() => holding([sent], answer(says('ok')).slice(1)),
			({items, status}) => status().step === 'requesting' && items().length > 1,
		),
	},
	'streaming reasoning': {
		kind: 'running',
		reach: running(
			() =>
				holding(
					[sent, ...thinks('why').slice(0, 2)],
					[{type: 'end', key: 'r'}, ...answer(says('ok')).slice(1)],
				),
			streamed('reasoning'),
		),
	},
	'streaming text': {
		kind: 'running',
		reach: running(
			() =>
				holding(
					[sent, ...says('one ').slice(0, 2)],
					[
						{type: 'delta', key: 't', text: 'two'},
						{type: 'end', key: 't'},
						{type: 'finish', stop: 'end', usage: {}},
					],
				),
			streamed('message'),
		),
	},
	'between tool calls': {
		kind: 'running',
		reach: running(
			() => ({model: eventModel(answer(reading('1', 'a.md')), ...rest)}),
			({items}) => items().some(({type}) => type === 'tool_result'),
		),
	},
	'in parallel tools': {
		kind: 'running',
		reach: running(
			() => waiting(answer(calls('1', 'wait', {}), calls('2', 'wait', {}), reading('3', 'a.md'))),
			({items}) => items().some(({type}) => type === 'tool_result'),
		),
	},
	asking: {
		kind: 'running',
		reach: running(
			() => ({model: eventModel(answer(reading('1', '.env')), ...rest), release: allow}),
			({status}) => status().asks.length === 1,
		),
	},
	'in a retry wait': {
		kind: 'running',
		reach: running(
			() => ({model: eventModel([sent, busy], ...rest)}),
			({status}) => status().retryAt !== undefined,
		),
	},
	paused: {
		kind: 'paused',
		async reach(project, act) {
			const {told} = await states['asking']!.reach(project, () => {});
			await told.pod.send({method: 'pause'});
			act(told);
			return {told, release() {}};
		},
	},
};

const yes: Receipt = {accepted: true};
const no = (code: string) => expect.objectContaining({accepted: false, code}) as Receipt;

/** A cell: the method's receipt, the pod's final state, and the final history. */
type Cell = {
	readonly receipt: Receipt;
	readonly after: string;
	readonly end?: string;
	readonly approval?: ApprovalMode;
	readonly holds?: (items: readonly Item[]) => void;
};
type Row = {readonly method: Method; cell(state: State): Cell};

const outcomes = (items: readonly Item[]) => items.flatMap(item => (item.type === 'run_end' ? [item.outcome] : []));
const said = (items: readonly Item[]) =>
	items.flatMap(item => (item.type === 'message' && item.role === 'user' ? [item.text] : []));
const notices = (items: readonly Item[]) =>
	items.filter(item => item.type === 'message' && item.origin?.['about'] === 'notification');
/** Returns the end of a state that may continue. */
const goesOn = ({kind}: State) =>
	kind === 'paused'
		? {after: 'paused', end: 'paused'}
		: {after: 'idle', ...(kind === 'running' && {end: 'finished'})};

const table: Readonly<Record<string, Row>> = {
	run: {
		method: {method: 'run', segments: [{type: 'text', text: 'now'}]},
		cell: state =>
			state.kind === 'running'
				? {receipt: no('busy'), ...goesOn(state), holds: items => expect(said(items)).toEqual(['go'])}
				: {
						receipt: yes,
						after: 'idle',
						end: 'finished',
						holds: items => expect(said(items).at(-1)).toBe('now'),
					},
	},
	resume: {
		method: {method: 'resume'},
		cell: state =>
			({
				idle: {
					receipt: no('not_paused'),
					after: 'idle',
					holds: (items: readonly Item[]) => expect(items).toEqual([]),
				},
				running: {receipt: no('busy'), ...goesOn(state)},
				// The call runs again, and asks again.
				paused: {
					receipt: yes,
					after: 'idle',
					end: 'finished',
					holds: (items: readonly Item[]) => expect(JSON.stringify(items)).not.toContain('[Interrupted'),
				},
			})[state.kind],
	},
	pause: {
		method: {method: 'pause'},
		cell: state =>
			({
				idle: {receipt: no('not_running'), after: 'idle'},
				running:
					state.resolving === true
						? {receipt: yes, after: 'idle', holds: (items: readonly Item[]) => expect(items).toEqual([])}
						: {receipt: yes, after: 'paused', end: 'paused'},
				paused: {
					receipt: yes,
					after: 'paused',
					end: 'paused',
					holds: (items: readonly Item[]) => expect(outcomes(items)).toEqual(['paused']),
				},
			})[state.kind],
	},
	cancel: {
		method: {method: 'cancel'},
		cell: state =>
			({
				idle: {receipt: no('not_running'), after: 'idle'},
				running:
					state.resolving === true
						? {receipt: yes, after: 'idle', holds: (items: readonly Item[]) => expect(items).toEqual([])}
						: {receipt: yes, after: 'idle', end: 'cancelled'},
				paused: {
					receipt: yes,
					after: 'idle',
					end: 'cancelled',
					holds: (items: readonly Item[]) =>
						expect(items.filter(({type}) => type === 'tool_result')).toMatchObject([
							{summary: '[Interrupted by user]', isError: false},
						]),
				},
			})[state.kind],
	},
	steer: {
		method: {method: 'steer', segments: [{type: 'text', text: 'and this'}]},
		cell: state =>
			state.kind === 'running'
				? {receipt: yes, ...goesOn(state), holds: items => expect(said(items)).toEqual(['go', 'and this'])}
				: {receipt: no('not_running'), ...goesOn(state)},
	},
	answer: {
		method: {method: 'answer', askId: 'none', choice: 'allow'},
		cell: state => ({receipt: no('no_such_ask'), ...goesOn(state)}),
	},
	notify: {
		method: {method: 'notify', text: 'the build is done'},
		cell: state => ({
			receipt: yes,
			...goesOn(state),
			holds: items =>
				expect(notices(items)).toMatchObject([{text: '[Notification] the build is done', role: 'system'}]),
		}),
	},
	'notify that asks for a run': {
		method: {method: 'notify', text: 'the build is done', run: true},
		cell(state) {
			const holds = (items: readonly Item[]) => expect(notices(items)).toHaveLength(1);
			return state.kind === 'paused'
				? {receipt: yes, after: 'paused', end: 'paused', holds}
				: {receipt: yes, after: 'idle', end: 'finished', holds};
		},
	},
	approval: {
		method: {method: 'approval', mode: 'accept-edits'},
		cell: state => ({receipt: yes, ...goesOn(state), approval: 'accept-edits'}),
	},
	'context, of no item that there is': {
		method: {method: 'context', op: 'pin', ids: ['none']},
		cell: state => ({receipt: no(state.kind === 'running' ? 'not_idle' : 'no_such_item'), ...goesOn(state)}),
	},
	'compact, where there is nothing to summarise': {
		method: {method: 'compact'},
		cell: state => ({receipt: no(state.kind === 'idle' ? 'empty' : 'not_idle'), ...goesOn(state)}),
	},
	'rewind, to no item that there is': {
		method: {method: 'rewind', to: 'none'},
		cell: state => ({receipt: no(state.kind === 'running' ? 'not_idle' : 'no_such_item'), ...goesOn(state)}),
	},
	'restore_files, of none': {
		method: {method: 'restore_files', to: 'none', files: []},
		cell: state => ({receipt: no(state.kind === 'running' ? 'not_idle' : 'empty'), ...goesOn(state)}),
	},
	shutdown: {
		method: {method: 'shutdown'},
		cell: state => ({
			receipt: yes,
			after: state.kind === 'idle' || state.resolving === true ? 'idle' : 'paused',
			...(state.kind !== 'idle' && state.resolving !== true && {end: 'paused'}),
		}),
	},
};

describe.each(Object.keys(table))('%s', row => {
	it.each(Object.keys(states))('has its defined outcome in the state %s', async name => {
		const project = await tempProject(secrets);
		const state = states[name]!;
		const {method} = table[row]!;
		const {receipt, after, end, approval, holds} = table[row]!.cell(state);
		let given: Promise<Receipt> | undefined;
		const {told, release} = await state.reach(project, ({pod}) => (given = pod.send(method)));
		if (row === 'resume' && state.kind === 'paused') allowAll(told);
		if (row !== 'shutdown') release();
		expect(await given).toEqual(receipt);
		if (row !== 'shutdown') await told.rest();
		if (row !== 'shutdown')
			expect(told.status()).toEqual({
				kind: after,
				asks: [],
				queue: [],
				...(approval !== undefined && {approval}),
			});
		holds?.(told.items());
		expect(outcomes(told.items()).at(-1)).toBe(end);
		if (lastSetup(told.items()) !== undefined) expect(refusePairs(context(told.items()).messages)).toBeUndefined();
		await told.pod.send({method: 'shutdown'});
		if (told.items().length === 0) return;
		const again = await testPod(project, {model: eventModel(), session: await reopened(told)});
		expect([again.status().kind, again.items()]).toEqual([after, told.items()]);
	});
});

function allowAll(told: TestPod): void {
	told.pod.subscribe(event => {
		if (event.type === 'status' && event.status.asks.length > 0) setImmediate(() => allow(told));
	});
}
