import {describe, expect, it} from 'vitest';
import type {Approval} from '../../../../src/pod/protocol.ts';
import {textOf} from '../../../../src/screen/spans/row.ts';
import {layoutOf} from '../../../../src/screen/view/layout.ts';
import {fakeApp, fakePod, idle, settled} from '../../../helpers/fake-app.ts';
import {createItems} from '../../../helpers/items.ts';
import {openApprovals} from '../../../../src/screen/control/pages/approvals-page.ts';

const make = createItems();
const messages = Array.from({length: 60}, (_, n) => make.user(`message ${n}`));
const at = new Date(2026, 10, 30, 18, 5, 9).toISOString();
const base = {callId: '1', tool: 'bash', subject: 'npm test', at, by: 'user', allowed: true} as const;
const some: readonly Approval[] = [
	{...base, item: messages[3]!.id, choice: 'always', shown: 'npm test'},
	{...base, item: 'b', subject: 'rm \u001b[2Jx', allowed: false, choice: 'deny', reason: 'not now', from: 'attached'},
	{...base, item: 'c', subject: 'git push', by: 'rule', source: 'project', rule: 'bash(git push*)'},
	{...base, item: 'd', tool: 'edit_file', subject: 'a.ts', by: 'mode', mode: 'accept-edits', shown: '+needle'},
];

async function page(approvals = some) {
	const answers = [approvals];
	const pod = {...fakePod(idle, messages), approvals: async () => answers.at(-1) ?? []};
	const made = await fakeApp(pod);
	await openApprovals(made.app);
	const lines = (columns = 70, rows = 10) => made.rows(columns, rows).map(line => line.trimEnd());
	return {...made, lines, answers};
}

describe('the page of approvals', () => {
	it('lists the answer, the call and who decided, the latest first', async () => {
		const {lines} = await page();
		expect(lines().slice(0, 2)).toEqual(['Approvals in this session', '❯ type to search']);
		expect(
			lines()
				.slice(2, 6)
				.map(line => line.slice(14)),
		).toEqual([
			'yes, always  Run npm test · you',
			'no           Run rm ␛[2Jx · you, attached',
			"allowed      Run git push · project's inkpod.toml: bash…",
			'allowed      Edit a.ts · mode accept-edits',
		]);
		expect(lines()).toContain('Esc close · Enter show · 1 of 4');
	});

	it('shows the highlighted approval in detail if there is room', async () => {
		const {lines, press} = await page();
		press('down');
		const shown = lines(70, 24);
		expect(shown).toContain('2026-11-30 18:05:09 · no · you, attached · not now');
		expect(shown.indexOf('rm ␛[2Jx')).toBeGreaterThan(6);
	});

	it('filters as you type, also by what the card showed', async () => {
		const {lines, type} = await page();
		type('needle');
		expect(lines()[2]).toContain('Edit a.ts');
		expect(lines()[3]).toBe('');
		type('x');
		expect(lines()[2]).toBe('Nothing matches.');
	});

	it('goes to the call in the transcript', async () => {
		const {app, press, rows} = await page();
		rows();
		press('enter');
		rows();
		expect(app.state.page).toBeUndefined();
		expect(layoutOf(app.state).transcript.rows.map(({row}) => textOf(row))).toContain('message 3');
	});

	it('says that a call is not in the transcript', async () => {
		const {app, press, told} = await page();
		press('down');
		press('enter');
		expect([app.state.page?.kind, told().length]).toEqual(['approvals', 1]);
	});

	it('follows the history, and keeps the highlight on the same approval', async () => {
		const {app, press, lines, answers, pod} = await page();
		press('down');
		answers.push([{...base, item: 'new', subject: 'ls'}, ...some]);
		pod.emit({type: 'item', item: make.user('more')});
		await settled();
		expect(lines()[2]).toContain('Run ls');
		expect(app.state.page).toMatchObject({list: {at: 2}});
	});

	it('says that there is none', async () => {
		const {lines} = await page([]);
		expect(lines()[2]).toBe('No call of this session has needed approval.');
	});

	it.each([1, 3, 8, 20, 39, 60])('fits into %i columns', async columns => {
		const {rows} = await page();
		for (const height of [1, 3, 5, 12, 30])
			for (const line of rows(columns, height)) expect(line.length).toBeLessThanOrEqual(columns);
	});
});
