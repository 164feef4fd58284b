import type {Size} from '../terminal-state.ts';
import {blankRow, makeRow, textRow, type Row} from '../../spans/row.ts';
import {cut, width} from '../../../text/width.ts';
import {spansText, type Span} from '../../../text/span.ts';
import type {ComposerState} from './composer-state.ts';
import {isEmpty, isShellDraft} from '../../editor/draft.ts';
import {layout, type Place} from '../../editor/layout.ts';
import {sending} from '../../editor/texts.ts';
import {selectedPart} from '../../editor/vim/vim-state.ts';

/**
The rows and the caret of a drawn composer. `caret` is its position in cells, counted from the upper left corner of the
composer.
*/
export type ComposerView = {
	readonly rows: readonly Row[];
	readonly caret: {readonly x: number; readonly y: number};
	/**
	The first visible row of the draft. If it differs from `top` in the state, the `scrolled` action updates the state.
	*/
	readonly top: Place;
};

/** The number of cells in each row before the draft's text. */
export const gutter = 2;

/** Returns the width of the editor on a screen of this width, in cells. */
export function editorColumns(screenColumns: number): number {
	return Math.max(4, screenColumns - gutter);
}

/** Returns the composer's maximum height: a third of the screen, and at least one row. */
export function composerRows(screenRows: number): number {
	return Math.max(1, Math.floor(screenRows / 3));
}

/** Returns the number of rows above the composer that a popup may cover while no card is open. */
export function roomAbove(composerHeight: number, screenRows: number): number {
	const left = screenRows - composerHeight - statusRows(screenRows) - 1;
	return Math.max(0, Math.min(left, Math.ceil(screenRows / 2)));
}

/** Returns the number of rows of the status line and of the rules around the composer. */
export function statusRows(screenRows: number): number {
	return 1 + (screenRows < minForRule ? 0 : 1) + (screenRows < minForTwoRules ? 0 : 1);
}

/** Returns the rule above the composer. Returns nothing on a small screen. */
export function upperRule({columns, rows}: Size): readonly Row[] {
	return rows < minForRule ? [] : [rule(columns)];
}

/** Returns a blank row and the rule above a card. Returns nothing on a small screen. */
export function ruleAboveCard({columns, rows}: Size): readonly Row[] {
	return rows < minForTwoRules ? [] : [blankRow, rule(columns)];
}

/** Returns the rule between the composer and the status line. Returns nothing on a small screen. */
export function secondRule({columns, rows}: Size): readonly Row[] {
	return rows < minForTwoRules ? [] : [rule(columns)];
}

function rule(columns: number): Row {
	return textRow('─'.repeat(columns), 'dim');
}

const minForRule = 12;
const minForTwoRules = 30;

/** Returns the first row of the draft to show, so that the caret stays visible. */
export function composerTop(composer: ComposerState, screenRows: number): Place {
	return viewComposer(composer, composerRows(screenRows), '').top;
}

/**
Draws the composer in at most `maxRows` rows. An empty composer shows its placeholder. If there is room, the first row
of a held draft is shown, dimmed. `isAside`: keys answer a card first, so the prompt sign of an empty composer is dim.
*/
export function viewComposer(
	{editor, held, top, vim}: ComposerState,
	maxRows: number,
	placeholder: string,
	isAside = false,
): ComposerView {
	const {draft, cursor, columns} = editor;
	const heldRows =
		held !== undefined && maxRows > 1
			? [heldRow(layout(held.draft, {line: 0, column: 0}, columns, 1), columns)]
			: [];
	const selected = vim && selectedPart(vim, draft, cursor);
	const view = layout(draft, cursor, columns, maxRows - heldRows.length, top, selected);
	const rows =
		isEmpty(draft) && held === undefined
			? [
					makeRow(
						[{text: cut(placeholder, columns, '…'), style: 'dim'}],
						'hint',
						sign('❯', isAside ? 'dim' : 'accent'),
					),
				]
			: view.rows.map((spans, index) =>
					makeRow(spans, 'text', sign(...signOf(index, view, isShellDraft(draft)))),
				);
	return {
		rows: [...heldRows, ...rows],
		caret: {x: view.caret.x + gutter, y: view.caret.y + heldRows.length},
		top: view.top,
	};
}

type View = ReturnType<typeof layout>;
type Sign = readonly [sign: string, style: 'accent' | 'warn' | 'dim'];

/**
Returns the sign before a row. The first row of the draft has the prompt sign, in another colour if the draft is a shell
command. Arrows mark hidden rows above and below.
*/
function signOf(index: number, {rows, above, below}: View, shell: boolean): Sign {
	if (index === 0) return above ? ['↑', 'dim'] : ['❯', shell ? 'warn' : 'accent'];
	return index === rows.length - 1 && below ? ['↓', 'dim'] : [' ', 'dim'];
}

/** Returns the sign as a span that fills the gutter. */
function sign(...[text, style]: Sign): Span {
	return text === ' ' ? {text: ' '.repeat(gutter)} : {text: text.padEnd(gutter), style};
}

function heldRow({rows: [row = []], below}: View, columns: number): Row {
	const note = `${below ? '… ' : ' '}${sending}`;
	const text = cut(spansText(row), columns - width(note));
	return makeRow([{text: text + note, style: 'dim'}], 'text', sign(' ', 'dim'));
}
