import {describe, expect, it} from 'vitest';
import {alertRows} from '../../src/screen/view/alerts/alert-rows.ts';
import {addAlert, noAlerts} from '../../src/screen/model/alerts/alerts.ts';
import {viewAsk} from '../../src/screen/view/card/card-view.ts';
import {viewPopup} from '../../src/screen/view/completion/popup-view.ts';
import {answered, closedPopup, edited, queryOf} from '../../src/screen/model/completion/completion-state.ts';
import {tokenAt} from '../../src/screen/model/completion/token.ts';
import {draftOf, endOf} from '../../src/screen/editor/draft.ts';
import {createPicker} from '../../src/screen/model/picker/picker-state.ts';
import {share, viewPicker} from '../../src/screen/view/picker/picker-view.ts';
import {viewPreflight} from '../../src/screen/view/preflight/preflight-view.ts';
import {queueRows} from '../../src/screen/view/queue/queue-rows.ts';
import {cellsOf, plainText, type Row} from '../../src/screen/spans/row.ts';
import {storedGap, storedText} from '../../src/screen/spans/links.ts';
import {isInvisible} from '../../src/text/invisible.ts';
import {shortPath} from '../../src/screen/view/status/status-line.ts';
import type {Item, Match} from '../../src/pod/protocol.ts';
import {blockRows} from '../../src/screen/rows/conversation.ts';
import {emptyFold} from '../../src/transcript/fold-state.ts';
import {fold} from '../../src/transcript/fold.ts';
import {loadHighlight} from '../../src/screen/markdown/highlight.ts';
import {createItems} from '../helpers/items.ts';

const hidden = [
	['a zero-width space', '\u200b', '⟨U+200B⟩'],
	['twelve word joiners', '\u2060'.repeat(12), '⟨U+2060 ×12⟩'],
	[
		'a text in tags',
		Array.from('rm -rf', letter => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join(''),
		'⟨6 tags: rm -rf⟩',
	],
	['selectors', '\u{e0121}\u{e0122}', '⟨2 variation selectors: 12⟩'],
	['a soft hyphen', '\u00ad', '⟨U+00AD⟩'],
] as const;
const legitimate = ['می‌خواهم', '❤️ 👩‍💻', 'שלום!\u200f', '葛󠄀城', 'क्‍ष'];

const columns = 100;
const bare = (rows: readonly Row[]) => rows.map(plainText).join('\n');

function blockText(items: readonly Item[], view: 'normal' | 'detail' | 'overview'): string {
	const folded = emptyFold();
	for (const item of items) fold(folded, item);
	return bare(folded.blocks.flatMap(block => blockRows(block, {columns, view, phase: 'waiting'})));
}

const make = createItems();
const match = (path: string): Match => ({type: 'path', path, directory: false, ignored: false, marks: [0]});
const ask = (detail: string, title: string) => ({
	id: 'a',
	title,
	detail,
	choices: [{choice: 'allow', label: `Yes ${title}`}],
});

function popupRows(path: string): readonly Row[] {
	const draft = draftOf('@x');
	const open = edited(closedPopup, tokenAt(draft, endOf(draft)));
	const popup = answered(open, {query: queryOf(open)!, matches: [match(path)], indexing: false});
	return viewPopup(popup, {columns, maxRows: 8, top: 0});
}

function pickerRows(words: string): readonly Row[] {
	const entry = {
		id: '01JD8XK3Q2AAAAAAAAAAAAAAAA',
		dir: '/s/x',
		changed: new Date(0).toISOString(),
		bytes: 1,
		words,
		cwd: '/x',
	};
	const size = {columns, rows: 20};
	return viewPicker(createPicker({here: [entry]}, share(size).list), size, {now: 0, home: '/h'}).list;
}

/** Each surface shows a text that the model reads or wrote, or a name. */
const surfaces: ReadonlyArray<readonly [name: string, show: (text: string) => string]> = [
	['a paragraph', text => blockText([make.assistant(`one ${text} two`)], 'normal')],
	['bold words', text => blockText([make.assistant(`one **${text}** two`)], 'normal')],
	['a heading', text => blockText([make.assistant(`# one ${text} two`)], 'normal')],
	['a list', text => blockText([make.assistant(`- one ${text} two`)], 'normal')],
	['a quote', text => blockText([make.assistant(`> one ${text} two`)], 'normal')],
	['a table', text => blockText([make.assistant(`| a | b |\n|---|---|\n| 1 ${text} | 2 |`)], 'normal')],
	['code', text => blockText([make.assistant(`\`\`\`\none ${text} two\n\`\`\``)], 'normal')],
	['coloured code', text => blockText([make.assistant(`\`\`\`ts\nconst one = 'a ${text} b';\n\`\`\``)], 'normal')],
	['an open fence', text => blockText([make.assistant(`\`\`\`ts\nconst one = 'a ${text} b';`)], 'normal')],
	['code in a sentence', text => blockText([make.assistant(`one \`a ${text} b\` two`)], 'normal')],
	['HTML', text => blockText([make.assistant(`<div>\n${text}\n</div>`)], 'normal')],
	['the words of a link', text => blockText([make.assistant(`[one ${text} two](http://x.y)`)], 'normal')],
	['an answer in the overview', text => blockText([make.assistant(`one ${text} two`)], 'overview')],
	['thoughts', text => blockText([make.reasoning(`one ${text} two`)], 'detail')],
	['your words', text => blockText([make.user(`one ${text} two`)], 'normal')],
	['a file', text => blockText([make.file('a.txt', `one ${text} two\n`)], 'normal')],
	['a file in detail', text => blockText([make.file('a.txt', `one ${text} two\n`)], 'detail')],
	['the name of a file', text => blockText([make.file(`a${text}.txt`, 'x')], 'normal')],
	['a command', text => blockText([make.call('1', 'bash', {command: `ls ${text} x`})], 'normal')],
	['arguments', text => blockText([make.call('1', 'other', {one: `a ${text} b`})], 'detail')],
	['the name of a tool', text => blockText([make.call('1', `mcp__a__b${text}`, {})], 'normal')],
	[
		'output',
		text =>
			blockText([make.call('1', 'bash', {command: 'ls'}), make.result('1', 'done', `one ${text} two`)], 'normal'),
	],
	[
		'a summary',
		text =>
			blockText([make.call('1', 'bash', {command: 'ls'}), make.result('1', `one ${text} two`, 'x')], 'normal'),
	],
	[
		'a diff',
		text =>
			blockText(
				[make.call('1', 'edit_file', {path: 'a'}), make.result('1', 'done', `@@ -1 +1 @@\n-a\n+b ${text} c\n`)],
				'normal',
			),
	],
	['a system message', text => blockText([make.system(`one ${text} two\nbody`)], 'normal')],
	['a cause', text => blockText([make.end('error', `one ${text} two`)], 'normal')],
	['an alert', text => bare(alertRows(addAlert(noAlerts, {level: 'warn', text: `one ${text} two`}, 0), columns))],
	[
		'a queued message',
		text =>
			bare(
				queueRows(
					{
						queue: [{id: 'q', state: 'queued', preview: [{type: 'text', text: `one ${text} two`}]}],
						leaving: [],
					},
					columns,
					3,
				),
			),
	],
	['the popup', text => bare(popupRows(`one ${text} two`))],
	['the picker', text => bare(pickerRows(`one ${text} two`))],
	[
		'the title of a card',
		text => bare(viewAsk(ask('x', `one ${text} two`), {columns, maxRows: 20}).rows.slice(0, 1)),
	],
	[
		'the detail of a card',
		text => bare(viewAsk(ask(`one ${text} two`, 't'), {columns, maxRows: 20}).rows.slice(1, -1)),
	],
	[
		'the choices of a card',
		text => bare(viewAsk(ask('x', `one ${text} two`), {columns, maxRows: 20}).rows.slice(-1)),
	],
	['the directory', text => shortPath(`/a ${text} b`, undefined, columns)],
	[
		'a forecast',
		text =>
			bare(
				viewPreflight(
					{refs: [], reading: [], pastes: [], stale: false, rejection: `one ${text} two`, told: () => false},
					columns,
					5,
				),
			),
	],
];

describe.each(surfaces)('%s', (_, show) => {
	it('shows invisible characters as one mark', async () => {
		await loadHighlight();
		for (const [, text, mark] of hidden) {
			const shown = show(text);
			expect(shown).toContain(mark);
			expect(Array.from(shown).filter(isInvisible)).toEqual([]);
		}
	});

	it('shows legitimate characters unchanged', async () => {
		await loadHighlight();
		for (const text of legitimate) expect(show(text)).toContain(text);
	});
});

describe('rows of an answer', () => {
	it('fit their columns and are copied as stored', () => {
		for (const [, text] of hidden) {
			const [block] = foldOf([make.assistant(`${'some words '.repeat(6)}${text} and ${'more '.repeat(9)}`)]);
			const rows = blockRows(block!, {columns: 24, view: 'normal', phase: 'waiting'}).slice(1);
			for (const row of rows) expect(cellsOf(row)).toBeLessThanOrEqual(24);
			expect(rows.map(row => storedGap(row) + storedText(row)).join('')).toContain(text);
		}
	});
});

function foldOf(items: readonly Item[]) {
	const folded = emptyFold();
	for (const item of items) fold(folded, item);
	return folded.blocks;
}
