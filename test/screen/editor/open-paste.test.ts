import {describe, expect, it} from 'vitest';
import {flatten, type Segment} from '../../../src/pod/protocol.ts';
import {tokenAt} from '../../../src/screen/model/completion/token.ts';
import {isShellDraft} from '../../../src/screen/editor/draft.ts';
import {createEditor} from '../../../src/screen/editor/editor.ts';
import type {EditAction} from '../../../src/screen/editor/undo.ts';
import {layout} from '../../../src/screen/editor/layout.ts';
import {fromSegments, toSegments} from '../../../src/screen/editor/segments.ts';
import {spansText} from '../../../src/text/span.ts';
import {erase, left, press, run} from './edited.ts';

const paste = (text: string): EditAction => ({type: 'paste', text});
const insert = (text: string): EditAction => ({type: 'insert', text});
const sent = (...actions: readonly EditAction[]) => toSegments(run(actions).draft);
const contents = (segments: readonly Segment[]) =>
	segments.map(segment => (segment.type === 'paste' ? `${segment.id}:${segment.content}` : flatten([segment])));

describe('a paste of up to 10 lines and 1,000 characters', () => {
	it.each([
		['2 lines', 'a\nb', true],
		['10 lines and a final newline', 'a\n'.repeat(10), true],
		['11 lines', 'a\n'.repeat(11), false],
		['1,000 emoji on a line', '👍'.repeat(1000), true],
		['1,001 characters on a line', 'x'.repeat(1001), false],
	])('is drawn open: %s', (_name, text, isOpen) => {
		const {draft, cursor} = run([paste(text)], createEditor(4000));
		const shown = layout(draft, cursor, 4000, 20).rows.map(row => spansText(row));
		expect(shown.join('\n')).toContain(isOpen ? text.trim() : '[paste #1: ');
	});

	it('stays a paste in which no mark has a meaning', () => {
		const {draft} = run([paste('@a.md\n/review !ls')]);
		expect(contents(toSegments(draft))).toEqual(['1:@a.md\n/review !ls']);
		expect(tokenAt(draft, {line: 0, column: 5})).toBeUndefined();
		expect(tokenAt(draft, {line: 1, column: 7})).toBeUndefined();
		expect(isShellDraft(run([paste('!ls\n!ls')]).draft)).toBe(false);
	});

	it('can be edited: text inside it belongs to it, text beside it does not', () => {
		expect(contents(sent(insert('see '), paste('one\n\ntwo'), insert(' now')))).toEqual([
			'see ',
			'1:one\n\ntwo',
			' now',
		]);
		expect(contents(sent(paste('one\ntwo'), left, insert('@x\ny'), erase))).toEqual(['1:one\ntw@x\no']);
		const atStart: EditAction = {type: 'move', to: 'start'};
		expect(contents(sent(paste('one\ntwo'), atStart, insert('@x ')))).toEqual(['@x ', '1:one\ntwo']);
		const toLineEnd: EditAction = {type: 'move', to: 'line end'};
		expect(contents(sent(paste('one\n\ntwo'), atStart, toLineEnd, insert('!')))).toEqual(['1:one!\n\ntwo']);
		expect(contents(sent(paste('one\n\ntwo'), atStart, {type: 'down'}, insert('/x')))).toEqual(['1:one\n/x\ntwo']);
	});

	it('joins a combining character that you type in it, as in text', () => {
		expect(
			press(
				run([paste('ae\nb')]),
				{type: 'move', to: 'start'},
				{type: 'move', to: 'right'},
				insert('\u0301'),
				erase,
			),
		).toBe('|e\nb');
	});

	it('is absent when all of it is deleted', () => {
		expect(sent(paste('a\nb'), erase, erase, erase)).toEqual([]);
	});

	it('is open again when the message comes back, with the same words', () => {
		const segments = sent(insert('see '), paste('a\nb'), insert(' and '), paste('c\n'.repeat(20)));
		expect(contents(segments).map(text => text.slice(0, 4))).toEqual(['see ', '1:a\n', ' and', '2:c\n']);
		expect(toSegments(fromSegments(segments))).toEqual(segments);
	});
});

describe('the numbers of pastes', () => {
	it('begin with 1 in each draft, and count what the draft has', () => {
		expect(contents(sent(paste('a\nb'), insert(' '), paste('c\nd'), erase, erase, erase, paste('e\nf')))).toEqual([
			'1:a\nb',
			' ',
			'2:e\nf',
		]);
	});

	it('stay different when a killed chip comes into a draft that has its number', () => {
		const long = 'c\n'.repeat(20);
		const killed = run([paste(long), {type: 'kill', to: 'line start'}]);
		const pasted = run([paste('d\n'.repeat(20)), {type: 'yank'}], killed);
		expect(contents(toSegments(pasted.draft)).map(text => text.slice(0, 3))).toEqual(['1:d', '2:c']);
	});
});

describe('a chip of a paste', () => {
	const long = 'c\n'.repeat(20);

	it('opens in place beside the cursor, as one step to undo, and stays a paste', () => {
		const open: EditAction = {type: 'open paste'};
		const editor = run([insert('see '), paste(long), open]);
		expect(contents(toSegments(editor.draft))).toEqual(['see ', `1:${long.trim()}`, '\n']);
		expect(editor.draft.length).toBe(21);
		expect(press(editor, {type: 'undo'})).toBe(`see [${long}]|`);
		expect(run([paste(long), left, open]).draft.length).toBe(21);
	});

	it('stays closed if it is very long, or if the cursor is elsewhere', () => {
		const open: EditAction = {type: 'open paste'};
		expect(run([paste('c\n'.repeat(60_000)), open]).draft.length).toBe(1);
		expect(run([paste(long), insert(' '), open]).draft.length).toBe(1);
	});
});
