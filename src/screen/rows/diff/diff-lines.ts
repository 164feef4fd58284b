import type {Style} from '../../../text/span.ts';

/** The kinds of lines. `other` lines are outside of the hunks. */
export type DiffKind = 'file' | 'hunk' | 'added' | 'removed' | 'same' | 'other';
/** `number` is the line's number in the new file. For a removed line, it is the number in the old file. */
export type DiffLine = {readonly kind: DiffKind; readonly text: string; readonly number?: number};

export const diffStyles: {readonly [Each in DiffKind]: Style} = {
	file: 'dim',
	hunk: 'dim',
	added: 'added',
	removed: 'removed',
	same: 'plain',
	other: 'dim',
};

/** Tells whether lines of this kind are lines of a file. */
export function isInside(kind: DiffKind | undefined): kind is 'added' | 'removed' | 'same' {
	return kind === 'added' || kind === 'removed' || kind === 'same';
}

/** Tells whether the lines contain a hunk. A text without a hunk is not a diff. */
export function isDiff(lines: readonly DiffLine[]): boolean {
	return lines.some(({kind}) => kind === 'hunk');
}

/** Returns the width of the line numbers in cells. */
export function numberCells(lines: readonly DiffLine[]): number {
	return lines.reduce((cells, {number}) => Math.max(cells, String(number ?? '').length), 1);
}

/** Classifies each line of a unified diff. A line belongs to the diff only if the header of a hunk includes it. */
export function parseDiff(texts: readonly string[]): DiffLine[] {
	let old = {at: 0, left: 0};
	let now = {at: 0, left: 0};
	return texts.map((text, index): DiffLine => {
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
		// Editors may remove the trailing space of an empty line.
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

const hunkHeader = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@/;

/** `---` and `+++` name files only if they form a pair before a hunk. */
function isFileHeader(texts: readonly string[], index: number): boolean {
	const text = texts[index] ?? '';
	if (text.startsWith('--- '))
		return texts[index + 1]?.startsWith('+++ ') === true && hunkHeader.test(texts[index + 2] ?? '');
	return (
		text.startsWith('+++ ') &&
		texts[index - 1]?.startsWith('--- ') === true &&
		hunkHeader.test(texts[index + 1] ?? '')
	);
}
