import {withEndsOf, withPlainEnds} from './file-text.ts';

/** One replacement in a text. If `all` is absent, `old` must occur exactly once. */
export type Edit = {readonly old: string; readonly new: string; readonly all?: boolean | undefined};

/**
The reason why an edit does not apply. `lines` are the numbers of the lines where `old` occurs, or where a text differs
from `old` only in white space. The numbers begin at 1, and there are at most five.
*/
export type EditFailure = {
	readonly ok: false;
	readonly reason: 'missing' | 'ambiguous';
	/** The index of the edit, from 0. */ readonly index: number;
	readonly count: number;
	readonly lines: readonly number[];
};
type Edited = {
	readonly ok: true;
	/** The number of places that were replaced. */ readonly places: number;
	readonly raw: string;
};

/**
Applies edits one after another, each to the result of the previous one. Applies all of them or none. A model sees and
writes plain newlines. Unchanged text keeps its line endings, and new text gets the line endings of the file.
*/
export function applyEdits(raw: string, edits: readonly Edit[]): Edited | EditFailure {
	let text = raw;
	let places = 0;
	for (const [index, edit] of edits.entries()) {
		const applied = applyEdit(text, edit);
		if (!applied.ok) return {...applied, index};
		text = applied.raw;
		places += applied.places;
	}
	return {ok: true, places, raw: text};
}

const shownLines = 5;

function applyEdit(raw: string, edit: Edit): Edited | Omit<EditFailure, 'index'> {
	const plain = withPlainEnds(raw);
	const old = withPlainEnds(edit.old);
	const found = edit.all ? apart(plain, old) : overlapping(plain, old);
	if (found.length === 0) return {ok: false, reason: 'missing', count: 0, lines: looseLines(plain, old)};
	if (found.length > 1 && !edit.all)
		return {
			ok: false,
			reason: 'ambiguous',
			count: found.length,
			lines: found.slice(0, shownLines).map(at => lineAt(plain, at)),
		};
	const fresh = withEndsOf(raw, withPlainEnds(edit.new));
	const rawAt = plain.length === raw.length ? (at: number) => at : positions(raw);
	const parts: string[] = [];
	let done = 0;
	for (const at of found) {
		parts.push(raw.slice(done, rawAt(at)), fresh);
		done = rawAt(at + old.length);
	}
	parts.push(raw.slice(done));
	return {ok: true, places: found.length, raw: parts.join('')};
}

function apart(text: string, old: string): number[] {
	const found: number[] = [];
	for (let at = text.indexOf(old); at !== -1; at = text.indexOf(old, at + old.length)) found.push(at);
	return found;
}

/**
Returns the positions of all occurrences of `old`, even overlapping ones. For example, `aa` occurs twice in `aaa`, and
the model may mean either occurrence.
*/
function overlapping(text: string, old: string): number[] {
	const found: number[] = [];
	for (let at = text.indexOf(old); at !== -1; at = text.indexOf(old, at + 1)) found.push(at);
	return found;
}

/**
Translates positions in the text with plain newlines into positions in `raw`. The caller must pass ascending positions.
A CR belongs to the newline after it.
*/
function positions(raw: string): (plainAt: number) => number {
	let rawAt = 0;
	let dropped = 0;
	return plainAt => {
		for (
			let next = raw.indexOf('\r\n', rawAt);
			next !== -1 && next - dropped < plainAt;
			next = raw.indexOf('\r\n', rawAt)
		) {
			dropped += 1;
			rawAt = next + 2;
		}
		return plainAt + dropped;
	};
}

function lineAt(text: string, position: number): number {
	let line = 1;
	for (let at = text.indexOf('\n'); at !== -1 && at < position; at = text.indexOf('\n', at + 1)) line += 1;
	return line;
}

/** Returns the numbers of the lines where `old` occurs, ignoring white space at the start and end of each line. */
function looseLines(text: string, old: string): readonly number[] {
	const wanted = old.split('\n').map(line => line.trim());
	while (wanted.length > 0 && wanted.at(-1) === '') wanted.pop();
	while (wanted.length > 0 && wanted[0] === '') wanted.shift();
	const [first] = wanted;
	if (first === undefined) return [];
	const lines = text.split('\n').map(line => line.trim());
	const found: number[] = [];
	for (let at = lines.indexOf(first); at !== -1 && found.length < shownLines; at = lines.indexOf(first, at + 1)) {
		if (wanted.every((line, index) => lines[at + index] === line)) found.push(at + 1);
	}
	return found;
}
