import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import type {PickerEntry, PreviewPart} from '../../../../src/screen/model/picker/text-search.ts';
import {createPicker, pick, type PickerAction} from '../../../../src/screen/model/picker/picker-state.ts';
import {hintCount} from '../../../../src/screen/view/picker/preview-rows.ts';
import {pickerRows, share, viewPicker, type PickerView} from '../../../../src/screen/view/picker/picker-view.ts';
import type {Size} from '../../../../src/screen/model/terminal-state.ts';
import {spokenCaret} from '../../../../src/screen/mount/show-picker.ts';
import {textRow, plainText} from '../../../../src/screen/spans/row.ts';
import {spokenLines} from '../../../../src/screen/spans/spoken.ts';
import {width} from '../../../../src/text/width.ts';
import {anyText} from '../../../helpers/any-text.ts';

const now = Date.UTC(2026, 10, 21, 12);
const hostile = '\x1b]52;c;eA==\x07\x1b[2J\x9b31m\u202e \u{e0041}hi\r\n\tthere';
const entry = (name: string, minutes: number, more: Partial<PickerEntry> = {}): PickerEntry => ({
	id: '01JD8XK3Q2AAAAAAAAAAAAAAAA',
	dir: `/s/${name}`,
	changed: new Date(now - minutes * 60_000).toISOString(),
	bytes: 14_000,
	words: name,
	cwd: '/home/ann/work/inkpod',
	...more,
});
const entries = [
	entry('explain @src/a.ts', 2),
	entry('日本語で検索を説明して', 200, {bytes: 3_500_000}),
	entry('broken', 4000, {problem: 'This is no history.', words: ''}),
];

function view(size: Size, actions: readonly PickerAction[] = [], list: readonly PickerEntry[] = entries): PickerView {
	return viewPicker(actions.reduce(pick, createPicker({here: list}, share(size).list)), size, {
		now,
		home: '/home/ann',
	});
}

/** Returns the text in the field. */
function queryOf({field}: PickerView): string {
	return field.spans[1].text;
}

function rowsOf(shown: PickerView): string[] {
	const {title, list, preview, hints} = shown;
	return [title, textRow(queryOf(shown)), ...list, ...preview, ...hints].map(row => plainText(row).trimEnd());
}

describe('the rows of the picker', () => {
	it('show age, size and first words on a wide screen, and mark unreadable sessions', () => {
		expect(rowsOf(view({columns: 80, rows: 15}))).toEqual([
			'Resume session · this directory · 3',
			'',
			'❯ 2 min ago  13.7 KB  explain @src/a.ts',
			'  3 h ago     3.3 MB  日本語で検索を説明して',
			'  2 d ago    13.7 KB  × This is no history.',
			'Enter resume · Esc cancel · Tab: all directories · Ctrl+O fork · Ctrl+S export',
			'Ctrl+T pin · Ctrl+X to trash · ↑↓ PgUp PgDn move',
		]);
	});

	it('show the states of open sessions, first those that need you', () => {
		const list = [
			entry('ended', 1, {id: 'A'}),
			entry('idle', 2, {id: 'B'}),
			entry('asks', 3, {id: 'C'}),
			entry('runs', 4, {id: 'D'}),
		];
		const live = new Map([
			['B', 'idle'],
			['C', 'needs_you'],
			['D', 'running'],
		] as const);
		const size = {columns: 60, rows: 15};
		const shown = (isByNeed: boolean) =>
			rowsOf(
				viewPicker(pick(createPicker({here: list}, share(size).list, isByNeed), {type: 'live', live}), size, {
					now,
				}),
			);
		expect(shown(true)).toEqual([
			'Sessions · this directory · 4',
			'',
			'❯ needs you  3 min ago  13.7 KB  asks',
			'  running    4 min ago  13.7 KB  runs',
			'  open       2 min ago  13.7 KB  idle',
			'             1 min ago  13.7 KB  ended',
			expect.stringContaining('Enter open'),
			'Ctrl+S export · Ctrl+T pin · Ctrl+X to trash',
		]);
		expect(shown(false).slice(2, 4)).toEqual([
			'❯            1 min ago  13.7 KB  ended',
			'  open       2 min ago  13.7 KB  idle',
		]);
	});

	it('show turns, model, cost and branch on a wide screen, and a pinned title first', () => {
		const facts = {turns: 12, model: 'openai/gpt-6', usd: 0.25, branch: 'main'};
		const list = [
			entry('words', 1, {facts}),
			entry('other', 2, {title: 'A title', pinned: true, facts: {...facts, turns: 1}}),
		];
		const rows = (columns: number) => view({columns, rows: 8}, [], list).list.map(row => plainText(row).trimEnd());
		expect(rows(100)[0]).toMatch(/^❯ 2 min ago {2}13\.7 KB {2}◆ A title .* 1 turn · gpt-6 · \$0\.25 · main$/);
		expect(rows(100)[1]).toMatch(/words .* 12 turns · gpt-6 · \$0\.25 · main$/);
		expect(rows(80)[1]).toMatch(/words .* 12 turns · gpt-6 · \$0\.25$/);
		expect(rows(60)[1]).toMatch(/ words$/);
	});

	it('show the facts that were read, and whether a session was interrupted or is open', () => {
		const facts = {turns: 3, model: 'offline', interrupted: true} as const;
		const list = [
			entry('killed', 1, {factsAreOld: true, facts: {turns: 2, model: 'offline'}}),
			entry('unread', 2, {factsAreOld: true, facts}),
			entry('closed', 3, {facts}),
			entry('printing', 4, {factsAreOld: true}),
			entry('resting', 5, {factsAreOld: true}),
		];
		const shown = view(
			{columns: 80, rows: 15},
			[
				{type: 'facts read', dir: '/s/killed', facts: {facts}},
				{type: 'facts read', dir: '/s/printing', facts: {facts, isHeld: true}},
				{type: 'facts read', dir: '/s/resting', facts: {facts: {turns: 1, model: 'offline'}, isHeld: true}},
			],
			list,
		);
		expect(shown.list.map(row => plainText(row).trimEnd())).toEqual([
			expect.stringMatching(/^❯ interrupted {2}1 min ago {2}13.7 KB {2}killed +3 turns · offline$/),
			expect.stringMatching(/^ {15}2 min ago {2}13.7 KB {2}unread +3 turns · offline$/),
			expect.stringMatching(/^ {2}interrupted {2}3 min ago {2}13.7 KB {2}closed +3 turns · offline$/),
			expect.stringMatching(/^ {2}running {6}4 min ago/),
			expect.stringMatching(/^ {2}open {9}5 min ago/),
		]);
	});

	it('mark what a search in the texts found', () => {
		const hit = {before: 'the ', match: 'needle', after: ' in the hay'};
		const {list} = view({columns: 100, rows: 8}, [], [entry('a', 1), entry('b', 2, {hit})]);
		expect(plainText(list[1]!)).toContain('the needle in the hay');
		expect(list[1]!.spans.filter(({style}) => style === 'match').map(({text}) => text)).toEqual(['needle']);
	});

	it('mark a fork, whose preview names the original', () => {
		const shown = view({columns: 90, rows: 24}, [], [entry('hello', 2, {forkOf: '01JD8XK3Q2BBBBBBBBBBBBBBBB'})]);
		expect(plainText(shown.list[0]!)).toContain('» hello');
		expect(plainText(shown.preview[0]!)).toContain(
			'01JD8XK3Q2AAAAAAAAAAAAAAAA · fork of 01JD8XK3Q2BBBBBBBBBBBBBBBB · ',
		);
	});

	it('leave out the size and the last hints on 40 columns', () => {
		expect(rowsOf(view({columns: 40, rows: 10}, [{type: 'edit', edit: {type: 'insert', text: '検索'}}]))).toEqual([
			'Resume session · this directory · 1 of 3',
			'検索',
			'❯ 3 h ago  日本語で検索を説明して',
			'Enter resume · Esc cancel',
		]);
	});

	it('name the directory in the list of all directories', () => {
		const shown = view({columns: 90, rows: 15}, [{type: 'switch'}, {type: 'listed', scope: 'all', entries}]);
		expect(plainText(shown.list[0]!)).toMatch(/explain @src\/a\.ts +~\/work\/inkpod$/);
		expect(plainText(view({columns: 90, rows: 15}, [{type: 'switch'}]).list[0]!)).toContain(
			'Searching all directories',
		);
	});

	it('explain why the list is empty', () => {
		expect(rowsOf(view({columns: 80, rows: 15}, [{type: 'edit', edit: {type: 'insert', text: 'zzzz'}}]))[2]).toBe(
			'  No title matches. Tab: all directories, then what was said.',
		);
	});

	it('show a notice instead of the hints', () => {
		const {hints} = view({columns: 40, rows: 15}, [{type: 'told', sentence: 'Not\x1b this.'}]);
		expect(hints.map(plainText)).toEqual(['▲ Not␛ this.']);
	});
});

describe('an export in the picker', () => {
	const asked = {type: 'exporting', entry: entries[0]!} as const satisfies PickerAction;

	it('asks for the file, with the name that /export uses', () => {
		const shown = view({columns: 60, rows: 15}, [asked]);
		expect(plainText(shown.title)).toBe('Export explain @src/a.ts');
		expect(plainText(shown.field).trimEnd()).toBe('File: inkpod-01JD8XK3Q2AAAAAAAAAAAAAAAA.md');
		expect(shown.cursor).toEqual({x: 6 + 'inkpod-01JD8XK3Q2AAAAAAAAAAAAAAAA.md'.length, y: 1});
		expect(shown.hints.map(plainText)).toEqual([
			'Enter write · Esc cancel',
			'.md, .html or .json chooses the format',
		]);
	});

	it('is reported as a whole in 60 columns, in rows that the list gives away', () => {
		const size = {columns: 60, rows: 15};
		const sentence =
			'Wrote inkpod-01JD8XK3Q2AAAAAAAAAAAAAAAA.md, 12.3 KB. ' +
			'Left out 3 secrets (GitHub token 2, JSON web token 1). To keep secrets, use: inkpod export --exact';
		const shown = view(size, [asked, {type: 'exported', sentence}]);
		expect(shown.hints.map(row => plainText(row).slice(2)).join(' ')).toBe(sentence);
		expect(plainText(shown.hints[0]!)).toMatch(/^• Wrote/);
		expect(pickerRows(shown)).toHaveLength(size.rows);
		expect(shown.listHeight).toBe(share(size).list - 1);
	});

	it('is no warning to a screen reader', () => {
		const state = pick(createPicker({here: entries}, 9), {type: 'exported', sentence: 'Wrote a.md, 1 KB.'});
		const {hints} = viewPicker(state, {columns: 60, rows: 15}, {now, isSpoken: true});
		expect(hints.map(plainText)).toEqual(['Wrote a.md, 1 KB.']);
		const warned = pick(state, {type: 'told', sentence: 'No.'});
		const {hints: others} = viewPicker(warned, {columns: 60, rows: 15}, {now, isSpoken: true});
		expect(others.map(plainText)).toEqual(['Warning: No.']);
	});
});

describe('the preview of a session', () => {
	const parts: readonly PreviewPart[] = [
		{speaker: 'user', text: 'one\n\ntwo'},
		{speaker: 'model', text: Array.from({length: 40}, (_, n) => `answer ${n}`).join('\n')},
	];
	const previewed = {type: 'previewed', dir: '/s/explain @src/a.ts', parts} as const satisfies PickerAction;

	it('shows the last message and the visible part of the answer', () => {
		const {preview} = view({columns: 60, rows: 30}, [previewed]);
		expect(preview.map(plainText)).toEqual([
			expect.stringMatching(/^── 01JD8XK3Q2AAAAAAAAAAAAAAAA · ~\/work\/inkpod ─+$/) as unknown,
			'▌ one',
			'  two',
			'● answer 0',
			...Array.from({length: 5}, (_, n) => `  answer ${n + 1}`),
			'  answer 6…',
		]);
	});

	it('shows the Markdown of the answer without blank rows, once its parser is loaded', async () => {
		await import('../../../../src/screen/markdown/stream.ts');
		const text = `# Plan\n\nUse **bold** and \`code\`.\n\n- one\n- two\n\n${'more\n\n'.repeat(40)}`;
		const {preview} = view({columns: 60, rows: 30}, [{...previewed, parts: [parts[0]!, {speaker: 'model', text}]}]);
		expect(preview.slice(3).map(plainText)).toEqual([
			'● Plan',
			'  Use bold and code.',
			'  • one',
			'  • two',
			'  more',
			'  more',
			'  more…',
		]);
		expect(preview[4]!.spans.map(({style}) => style)).toContainEqual(['bold']);
	});

	it('explains why a session cannot be read, and is absent on a small screen', () => {
		expect(view({columns: 60, rows: 30}, [{type: 'move', to: 'last'}]).preview.map(plainText)[1]).toBe(
			'× This is no history.',
		);
		expect(view({columns: 60, rows: 19}, [previewed]).preview).toEqual([]);
	});
});

describe('the picker for a screen reader', () => {
	const hostileEntry = entry('x'.repeat(300), 5, {forkOf: 'ID0', cwd: '/home/ann/日本/語'});
	const all = [...entries, hostileEntry];
	const said = (size: Size, actions: readonly PickerAction[] = []) => {
		const state = actions.reduce(pick, createPicker({here: all}, share(size).list));
		const shown = viewPicker(state, size, {now, home: '/home/ann', isSpoken: true});
		const lines = [[shown.title], [shown.field], shown.list, shown.preview, shown.hints].flatMap(rows =>
			spokenLines(rows),
		);
		return {shown, texts: lines.map(({text, isChosen}) => (isChosen ? `(selected) ${text}` : text))};
	};

	it('uses words for signs, and announces the selected session', () => {
		const previewed: PickerAction = {type: 'previewed', dir: '/s/broken', parts: []};
		expect(
			said({columns: 80, rows: 23}, [{type: 'move', to: 'down'}, {type: 'move', to: 'down'}, previewed]).texts,
		).toEqual([
			'Resume session · this directory · 4',
			'Search: ',
			'2 min ago  13.7 KB  explain @src/a.ts',
			'3 h ago     3.3 MB  日本語で検索を説明して',
			'(selected) 2 d ago    13.7 KB  cannot be opened: This is no history.',
			expect.stringMatching(/^5 min ago  13.7 KB  fork: x+…$/u) as unknown,
			'Session 01JD8XK3Q2AAAAAAAAAAAAAAAA · ~/work/inkpod',
			'Notice: This is no history.',
			'Enter resume · Esc cancel · Tab: all directories · Ctrl+O fork · Ctrl+S export',
			'Ctrl+T pin · Ctrl+X to trash · ↑↓ PgUp PgDn move',
		]);
	});

	it.each([24, 40, 61, 80, 120])(
		'fits every line on %i columns, so that the caret is in the line of the field',
		columns => {
			for (const rows of [8, 19, 23, 45]) {
				for (const to of ['first', 'down', 'last'] as const) {
					const {shown, texts} = said({columns, rows}, [
						{type: 'move', to},
						{type: 'told', sentence: hostile},
					]);
					for (const text of texts) expect(width(text)).toBeLessThanOrEqual(columns);
					expect(texts.length).toBeLessThanOrEqual(rows);
					expect(spokenCaret(shown)).toEqual({up: texts.length - 2, x: 'Search: '.length});
				}
			}
		},
	);
});

describe('the caret of the picker', () => {
	it('is after the query, counted in cells', () => {
		expect(view({columns: 40, rows: 10}, [{type: 'edit', edit: {type: 'insert', text: 'a検'}}]).cursor).toEqual({
			x: 5,
			y: 1,
		});
	});

	it('stays visible before the end of a long query', () => {
		const shown = view({columns: 40, rows: 10}, [
			{type: 'edit', edit: {type: 'insert', text: `${'検'.repeat(60)}end`}},
		]);
		expect(queryOf(shown)).toMatch(/^検+end$/);
		expect(shown.cursor.x).toBeLessThan(40);
		expect(shown.cursor.x).toBe(2 + width(queryOf(shown)));
	});
});

it('the rows of the picker are inert and fit, with any texts on any screen', () => {
	const text = fc.oneof(
		anyText({maxLength: 60}),
		fc.constantFrom(hostile, '👨‍👩‍👧‍👦'.repeat(20), 'ส้ำ'.repeat(30), 'x'.repeat(300)),
	);
	const anyEntry = fc
		.record({
			id: text,
			dir: fc.uuid(),
			changed: fc.constant('2026-11-21T11:00:00.000Z'),
			bytes: fc.nat(),
			words: text,
		})
		.chain(base =>
			fc.tuple(fc.constant(base), fc.option(text), fc.option(text)).map(([all, cwd, problem]): PickerEntry => ({
				...all,
				...(cwd !== null && {cwd}),
				...(problem !== null && {problem}),
			})),
		);
	const size = fc.record({columns: fc.integer({min: 10, max: 130}), rows: fc.integer({min: 4, max: 45})});
	fc.assert(
		fc.property(
			fc.array(anyEntry, {minLength: 1, maxLength: 5}),
			text,
			text,
			size,
			fc.boolean(),
			(list, query, said, at, all) => {
				const shown = view(
					at,
					[
						{
							type: 'previewed',
							dir: list[0]!.dir,
							parts: [
								{speaker: 'user', text: said},
								{speaker: 'model', text: query},
							],
						},
						...(all
							? [{type: 'listed', scope: 'all', entries: list} as const, {type: 'switch'} as const]
							: []),
					],
					list,
				);
				const searched = view(
					at,
					[
						{type: 'edit', edit: {type: 'insert', text: query}},
						{type: 'told', sentence: said},
					],
					list,
				);
				for (const row of [shown, searched].flatMap(each => [
					each.title,
					each.field,
					...each.list,
					...each.preview,
					...each.hints,
				])) {
					expect(plainText(row)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\n]/u);
					expect(width(plainText(row))).toBeLessThanOrEqual(at.columns);
				}
				expect(shown.list.length).toBeLessThanOrEqual(shown.listHeight);
				expect(shown.listHeight + share(at).preview + 2 + hintCount(at)).toBe(Math.max(4, at.rows));
				expect(searched.cursor.x).toBeLessThan(at.columns);
			},
		),
		{seed: 72, numRuns: process.env['INKPOD_TEST'] === 'long' ? 5000 : 200},
	);
});
