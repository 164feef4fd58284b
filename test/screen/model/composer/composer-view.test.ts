import {describe, expect, it} from 'vitest';
import {compose, createComposer, submit} from '../../../../src/screen/model/composer/composer-state.ts';
import type {ComposerAction, ComposerState} from '../../../../src/screen/model/composer/composer-state.ts';
import {
	composerRows,
	editorColumns,
	viewComposer as viewWith,
	type ComposerView,
} from '../../../../src/screen/model/composer/composer-view.ts';
import {placeholder} from '../../../../src/screen/editor/texts.ts';
import {plainText} from '../../../../src/screen/spans/row.ts';
import {width} from '../../../../src/text/width.ts';

function state(columns: number, ...actions: readonly ComposerAction[]): ComposerState {
	return actions.reduce(compose, createComposer(editorColumns(columns)));
}

const viewComposer = (composer: ComposerState, maxRows: number): ComposerView =>
	viewWith(composer, maxRows, placeholder('Ctrl+J', true));

function frame(composer: ComposerState, maxRows: number): string[] {
	return viewComposer(composer, maxRows).rows.map(row => plainText(row).trimEnd());
}

describe('the composer', () => {
	it('shows hints after the caret when it is empty', () => {
		expect(frame(state(40), 5)).toEqual(['❯ Ask anything · @file to attach · Ctrl…']);
		expect(viewComposer(state(40), 5).caret).toEqual({x: 2, y: 0});
	});

	it('shows the key for a new line and the help command when it is empty', () => {
		expect(placeholder('Alt+Enter', true)).toBe('Ask anything · @file to attach · Alt+Enter newline · /help');
		expect(placeholder(undefined, true)).toBe('Ask anything · @file to attach · /help');
		expect(placeholder('Alt+Enter', false)).toBe('Ask anything');
	});

	it('shows the mark of a shell command once', () => {
		expect(frame(state(40, {type: 'insert', text: '!ls'}), 5)).toEqual(['❯ !ls']);
	});

	it('shows the message after the mark, including empty lines', () => {
		const composer = state(40, {type: 'insert', text: 'one\n\nthree 日本'});
		expect(frame(composer, 5)).toEqual(['❯ one', '', '  three 日本']);
		expect(viewComposer(composer, 5).caret).toEqual({x: 12, y: 2});
	});

	it('scrolls and marks hidden rows when there are more rows than room', () => {
		const composer = state(40, {type: 'insert', text: 'one\ntwo\nthree\nfour\nfive'});
		expect(frame(composer, 3)).toEqual(['↑ three', '  four', '  five']);
		expect(frame(compose(composer, {type: 'move', to: 'start'}), 3)).toEqual(['❯ one', '  two', '↓ three']);
	});

	it('shows a message that is being sent above the next one', () => {
		const sent = submit(state(40, {type: 'insert', text: 'hello\nworld'})).state;
		expect(frame(sent, 5)).toEqual(['  hello… sending…', '❯']);
		expect(frame(compose(sent, {type: 'insert', text: 'next'}), 5)).toEqual(['  hello… sending…', '❯ next']);
		expect(viewComposer(sent, 5).caret).toEqual({x: 2, y: 1});
	});

	it('shows a pasted escape sequence without running it', () => {
		expect(frame(state(40, {type: 'paste', text: 'a\x1b[2Jb\u009b31m'}), 3)).toEqual(['❯ a␛[2Jb⟨9b⟩31m']);
	});

	it.each([10, 24, 60])('takes at most a third of %d rows', rows => {
		expect(composerRows(rows)).toBeLessThanOrEqual(rows / 3);
	});

	it.each([40, 41, 80, 200])('has no row wider than the screen at %d columns', columns => {
		const composer = state(
			columns,
			{type: 'insert', text: '日本語 and words and 👨‍👩‍👧‍👦 '.repeat(40)},
			{type: 'chip', chip: {type: 'file_ref', path: `${'deep/'.repeat(60)}file.ts`}},
		);
		const {rows, caret} = viewComposer(composer, 10);
		for (const row of rows) expect(width(plainText(row))).toBeLessThanOrEqual(columns);
		expect(caret.x).toBeLessThan(columns);
	});
});
