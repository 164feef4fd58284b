import type {Completions, Match} from '../../pod/protocol.ts';
import {commandNames, commands, type Command, type CommandName} from '../commands/commands.ts';
import type {Token} from './token.ts';

/** What can be picked. `marks`: the code units of its name that are what was typed. */
export type Entry = Match | {readonly type: 'command'; readonly name: CommandName; readonly marks: readonly number[]};

/** What an entry is called: what a token says that names it in full. */
export function nameOf(entry: Entry): string {
	return entry.type === 'path' ? entry.path : entry.type === 'workflow' ? entry.slug : entry.name;
}

/** Tells an entry from all others, and its row from all other rows. */
export function entryKey(entry: Entry): string {
	return `${keyStart}${entry.type}:${nameOf(entry)}`;
}

/** Whether the key of a row is that of an entry. */
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
What can be picked for a token, best first, by the commands of the screen and the latest answer of the pod. Of an answer
to another query only what fits this one too.
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

/** A token's text as a query: bare, but quoted where the pod would take its quotes or backslashes for writing. */
export function askedText({kind, text}: Token): string {
	return kind === 'path' && /^"|\\./u.test(text) ? `"${text.replaceAll(/["\\]/g, '\\$&')}` : text;
}

/** The same question to the pod. */
export function isSameQuery(one: Completions['query'] | undefined, other: Completions['query'] | undefined): boolean {
	return one?.kind === other?.kind && one?.text === other?.text;
}

/** A command runs at once, so only the beginning of one of its words finds it. */
function commandEntry(name: CommandName, query: string): Entry | undefined {
	const at = [...name.matchAll(/(?:^|-)/g)]
		.map(found => found.index + found[0].length)
		.find(index => name.startsWith(query.toLowerCase(), index));
	return at === undefined
		? undefined
		: {type: 'command', name, marks: Array.from({length: query.length}, (_, index) => at + index)};
}

/** What is written out in full, then what begins so, then the rest. */
function rank(entry: Entry, query: string): number {
	const name = nameOf(entry);
	return name === query ? 0 : name.startsWith(query) ? 1 : 2;
}

/** Whether a name contains the letters of a query, in their order. */
function fits(query: string, name: string): boolean {
	const lower = name.toLowerCase();
	let at = 0;
	for (const letter of query.toLowerCase().replaceAll(/\s/g, '')) {
		at = lower.indexOf(letter, at) + letter.length;
		if (at < letter.length) return false;
	}
	return true;
}
