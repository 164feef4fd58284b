import {describe, expect, it} from 'vitest';
import {sideQuestionPage} from '../../../../src/screen/model/pages/tasks-state.ts';
import {contextPage} from '../../../../src/screen/model/pages/context-state.ts';
import {helpPage, unknownTerminal} from '../../../../src/screen/view/pages/help-page.ts';
import {pageRows} from '../../../../src/screen/view/pages/page-rows.ts';
import type {PageKind, PageOf} from '../../../../src/screen/model/pages/page-state.ts';
import {approvalsPage} from '../../../../src/screen/model/pages/approvals-state.ts';
import {loginPage} from '../../../../src/screen/model/pages/login-state.ts';
import {rewindPage} from '../../../../src/screen/model/pages/rewind-state.ts';
import {modelsPage} from '../../../../src/screen/model/pages/models-state.ts';
import {permissionsPage} from '../../../../src/screen/model/pages/page-state.ts';
import {configPage} from '../../../../src/screen/model/pages/config-state.ts';
import {themesPage} from '../../../../src/screen/model/pages/config-state.ts';
import {tasksPage} from '../../../../src/screen/model/pages/tasks-state.ts';
import {createKeymap} from '../../../../src/screen/model/keys/keymap.ts';
import type {PermissionInfo} from '../../../../src/pod/protocol.ts';
import {width} from '../../../../src/text/width.ts';
import {plainText} from '../../../../src/screen/spans/row.ts';
import {fakeApp, fakePod, idle} from '../../../helpers/fake-app.ts';
import {createItems} from '../../../helpers/items.ts';

const make = createItems();
const messages = Array.from({length: 40}, (_, n) => make.user(`message ${n}`));
const ledger = {
	model: 'm',
	rows: messages.map(({id, text}) => ({kind: 'user' as const, id, label: text, tokens: 1, bytes: 4})),
	totals: [],
	bytes: 160,
	tokens: 40,
};
const background = Array.from({length: 40}, (_, n) => ({id: `task${n}`, call: 'c', command: 'run', since: 0}));

describe('a list for a screen reader', () => {
	it('names the search field and the model in use', async () => {
		const {app} = await fakeApp(fakePod(), {isSpoken: true});
		const model = {name: 'test/model', provider: 'test', efforts: [], window: 1000, keyVariable: 'KEY'};
		app.dispatch({type: 'open page', page: modelsPage([model, {...model, name: 'test/other'}], 'test/model')});
		const rows = pageRows(app.state, 80, 12)!.map(({spans}) => spans.map(({text}) => text).join(''));
		expect(rows[1]).toMatch(/^Search: /);
		expect(rows.find(text => text.startsWith('test/model'))).toMatch(/^test\/model \(in use\), 1k$/);
		expect(rows.find(text => text.startsWith('test/other'))).toBe('test/other, 1k');
	});

	it('has commas between its columns, and leaves room for the mark of the chosen entry', async () => {
		const {app} = await fakeApp(fakePod(), {isSpoken: true});
		const permissions: readonly PermissionInfo[] = [
			{action: 'ask', source: 'built_in', text: `reading ${'x'.repeat(99)}`},
			{action: 'allow', source: 'saved', text: 'bash: npm test *', id: 'r1'},
		];
		app.dispatch({type: 'open page', page: permissionsPage(permissions)});
		const rows = pageRows(app.state, 60, 8)!;
		expect(rows[3]?.spans[0]?.text).toBe('allow bash: npm test *, saved on a card');
		expect(rows[2]?.role).toBe('chosen');
		expect(rows[2]?.spans[0]?.text).toMatch(/^ask, reading x+…, built in$/);
		expect(width(`(selected) ${rows[2]?.spans[0]?.text}`)).toBeLessThanOrEqual(60);
	});
});

const pages: {readonly [Kind in PageKind]: PageOf<Kind>} = {
	text: {kind: 'text', title: 'Text', top: 0, lines: messages.map(({text}) => ({spans: [{text}]}))},
	help: helpPage(createKeymap().keymap, unknownTerminal),
	rewind: rewindPage(
		messages.map(item => ({kind: 'point', point: {item, to: 'x', segments: [], files: 0}})),
		Date.now(),
	),
	context: contextPage(ledger),
	tasks: tasksPage(),
	btw: sideQuestionPage({id: 'x', before: 3, isPartial: false, items: messages, isRunning: false, isAttached: false}),
	config: configPage(
		'/home/ann/.config/inkpod/config.toml',
		messages.map(({text}) => ({
			path: [text],
			key: text,
			origin: 'default',
			type: 'text',
			fallback: 'unset',
			about: text,
			when: 'now',
		})),
		'',
	),
	themes: themesPage(
		messages.map(({text}) => ({name: text, theme: 'dark'})),
		'dark',
		undefined,
	),
	permissions: permissionsPage(messages.map(({text}) => ({id: text, action: 'allow', source: 'saved', text}))),
	approvals: approvalsPage(
		messages.map(({id, text}) => ({
			item: id,
			callId: id,
			tool: 'bash',
			subject: text,
			at: '2026-01-01T00:00:00.000Z',
			by: 'user',
			allowed: true,
		})),
		Date.now(),
	),
	login: loginPage(
		undefined,
		messages.map(({text}) => text),
	),
	models: modelsPage(
		messages.map(({text}) => ({name: `a/${text}`, provider: 'a', efforts: ['low'], keyVariable: 'KEY'})),
		'a/b',
	),
};

describe.each(Object.values(pages))('a $kind page', page => {
	const shown = async () => {
		const made = await fakeApp(fakePod({...idle, background}, messages), {});
		made.app.dispatch({type: 'open page', page});
		return made;
	};

	it('is plain data', () => {
		expect(structuredClone(page)).toEqual(page);
	});

	it('looks the same after it was drawn at other sizes, and drawing does not change its state', async () => {
		const {app, press, rows} = await shown();
		rows();
		for (const key of ['pagedown', 'pagedown', 'up', 'down', 'down']) press(key);
		const {page: before} = app.state;
		const look = () => pageRows(app.state, 60, 20)?.map(plainText);
		const first = look();
		for (const [columns, height] of [
			[20, 5],
			[9, 1],
			[200, 80],
		] as const)
			pageRows(app.state, columns, height);
		expect(look()).toEqual(first);
		expect(app.state.page).toBe(before);
	});

	it.each([1, 2, 3, 4, 10, 100])('has at most %i rows when that many are available', async height => {
		const {app} = await shown();
		expect(pageRows(app.state, 60, height)!.length).toBeLessThanOrEqual(height);
	});
});
