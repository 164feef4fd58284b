import type {Alerts} from '../../../../src/screen/model/alerts/alerts.ts';
import {describe, expect, it} from 'vitest';
import {noTranscript} from '../../../../src/screen/model/submission-state.ts';
import type {Event, Item, Status} from '../../../../src/pod/protocol.ts';
import {createReading, maxAtOnce, type Entry} from '../../../../src/screen/view/spoken/reading.ts';
import type {ReadAgain} from '../../../../src/screen/model/scroll/read-again.ts';
import {plainText} from '../../../../src/screen/spans/row.ts';
import {createTranscriptStore} from '../../../../src/screen/rows/store.ts';
import {idle, running, session} from '../../../helpers/fake-app.ts';
import {createItems} from '../../../helpers/items.ts';

const make = createItems();

describe('the output for a screen reader', () => {
	it('contains the welcome once, and each block once it is finished', () => {
		const {emit, hear} = opened();
		expect(hear()).toEqual(['Welcome']);
		emit({type: 'item', item: make.user('hello')});
		expect(hear()).toEqual(['user: ▌ hello']);
		expect(hear()).toEqual([]);
	});

	it('contains only what a line of the welcome has gained', () => {
		const reading = createReading();
		const shown = (text: string) =>
			reading
				.next({
					state: {transcript: noTranscript, alerts: []},
					welcome: [{spans: [{text}], gutter: undefined, role: 'text', continued: false}],
				})
				.map(textOf);
		expect(shown('Project  ~/hello')).toEqual(['Project  ~/hello']);
		expect(shown('Project  ~/hello · branch main')).toEqual(['branch main']);
		expect(shown('Project  ~/hello · branch main')).toEqual([]);
	});

	it('contains each paragraph of a streamed answer once, and the rest when it ends', () => {
		const {emit, hear} = opened();
		hear();
		emit({type: 'status', status: running});
		const begin = make.assistant('');
		emit({type: 'delta', id: begin.id, text: 'One.\n\nTwo.\n\nThr', begin});
		expect(hear()).toEqual(['assistant:   One.']);
		emit({type: 'delta', id: begin.id, text: 'ee.\n\nFour'});
		expect(hear()).toEqual(['assistant goes on:   Two.']);
		expect(hear()).toEqual([]);
		emit({type: 'item', item: {...begin, text: 'One.\n\nTwo.\n\nThree.\n\nFour.'} as Item});
		expect(hear()).toEqual(['assistant goes on:   Three.|  Four.']);
	});

	it('stays the same when the width changes in the middle of an answer', () => {
		const {emit, hear, store} = opened();
		hear();
		emit({type: 'status', status: running});
		const begin = make.assistant('');
		const first = 'word '.repeat(30).trim();
		emit({type: 'delta', id: begin.id, text: `${first}\n\nTwo.\n\nThr`, begin});
		hear();
		store.setLayout({columns: 25});
		emit({type: 'item', item: {...begin, text: `${first}\n\nTwo.\n\nThree.`} as Item});
		expect(hear()).toEqual(['assistant goes on:   Two.|  Three.']);
	});

	it('contains a call together with its result, before anything later', () => {
		const {emit, hear} = opened();
		hear();
		emit({type: 'status', status: running});
		const [one, other] = [make.call('1', 'bash', {command: 'a'}), make.call('2', 'bash', {command: 'b'})];
		for (const item of [one, other]) emit({type: 'item', item});
		emit({type: 'item', item: make.result('2', '1 line', 'second')});
		expect(hear()).toEqual([]);
		emit({type: 'item', item: make.result('1', '1 line', 'first')});
		expect(hear()).toEqual([
			expect.stringMatching(/^tool: .*Run a.*first/u),
			expect.stringMatching(/^tool: .*Run b.*second/u),
		]);
	});

	it('contains a command of the user once, with its output', () => {
		const {emit, hear} = opened();
		hear();
		emit({type: 'status', status: running});
		const about = {kind: 'shell', command: 'ls', bytes: 0, totalBytes: 0, truncated: false};
		const start = make.system('[Shell: ls]', {...about, started: true});
		emit({type: 'item', item: start});
		expect(hear()).toEqual([]);
		emit({
			type: 'item',
			item: make.system('[Shell: ls]\na.ts', {...about, start: start.id, exitCode: 0, bytes: 4}),
		});
		emit({type: 'status', status: idle});
		expect(hear()).toEqual([expect.stringMatching(/^system: ◇ ! ls · exit 0/u)]);
		expect(hear()).toEqual([]);
	});

	it('contains the last blocks of a long session, and the number of earlier ones', () => {
		const {hear} = opened(Array.from({length: 50}, (_, at) => make.user(`message ${at}`)));
		const heard = hear();
		expect(heard.slice(0, 3)).toEqual([
			'Welcome',
			`${50 - maxAtOnce} earlier blocks are not read out.`,
			`user: ▌ message ${50 - maxAtOnce}`,
		]);
		expect(heard).toHaveLength(2 + maxAtOnce);
	});

	it('contains each alert once', () => {
		const {hear} = opened();
		hear();
		const alerts = [{alert: {level: 'warn', text: 'Careful.'}, until: 1, count: 1}] as const;
		expect(hear(alerts)).toEqual(['Warning: Careful.']);
		expect(hear(alerts)).toEqual([]);
	});

	it('contains a notice when a session opens whose process died in a run, but not later', () => {
		const {emit, hear} = opened([make.user('go')], idle);
		expect(hear()).toEqual([
			'Welcome',
			'user: ▌ go',
			expect.stringMatching(/^notice: ■ Interrupted: inkpod exited/u),
		]);
		emit({type: 'item', item: make.end()});
		hear();
		emit({type: 'item', item: make.user('next')});
		expect(hear()).toEqual(['user: ▌ next']);
	});

	it('stays the same when the view changes', () => {
		const {emit, hear, store} = opened([
			make.user('go'),
			make.call('1', 'bash', {command: 'a'}),
			make.result('1', '1 line', 'text'),
		]);
		hear();
		store.setLayout({view: 'detail'});
		expect(hear()).toEqual([]);
		emit({type: 'item', item: make.assistant('Done.')});
		expect(hear()).toEqual(['assistant:   Done.']);
	});

	it('contains a block again when it changed after it was read', () => {
		const call = make.call('1', 'bash', {command: 'a'});
		const {emit, hear} = opened([call], idle);
		expect(hear()).toContainEqual(expect.stringContaining('Run a · interrupted'));
		emit({type: 'item', item: make.result('1', '1 line', 'late')});
		expect(hear()).toEqual([expect.stringContaining('late')]);
	});
});

describe('blocks that are read again', () => {
	const items = [make.user('one'), make.assistant('Answer one.'), make.user('two'), make.assistant('Answer two.')];

	it('are read once for each request, and change nothing about later blocks', () => {
		const {emit, hear} = opened(items, idle);
		hear();
		const wanted = {number: 1, from: items[0]!.id, count: 2, total: 4};
		expect(hear([], wanted)).toEqual(['user: ▌ one', 'assistant:   Answer one.']);
		expect(hear([], wanted)).toEqual([]);
		emit({type: 'item', item: make.user('three')});
		expect(hear([], wanted)).toEqual(['user: ▌ three']);
		expect(hear([], {...wanted, number: 2})).toEqual(['user: ▌ one', 'assistant:   Answer one.']);
	});

	it('can be blocks that were left out when the session opened, and at most so many', () => {
		const many = Array.from({length: 50}, (_, at) => make.user(`message ${at}`));
		const {hear} = opened(many, idle);
		hear();
		const heard = hear([], {number: 1, from: many[0]!.id, count: 30, total: 50});
		expect(heard[0]).toBe('user: ▌ message 0');
		expect(heard).toHaveLength(maxAtOnce + 1);
		expect(heard.at(-1)).toBe('10 more blocks of this turn are not read out.');
	});

	it('never include a block that still changes', () => {
		const {emit, hear} = opened(items, running);
		hear();
		const begin = make.assistant('');
		emit({type: 'delta', id: begin.id, text: 'Not yet', begin});
		expect(hear([], {number: 1, from: items[2]!.id, count: 3, total: 5})).toEqual([
			'user: ▌ two',
			'assistant:   Answer two.',
		]);
		emit({type: 'item', item: {...begin, text: 'Not yet done.'} as Item});
		expect(hear([])).toEqual(['assistant:   Not yet done.']);
	});
});

function opened(items: readonly Item[] = [], status: Status = running) {
	const store = createTranscriptStore({columns: 60, view: 'normal', isSpoken: true});
	store.dispatch({type: 'snapshot', session, items, tail: [], status});
	const reading = createReading();
	const welcome = [{spans: [{text: 'Welcome'}], gutter: undefined, role: 'text', continued: false}] as const;
	return {
		store,
		emit: (event: Event) => store.dispatch(event),
		hear: (alerts: Alerts = [], readAgain?: ReadAgain) =>
			reading.next({state: {transcript: {...noTranscript, store, readAgain}, alerts}, welcome}).map(textOf),
	};
}

function textOf(entry: Entry): string {
	if ('text' in entry) return entry.text;
	const rows = entry.rows.map(({row}) => plainText(row)).filter(text => text.trim() !== '');
	return `${entry.block.kind}${entry.isContinued ? ' goes on' : ''}: ${rows.join('|')}`;
}
