import type {ToolDefinition} from '../../../worker/index.ts';
import {isRecord} from '../../ground/values/is-record.ts';

/**
Returns the tools that match a query, best first. A word counts more in the name than in the server's name, the
description or the names of arguments, and more if few tools contain it. Two words also match if one begins with the
other.
*/
export function rankTools(tools: readonly ToolDefinition[], query: string): readonly ToolDefinition[] {
	const documents = tools.map(tool => ({tool, words: wordsOf(tool)}));
	const scores = new Map<ToolDefinition, number>();
	for (const word of new Set(split(query).slice(0, maxQueryWords))) {
		const weights = documents.map(({tool, words}) => ({tool, weight: weightOf(word, words)}));
		const found = weights.filter(({weight}) => weight > 0);
		const rarity = Math.log(1 + (tools.length - found.length + 0.5) / (found.length + 0.5));
		for (const {tool, weight} of found) scores.set(tool, (scores.get(tool) ?? 0) + weight * rarity);
	}
	// The sort is stable, so equal tools keep the order of the list.
	return [...scores].toSorted(([, one], [, other]) => other - one).map(([tool]) => tool);
}

/** Returns the common beginning of the names of a server's tools: `mcp__server__`. */
export function prefixOf(name: string): string {
	return /^mcp__.+?__(?=.)/s.exec(name)?.[0] ?? '';
}

const maxQueryWords = 32;

type Words = {readonly name: readonly string[]; readonly server: readonly string[]; readonly text: readonly string[]};

/** The words of each definition. They are stored, because definitions stay the same for many queries. */
const known = new WeakMap<ToolDefinition, Words>();

function wordsOf(tool: ToolDefinition): Words {
	const words = known.get(tool) ?? readWords(tool);
	known.set(tool, words);
	return words;
}

function readWords({name, description, parameters}: ToolDefinition): Words {
	const prefix = prefixOf(name);
	const {properties} = parameters;
	const args = isRecord(properties) ? Object.keys(properties).slice(0, maxArguments) : [];
	const text = split(`${description} ${args.join(' ')}`);
	return {
		name: split(name.slice(prefix.length)),
		server: split(prefix.slice('mcp'.length)),
		text: [...new Set(text)].slice(0, maxTextWords),
	};
}

const maxArguments = 100;

/**
The limit of words for each tool. A query compares each of its words with all words of all tools, and a server may write
very long texts.
*/
const maxTextWords = 60;

function weightOf(word: string, {name, server, text}: Words): number {
	return Math.max(4 * matchOf(word, name), 2 * matchOf(word, server), matchOf(word, text));
}

/**
Returns 1 if the list contains the word, and 0.5 if it contains a word that begins with the word or is its beginning.
*/
function matchOf(word: string, words: readonly string[]): number {
	if (words.includes(word)) return 1;
	const isPart = word.length >= minPart;
	return isPart && words.some(each => each.length >= minPart && (each.startsWith(word) || word.startsWith(each)))
		? 0.5
		: 0;
}

/** The minimum length of both words if only the beginning of one matches the other. */
const minPart = 3;

/**
Splits a text into words in lower case: `createPullRequest2` becomes `create`, `pull` and `request`. Single ASCII
characters are dropped.
*/
function split(text: string): readonly string[] {
	const apart = text.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2').toLowerCase();
	return [...apart.matchAll(/\p{L}+|\p{N}+/gu)]
		.map(([word]) => word)
		.filter(word => word.length > 1 || /\P{ASCII}/u.test(word));
}
