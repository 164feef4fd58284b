import {storedRow, storedRows, type Layout, type Row, type Span} from '../../screen/row.ts';
import type {Style} from '../../theme.ts';
import {bodyLayout, moreRows, withoutFinalNewline, type RenderContext} from './render.ts';

/**
The rows of a text that holds a unified diff: coloured, with the numbers of the lines before it. `undefined` for a text without a hunk.
A line counts as the diff's only where a hunk's header says so; what stands around the hunks is shown as it is.
The normal view leaves out the headers of the files and of the first hunk, which the block's title and the numbers stand for.
*/
export function diffRows(content: string, context: RenderContext): Row[] | undefined {
	const lines = parse(withoutFinalNewline(content).split('\n'));
	if (!lines.some(line => line.kind === 'hunk')) return undefined;
	const digits = Math.max(1, ...lines.map(({number}) => String(number ?? '').length));
	if (context.view === 'detail') return lines.flatMap(line => storedRows(line.text, layoutOf(line, digits, context), styles[line.kind]));
	const first = lines.findIndex(line => line.kind === 'hunk');
	const told = lines.filter((line, index) => line.kind !== 'file' && index !== first);
	const rows = told.slice(0, diffLines).map(line => storedRow(line.text, layoutOf(line, digits, context), styles[line.kind]));
	return [...rows, ...moreRows(Math.max(0, told.length - diffLines), 'more', context)];
}

/** How many lines the diff of a text adds and removes. `undefined` for a text without a hunk. */
export function diffCounts(content: string): {readonly added: number; readonly removed: number} | undefined {
	const lines = parse(withoutFinalNewline(content).split('\n'));
	if (!lines.some(line => line.kind === 'hunk')) return undefined;
	const count = (kind: Kind) => lines.filter(line => line.kind === kind).length;
	return {added: count('added'), removed: count('removed')};
}

/** A diff is shown further than other output: it is what an edit is. */
const diffLines = 24;

type Kind = 'file' | 'hunk' | 'added' | 'removed' | 'same' | 'other';
/** `number` is the line's in the new file, of a removed one in the old file. */
type Line = {readonly kind: Kind; readonly text: string; readonly number?: number};

const styles: {readonly [Each in Kind]: Style} = {file: 'dim', hunk: 'dim', added: 'added', removed: 'removed', same: 'plain', other: 'dim'};
const hunkHeader = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@/;

function parse(texts: readonly string[]): Line[] {
	let old = {at: 0, left: 0};
	let now = {at: 0, left: 0};
	return texts.map((text, index): Line => {
		const inside = old.left > 0 || now.left > 0;
		const sign = inside ? text.charAt(0) : '';
		if (sign === '+' && now.left > 0) {
			now = {at: now.at + 1, left: now.left - 1};
			return {kind: 'added', text, number: now.at - 1};
		}
		if (sign === '-' && old.left > 0) {
			old = {at: old.at + 1, left: old.left - 1};
			return {kind: 'removed', text, number: old.at - 1};
		}
		// An editor may have taken the trailing space of an empty line away.
		if (inside && (sign === ' ' || text === '')) {
			old = {at: old.at + 1, left: old.left - 1};
			now = {at: now.at + 1, left: now.left - 1};
			return {kind: 'same', text, number: now.at - 1};
		}
		const header = hunkHeader.exec(text);
		if (header !== null) {
			const [, oldAt, oldCount = '1', newAt, newCount = '1'] = header;
			old = {at: Number(oldAt), left: Number(oldCount)};
			now = {at: Number(newAt), left: Number(newCount)};
			return {kind: 'hunk', text};
		}
		return {kind: isFileHeader(texts, index) ? 'file' : 'other', text};
	});
}

/** `---` and `+++` name files only as a pair before a hunk. */
function isFileHeader(texts: readonly string[], index: number): boolean {
	const text = texts[index]!;
	if (text.startsWith('--- ')) return texts[index + 1]?.startsWith('+++ ') === true && hunkHeader.test(texts[index + 2] ?? '');
	return text.startsWith('+++ ') && texts[index - 1]?.startsWith('--- ') === true && hunkHeader.test(texts[index + 1] ?? '');
}

function layoutOf({number}: Line, digits: number, context: RenderContext): Layout {
	const gutter: Span = {text: `  │ ${String(number ?? '').padStart(digits)} `, style: 'dim'};
	const rest: Span = {text: `  │ ${' '.repeat(digits)} `, style: 'dim'};
	return {...bodyLayout(context), gutter, rest};
}
