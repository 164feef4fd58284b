import {type FileRef, quoted} from '../../../pod/protocol.ts';
import {isCommandName} from '../commands/commands.ts';
import {draftLine, emptyDraft, isShellDraft, type Draft} from '../../editor/draft.ts';
import type {Line} from '../../editor/graphemes.ts';

/** The lines of a draft that may contain a file ref or a workflow. */
export type Marks = {
	readonly draft: Draft;
	readonly lines: ReadonlyArray<{readonly index: number; readonly line: Line}>;
};

export const noMarks: Marks = {draft: emptyDraft, lines: []};

/** Updates the marks after an edit. Only new lines are read, because the drafts share all other lines. */
export function marksOf(draft: Draft, {draft: before, lines}: Marks): Marks {
	const shorter = Math.min(draft.length, before.length);
	let head = 0;
	while (head < shorter && draft[head] === before[head]) head++;
	let tail = 0;
	while (tail < shorter - head && draft[draft.length - 1 - tail] === before[before.length - 1 - tail]) tail++;
	const shift = draft.length - before.length;
	const above = lines.filter(({index}) => index < head);
	const changed = draft
		.slice(head, draft.length - tail)
		.flatMap((line, index) => (isMarked(line) ? [{index: head + index, line}] : []));
	const below = lines.flatMap(({index, line}) =>
		index >= Math.max(head, before.length - tail) ? [{index: index + shift, line}] : [],
	);
	return {draft, lines: [...above, ...changed, ...below]};
}

/** Tells whether the draft is a command for the screen or the shell, and not for the pod: `/help`, `!ls`. */
export function isCommand(draft: Draft): boolean {
	const word = draft.length === 1 ? firstWord(draftLine(draft, 0)) : '';
	return isShellDraft(draft) || (word.startsWith('/') && isCommandName(word.slice(1)));
}

/** Returns the beginning of a line, up to the first white space or chip. */
export function firstWord(line: Line): string {
	let word = '';
	for (const atom of line) {
		if (typeof atom !== 'string' || atom.trim() === '' || word.length > 80) break;
		word += atom;
	}
	return word;
}

/**
Tells whether a draft may still contain a ref: as a chip with this path, or as text. An approximate answer is enough,
because the pod decides.
*/
export function mayStand({path}: FileRef, {lines}: Marks): boolean {
	return lines.some(
		({line}) =>
			line.some(atom => typeof atom !== 'string' && atom.type === 'file_ref' && atom.path === path) ||
			textOf(line).includes(path) ||
			textOf(line).includes(quoted(path)),
	);
}

/** Returns the file chips of a draft in order. */
export function chipsOf({lines}: Marks): FileRef[] {
	return lines.flatMap(({line}) => line.filter(atom => typeof atom !== 'string' && atom.type === 'file_ref'));
}

function isMarked(line: Line): boolean {
	return line.some(atom => (typeof atom === 'string' ? mark.test(atom) : !pastes.has(atom.type)));
}

const mark = /[@＠/]/;
const pastes: ReadonlySet<string> = new Set(['paste', 'pasted']);

/** A line never changes in place, so its text is joined once. */
function textOf(line: Line): string {
	let text = texts.get(line);
	if (text === undefined)
		texts.set(line, (text = line.map(atom => (typeof atom === 'string' ? atom : '\uFFFC')).join('')));
	return text;
}

const texts = new WeakMap<Line, string>();
