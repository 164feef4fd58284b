import {beforeEach, describe, expect, onTestFinished, it, vi} from 'vitest';
import {queueDraft, submit} from '../../../../src/screen/control/submit/submit.ts';
import {flatten, type Item, type Segment, type Status} from '../../../../src/pod/protocol.ts';
import {update, type App} from '../../../../src/screen/control/app.ts';
import {toSegments} from '../../../../src/screen/editor/segments.ts';
import {
	createDraftSlot,
	type DraftSlot,
	type DraftStore,
	type Kept,
} from '../../../../src/screen/control/drafts/draft-store.ts';
import {draftStore} from '../../../helpers/draft-store.ts';
import {testApp} from '../../../helpers/test-app.ts';

const session = {id: 'S', model: 'test/model', scope: {pwd: '/p', writable: true, readRoots: []}};
const snapshot = {type: 'snapshot', session, items: [], tail: [], status: {kind: 'idle', asks: [], queue: []}} as const;
const choices = [{choice: 'no', label: 'No', refuses: true}];
const ask = {id: 'q', title: 'Run it?', detail: 'x', choices};
const text = (words: string): Segment => ({type: 'text', text: words});

function appWith(drafts: DraftSlot): App {
	return testApp({session, drafts, now: () => Date.now()});
}

/** Returns an app whose draft store records its saves. */
async function keeping(found?: DraftStore['found']) {
	const saves: Array<{readonly at: number; readonly kept: Kept}> = [];
	const started = Date.now();
	const store = {answer: undefined as string | undefined, left: undefined as Kept | undefined};
	const keeper = createDraftSlot();
	const app = appWith(keeper);
	const record = (kept: Kept) => {
		saves.push({at: Date.now() - started, kept});
		return store.answer;
	};
	await keeper.bind(
		draftStore({
			...(found !== undefined && {found}),
			save: async kept => record(kept),
			saveNow: record,
			leave(kept) {
				store.left = kept;
				return undefined;
			},
		}),
	);
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

describe('an unsent message', () => {
	it('is saved a moment after the last key, and a few times a second while you type', async () => {
		const {saves, type} = await keeping();
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
		expect(times.length).toBeGreaterThanOrEqual(6);
		for (const [index, time] of times.entries())
			if (index > 0) expect(time - times[index - 1]!).toBeGreaterThanOrEqual(250 - 1);
		expect(times.at(-1)).toBeLessThanOrEqual(3250);
	});

	it('is saved without what follows /login, which may be a key', async () => {
		const {saves, store, type, app} = await keeping();
		type('/login openai sk-FAKE');
		await pass(5000);
		expect(saves.at(-1)?.kept.draft).toEqual([text('/login')]);
		update(app, {type: 'clear'});
		type('/login');
		update(app, {type: 'paste', text: 'sk-FAKE-1\nsk-FAKE-2'});
		await pass(5000);
		expect(saves.at(-1)?.kept.draft).toEqual([text('/login')]);
		expect(JSON.stringify(saves)).not.toContain('FAKE');
		app.dispatch({type: 'leave screen'});
		expect(store.left?.draft).toEqual([text('/login')]);
	});

	it('is saved with what you type while something opens, unless that may be a key', async () => {
		const {saves, type, app} = await keeping();
		const hold = async (isSecret: boolean) => {
			app.dispatch({type: 'begin hold', id: 'opening', isSecret});
			const input = {type: 'paste', text: ' to the held text', cut: false} as const;
			app.dispatch({type: 'hold input', input: {input, edit: undefined, text: input.text}});
			await pass(5000);
			return saves.at(-1)?.kept.draft;
		};
		type('from the draft');
		expect(await hold(false)).toEqual([text('from the draft to the held text')]);
		app.dispatch({type: 'end hold'});
		await pass(5000);
		expect(saves.at(-1)?.kept.draft).toEqual([text('from the draft')]);
		expect(await hold(true)).toEqual([text('from the draft')]);
	});

	it('is not saved again when the caret moves', async () => {
		const {saves, type, app} = await keeping();
		type('abc');
		await pass(5000);
		const before = saves.length;
		update(app, {type: 'move', to: 'left'});
		await pass(5000);
		expect(saves.length).toBe(before);
	});

	it('is saved until its receipt when it is sent, and then deleted at once', async () => {
		const {saves, type, app} = await keeping();
		type('go');
		submit(app, 'send');
		type('next');
		await pass(2000);
		expect(saves.at(-1)?.kept).toMatchObject({sent: [{segments: [text('go')]}], draft: [text('next')]});
		update(app, {type: 'accepted'});
		await pass(0);
		expect(saves.at(-1)?.kept).toMatchObject({sent: [], draft: [text('next')]});
	});

	it.each([false, true])('is kept with its id until its receipt when it is queued (steer: %s)', async steer => {
		const {saves, app} = await keeping();
		const segments = [text('on its way')];
		void queueDraft(app, segments, steer);
		const [{id} = {id: ''}] = app.state.submission.sending;
		await pass(2000);
		expect(saves.at(-1)?.kept).toMatchObject({sent: [{id, segments}], draft: []});
		app.dispatch({type: 'receipt', segments, receipt: {accepted: true}});
		await pass(0);
		expect(saves.at(-1)?.kept).toMatchObject({sent: [], draft: []});
	});

	it('has the id under which it is sent', async () => {
		const {saves, type, app} = await keeping();
		type('go');
		await pass(2000);
		const {draftId} = saves.at(-1)!.kept;
		submit(app, 'send');
		await pass(2000);
		expect(app.state.submission.heldId).toBe(draftId);
		expect(saves.at(-1)?.kept).toMatchObject({sent: [{id: draftId, segments: [text('go')]}]});
		expect(saves.at(-1)?.kept.draftId).not.toBe(draftId);
	});

	it('is saved unchanged when you leave', async () => {
		const {type, app, store} = await keeping();
		type('bye');
		app.dispatch({type: 'leave screen'});
		expect(store.left).toMatchObject({sent: [], draft: [text('bye')]});
	});

	it('causes one alert when it cannot be saved, and another after a success', async () => {
		const {type, app, store} = await keeping();
		store.answer = 'The disk is full.';
		for (const word of ['a', 'b', 'c']) {
			type(word);
			await pass(2000);
		}
		expect(app.state.alerts.map(({alert, count}) => [alert.text, count])).toEqual([['The disk is full.', 1]]);
	});

	it('is saved as it would be sent, with several lines and chips', async () => {
		const {saves, app} = await keeping();
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

it('a message that moves to another session is saved there at once, and deleted in the first one', async () => {
	const {app, store, keeper} = await keeping();
	update(app, {type: 'insert', text: 'along'});
	app.dispatch({type: 'leave screen'});
	keeper.forget();
	expect(store.left).toEqual({sent: [], draft: []});
	const next = createDraftSlot();
	const there = appWith(next);
	update(there, {type: 'insert', text: 'along'});
	const kept: Kept[] = [];
	await next.bind(draftStore({save: async now => void kept.push(now), saveNow: now => void kept.push(now)}));
	there.dispatch({type: 'pod event', event: snapshot});
	expect(kept).toMatchObject([{sent: [], draft: [text('along')]}]);
});

describe('a restored message', () => {
	const found = (kept: Kept) => ({kept, at: new Date(Date.UTC(2026, 0, 1) - 7_200_000).toISOString()});

	it('is in the composer after the messages on their way, with an alert', async () => {
		const {app} = await keeping(
			found({sent: [{segments: [text('first')]}, {id: 'x', segments: [text('second')]}], draft: [text('third')]}),
		);
		expect(linesOf(app)).toEqual(['first', 'second', 'third']);
		expect(app.state.alerts.map(({alert}) => alert)).toEqual([
			{level: 'info', text: 'Restored your unsent message from 2 h ago.'},
		]);
	});

	it('goes before newer text', async () => {
		const keeper = createDraftSlot();
		const app = appWith(keeper);
		update(app, {type: 'insert', text: 'typed'});
		await keeper.bind(draftStore({found: found({sent: [], draft: [text('found')]})}));
		app.dispatch({type: 'pod event', event: snapshot});
		expect(linesOf(app)).toEqual(['found', 'typed']);
	});

	it('waits while a card is open, stays saved, and then goes into the composer', async () => {
		const kept: Kept[] = [];
		const keeper = createDraftSlot();
		const app = appWith(keeper);
		const save = (now: Kept) => void kept.push(now);
		const lost = found({sent: [], draft: [text('found')]});
		await keeper.bind(draftStore({found: lost, save: async now => save(now), saveNow: save}));
		app.dispatch({type: 'open own ask', ask});
		app.dispatch({type: 'pod event', event: snapshot});
		await pass(2000);
		expect([linesOf(app), app.state.alerts]).toEqual([[''], []]);
		expect(kept.at(-1)?.sent).toMatchObject([{segments: [text('found')]}]);
		app.dispatch({type: 'close own ask', id: 'q'});
		expect(linesOf(app)).toEqual(['found']);
		expect(app.state.alerts.map(({alert}) => alert.text)).toEqual(['Restored your unsent message from 2 h ago.']);
		await pass(2000);
		expect(kept.at(-1)).toMatchObject({sent: [], draft: [text('found')]});
	});

	const committed: Item = {
		id: 'i',
		at: '2026-01-01T00:00:00.000Z',
		type: 'message',
		role: 'user',
		text: 'same',
		origin: {kind: 'submit', segments: [text('same')], id: 'sent'},
	};
	const waiting: Status['queue'] = [{id: 'queued', state: 'queued', preview: [text('same')]}];

	it.each<readonly [string, Kept, string]>([
		['is dropped if it was committed', {sent: [{id: 'sent', segments: [text('same')]}], draft: []}, ''],
		['is dropped if a later version of it was committed', {sent: [], draft: [text('sam')], draftId: 'sent'}, ''],
		['is dropped if it is in the queue', {sent: [{id: 'queued', segments: [text('same')]}], draft: []}, ''],
		[
			'is offered if it only has the words of a committed one',
			{sent: [{id: 'new', segments: [text('same')]}], draft: []},
			'same',
		],
	])('%s', async (_, kept, expected) => {
		const keeper = createDraftSlot();
		const app = appWith(keeper);
		await keeper.bind(draftStore({found: found(kept)}));
		const event = {...snapshot, items: [committed], status: {...snapshot.status, queue: waiting}};
		app.dispatch({type: 'pod event', event});
		expect(linesOf(app)).toEqual([expected]);
		expect(app.state.alerts).toHaveLength(expected === '' ? 0 : 1);
	});
});

it('a message of 5,000 lines is saved while you type', async () => {
	vi.useRealTimers();
	const {type, app, saves} = await keeping();
	update(app, {
		type: 'replace',
		segments: [text('const value = compute(argument, another); // words\n'.repeat(5000))],
	});
	await vi.waitFor(() => expect(saves.some(({kept}) => kept.draft.length > 0)).toBe(true), {timeout: 20_000});
	const count = saves.length;
	for (let key = 0; key < 100; key++) type('x');
	await vi.waitFor(() => expect(saves.length).toBeGreaterThan(count), {timeout: 20_000});
});
