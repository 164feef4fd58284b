import {describe, expect, it} from 'vitest';
import type {Block} from '../../../../src/transcript/block.ts';
import {cutMiddle} from '../../../../src/screen/rows/parts/long-text.ts';
import {blockRows} from '../../../../src/screen/rows/conversation.ts';
import type {MarkdownStream} from '../../../../src/screen/markdown/stream.ts';
import {textOf, type Row} from '../../../../src/screen/spans/row.ts';
import {storedText} from '../../../../src/screen/spans/links.ts';
import {createItems} from '../../../helpers/items.ts';

const mebibyte = 1024 * 1024;
const layout = {columns: 80, view: 'detail', phase: 'waiting'} as const;
const long = (unit: string, size = 2 * mebibyte) => `BEGIN ${unit.repeat(Math.ceil(size / unit.length))}\nEND`;
const noteIn = (rows: readonly Row[]) => rows.filter(row => textOf(row).includes('characters are hidden'));

describe('a text that is cut in the middle', () => {
	it.each([
		['short', 'a\nb\n'],
		['of 512 KB', 'x'.repeat(mebibyte / 2)],
		['of 20,000 lines', 'a\n'.repeat(20_000)],
	])('stays whole when it is %s', (_, text) => {
		expect(cutMiddle(text)).toEqual({head: text, hidden: 0, tail: ''});
	});

	it.each([
		['of 8 MB on one line', 'x'.repeat(8 * mebibyte)],
		['of 20,001 lines', 'a\n'.repeat(20_001)],
		['just too long', 'x'.repeat(mebibyte / 2 + 1)],
		['of emoji', '😀'.repeat(mebibyte)],
		['of returns and newlines', 'a\r\n'.repeat(mebibyte)],
		['of empty lines', '\n'.repeat(mebibyte)],
		['of 200,001 joiners', 'a\u200d'.repeat(200_001)],
	])('is shown with a head, a number of hidden characters and a tail when it is %s', (_, text) => {
		const {head, hidden, tail} = cutMiddle(text);
		expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
		expect(head.length + hidden + tail.length).toBe(text.length);
		expect([head, tail].every(part => part.isWellFormed())).toBe(true);
		expect(head.length).toBeLessThanOrEqual(mebibyte / 2);
		expect(tail.length).toBeLessThanOrEqual(65_536);
		expect(tail.split('\n').length).toBeLessThanOrEqual(1001);
	});
});

/** Blocks of every kind that may contain a text of any length. */
const kinds: ReadonlyArray<readonly [kind: string, (text: string) => Block]> = [
	['an answer', text => ({kind: 'assistant', id: 'A', open: false, item: createItems().assistant(text)})],
	[
		'thoughts',
		text => ({kind: 'thinking', id: 'A', open: false, item: {id: 'A', at: '', type: 'reasoning', text, ms: 1}}),
	],
	[
		'a prompt',
		text => ({kind: 'user', id: 'A', open: false, item: {...createItems().assistant(text), role: 'user'}}),
	],
	['a prompt with segments', text => user({type: 'text', text})],
	['a paste', text => user({type: 'paste', id: 'p', content: text, chars: text.length, lines: 1})],
	[
		'arguments',
		text => ({
			kind: 'tool',
			id: 'A',
			open: false,
			call: {id: 'A', at: '', type: 'tool_call', callId: 'c', name: 'x', arguments: text},
		}),
	],
	[
		'output',
		text => ({
			kind: 'tool',
			id: 'A',
			open: false,
			result: {
				id: 'A',
				at: '',
				type: 'tool_result',
				callId: 'c',
				summary: 's',
				content: text,
				isError: false,
				ms: 1,
			},
		}),
	],
	[
		'a system text',
		text => ({
			kind: 'system',
			id: 'A',
			open: false,
			parts: [{item: {...createItems().assistant(`Title\n${text}`), role: 'system'}}],
		}),
	],
	[
		'a notice',
		text => ({
			kind: 'notice',
			id: 'A',
			open: false,
			item: {...createItems().assistant(`Title\n${text}`), role: 'system'},
		}),
	],
	[
		'a prompt of the system',
		text => ({
			kind: 'notice',
			id: 'A',
			open: false,
			item: {id: 'A', at: '', type: 'setup', model: 'm', prompt: text, tools: [], settings: {}},
		}),
	],
];

function user(
	segment: {type: 'text'; text: string} | {type: 'paste'; id: string; content: string; chars: number; lines: number},
): Block {
	const item = {...createItems().assistant('x'), role: 'user'} as const;
	return {kind: 'user', id: 'A', open: false, item, origin: {kind: 'submit', segments: [segment]}};
}

describe.each(kinds)('%s of 2 MB', (_, blockOf) => {
	it.each([
		['short lines', 'ab\n'],
		['paragraphs', 'a\n\n'],
		['one line', 'word '],
	])('made of %s is shown with its beginning, a note and its end in few rows', (_what, unit) => {
		const rows = blockRows(blockOf(long(unit)), layout);
		const shown = rows.map(row => storedText(row)).join('\n');
		expect(rows.length).toBeLessThan(50_000);
		expect(noteIn(rows)).toHaveLength(1);
		expect(shown).toContain('BEGIN');
		expect(shown).toContain('END');
	});
});

describe('a long answer that streams', () => {
	it.each([
		['paragraphs', 'a\n\n'],
		['lines', 'ab\n'],
		['one line', 'word '],
		['headings', '# a\n'],
		['a list', '- a\n'],
		['returns', 'a\r\n'],
		['a fence', '```\ncode\n'],
	])(
		'made of %s has the same rows as a restored one after each piece',
		(_, unit) => {
			const text = long(unit, mebibyte);
			const streams = new Map<string, MarkdownStream>();
			const item = createItems().assistant('');
			const rowsOf = (length: number, open: boolean, live: boolean) =>
				blockRows(
					{kind: 'assistant', id: 'A', open, item: {...item, text: text.slice(0, length)}},
					{...layout, ...(live && {streams})},
				);
			for (let at = 50_000; at < text.length; at += 150_000) {
				expect(rowsOf(at, true, true).map(row => storedText(row))).toEqual(
					rowsOf(at, true, false).map(row => storedText(row)),
				);
			}
			expect(rowsOf(text.length, false, true).map(row => storedText(row))).toEqual(
				rowsOf(text.length, false, false).map(row => storedText(row)),
			);
		},
		30_000,
	);
});
