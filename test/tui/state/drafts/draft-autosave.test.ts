import {beforeEach, describe, expect, onTestFinished, it, vi} from 'vitest';
import {flatten, type Segment} from '../../../../src/pod/protocol.ts';
import {update, type App} from '../../../../src/tui/state/app.ts';
import {toSegments} from '../../../../src/tui/composer/editor/segments.ts';
import {
	createDraftSlot,
	type DraftSlot,
	type DraftStore,
	type Kept,
} from '../../../../src/tui/state/drafts/draft-store.ts';
import {testApp} from '../../../helpers/test-app.ts';

const session = {id: 'S', model: 'test/model', scope: {pwd: '/p', writable: true, readRoots: []}};
const snapshot = {type: 'snapshot', session, items: [], tail: [], status: {kind: 'idle', asks: [], queue: []}} as const;
const text = (words: string): Segment => ({type: 'text', text: words});

function appWith(drafts: DraftSlot): App {
	return testApp({session, drafts, now: () => Date.now()});
}

/** Returns an app whose draft store records its saves. */
function keeping(found?: DraftStore['found']) {
	const saves: Array<{readonly at: number; readonly kept: Kept}> = [];
	const started = Date.now();
	const store = {answer: undefined as string | undefined, left: undefined as Kept | undefined};
	const keeper = createDraftSlot();
	const app = appWith(keeper);
	keeper.bind({
		...(found !== undefined && {found}),
		async save(kept) {
			saves.push({at: Date.now() - started, kept});
			return store.answer;
		},
		leave(kept) {
			store.left = kept;
			return undefined;
		},
	});
	app.dispatch({type: 'pod event', event: snapshot});
	const type = (words: string) => update(app, {type: 'insert', text: words});
	return {app, saves, store, type, keeper};
}

function linesOf(app: App): string[] {
	return flatten(toSegments(app.state.composer.editor.draft)).split('\n');
}

const pass = async (ms: number) => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => {
	vi.useFakeTimers({now: Date.UTC(2026, 0, 1)});
	onTestFinished(() => void vi.useRealTimers());
});

describe('a draft', () => {
	it('is saved a moment after the last key, and once a second while you type', async () => {
		const {saves, type} = keeping();
		await pass(2000);
		saves.length = 0;
		const started = Date.now();
		for (let key = 0; key < 30; key++) {
			type('x');
			await pass(100);
		}
		await pass(5000);
		const [lengths, times] = [
			saves.map(({kept}) => (kept.draft[0] as {text: string}).text.length),
			saves.map(({at}) => at - (started - Date.UTC(2026, 0, 1))),
		];
		expect(lengths.at(-1)).toBe(30);
		expect([3, 4]).toContain(times.length);
		for (const [index, time] of times.entries())
			if (index > 0) expect(time - times[index - 1]!).toBeGreaterThanOrEqual(1000 - 1);
		expect(times.at(-1)).toBeLessThanOrEqual(4000);
	});

	it('is not saved again when the caret moves', async () => {
		const {saves, type, app} = keeping();
		type('abc');
		await pass(5000);
		const before = saves.length;
		update(app, {type: 'move', to: 'left'});
		await pass(5000);
		expect(saves.length).toBe(before);
	});

	it('is saved until its receipt when it is sent, and then deleted at once', async () => {
		const {saves, type, app} = keeping();
		type('go');
		app.dispatch({type: 'submit', way: 'send'});
		type('next');
		await pass(2000);
		expect(saves.at(-1)?.kept).toEqual({sent: [[text('go')]], draft: [text('next')]});
		update(app, {type: 'accepted'});
		await pass(0);
		expect(saves.at(-1)?.kept).toEqual({sent: [], draft: [text('next')]});
	});

	it('is kept while it is in the queue', async () => {
		const {saves, app} = keeping();
		app.dispatch({type: 'queue draft', segments: [text('later')]});
		await pass(2000);
		expect(saves.at(-1)?.kept).toEqual({sent: [[text('later')]], draft: []});
	});

	it('is kept until its receipt when it leaves the queue', async () => {
		const {saves, app} = keeping();
		const segments = [text('on its way')];
		app.dispatch({type: 'queue draft', segments});
		app.dispatch({type: 'send queued'});
		app.dispatch({type: 'queue draft', segments: [text('later')]});
		await pass(2000);
		expect(saves.at(-1)?.kept).toEqual({sent: [[text('on its way')], [text('later')]], draft: []});
		app.dispatch({type: 'receipt', segments, receipt: {accepted: true}});
		await pass(0);
		expect(saves.at(-1)?.kept).toEqual({sent: [[text('later')]], draft: []});
	});

	it('is saved unchanged when you leave', () => {
		const {type, app, store} = keeping();
		type('bye');
		app.dispatch({type: 'leave screen'});
		expect(store.left).toEqual({sent: [], draft: [text('bye')]});
	});

	it('shows an alert once when it cannot be saved, and again after a success', async () => {
		const {type, app, store} = keeping();
		store.answer = 'The disk is full.';
		for (const word of ['a', 'b', 'c']) {
			type(word);
			await pass(2000);
		}
		expect(app.state.alerts.map(({alert, count}) => [alert.text, count])).toEqual([['The disk is full.', 1]]);
	});

	it('is saved as it would be sent, with several lines and chips', async () => {
		const {saves, app} = keeping();
		const segments: Segment[] = [
			text('one\ntwo '),
			{type: 'file_ref', path: 'a.md', range: {first: 3, last: 3}},
			text('\n\n'),
			{type: 'paste', id: '1', chars: 3, lines: 2, content: 'x\ny'},
		];
		update(app, {type: 'replace', segments});
		await pass(2000);
		expect(saves.at(-1)?.kept.draft).toEqual(segments);
	});
});

it('a message that moves to another session is saved there at once, and deleted in the first one', () => {
	const {app, store, keeper} = keeping();
	update(app, {type: 'insert', text: 'along'});
	app.dispatch({type: 'leave screen'});
	keeper.forget();
	expect(store.left).toEqual({sent: [], draft: []});
	const next = createDraftSlot();
	const there = appWith(next);
	update(there, {type: 'insert', text: 'along'});
	const kept: Kept[] = [];
	next.bind({save: async now => void kept.push(now), leave: () => undefined});
	there.dispatch({type: 'pod event', event: snapshot});
	expect(kept).toEqual([{sent: [], draft: [text('along')]}]);
});

describe('a restored draft', () => {
	const found = (kept: Kept) => ({kept, at: new Date(Date.UTC(2026, 0, 1) - 7_200_000).toISOString()});

	it('is in the composer after the messages on their way, with an alert', () => {
		const {app} = keeping(found({sent: [[text('first')], [text('second')]], draft: [text('third')]}));
		expect(linesOf(app)).toEqual(['first', 'second', 'third']);
		expect(app.state.alerts.map(({alert}) => alert)).toEqual([
			{level: 'info', text: 'Restored your unsent message from 2 h ago.'},
		]);
	});

	it('goes before newer text', () => {
		const keeper = createDraftSlot();
		const app = appWith(keeper);
		update(app, {type: 'insert', text: 'typed'});
		keeper.bind({
			found: found({sent: [], draft: [text('found')]}),
			save: async () => undefined,
			leave: () => undefined,
		});
		app.dispatch({type: 'pod event', event: snapshot});
		expect(linesOf(app)).toEqual(['found', 'typed']);
	});

	it('is not sent twice when it was committed before the crash', () => {
		const keeper = createDraftSlot();
		const app = appWith(keeper);
		keeper.bind({
			found: found({sent: [[text('see @a.md')]], draft: []}),
			save: async () => undefined,
			leave: () => undefined,
		});
		update(app, {
			type: 'sent',
			segments: [text('see '), {type: 'file_ref', path: 'a.md', outcome: {failed: 'not_found'}}],
		});
		app.dispatch({type: 'pod event', event: snapshot});
		expect(app.state.composer.editor.draft).toEqual([[]]);
		expect(app.state.alerts).toEqual([]);
	});
});

it('a message of 5,000 lines is saved while you type', async () => {
	vi.useRealTimers();
	const {type, app, saves} = keeping();
	update(app, {
		type: 'replace',
		segments: [text('const value = compute(argument, another); // words\n'.repeat(5000))],
	});
	await vi.waitFor(() => expect(saves.some(({kept}) => kept.draft.length > 0)).toBe(true), {timeout: 20_000});
	const count = saves.length;
	for (let key = 0; key < 100; key++) type('x');
	await vi.waitFor(() => expect(saves.length).toBeGreaterThan(count), {timeout: 20_000});
});
