import type {Item} from '../../worker/index.ts';
import {asWritten, flatten} from './immutable.ts';
import {narrowOrigin} from './origin.ts';
import type {Segment} from './segment.ts';

/** The facts from which a list names a session. All texts are untrusted. */
export type NamedSession = {
	/** The folder of the session, which identifies it. */
	readonly dir: string;
	/** The name that the user gave the session. */
	readonly title?: string | undefined;
	/** The name from the first message. */
	readonly words: string;
	/** The last words that the user wrote. */
	readonly last?: string | undefined;
	readonly facts?:
		| {readonly files?: readonly string[] | undefined; readonly fileCount?: number | undefined}
		| undefined;
	/** The time of creation (ISO). */
	readonly created?: string | undefined;
	readonly cwd?: string | undefined;
	readonly problem?: string | undefined;
};

/** Returns the name of a session in every list. The text is untrusted, and empty if the session has no message. */
export function sessionName({title, words}: Pick<NamedSession, 'title' | 'words'>): string {
	return title ?? words;
}

/**
Returns the line of an item that can name a session. Returns `undefined` if the item is neither a message of the user
nor a command that the user ran.
*/
export function nameOfItem(item: Item): string | undefined {
	if (item.type !== 'message' || item.role === 'assistant') return undefined;
	const origin = narrowOrigin(item.origin);
	if (item.role === 'system') return origin?.kind === 'shell' ? nameOfDraft({segments: [], ...origin}) : undefined;
	const typed = origin?.kind === 'submit' ? nameOfDraft(origin) : '';
	return typed === '' ? nameOfText(item.text) : typed;
}

/**
Returns the line of the user's first message, or else of the first command that the user ran. A name that the user gave
the session has priority over it.
*/
export function nameOfItems(items: readonly Item[]): string | undefined {
	const named = items.find(isOfUser) ?? items.find(item => nameOfItem(item) !== undefined);
	return named && nameOfItem(named);
}

export function isOfUser(item: Item | undefined): item is Item {
	return item?.type === 'message' && item.role === 'user';
}

/** Returns the line that names a message that was not sent yet, or a command for the user's shell. */
export function nameOfDraft({
	segments,
	command,
}: {
	readonly segments: readonly Segment[];
	readonly command?: string | undefined;
}): string {
	if (command !== undefined) return `!${nameOfText(command)}`;
	const typed = lineOf(flatten(segments.filter(({type}) => type !== 'paste')), hasWords);
	return typed === '' ? nameOfText(flatten(segments)) : typed;
}

/** Returns the first line of a text that has words, or else its first line that is not blank. */
export function nameOfText(text: string): string {
	return lineOf(text, hasWords) || lineOf(text, line => line.trim() !== '');
}

/**
For sessions with equal names, returns a text that distinguishes each session, by the session's folder: the changed
files, or else the last words of the user, or else the time of creation. A session is left out if no other session of
the list has its name, or if nothing distinguishes it.
*/
export function sessionDifferences(sessions: readonly NamedSession[]): ReadonlyMap<string, string> {
	const differences = new Map<string, string>();
	const named = sessions.filter(session => session.problem === undefined && sessionName(session) !== '');
	for (const equal of Map.groupBy(named, sessionName).values()) {
		if (equal.length > 1) for (const [dir, text] of differencesOf(equal)) differences.set(dir, text);
	}
	return differences;
}

/** Each kind of difference counts only for sessions that the earlier kinds do not distinguish. */
function differencesOf(equal: readonly NamedSession[]): ReadonlyMap<string, string> {
	const differences = new Map<string, string>();
	const kinds = [filesOf(equal), equal.map(lastWords), equal.map(({created = ''}) => minuteOf(created))];
	for (const texts of kinds) {
		const left = texts.map((text, at) => (differences.has(equal[at]?.dir ?? '') ? undefined : text));
		const counts = countsOf(left);
		for (const [at, text = ''] of left.entries())
			if (counts.get(text) === 1) differences.set(equal[at]?.dir ?? '', text);
	}
	return differences;
}

/** The fence of a code block can contain the name of a language, but this name says nothing about the session. */
function hasWords(line: string): boolean {
	return /[\p{L}\p{N}]/u.test(line) && !/^\s*(?:```|~~~)/.test(line);
}

function lineOf(text: string, isWanted: (line: string) => boolean): string {
	const lines = asWritten(text.slice(0, maxRead))
		.toWellFormed()
		.split(/[\n\r\u2028\u2029]/);
	return (lines.find(isWanted) ?? '').replaceAll(/\s+/gu, ' ').trim();
}

/** Returns the changed files of each session: first the file that the fewest other sessions changed. */
function filesOf(sessions: readonly NamedSession[]): ReadonlyArray<string | undefined> {
	const lists = sessions.map(({facts, cwd}) => (facts?.files ?? []).map(file => shortFile(file, cwd)));
	const counts = countsOf(lists.flatMap(files => [...new Set(files)]));
	const rank = (file: string) => counts.get(file) ?? 0;
	return lists.map((files, at) => {
		const [first] = files.toSorted((one, other) => rank(one) - rank(other));
		const others = Math.max(files.length, sessions[at]?.facts?.fileCount ?? 0) - 1;
		return first === undefined || others < 1 ? first : `${first}, +${others}`;
	});
}

function shortFile(path: string, cwd: string | undefined): string {
	const start = `${cwd ?? ''}/`;
	return path.startsWith(start) && path !== start ? path.slice(start.length) : path;
}

function lastWords(session: NamedSession): string | undefined {
	// The last words may be shorter than the name, because a label limits them.
	return sessionName(session).startsWith(session.last ?? '') ? undefined : session.last;
}

/** Returns a time in the time zone of the user, such as `2026-01-31 09:05`. */
function minuteOf(iso: string): string {
	const time = new Date(iso);
	if (Number.isNaN(time.getTime())) return '';
	const two = (value: number) => String(value).padStart(2, '0');
	const day = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join('-');
	return `${day} ${two(time.getHours())}:${two(time.getMinutes())}`;
}

function countsOf(texts: ReadonlyArray<string | undefined>): ReadonlyMap<string, number> {
	const counts = new Map<string, number>();
	for (const text of texts) if (text !== undefined && text !== '') counts.set(text, (counts.get(text) ?? 0) + 1);
	return counts;
}

/** The number of UTF-16 code units of a message in which inkpod looks for a name. */
const maxRead = 16_384;
