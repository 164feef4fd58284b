import {type FileRef, quoted, rangeSuffix, type Preflight, type Segment} from '../../../pod/protocol.ts';
import {isCommandName} from '../commands/commands.ts';
import {draftLine, emptyDraft, isShellDraft, type Draft} from '../../editor/draft.ts';
import type {Line} from '../../editor/graphemes.ts';
import {pasteIdOf} from '../../editor/open-paste.ts';
import {chipLabel} from '../../editor/chip.ts';
import {cellMask, cut, steps, width} from '../../../text/width.ts';
import {confirmSecrets} from './texts.ts';
import {isSameList} from '../../../text/lines.ts';

/** The lines of a draft that may contain a file ref, a workflow or a paste. */
export type Marks = {
	readonly draft: Draft;
	readonly lines: ReadonlyArray<{readonly index: number; readonly line: Line}>;
};

export const noMarks: Marks = {draft: emptyDraft, lines: []};

/**
Updates the marks after an edit. Only changed lines are read, because the old and the new draft share the arrays of all
other lines.
*/
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

/** Tells whether the draft is a slash command, such as `/help`, or a shell command, such as `!ls`. */
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
Tells whether a draft may still contain a file reference, as a chip with this path or as text. An approximate answer is
enough, because the pod makes the exact check.
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

/** Returns the ids of the pastes of a draft. */
export function pasteIdsOf({lines}: Marks): ReadonlySet<string> {
	return new Set(lines.flatMap(({line}) => line.flatMap(atom => pasteIdOf(atom) ?? [])));
}

/** Returns a short, sanitized name of a file reference for a sentence. */
export function shortName(ref: FileRef): string {
	return labelWithin(chipLabel(ref), 48);
}

/**
Shortens a label to a width in cells. It keeps the `@` and the end of the name, because the end is more useful than the
beginning.
*/
export function labelWithin(label: string, columns: number): string {
	let cells = width(label);
	if (cells <= columns) return label;
	if (columns < 3) return cut(label, columns);
	const text = label.slice(1);
	cells -= 1;
	for (const step of steps(text)) {
		cells -= step.traits & cellMask;
		if (cells <= columns - 2) return `@…${text.slice(step.end)}`;
	}
	return '@…';
}

/** The file references about which inkpod asked you because they look like secrets. `segments` is their draft. */
export type Told = {readonly segments: readonly Segment[]; readonly refs: Secrets; readonly at: number};

/** Tells whether segments may contain a file ref. */
export function mayHoldRef(segments: readonly Segment[]): boolean {
	return segments.some(
		segment => segment.type === 'file_ref' || (segment.type === 'text' && /[@＠]/.test(segment.text)),
	);
}

/**
Decides whether to send a draft or to ask first. inkpod asks about file references that look like secrets. If you send
the same draft again after you had time to read the question, you confirm these references. A confirmation is valid only
while each reference still names the same real file.
*/
export function decide(
	segments: readonly Segment[],
	forecast: Preflight,
	told: Told | undefined,
	now: number,
): Decided {
	const denied = forecast.refs.flatMap(each => (!each.ok && each.reason === 'denied' ? [each] : []));
	if (denied.length === 0 || forecast.rejection !== undefined) return {send: segments};
	const refs: Secrets = new Map(denied.map(({ref, real = ''}) => [refName(ref), real]));
	const sameRefs = told !== undefined && [...refs].every(([ref, real]) => told.refs.get(ref) === real);
	const same = sameRefs && isSameDraft(told.segments, segments);
	const isConfirmed = same && now - told.at >= readingTime;
	if (isConfirmed) return {send: forecast.segments.map(segment => confirm(segment, refs)), confirms: true};
	return {ask: question(denied.map(({ref}) => ref)), told: {segments, refs, at: now}};
}

/**
Returns a key for a file reference. The key differs for line 10 of the file `x` and for a file with the name `x:10`.
*/
export function refName({path, range}: FileRef): string {
	return `${path}\0${rangeSuffix(range)}`;
}

/** Tells whether two drafts are equal. Pastes are equal if their contents are equal. */
export function isSameDraft(one: readonly Segment[], other: readonly Segment[]): boolean {
	return isSameList(one, other, (left, right) => left === right || isSame(left, right));
}

function isMarked(line: Line): boolean {
	return line.some(atom => typeof atom !== 'string' || mark.test(atom));
}

const mark = /[@＠/]/;

/** Returns the text of a line. The text is cached, because a line never changes in place. */
function textOf(line: Line): string {
	let text = texts.get(line);
	if (text === undefined)
		texts.set(line, (text = line.map(atom => (typeof atom === 'string' ? atom : '\uFFFC')).join('')));
	return text;
}

const texts = new WeakMap<Line, string>();

/** The decision about a draft: inkpod sends it (`send`), or shows a question (`ask`). */
type Decided = {
	readonly send?: readonly Segment[];
	readonly ask?: string;
	readonly told?: Told;
	/** Whether the draft is sent because you confirmed it. */
	readonly confirms?: true;
};

/** Maps the key of each file reference to the real path of its file. */
type Secrets = ReadonlyMap<string, string>;

/**
A second Enter within this number of milliseconds does not confirm. You pressed it too fast to read the question, or
held the key down.
*/
const readingTime = 400;

function isSame(one: Segment, other: Segment): boolean {
	if (one.type === 'text') return other.type === 'text' && one.text === other.text;
	if (one.type === 'paste') return other.type === 'paste' && one.content === other.content;
	if (one.type === 'file_ref')
		return other.type === 'file_ref' && refName(one) === refName(other) && one.confirmed === other.confirmed;
	return other.type === 'workflow' && one.slug === other.slug && one.arguments === other.arguments;
}

function confirm(segment: Segment, refs: Secrets): Segment {
	const real = segment.type === 'file_ref' ? refs.get(refName(segment)) : undefined;
	return segment.type === 'file_ref' && real !== undefined ? {...segment, confirmed: real} : segment;
}

function question(denied: readonly FileRef[]): string {
	return confirmSecrets(denied.slice(0, 3).map(shortName), denied.length);
}
