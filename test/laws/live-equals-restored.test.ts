import * as fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import type {Event, Item, Status} from '../../src/pod/protocol.ts';
import type {Row} from '../../src/screen/spans/row.ts';
import {views} from '../../src/transcript/block.ts';
import {loadHighlight} from '../../src/screen/markdown/highlight.ts';
import {blocksOf, createTranscript, reduce} from '../../src/transcript/state.ts';
import {createTranscriptStore, type TranscriptStore} from '../../src/screen/rows/store.ts';
import {createItems, type ItemMaker} from '../helpers/items.ts';

const long = process.env['INKPOD_TEST'] === 'long';
const seed = Number(process.env['INKPOD_SEED'] ?? 20_261_121);
/** The parts of a random session. `pick` decides every choice that has no name here. */
type Step =
	| {
			readonly kind:
				| 'user'
				| 'notice'
				| 'interrupt'
				| 'unknown'
				| 'invocation'
				| 'alert'
				| 'compaction'
				| 'orphan'
				| 'rewind'
				| 'change';
			readonly pick: number;
	  }
	| {
			readonly kind: 'turn';
			readonly parts: readonly Part[];
			readonly chunks: readonly number[];
			readonly order: readonly number[];
			readonly fate: 'whole' | 'dropped' | 'prefix';
			readonly pick: number;
	  };
/** `unopened`: a thought that looks like a text until it is committed. */
type Part = {readonly type: 'text' | 'reasoning' | 'unopened' | 'call'; readonly text: string};

const words = fc.constantFrom(
	'Hello there. ',
	'# Title\n\n',
	'- one\n- two\n',
	'```ts\nconst a = 1;\n',
	'```\n',
	'\n\n',
	'| a | b |\n|---|---|\n| 1 | 2 |\n',
	'日本語の文。',
	'👍🏽',
	'\u001b[31m',
	'&amp; `code` **bold** ',
	'\t',
	'x'.repeat(60),
);
const text = fc.array(words, {maxLength: 8}).map(list => list.join(''));
const part: fc.Arbitrary<Part> = fc.record({type: fc.constantFrom('text', 'reasoning', 'unopened', 'call'), text});
const step: fc.Arbitrary<Step> = fc.oneof(
	{
		weight: 2,
		arbitrary: fc.record({
			kind: fc.constant('turn' as const),
			parts: fc.array(part, {minLength: 1, maxLength: 5}),
			chunks: fc.array(fc.integer({min: 1, max: 40}), {minLength: 1, maxLength: 5}),
			order: fc.array(fc.nat(), {maxLength: 5}),
			fate: fc.constantFrom('whole', 'whole', 'dropped', 'prefix'),
			pick: fc.nat(),
		}),
	},
	{
		weight: 3,
		arbitrary: fc.record({
			kind: fc.constantFrom(
				'user',
				'notice',
				'interrupt',
				'unknown',
				'invocation',
				'alert',
				'compaction',
				'orphan',
				'rewind',
				'change',
			),
			pick: fc.nat(),
		}),
	},
);

describe('a restored client', () => {
	it(`shows what every live client shows, over random sessions (seed ${seed})`, async () => {
		await loadHighlight();
		fc.assert(
			fc.property(
				fc.array(step, {maxLength: 8}),
				fc.nat(),
				fc.constantFrom(0, 1, 2, 3),
				(steps, moment, ending) => {
					const events = play(steps, ending);
					const live = storeOf(80);
					const late = storeOf(40);
					const attach = moment % events.length;
					const pod = createPod();
					for (const [index, event] of events.entries()) {
						live.dispatch(event);
						pod.take(event);
						if (index === attach) late.dispatch(pod.snapshot());
						if (index > attach) late.dispatch(event);
						live.rows(live.count() - 1);
						late.rows(late.count() - 1);
						expect(blocksOf(live.transcript)).toEqual(blocksOf(restored(pod.snapshot())));
					}
					expect(blocksOf(late.transcript)).toEqual(blocksOf(live.transcript));
					compareRows([live, late], pod.snapshot());
					for (const store of [live, late]) store.dispose();
				},
			),
			{seed, numRuns: long ? 500 : 30},
		);
	});
});

function storeOf(columns: number): TranscriptStore {
	return createTranscriptStore({columns, view: 'normal'});
}

function restored(snapshot: Event) {
	const state = createTranscript();
	reduce(state, snapshot);
	return state;
}

/** Compares the rows of the live client with those of a new client, in every width and view. */
function compareRows(stores: readonly TranscriptStore[], snapshot: Event): void {
	for (const columns of [80, 40]) {
		for (const view of views) {
			const fresh = createTranscriptStore({columns, view});
			fresh.dispatch(snapshot);
			const expected = rowsOf(fresh);
			for (const store of stores) {
				store.setLayout({columns, view});
				expect(rowsOf(store)).toEqual(expected);
			}
			fresh.dispose();
		}
	}
}

function rowsOf(store: TranscriptStore): Row[] {
	return Array.from({length: store.count()}, (_, index) => store.rows(index)).flat();
}

/** Implements a second time what the protocol says about a pod's items and tail. */
function createPod() {
	const items: Item[] = [];
	let tail: Item[] = [];
	let status: Status = {kind: 'idle', asks: [], queue: []};
	return {
		take(event: Event): void {
			if (event.type === 'status') status = event.status;
			if (event.type === 'item') {
				items.push(event.item);
				tail = tail.filter(
					({id, type}) =>
						id !== event.item.id &&
						event.item.type !== 'run_end' &&
						!(event.item.type.startsWith('request') && type !== 'tool_result'),
				);
			}
			if (event.type === 'delta') {
				if (event.begin !== undefined) tail.push(event.begin);
				tail = tail.map(item => (item.id === event.id ? grown(item, event.text) : item));
			}
		},
		snapshot: (): Event => ({
			type: 'snapshot',
			session: {id: 's', model: 'm', scope: {pwd: '/', writable: true, readRoots: []}},
			items: [...items],
			tail: [...tail],
			status,
		}),
	};
}

function grown(item: Item, more: string): Item {
	if (item.type === 'tool_call') return {...item, arguments: item.arguments + more};
	if (item.type === 'tool_result') return {...item, content: item.content + more};
	return 'text' in item ? {...item, text: item.text + more} : item;
}

/** Generates the events of a session, in an order in which a pod could send them. */
function play(steps: readonly Step[], ending: number): Event[] {
	const make = createItems();
	const events: Event[] = [
		{
			type: 'snapshot',
			session: {id: 's', model: 'm', scope: {pwd: '/', writable: true, readRoots: []}},
			items: [],
			tail: [],
			status: status('idle'),
		},
	];
	const commit = (item: Item) => void events.push({type: 'item', item});
	for (const one of steps) {
		if (one.kind === 'turn') playTurn(one, make, events);
		else others[one.kind](make, one.pick, commit, events);
	}
	const endings: ReadonlyArray<() => void> = [
		() => events.push({type: 'status', status: status('idle')}),
		() => events.push({type: 'status', status: status('paused')}),
		() =>
			playTurn(
				{
					kind: 'turn',
					parts: [
						{type: 'text', text: 'and so '},
						{type: 'call', text: ''},
					],
					chunks: [3],
					order: [],
					fate: 'whole',
					pick: 2,
				},
				make,
				events,
				true,
			),
		() => {},
	];
	endings[ending]!();
	return events;
}

const others: {
	readonly [Kind in Exclude<Step['kind'], 'turn'>]: (
		make: ItemMaker,
		pick: number,
		commit: (item: Item) => void,
		events: Event[],
	) => void;
} = {
	user(make, pick, commit) {
		const failed = pick % 2 === 0;
		const attached = failed
			? undefined
			: make.file('a.ts', 'let a;\n'.repeat(pick % 9), pick % 3 === 0 ? {totalBytes: 99_999} : {});
		commit(
			make.user('', [
				{type: 'text', text: 'look at '},
				{
					type: 'file_ref',
					path: 'a.ts',
					outcome: attached === undefined ? {failed: 'not_found'} : {item: attached.id},
				},
				{type: 'paste', id: 'p', chars: 4, lines: 2, content: 'a\n\tb'},
				{type: 'text', text: '\nplease'},
			]),
		);
		if (attached !== undefined) commit(attached);
	},
	notice: (make, pick, commit) => commit(make.system(`note ${pick}\nmore`, {kind: 'notice', about: 'x'})),
	interrupt: (make, _, commit) => commit(make.system('The turn was cut short.', {kind: 'interrupt', cause: 'user'})),
	unknown: (make, pick, commit) =>
		commit(make.system('Title\na\nb\nc\nd\ne\nf', pick % 2 === 0 ? undefined : {kind: 'future', of: 1})),
	invocation(make, pick, commit) {
		const invocation = `v${pick % 3}`;
		const parts = [
			make.system('[Workflow /r requires Knowledge #k]\none\ntwo', {
				kind: 'knowledge',
				slug: 'k',
				workflow: 'r',
				invocation,
			}),
			make.system('[Workflow /r]\ndo it', {kind: 'workflow', slug: 'r', invocation}),
		];
		for (const item of pick % 2 === 0 ? parts : parts.toReversed()) commit(item);
	},
	alert: (_, pick, _commit, events) =>
		void events.push({type: 'alert', alert: {level: 'warn', text: `alert ${pick}`}}),
	compaction: (make, _, commit) => commit(make.compaction('What was done.\n\n- this')),
	rewind: (make, pick, commit, events) => commit(make.item('rewind', {to: idOf(events, pick)})),
	change: (make, pick, commit, events) =>
		commit(
			make.item('context', {
				op: (['drop', 'restore', 'pin', 'prune'] as const)[pick % 4]!,
				ids: Array.from({length: 1 + (pick % 4)}, (_, n) => idOf(events, pick + n * 7)),
			}),
		),
	orphan: (make, pick, commit) => commit(make.result(`c${pick % 3}`, 'late', 'output\n'.repeat(pick % 7))),
};

/** Returns the id of a committed item, or of none. */
function idOf(events: readonly Event[], pick: number): string {
	const ids = events.flatMap(event => (event.type === 'item' ? [event.item.id] : []));
	return ids[pick % (ids.length + 1)] ?? 'nowhere';
}

/**
Generates a model call. Its parts stream and are committed in order. The request follows, then results in any order,
then the end.
*/
function playTurn(
	{parts, chunks, order, fate, pick}: Extract<Step, {kind: 'turn'}>,
	make: ItemMaker,
	events: Event[],
	unfinished = false,
): void {
	const commit = (item: Item) => void events.push({type: 'item', item});
	events.push({type: 'status', status: status('running')});
	const final = parts.map((one, index): Item => {
		if (one.type === 'text') return make.assistant(one.text);
		return one.type !== 'call'
			? make.reasoning(one.text)
			: make.call(`c${(pick + index) % 3}`, 'bash', {command: one.text});
	});
	const broken = fate === 'whole' ? final.length : pick % final.length;
	for (const [index, item] of final.entries()) {
		const body = item.type === 'tool_call' ? item.arguments : 'text' in item ? item.text : '';
		const stop = index === broken ? Math.floor(body.length / 2) : body.length;
		let at = 0;
		const begin = beginOf(item, parts[index]?.type === 'unopened');
		events.push({type: 'delta', id: item.id, text: '', begin});
		for (let turn = 0; at < stop; turn++) {
			const next = Math.min(stop, at + chunks[turn % chunks.length]!);
			events.push({type: 'delta', id: item.id, text: body.slice(at, next)});
			at = next;
		}
		if (unfinished && index === final.length - 1) return;
		if (index === broken) {
			if (fate === 'prefix' && item.type === 'message')
				commit({...item, text: item.text.slice(0, stop), stop: 'aborted'});
			break;
		}
		commit(item);
	}
	commit(
		make.request(
			fate === 'whole' ? (final.some(item => item.type === 'tool_call') ? 'tool_calls' : 'end') : 'aborted',
		),
	);
	const calls = final.slice(0, broken).filter(item => item.type === 'tool_call');
	for (const [index, {id, callId}] of calls
		.map((call, index) => ({call, key: order[index] ?? 0}))
		.toSorted((left, right) => left.key - right.key)
		.map(({call}) => call)
		.entries()) {
		const result = make.result(callId, 'ok', 'line\n'.repeat(index * 3));
		if (index % 2 === 0) {
			events.push(
				{type: 'delta', id: result.id, text: '', begin: {...result, content: ''}},
				{type: 'delta', id: result.id, text: 'li'},
			);
		}
		if (fate === 'whole' || index > 0) commit(result);
		else if (pick % 2 === 0) commit({...result, content: 'li', partialOf: id});
	}
	commit(make.end(fate === 'whole' ? 'finished' : 'cancelled', fate === 'whole' ? undefined : 'user'));
	events.push({type: 'status', status: status(fate === 'prefix' ? 'paused' : 'idle')});
}

function beginOf(item: Item, isUnopened: boolean): Item {
	if (item.type === 'tool_call') return {...item, arguments: ''};
	const {id, at} = item;
	if (isUnopened) return {id, at, type: 'message', role: 'assistant', text: ''};
	return {...item, text: '', ...(item.type === 'reasoning' ? {ms: 0} : {})} as Item;
}

function status(kind: Status['kind']): Status {
	return {kind, asks: [], queue: []};
}
