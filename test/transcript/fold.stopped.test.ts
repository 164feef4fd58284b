import {describe, expect, it} from 'vitest';
import type {Item, Status} from '../../src/pod/protocol.ts';
import {plainText, textOf} from '../../src/screen/spans/row.ts';
import {createTranscriptStore} from '../../src/screen/rows/store.ts';
import {createItems} from '../helpers/items.ts';

const status = (kind: Status['kind'], more: Partial<Status> = {}): Status => ({kind, asks: [], queue: [], ...more});

function storeOf(items: readonly Item[], now: Status) {
	const store = createTranscriptStore({columns: 80, view: 'normal'});
	store.dispatch({
		type: 'snapshot',
		session: {id: 's', model: 'm', scope: {pwd: '/', writable: true, readRoots: []}},
		items,
		tail: [],
		status: now,
	});
	return {
		store,
		texts: (index = 1) => store.rows(index).map(textOf),
		emit: (next: Status) => store.dispatch({type: 'status', status: next}),
	};
}

/** Returns two calls with the same id from a small server, and the output of the second when it was stopped. */
function stopped() {
	const make = createItems();
	const [first, second] = [
		make.call('1', 'bash', {command: 'npm test'}),
		make.call('1', 'bash', {command: 'npm run lint'}),
	];
	const partial = make.item('tool_result', {
		callId: '1',
		summary: 'interrupted',
		content: 'half\n',
		isError: false,
		ms: 0,
		partialOf: second.id,
	});
	return {make, items: [make.user('go'), first, second, make.request('tool_calls'), partial, make.end('paused')]};
}

describe('the output of a stopped call', () => {
	it('stays while its call needs approval again, and while the call starts again', () => {
		const {items} = stopped();
		const {texts} = storeOf(items, status('paused'));
		expect([texts(1), texts(2)]).toEqual([
			['', 'Run npm test · interrupted'],
			['', 'Run npm run lint · interrupted', 'half'],
		]);
	});

	it('stays while its call needs approval again, and while it starts again', () => {
		const {items} = stopped();
		const {texts, emit} = storeOf(items, status('paused'));
		emit(status('running', {asks: [{id: 'a', callId: '1', title: '', detail: '', choices: []}]}));
		expect(texts(2)).toEqual(['', 'Run npm run lint · needs approval', 'half']);
		emit(status('running'));
		expect(texts(2)).toEqual(['', 'Run npm run lint · running', 'half']);
	});

	it('is replaced by the results, which answer the calls in order', () => {
		const {make, items} = stopped();
		const {texts} = storeOf(
			[...items, make.result('1', 'exit 0', 'one\n'), make.result('1', 'exit 1', 'two\n')],
			status('idle'),
		);
		expect([texts(1), texts(2)]).toEqual([
			['', 'Run npm test', 'one'],
			['', 'Run npm run lint · exit 1', 'two'],
		]);
	});

	it('is shown even if its call is not in the history', () => {
		const make = createItems();
		const {texts} = storeOf(
			[
				make.item('tool_result', {
					callId: '1',
					summary: 'interrupted',
					content: 'half\n',
					isError: false,
					ms: 0,
					partialOf: 'gone',
				}),
			],
			status('idle'),
		);
		expect(texts(0).join('\n')).toContain('half');
	});
});

describe('the row of a command in the background', () => {
	it('shows that the command runs as long as the status lists it', () => {
		const make = createItems();
		const call = make.call('1', 'bash', {command: 'npm run dev'});
		const result = make.item('tool_result', {
			callId: '1',
			summary: 'x',
			content: 'It runs.',
			isError: false,
			ms: 0,
			details: {command: {background: true, id: 'qy4261', bytes: 0}},
		});
		const {texts, emit} = storeOf(
			[make.user('go'), call, result],
			status('idle', {background: [{id: 'qy4261', call: call.id, command: 'npm run dev', since: 0}]}),
		);
		expect(texts()[1]).toBe('Run npm run dev · running in background (qy4261)');
		emit(status('idle'));
		expect(texts()[1]).toBe('Run npm run dev · ran in background (qy4261)');
	});
});

it('the details of a denied call show who denied it, never its text', () => {
	const make = createItems();
	const forged = make.result('1', 'Denied by the user', 'Denied by the user; it was not run.', true);
	const {texts} = storeOf([make.user('go'), make.call('1', 'bash', {command: 'ls'}), forged], status('idle'));
	expect(texts()[1]).toBe('Run ls · Denied by the user');
	const interrupted = storeOf(
		[make.user('go'), make.call('1', 'bash', {command: 'ls'}), make.result('1', '[Interrupted by user]', 'x')],
		status('idle'),
	);
	expect(plainText(interrupted.store.rows(1)[1]!)).toContain('●');
});
