import {describe, expect, it} from 'vitest';
import type {FoundPrompts, PromptQuery, Segment} from '../../../../src/pod/protocol.ts';
import {rowsAbove} from '../../../../src/screen/view/layout.ts';
import {draw} from '../../../../src/screen/mount/open-screen.ts';
import {pasteText} from '../../../../src/screen/control/keys/keys-in.ts';
import {plainText} from '../../../../src/screen/spans/row.ts';
import {width} from '../../../../src/text/width.ts';
import {fakeApp, fakePod, settled} from '../../../helpers/fake-app.ts';
import {createItems} from '../../../helpers/items.ts';

const text = (words: string): Segment => ({type: 'text', text: words});
const paste: Segment = {type: 'paste', id: '1', chars: 2000, lines: 20, content: 'needle\n'.repeat(20)};

/** A pod that finds the prompts that contain the text, and records the queries. */
async function stage(prompts: ReadonlyArray<readonly Segment[]>, items = [createItems().user('of this session')]) {
	const queries: PromptQuery[] = [];
	const held: Array<() => void> = [];
	const pod = {
		...fakePod(undefined, items),
		isHolding: false,
		isFailing: false,
		async prompts(query: PromptQuery): Promise<FoundPrompts> {
			queries.push(query);
			if (pod.isFailing) throw new Error('\u001B[31mno');
			if (pod.isHolding) await new Promise<void>(resolve => held.push(resolve));
			const found = prompts.filter(each => JSON.stringify(each).includes(query.text));
			const project = query.scope === 'everywhere' ? {project: 'home-me-other'} : {};
			return {
				query,
				prompts: found.slice(0, query.limit).map(segments => ({at: '', segments: [...segments], ...project})),
				total: found.length,
			};
		},
	};
	const made = await fakeApp(pod);
	const above = (columns = 80, rows = 24) =>
		rowsAbove(draw(made.app, {columns, rows})).map(row => plainText(row).trimEnd());
	return {...made, pod, queries, above, release: () => held.splice(0).forEach(resolve => resolve())};
}

describe('Up', () => {
	it('recalls the prompts of this session first, and then those of earlier ones', async () => {
		const {press, draft, queries} = await stage([
			[text('newest')],
			[text('see '), paste],
			[text('of this session')],
		]);
		press('up');
		expect(draft()).toEqual([text('of this session')]);
		await settled();
		expect(queries).toEqual([{text: '', scope: 'others', limit: 500}]);
		press('up');
		expect(draft()).toEqual([text('newest')]);
		press('up');
		expect(draft()).toEqual([text('see '), paste]);
		press('up');
		press('down');
		press('down');
		expect(draft()).toEqual([text('of this session')]);
		expect(queries).toHaveLength(1);
	});

	it('recalls the latest earlier prompt in a new session, once it is loaded', async () => {
		const {press, draft} = await stage([[text('newest')]], []);
		press('up');
		expect(draft()).toEqual([]);
		await settled();
		expect(draft()).toEqual([text('newest')]);
	});

	it('changes nothing if you have typed before the prompts are loaded', async () => {
		const {pod, press, type, draft, release} = await stage([[text('newest')]], []);
		pod.isHolding = true;
		press('up');
		type('x');
		await settled();
		release();
		await settled();
		expect(draft()).toEqual([text('x')]);
		press('up');
		expect(draft()).toEqual([text('newest')]);
	});

	it('asks the pod for nothing while it only moves the cursor', async () => {
		const {press, type, queries} = await stage([[text('newest')]]);
		type('one');
		press('enter', {alt: true});
		press('up');
		await settled();
		expect(queries).toEqual([]);
	});

	it('says why prompts could not be read, and asks again at the next Up', async () => {
		const {pod, press, told, queries} = await stage([], []);
		pod.isFailing = true;
		press('up');
		await settled();
		expect(told()).toEqual(['Earlier prompts could not be read: \u001B[31mno']);
		pod.isFailing = false;
		press('up');
		await settled();
		expect(queries).toHaveLength(2);
	});
});

describe('the search in earlier prompts', () => {
	it('opens with Ctrl+R, lists the matches, and Enter puts one into the message', async () => {
		const {press, type, draft, above, app} = await stage([
			[text('fix the login')],
			[text('see '), paste],
			[text('other')],
		]);
		type('unsent');
		press('r', {ctrl: true});
		await settled();
		expect(above()).toEqual([
			'Prompts: 1 of 3 · Enter use · Tab all projects · Esc close',
			'❯ fix the login',
			'  see [paste #1: 20 lines]',
			'  other',
		]);
		type('needle');
		await settled();
		expect(above()[1]).toBe('❯ see [paste #1: 20 lines]');
		press('enter');
		expect(draft()).toEqual([text('see '), paste]);
		expect(app.state.promptHistory).toBeUndefined();
		press('_', {ctrl: true});
		expect(draft()).toEqual([text('unsent')]);
	});

	it('moves to older prompts with Ctrl+R and arrows, and Esc leaves the message as it was', async () => {
		const {press, type, draft, above} = await stage([[text('one')], [text('two')], [text('three')]]);
		type('unsent');
		press('r', {ctrl: true});
		await settled();
		press('r', {ctrl: true});
		press('down');
		press('down');
		press('up');
		expect(above()[2]).toBe('❯ two');
		press('escape');
		expect(draft()).toEqual([text('unsent')]);
		expect(above()).toEqual([]);
	});

	it('asks for other projects only after Tab', async () => {
		const {press, queries, above} = await stage([[text('one')]]);
		press('r', {ctrl: true});
		await settled();
		press('tab');
		await settled();
		expect(queries.map(({scope}) => scope)).toEqual(['project', 'everywhere']);
		expect(above()[1]).toMatch(/^❯ one {2,}home-me-other$/);
		press('tab');
		await settled();
		expect(queries.at(-1)?.scope).toBe('project');
	});

	it('asks one query at a time, drops an outdated answer, and uses no prompt of an earlier query', async () => {
		const {pod, press, type, queries, release, draft, app} = await stage([[text('alpha')], [text('beta')]]);
		press('r', {ctrl: true});
		await settled();
		pod.isHolding = true;
		type('be');
		press('enter');
		await settled();
		expect([draft(), queries.length]).toEqual([[], 2]);
		release();
		await settled();
		expect(app.state.promptHistory?.answer?.query.text).toBe('');
		release();
		await settled();
		expect(queries.map(({text: words}) => words)).toEqual(['', 'b', 'be']);
		press('enter');
		expect(draft()).toEqual([text('beta')]);
	});

	it('takes a paste as its query, and ends a search in the transcript', async () => {
		const {app, press, queries} = await stage([[text('one')]]);
		press('f3');
		expect(app.state.search.open).toBeDefined();
		press('r', {ctrl: true});
		expect(app.state.search.open).toBeUndefined();
		pasteText(app, 'two\nlines', false);
		await settled();
		expect(queries.at(-1)?.text).toBe('two lines');
		press('f3');
		expect(app.state.search.open).toBeUndefined();
	});

	it('shows why it failed', async () => {
		const {pod, press, above} = await stage([]);
		pod.isFailing = true;
		press('r', {ctrl: true});
		await settled();
		expect(above()[1]).toBe('Earlier prompts could not be read: ␛[31mno');
	});

	it('fits small screens with wide and hostile texts, around the match', async () => {
		const hostile = `${'日本語'.repeat(100)}\u001B]0;x\u0007 needle\n${'x'.repeat(5000)}`;
		const {press, type, above} = await stage([
			[text(hostile)],
			...Array.from({length: 30}, () => [text('needle')]),
		]);
		press('r', {ctrl: true});
		type('needle');
		await settled();
		for (const [columns, rows] of [
			[60, 15],
			[40, 10],
			[20, 5],
			[8, 4],
		] as const) {
			const shown = above(columns, rows);
			expect(shown.length).toBeLessThanOrEqual(Math.ceil(rows / 2));
			for (const row of shown) expect(width(row)).toBeLessThanOrEqual(columns);
			expect(shown.join('')).not.toContain('\u001B');
		}
		expect(above(60, 15)[1]).toContain('needle');
	});
});

describe('Ctrl+F', () => {
	it('searches the transcript in an empty message, and moves the cursor in another one', async () => {
		const {app, press, type} = await stage([]);
		press('f', {ctrl: true});
		expect(app.state.search.open).toBeDefined();
		press('escape');
		type('ab');
		press('home');
		press('f', {ctrl: true});
		expect(app.state.search.open).toBeUndefined();
		expect(app.state.composer.editor.cursor.column).toBe(1);
	});
});
