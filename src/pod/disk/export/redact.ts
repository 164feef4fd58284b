import {parseItem, type Item, type Message} from '../../../worker/index.ts';
import {narrowOrigin} from '../../protocol.ts';
import {changeJson, changeValue, type Change} from './change-json.ts';
import {commandLines} from './command-lines.ts';
import type {Finding} from './finding.ts';
import {createKnownValues, type KnownValues} from './known-values.ts';
import {findInCommands} from './command-places.ts';
import {findCredentials} from './credentials.ts';
import {findNamedValues} from './named-values.ts';
import {findPasswordHashes} from './password-hashes.ts';
import {findArguments} from './program-options.ts';
import {findPrivateKeys} from './service-keys.ts';
import {findServiceKeys} from './service-keys.ts';
import {findInServiceTexts} from './service-texts.ts';
import {findInTables} from './table-values.ts';
import {findKubernetesSecrets} from './kubernetes-secrets.ts';
import type {View} from './parts.ts';
import {viewsOf} from './views.ts';
import {findInsertedValues} from './inserted-values.ts';
import {findWebTokens} from './web-tokens.ts';

/** The secrets of one kind in one item. A secret that an item repeats counts once. */
export type FoundSecret = {readonly name: string; readonly item: string; readonly count: number};

/** A summary of the secrets in an export, without the secrets themselves. `count`: the number of different values. */
export type FoundSecrets = {readonly count: number; readonly found: readonly FoundSecret[]};

/**
Leaves out secrets. The caller first passes all texts to `look` and `lookInto`, because a value that is found in one
text is left out in all texts.
*/
export type Redactor = {
	/**
	Looks for secrets in all texts of items, including the names of their members. `place` returns the name of an item
	for the user.
	*/
	readonly look: (items: readonly Item[], place?: (id: string) => string) => void;
	/** Looks for secrets in another text. `place` is the name of the text for the user. */
	readonly lookInto: (text: string, place: string) => void;
	/**
	Returns the items with each secret replaced with its kind. An item without secrets is returned as the same object.
	*/
	readonly items: (items: readonly Item[]) => readonly Item[];
	/** Replaces the secrets of a text that was searched. */
	readonly text: (text: string) => string;
	/** Replaces the secrets of another text. They are not counted. */
	readonly unsearched: (text: string) => string;
	/** Returns the secrets that were found, in the order of the search. */
	readonly found: () => FoundSecrets;
};

export function createRedactor(): Redactor {
	const ids = new Set<string>();
	const known = createKnownValues({isKept: text => ids.has(text) || recordWords.has(text)});
	const values = new Set<string>();
	const found: FoundSecret[] = [];
	/** The findings in each text that contains secrets, so that each text is searched only once. */
	const searched = new Map<string, readonly Finding[]>();

	function lookInto(texts: readonly string[], place: string): void {
		const secrets = new Map<string, Set<string>>();
		for (const text of texts) {
			const findings = findSecrets(text);
			if (findings.length > 0) searched.set(text, findings);
			for (const {name, value, also = []} of findings) {
				secrets.set(name, (secrets.get(name) ?? new Set()).add(value));
				values.add(value);
				for (const one of [value, ...also]) known.add(name, value, one);
			}
		}
		for (const [name, own] of secrets) found.push({name, item: place, count: own.size});
	}

	const replace: Change = (text, isPart = false) =>
		replaced(text, isPart ? findSecrets(text) : (searched.get(text) ?? []), known);
	return {
		look(items, place = id => id) {
			for (const item of items) for (const id of idsOf(item)) ids.add(id);
			for (const item of items) lookInto(textsOf(item), place(item.id));
		},
		lookInto: (text, place) => lookInto([text], place),
		items: items => items.map(item => withoutSecrets(item, replace)),
		text: text => replace(text),
		unsearched: text => replace(text, true),
		found: () => ({count: values.size, found}),
	};
}

/** Leaves out the secrets of one conversation. */
export function redactItems(items: readonly Item[]): FoundSecrets & {readonly items: readonly Item[]} {
	const redactor = createRedactor();
	redactor.look(items);
	return {items: redactor.items(items), ...redactor.found()};
}

function replaced(text: string, findings: readonly Finding[], known: KnownValues): string {
	const pieces: string[] = [];
	let last = 0;
	for (const {start, end, name} of [...findings, {start: text.length, end: text.length, name: ''}]) {
		pieces.push(withoutKnown(text.slice(last, start), known));
		if (name !== '') pieces.push(markOf(name, text, start, end));
		last = end;
	}
	return findings.length === 0 ? (pieces[0] ?? '') : pieces.join('');
}

function withoutKnown(text: string, known: KnownValues): string {
	const places = known.find(text);
	if (places.length === 0) return text;
	const pieces: string[] = [];
	let last = 0;
	for (const {start, end, name} of places) {
		pieces.push(text.slice(last, start), markOf(name, text, start, end));
		last = end;
	}
	return pieces.join('') + text.slice(last);
}

/**
Returns the mark that replaces a secret. The mark of a number in JSON is a string in quotes, so that the text remains
JSON.
*/
function markOf(name: string, text: string, start: number, end: number): string {
	const mark = `[redacted: ${name}]`;
	if (!/^-?\d+$/.test(text.slice(start, end))) return mark;
	const [, quote = ''] = /(\\{0,8}")\s{0,8}:\s{0,8}$/.exec(text.slice(Math.max(0, start - 40), start)) ?? [];
	return `${quote}${mark}${quote}`;
}

/**
The keys in an item whose texts are not changed, because other items, other records or the code refer to these texts.
*/
const plainKeys: ReadonlySet<string> = new Set([
	...[
		'id',
		'at',
		'type',
		'role',
		'callId',
		'request',
		'firstKept',
		'to',
		'requestHash',
		'endedAt',
		'startedAt',
		'child',
	],
	...['call', 'partialOf', 'outcome', 'context', 'op'],
]);

/** Fixed words of the record format that also occur in items. */
const recordWords: ReadonlySet<string> = new Set(['cache_expired', 'too_long', 'tool_calls', 'unread_call']);

function idsOf(item: Item): readonly string[] {
	const {callId, child, sha256, origin, segments} = {
		...{callId: '', child: '', sha256: '', origin: undefined, segments: []},
		...item,
	};
	return [item.id, callId, child, sha256, ...wordsIn({origin, segments})];
}

/** Returns the types and kinds of the parts of a message. `depth` is the depth of the search. */
function wordsIn(parts: unknown, depth = 16): readonly string[] {
	if (typeof parts !== 'object' || parts === null || depth === 0) return [];
	return Object.entries(parts).flatMap(([key, value]: [string, unknown]) =>
		typeof value === 'string' ? (key === 'type' || key === 'kind' ? [value] : []) : wordsIn(value, depth - 1),
	);
}

function textsOf(item: Item): readonly string[] {
	const texts: string[] = [];
	walk(item, text => {
		texts.push(text);
		return text;
	});
	return texts;
}

function withoutSecrets(item: Item, replace: Change): Item {
	let isChanged = false;
	const next = walk(item, (text, isPart) => {
		const shown = replace(text, isPart);
		isChanged ||= shown !== text;
		return shown;
	});
	if (!isChanged) return item;
	const shown = parseItem(next);
	if (shown === undefined) throw new Error('an item without its secrets is not an item');
	const isWritten = shown.type === 'message' && item.type === 'message' && shown.text !== item.text;
	return isWritten ? withText(shown, shown.text) : shown;
}

/**
Returns a message with another text. Its parts become one part, because a secret may begin in one part and end in the
next one.
*/
export function withText(message: Message, text: string): Message {
	const origin = narrowOrigin(message.origin);
	const isSubmitted = origin?.kind === 'submit';
	return {...message, text, ...(isSubmitted && {origin: {...origin, segments: [{type: 'text', text}]}})};
}

/**
Returns an item with changed texts. An object is changed as JSON, because the name of a member helps to recognize a
secret.
*/
function walk(item: Item, change: Change): unknown {
	const fields = Object.entries(item).map(([key, value]) => {
		if (plainKeys.has(key) && typeof value === 'string') return [key, value];
		const isCall = item.type === 'tool_call' && key === 'arguments';
		const next = isCall ? changeJson(String(value), change) : changeValue(value, change);
		return [key, item.type === 'title' && key === 'title' ? String(next).slice(0, maxTitle) : next];
	});
	return Object.fromEntries(fields);
}

const maxTitle = 200;

/**
Returns everything in a text that looks like a secret, in order and without overlaps. Escapes of JSON are decoded up to
twice, so a secret has the same value in a message and in the arguments of a call.
*/
export function findSecrets(text: string): readonly Finding[] {
	const found: Leveled[] = [];
	function search({text: shown, origin, ending, level}: View, finders: ReadonlyArray<typeof findCredentials>): void {
		for (const finder of finders)
			for (const finding of finder(shown))
				found.push({...finding, start: origin(finding.start), end: ending(finding.end), level});
	}
	for (const view of viewsOf(text)) {
		search(view, textFinders);
		search(commandLines(view), commandFinders);
	}
	return withoutOverlaps(found);
}

/** The order matters: if two functions find a secret at the same place, the first function names the secret. */
const textFinders = [
	findPrivateKeys,
	findServiceKeys,
	findWebTokens,
	findPasswordHashes,
	findCredentials,
	findKubernetesSecrets,
	findInServiceTexts,
	findInsertedValues,
	findInTables,
	findNamedValues,
];

const commandFinders = [findInCommands, findArguments];

type Leveled = Finding & {readonly level: number};

/**
Joins findings that overlap. The longest finding is the secret. If several have the same length, the secret is the
finding whose escapes were decoded most often.
*/
function withoutOverlaps(found: readonly Leveled[]): readonly Finding[] {
	const joined: Leveled[] = [];
	for (const next of found.toSorted((one, other) => one.start - other.start)) {
		const last = joined.at(-1);
		if (last === undefined || next.start >= last.end) {
			joined.push(next);
			continue;
		}
		const isLonger = lengthOf(next) - lengthOf(last) || next.level - last.level;
		const [main, less] = isLonger > 0 ? [next, last] : [last, next];
		const also = [...(main.also ?? []), ...(less.also ?? [])];
		joined[joined.length - 1] = {...main, start: last.start, end: Math.max(last.end, next.end), also};
	}
	return joined;
}

function lengthOf({start, end}: Finding): number {
	return end - start;
}
