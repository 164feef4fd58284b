import {describe, expect, it} from 'vitest';
import type {FirstNews, FirstScreen} from '../../../../src/screen/model/first-screen/first-screen-state.ts';
import {layoutOf} from '../../../../src/screen/view/layout.ts';
import {draw} from '../../../../src/screen/mount/open-screen.ts';
import {update, type App} from '../../../../src/screen/control/app.ts';
import type {Size} from '../../../../src/screen/model/terminal-state.ts';
import {textOf} from '../../../../src/screen/spans/row.ts';
import {width} from '../../../../src/text/width.ts';
import {fakeApp, fakePod, idle} from '../../../helpers/fake-app.ts';
import {session, testApp, type TestOptions} from '../../../helpers/test-app.ts';

const screen: FirstScreen = {version: '1.2.3', looksForModel: false};
const access = 'key from TEST_API_KEY';
const recent = [
	{id: '01A', words: 'Fix the total of the cart', age: '2 h ago'},
	{id: '01B', words: '', age: '3 d ago'},
	{id: '01C', words: 'evil \x1b[2J\u202Etext', age: '4 d ago'},
];
const offline = {...session, model: 'offline'};
const looking = {...screen, looksForModel: true};

function opened(options: TestOptions = {}, size: Size = {columns: 80, rows: 24}): App {
	return testApp({firstScreen: screen, home: '/home/u', ...options}, size);
}

function rowsOf(app: App): string[] {
	return layoutOf(app.state).welcome.map(row => textOf(row).trimEnd());
}

function tell(app: App, news: FirstNews): void {
	app.dispatch({type: 'first screen news', news});
}

describe('the first screen', () => {
	it.each([
		['/home/u', 'Project   ~', 'This is your whole home folder.'],
		['/', 'Project   /', 'This is the whole machine.'],
	])('warns if the project is %s', (pwd, project, hint) => {
		const app = opened({session: {...session, scope: {...session.scope, pwd}}}, {columns: 120, rows: 24});
		const rows = rowsOf(app);
		expect(rows[rows.indexOf(project) + 1]).toContain(hint);
		const small = opened({session: {...session, scope: {...session.scope, pwd}}}, {columns: 60, rows: 15});
		expect(rowsOf(small).join('\n')).toContain('Start in a project instead.');
		const inside = opened({session: {...session, scope: {...session.scope, pwd: '/home/u/cart'}}});
		expect(rowsOf(inside).join('\n')).not.toContain('whole');
	});

	it('shows the name, the model with the source of its key, the project, examples and the last sessions', () => {
		const app = opened({
			session: {...session, access, scope: {...session.scope, pwd: '/home/u/cart', writable: false}},
		});
		tell(app, {head: {branch: 'main'}, recent});
		expect(rowsOf(app).filter(text => text !== '')).toEqual([
			'inkpod 1.2.3',
			'The transcript is the context: the model sees what you see.',
			'Model     test/model · key from TEST_API_KEY',
			'Project   ~/cart · branch main · read-only',
			'Approval  asks before it changes anything',
			'Try       “what does this project do?”',
			'          “find the TODO comments and fix the easiest one”',
			'          “run the tests and fix what fails”',
			'Recent    Alt+1  Fix the total of the cart · 2 h ago',
			'          Alt+2  (no prompt) · 3 d ago',
			'          Alt+3  evil ␛[2J⟨U+202E⟩text · 4 d ago',
		]);
	});

	it.each([
		['ollama/qwen3', 'on this machine', 'Model     ollama/qwen3 · on this machine'],
		['openai/m', 'key from keychain', 'Model     openai/m · key from keychain'],
		['mine/m', 'key from A\x1b[2J\u202EB', 'Model     mine/m · key from A␛[2J⟨U+202E⟩B'],
		['other/m', undefined, 'Model     other/m'],
	])('says how %s is reached: %s', (model, how, row) => {
		expect(rowsOf(opened({session: {...session, model, access: how}}))).toContain(row);
	});

	it.each([
		[60, 15],
		[40, 10],
		[20, 6],
		[200, 50],
	])('fits %ix%i with all of its facts, and nothing is wider than the screen', (columns, rows) => {
		for (const model of ['provider/a-model-with-a-long-name-2026-01-01', 'offline']) {
			const app = opened(
				{session: {...session, model, access: `key from ${'X'.repeat(60)}`}, firstScreen: looking},
				{columns, rows},
			);
			tell(app, {head: {branch: 'feature/'.repeat(40)}, recent, localModels: ['ollama/a:7b', 'ollama/b']});
			const shown = rowsOf(app);
			expect(shown.length).toBeLessThanOrEqual(rows - 2);
			for (const row of shown) expect(width(row)).toBeLessThan(columns);
			expect(shown.join('\n')).toMatch(/inkpod[^]*Model[^]*Project/);
			if (columns >= 40)
				expect(shown.join('\n')).toMatch(/Project[^]*branch[^]*Try[^]*Alt\+1[^]*Alt\+2[^]*Alt\+3/);
		}
	});

	it.each([
		[80, 24],
		[60, 15],
		[40, 10],
	])('does not move what is already there when more becomes known, at %ix%i', (columns, rows) => {
		const app = opened({session: offline, firstScreen: looking}, {columns, rows});
		const places = () =>
			['Model', 'Project', 'Try'].map(label => rowsOf(app).findIndex(row => row.startsWith(label)));
		const before = places();
		for (const news of [{recent}, {localModels: ['ollama/a']}, {head: {branch: 'main'}}]) {
			tell(app, news);
			expect(places()).toEqual(before);
		}
		update(app, {type: 'insert', text: '/he'});
		expect(places()).toEqual(before);
	});

	it('says that it looks for a model, then how to connect one or which key uses the found one', () => {
		const app = opened({session: offline, firstScreen: looking}, {columns: 102, rows: 24});
		expect(rowsOf(app)).toContain('          Looking for a model on this machine…');
		tell(app, {localModels: []});
		expect(rowsOf(app)).toContain(
			'          To connect one: /login saves a key, /model lists models, or start Ollama or LM Studio here',
		);
		tell(app, {localModels: ['ollama/a\x1b[31m', 'ollama/b']});
		expect(rowsOf(app)).toContain(
			'          Enter uses ollama/a␛[31m, which runs on this machine · /model lists all 2',
		);
	});

	it.each([
		[undefined, 'asks before it changes anything', 'asks before each change'],
		['ask', 'asks before it changes anything', 'asks before each change'],
		['accept-edits', 'edits files without asking, asks before commands', 'edits without asking'],
		['plan', 'plans first and changes nothing', 'changes nothing'],
		['auto', 'edits files and runs commands without asking', 'does not ask'],
	] as const)(
		'says what runs without asking in the mode %s, and that commands are confined',
		async (approval, long, short) => {
			const {app, pod} = await fakeApp(fakePod({...idle, ...(approval && {approval})}), {
				firstScreen: screen,
			});
			const said = (columns: number) =>
				draw(app, {columns, rows: 24}).welcome.find(row => textOf(row).startsWith('Approval'))!;
			expect([said(100), said(40)].map(row => textOf(row).trimEnd())).toEqual([
				`Approval  ${long}`,
				`Approval  ${short}`,
			]);
			pod.emit({type: 'status', status: {...idle, ...(approval && {approval}), confined: true}});
			expect(textOf(said(100)).trimEnd()).toBe(`Approval  ${long} · commands are confined`);
			expect(said(100).spans.at(-1)?.style).toBe(approval === 'auto' ? 'warn' : undefined);
		},
	);

	it('shows a change of the approval mode at once', async () => {
		const {app, pod} = await fakeApp(fakePod(), {firstScreen: screen});
		const row = () => rowsOf(app).find(text => text.startsWith('Approval'));
		const before = row();
		pod.emit({type: 'status', status: {...idle, approval: 'plan'}});
		expect([before, row()]).toEqual([
			'Approval  asks before it changes anything',
			'Approval  plans first and changes nothing',
		]);
	});

	it('shows the commit if no branch is checked out', () => {
		const app = opened({session: offline});
		tell(app, {head: {commit: '0123abc'}});
		expect(rowsOf(app).find(row => row.startsWith('Project'))).toBe('Project   /p · commit 0123abc');
	});
});
