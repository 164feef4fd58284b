import type {Completions, Match} from '../../../pod/protocol.ts';
import {commandNames, commands, type Command, type CommandName} from '../commands/commands.ts';
import type {Token} from './token.ts';

/** An entry that can be picked. `marks` are the code units of its name that match your text. */
export type Entry = Match | {readonly type: 'command'; readonly name: CommandName; readonly marks: readonly number[]};

/** Returns the full name of an entry. A token with this text names exactly this entry. */
export function nameOf(entry: Entry): string {
	return entry.type === 'path' ? entry.path : entry.type === 'workflow' ? entry.slug : entry.name;
}

/** Returns a key that is unique among entries and rows. */
export function entryKey(entry: Entry): string {
	return `${keyStart}${entry.type}:${nameOf(entry)}`;
}

/** Tells whether a row's key belongs to an entry. */
export function isEntryKey(key: string): boolean {
	return key.startsWith(keyStart);
}

const keyStart = 'completion:';

export function isSameEntry(one: Entry | undefined, other: Entry | undefined): boolean {
	return one !== undefined && other !== undefined && one.type === other.type && nameOf(one) === nameOf(other);
}

export function commandOf(name: CommandName): Command {
	return commands[name];
}

/**
Returns the entries for a token, best first. They come from the commands and from the pod's latest answer. Entries from
an answer to another query stay only if they match this query.
*/
export function entriesFor(token: Token, answer: Completions | undefined): readonly Entry[] {
	const wanted = token.kind === 'path' ? 'path' : 'workflow';
	const answered = answer?.query.kind === wanted ? answer.matches.filter(match => match.type === wanted) : [];
	const found =
		answer?.query.text === askedText(token) ? answered : answered.filter(match => fits(token.text, nameOf(match)));
	if (token.kind !== 'command') return found;
	const own = commandNames.flatMap(name => commandEntry(name, token.text) ?? []);
	const names = new Set<string>(commandNames);
	const all: readonly Entry[] = [...own, ...found.filter(match => !names.has(nameOf(match)))];
	return all.toSorted((one, other) => rank(one, token.text) - rank(other, token.text));
}

/** Returns the query for a token. It is quoted where the pod would treat quotes or backslashes as syntax. */
export function askedText({kind, text}: Token): string {
	return kind === 'path' && /^"|\\./u.test(text) ? `"${text.replaceAll(/["\\]/g, '\\$&')}` : text;
}

/** Tells whether two queries ask the pod for the same. */
export function isSameQuery(one: Completions['query'] | undefined, other: Completions['query'] | undefined): boolean {
	return one?.kind === other?.kind && one?.text === other?.text;
}

/** Returns the entry of a command. A command runs at once, so a query must match the beginning of one of its words. */
function commandEntry(name: CommandName, query: string): Entry | undefined {
	const at = [...name.matchAll(/(?:^|-)/g)]
		.map(found => found.index + found[0].length)
		.find(index => name.startsWith(query.toLowerCase(), index));
	return at === undefined
		? undefined
		: {type: 'command', name, marks: Array.from({length: query.length}, (_, index) => at + index)};
}

/** Full matches rank first, then prefixes, then the rest. */
function rank(entry: Entry, query: string): number {
	const name = nameOf(entry);
	return name === query ? 0 : name.startsWith(query) ? 1 : 2;
}

/** Tells whether a name contains the letters of a query in order. */
function fits(query: string, name: string): boolean {
	const lower = name.toLowerCase();
	let at = 0;
	for (const letter of query.toLowerCase().replaceAll(/\s/g, '')) {
		at = lower.indexOf(letter, at) + letter.length;
		if (at < letter.length) return false;
	}
	return true;
}
