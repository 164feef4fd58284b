import {describe, expect, it} from 'vitest';
import {draw} from '../../../../../src/screen/mount/open-screen.ts';
import type {ChangedFile, Item, Method} from '../../../../../src/pod/protocol.ts';
import type {Destination} from '../../../../../src/screen/control/app.ts';
import {openRewind} from '../../../../../src/screen/control/pages/rewind/rewind-commands.ts';
import {plainText} from '../../../../../src/screen/spans/row.ts';
import {width} from '../../../../../src/text/width.ts';
import {fakeApp, fakePod, idle, running, settled, until, type FakeApp} from '../../../../helpers/fake-app.ts';
import {createItems} from '../../../../helpers/items.ts';
import {type TestOptions} from '../../../../helpers/test-app.ts';

type Shown = FakeApp & {readonly items: readonly Item[]; readonly clock: {now: number}; readonly gone: unknown[]};

async function shown(
	files: readonly ChangedFile[] = [],
	items: readonly Item[] = talk(),
	options: Partial<TestOptions> = {},
): Promise<Shown> {
	const pod = {...fakePod(idle, items), filesSince: async () => files};
	const clock = {now: 0};
	const gone: unknown[] = [];
	const onSwitch: TestOptions['onSwitch'] = async (to: Destination) => ({
		ok: true,
		leave: draft => gone.push(to, draft),
	});
	const made = await fakeApp(pod, {now: () => clock.now, onSwitch, ...options});
	return {...made, items, clock, gone};
}

function talk(): Item[] {
	const make = createItems();
	const turn = (text: string) => [make.user(text), make.assistant('Yes.'), make.request(), make.end()];
	return [make.setup(), ...turn('one'), ...turn('two\nlines'), ...turn('three')];
}

const said = ({pod}: FakeApp, method: Method['method']): Method[] => pod.said.filter(one => one.method === method);
const file = (path: string, rest: Partial<ChangedFile> = {}): ChangedFile => ({
	state: 'tools',
	real: `/p/${path}`,
	path,
	present: 'now',
	diff: `--- ${path}\n+++ ${path}\n@@ -1,1 +1,1 @@\n-new\n+old`,
	...rest,
});
const choose = (made: Shown, downs: number): void => {
	for (let n = 0; n < downs; n++) made.press('down');
	made.press('enter');
};

describe('the list of messages to rewind to', () => {
	it('opens on Esc Esc in an empty message, and Enter rewinds to before a message and restores its text', async () => {
		const made = await shown();
		made.press('escape');
		expect(made.app.state.page).toBeUndefined();
		made.press('escape');
		await until(() => made.app.state.page !== undefined);
		expect(
			made.rows().map(row =>
				row
					.trimEnd()
					.replace(/\d+ d ago/, 'ago')
					.replaceAll(/ +/g, ' '),
			),
		).toEqual([
			'Rewind to before · Enter rewind · Ctrl+O fork · Esc close',
			'❯ type to search',
			'❯ ago three',
			' ago two',
			' ago one',
		]);
		choose(made, 1);
		await settled();
		expect(said(made, 'rewind')).toEqual([{method: 'rewind', to: made.items[4]!.id}]);
		expect(made.app.state.page).toBeUndefined();
		expect(made.draft()).toEqual([{type: 'text', text: 'two\nlines'}]);
	});

	it.each<[string, (made: Shown) => void]>([
		['too slowly', made => (made.clock.now += 1000)],
		['with a key between', made => made.press('pageup')],
		['with a draft', made => made.type('x')],
		['while something runs', made => made.turn(running)],
	])('does not open by Esc Esc %s', async (_name, between) => {
		const made = await shown();
		made.press('escape');
		between(made);
		made.press('escape');
		await settled();
		expect(made.app.state.page).toBeUndefined();
	});

	it('shows a sentence for a session without messages', async () => {
		expect(openRewind((await shown([], [])).app)).toBe('No messages to rewind to.');
	});

	it('shows the messages that match what you type, with the line that matches', async () => {
		const made = await shown();
		openRewind(made.app);
		made.type('LINES');
		const lines = made.rows().map(row => row.trimEnd());
		expect(lines.slice(1)).toEqual(['❯ LINES', expect.stringMatching(/^❯ .* two … lines$/)]);
		made.press('enter');
		await settled();
		expect(said(made, 'rewind')).toEqual([{method: 'rewind', to: made.items[4]!.id}]);
	});

	it('does nothing on Enter when no message matches', async () => {
		const made = await shown();
		openRewind(made.app);
		made.type('fqz');
		expect(made.rows()[2]?.trimEnd()).toBe('Nothing matches.');
		made.press('enter');
		made.press('o', {ctrl: true});
		await settled();
		expect([said(made, 'rewind'), made.gone, made.app.state.page?.kind]).toEqual([[], [], 'rewind']);
	});

	it('stays open and shows the reason when the pod refuses', async () => {
		const made = await shown();
		made.pod.answer = async () => ({accepted: false, code: 'not_idle', sentence: 'Not now.'});
		openRewind(made.app);
		choose(made, 0);
		await settled();
		expect(made.app.state.page).toBeDefined();
		expect([made.told(), made.draft()]).toEqual([['Not now.'], []]);
	});

	it('forks before the message on Ctrl+O, and the new session gets its text', async () => {
		const made = await shown();
		openRewind(made.app);
		made.press('down');
		made.press('o', {ctrl: true});
		await settled();
		expect(made.gone).toEqual([{kind: 'fork', upTo: made.items[4]!.id}, [{type: 'text', text: 'two\nlines'}]]);
		expect(said(made, 'rewind')).toEqual([]);
	});

	it('begins with the undo after a rewind', async () => {
		const made = await shown();
		made.commit({type: 'rewind', to: made.items[4]!.id});
		openRewind(made.app);
		expect(made.rows()[2]).toMatch(/^❯ .*← undo the rewind to before: two/);
		choose(made, 0);
		await settled();
		expect(said(made, 'context')).toEqual([{method: 'context', op: 'restore', ids: ['i0']}]);
	});

	it.each([
		[60, 15],
		[40, 10],
		[12, 4],
	])(
		'is inert, fits, and scrolls from end to end with thousands of hostile messages, at %d by %d',
		async (columns, rows) => {
			const make = createItems();
			const evil = '\x1b[2J\x1b]0;x\x07\r\u202e日本語👍🏽 '.repeat(9);
			const made = await shown(
				[],
				[make.setup(), ...Array.from({length: 3000}, (_, n) => make.user(`${evil}${n}`))],
			);
			openRewind(made.app);
			for (const key of ['home', 'pagedown', 'end', 'up']) {
				made.press(key);
				for (const row of made.rows(columns, rows)) {
					expect(row).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
					expect(width(row)).toBeLessThanOrEqual(columns);
				}
				expect(made.rows(columns, rows).length).toBeLessThan(rows);
			}
		},
	);
});

describe('the question about files', () => {
	const ask = async (...files: ChangedFile[]) => {
		const made = await shown(files);
		openRewind(made.app);
		choose(made, 1);
		await settled();
		made.clock.now += 1000;
		return made;
	};

	const card = (made: Awaited<ReturnType<typeof ask>>) =>
		draw(made.app, {columns: 100, rows: 40}).card?.rows.map(row => plainText(row).trimEnd());

	/** Moves the marker from the refusal to the first choice and takes it. */
	const allow = async (made: Awaited<ReturnType<typeof ask>>) => {
		card(made);
		made.clock.now += 1000;
		card(made);
		made.press('up');
		made.clock.now += 1000;
		made.press('enter');
		await settled();
	};

	it('shows each diff, and restores the files that only tools have changed', async () => {
		const made = await ask(
			file('a.ts'),
			file('new.ts', {removes: true, diff: '--- new.ts\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-x'}),
			file('lost.ts', {state: 'lost', diff: '', sentence: 'what stood there was not kept'}),
		);
		expect(card(made)).toEqual([
			'? Restore 2 files too?',
			'│   Tools have changed these files since that message. Changes by commands are not tracked.',
			'│',
			'│   File: a.ts',
			'│ 1 -new',
			'│ 1 +old',
			'│',
			'│   File: new.ts · will be deleted (created by a tool)',
			'│ 1 -x',
			'',
			'  1. Yes, restore as shown',
			'❯ 2. No, keep the files (Esc)',
		]);
		expect(made.told()).toEqual(['Cannot restore lost.ts: what stood there was not kept']);
		await allow(made);
		expect(card(made)).toBeUndefined();
		expect(said(made, 'restore_files')).toEqual([
			{
				method: 'restore_files',
				to: made.items[4]!.id,
				files: [
					{real: '/p/a.ts', present: 'now'},
					{real: '/p/new.ts', present: 'now'},
				],
			},
		]);
		expect(made.draft()).not.toEqual([]);
	});

	it.each(['enter', 'escape'])('keeps the files with %s', async key => {
		const made = await ask(file('a.ts'));
		card(made);
		made.clock.now += 1000;
		made.press(key);
		await settled();
		expect([card(made), said(made, 'restore_files')]).toEqual([undefined, []]);
	});

	it('is repeated for files that also changed outside inkpod, and a refusal then keeps only those', async () => {
		const made = await ask(file('a.ts'), file('b.ts', {state: 'others', sentence: 'changed since'}));
		await allow(made);
		expect(said(made, 'restore_files')).toMatchObject([{files: [{real: '/p/a.ts'}]}]);
		expect(card(made)!.join('\n')).toMatch(/Restore anyway\?.*changes will be lost.*b\.ts · changed since/s);
		made.clock.now += 1000;
		made.press('escape');
		await settled();
		expect([card(made), said(made, 'restore_files').length]).toEqual([undefined, 1]);
	});

	it('overwrites the shown contents after the second approval', async () => {
		const made = await ask(file('b.ts', {state: 'others', sentence: 'removed since'}));
		await allow(made);
		expect(said(made, 'restore_files')).toMatchObject([{files: [{real: '/p/b.ts', present: 'now'}]}]);
	});

	it('takes no letter as an answer, and no key that came before the question could be read', async () => {
		const made = await ask(file('a.ts'));
		card(made);
		made.press('1', {text: '1'});
		made.press('enter');
		for (const letter of 'yes') made.press(letter, {text: letter});
		await settled();
		expect([card(made) === undefined, said(made, 'restore_files'), made.draft()]).toEqual([
			false,
			[],
			[{type: 'text', text: '1yes'}],
		]);
	});

	it('is skipped with an alert when no file can be restored', async () => {
		const made = await ask(file('a.ts', {state: 'lost', diff: '', sentence: 'what stood there was not kept'}));
		expect([card(made), made.told()]).toEqual([undefined, ['Cannot restore a.ts: what stood there was not kept']]);
	});
});

describe('/undo', () => {
	it('rewinds to before the last message, restores its text, and asks about its files', async () => {
		const made = await shown([file('a.ts')]);
		made.type('/undo');
		made.press('enter');
		await until(() => made.app.state.asks.card !== undefined);
		expect(said(made, 'rewind')).toEqual([{method: 'rewind', to: made.items[8]!.id}]);
		expect(made.app.state.asks.own[0]?.title).toBe('Restore 1 file too?');
		expect(made.draft()).toEqual([]);
		draw(made.app, {columns: 80, rows: 24});
		made.clock.now += 1000;
		made.press('enter');
		await until(() => made.draft().length > 0);
		await settled();
		expect(made.draft()).toEqual([{type: 'text', text: 'three'}]);
		expect(said(made, 'restore_files')).toEqual([]);
	});

	it('returns the command with the reason when the pod refuses', async () => {
		const made = await shown();
		made.pod.answer = async () => ({accepted: false, code: 'not_idle', sentence: 'Still running.'});
		made.type('/undo');
		made.press('enter');
		await until(() => made.told().length > 0);
		expect(made.told()).toEqual(['Still running.']);
		expect(made.draft()).toEqual([{type: 'text', text: '/undo'}]);
	});
});
