import {t} from '../../language/index.ts';
import {toolFactsOf, type ToolCall} from '../../pod/protocol.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import {countLines} from '../../text/lines.ts';
import type {Block} from '../block.ts';
import {commandPrograms} from './programs.ts';
import {inLine, sourcesOf, type Source} from './sources.ts';
import {tokensIn, type Token} from './tokens.ts';

/**
Where the parts of a call first entered the session. It is for the eye: no rule depends on it, and a token that the
model splits or encodes has no mark. It reads only blocks, so the same marks follow from the history.
*/
export type Origins = {
	/**
	Reads the blocks that were added, up to a block that is still streamed. `isOver` tells whether to stop earlier. Returns
	whether everything is read.
	*/
	read(isOver?: () => boolean): boolean;
	/**
	Returns a sentence for each token of a call that came from a file, a page, a server or another output, and for each
	address and host that the model was the first to write. `before` is the index of the call's block. Blocks that are
	not read yet do not count.
	*/
	readonly of: (call: ToolCall, before: number, cwd: string) => readonly string[];
};

/** `blocks` are the blocks of a session. They only grow: after a snapshot, new origins are needed. */
export function createOrigins(blocks: () => readonly Block[]): Origins {
	/** For each hash of a token, the index of the first block with it, or `byUser`. */
	const first = new Map<number, number>();
	/** Calls whose result was not there yet. */
	const open = new Set<number>();
	let next = 0;

	function note(text: string, by: Source['by'], index: number): void {
		const key = hashOf(text);
		if (by === 'user' || by === 'list') first.set(key, byUser);
		else if (!first.has(key) && first.size < maxTokens) first.set(key, index);
	}

	function add(sources: readonly Source[], index: number): void {
		for (const {by, text} of sources)
			for (const token of tokensIn(text)) {
				note(token.text, by, index);
				if (token.kind === 'address') note(token.host, by, index);
			}
	}

	function read(isOver = () => false): boolean {
		const all = blocks();
		for (const index of open) {
			const block = all[index];
			if (block?.kind !== 'tool' || block.result === undefined) continue;
			add(sourcesOf(block).slice(1), index);
			open.delete(index);
		}
		for (let block = all[next]; block !== undefined && !block.open; block = all[next]) {
			if (block.kind === 'tool' && block.result === undefined) open.add(next);
			add(sourcesOf(block), next);
			next++;
			if (isOver()) return false;
		}
		return true;
	}

	function originOf(text: string, before: number): Origin {
		const index = first.get(hashOf(text));
		if (index === byUser) return {by: 'user'};
		const block = index === undefined || index >= before ? undefined : blocks()[index];
		const source = block === undefined ? undefined : sourcesOf(block).find(each => indexIn(each, text) >= 0);
		if (source === undefined || source.by === 'model') return {by: 'model'};
		return source.by === 'other' ? {by: 'other', place: placeIn(source, text)} : {by: 'user'};
	}

	function marksOf(token: Token, before: number): readonly Mark[] {
		const origin = originOf(token.text, before);
		if (origin.by === 'user') return [];
		if (origin.by === 'other') return [{text: token.text, place: origin.place}];
		if (token.kind === 'address') {
			// The model often extends an address that it read, or that the user named.
			const host = originOf(token.host, before);
			if (host.by === 'user') return [];
			return [host.by === 'other' ? {text: token.host, place: host.place} : {text: token.text}];
		}
		return token.kind === 'host' ? [{text: token.text}] : [];
	}

	return {
		read,
		of(call, before, cwd) {
			const tokens = argumentTokens(call).filter(({text, kind}) => kind !== 'path' || !isWithin(text, cwd));
			const verb = toolFactsOf(call.name)?.verb;
			const found = tokens.flatMap(token => marksOf(token, before));
			// A file may contain any address. Only a call that reaches an address needs to say that the model chose it.
			const marks = verb === 'edit' || verb === 'write' ? found.filter(({place}) => place !== undefined) : found;
			const programs = uncommonPrograms(call).flatMap(name => scanFor(name, blocks(), before) ?? []);
			return sentences([...marks, ...programs]);
		},
	};
}

/** `place` is absent if the model was the first to write the text. */
type Mark = {readonly text: string; readonly place?: string};

type Origin = {readonly by: 'user' | 'model'} | {readonly by: 'other'; readonly place: string};

function argumentTokens({arguments: json}: ToolCall): readonly Token[] {
	const tokens = new Map<string, Token>();
	for (const text of textsIn(json)) for (const token of tokensIn(text)) tokens.set(token.text, token);
	return [...tokens.values()].slice(0, maxLookups);
}

/** Returns the strings in the arguments of a call, or the arguments themselves if they are not JSON. */
function textsIn(json: string): readonly string[] {
	try {
		const texts: string[] = [];
		JSON.parse(json, (_key, value: unknown) => {
			if (typeof value === 'string') texts.push(value);
			return value;
		});
		return texts;
	} catch {
		return [json];
	}
}

function uncommonPrograms({name, arguments: json}: ToolCall): readonly string[] {
	return name === 'bash' ? textsIn(json).slice(0, 1).flatMap(commandPrograms) : [];
}

/** Finds the first text with a program's name. Only uncommon programs are looked for, in a limited amount of text. */
function scanFor(name: string, blocks: readonly Block[], before: number): Mark | undefined {
	let found: Source | undefined;
	let left = maxScanned;
	for (const block of blocks.slice(0, before))
		for (const source of sourcesOf(block)) {
			left -= source.text.length;
			if (left < 0) return undefined;
			if (indexIn(source, name) < 0) continue;
			if (source.by === 'user' || source.by === 'list') return undefined;
			found ??= source;
		}
	return found === undefined || found.by === 'model' ? undefined : {text: name, place: placeIn(found, name)};
}

function indexIn({text}: Source, token: string): number {
	const at = text.indexOf(token);
	return at >= 0 ? at : text.toLowerCase().indexOf(token.toLowerCase());
}

function placeIn(source: Source, token: string): string {
	const {line, text} = source;
	const at = Math.max(0, indexIn(source, token));
	const start = text.lastIndexOf('\n', at) + 1;
	const place = source.place(text.slice(start, start + maxRow));
	if (line === undefined) return place;
	const number = line + countLines(text.slice(0, start), 0) - 1;
	return number < 1 ? place : inLine(place, number);
}

function sentences(marks: readonly Mark[]): readonly string[] {
	const lines = Array.from(
		new Set(
			marks.map(({text, place}) => {
				const name = sanitizeLine(text).slice(0, maxName);
				return place === undefined ? t`${name}: first written by the model` : t`${name}: first in ${place}`;
			}),
		),
	);
	const rest = lines.length - maxMarks;
	return rest > 1 ? [...lines.slice(0, maxMarks), t`and ${rest} more`] : lines;
}

function isWithin(path: string, cwd: string): boolean {
	return path === cwd || path.startsWith(cwd.endsWith('/') ? cwd : `${cwd}/`);
}

/** Returns a hash of 52 bits, so that the index keeps no part of the texts in memory. */
function hashOf(text: string): number {
	let [high, low] = [0x9dc5, 0x811c];
	for (let at = 0; at < text.length; at++) {
		const code = text.charCodeAt(at);
		high = Math.imul(high ^ code, 0x01_00_01_93);
		low = Math.imul(low + code, 0x85_eb_ca_6b) ^ (low >>> 13);
	}
	return (high >>> 6) * 0x4_00_00_00 + (low >>> 6);
}

const byUser = -1;
/** The maximum number of tokens in the index. Later ones have no mark. */
const maxTokens = 400_000;
const maxLookups = 100;
const maxScanned = 4_000_000;
const maxMarks = 5;
const maxRow = 1000;
const maxName = 120;
