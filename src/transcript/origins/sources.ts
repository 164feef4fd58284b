import {t} from '../../language/index.ts';
import {
	narrowDetails,
	narrowOrigin,
	toolFactsOf,
	type Message,
	type Origin,
	type ToolCall,
} from '../../pod/protocol.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import type {Block, BlockOf} from '../block.ts';
import {argumentText, toolName} from '../tool-title.ts';

/**
A text of the session and who wrote it. The user's words and the lists of the project's own files never get a mark.
`place` tells where a line of the text came from, for a sentence: a file, an address, a server. `line` is the number of
the first line of the text in its file, if it has one.
*/
export type Source = {
	readonly by: 'user' | 'list' | 'other' | 'model';
	readonly text: string;
	readonly place: (line: string) => string;
	readonly line?: number;
};

/** Returns the texts of a block in the order in which they entered the session. */
export function sourcesOf(block: Block): readonly Source[] {
	switch (block.kind) {
		case 'user':
			return [block.origin?.kind === 'task' ? byModel(block.item.text) : byUser(block.item.text)];
		case 'assistant':
		case 'thinking':
			return [byModel(block.item.text)];
		case 'tool':
			return [...callSources(block), ...resultSources(block)];
		case 'system':
			return block.parts.map(({item, origin}) => messageSource(item, origin));
		case 'notice':
			return noticeSources(block);
		case 'compaction':
			return [byModel(block.item.summary)];
		case 'child':
		case 'usage':
			return [];
		default:
			return block satisfies never;
	}
}

function callSources({call}: BlockOf<'tool'>): readonly Source[] {
	return call === undefined ? [] : [byModel(unescaped(call.arguments))];
}

/** Returns the text of JSON without the escapes that would hide a token. */
function unescaped(json: string): string {
	return json.replaceAll(/\\[nrt]/g, ' ').replaceAll('\\/', '/');
}

function resultSources({call, result}: BlockOf<'tool'>): readonly Source[] {
	if (call === undefined || result === undefined) return [];
	const facts = toolFactsOf(call.name);
	const {content} = result;
	if (facts?.verb === 'find') return [{by: 'list', text: content, place: () => ''}];
	if (facts?.verb === 'ask') return [byUser(content)];
	const {read} = result.details === undefined ? {} : narrowDetails(result.details);
	const head = /^\[lines \d+-\d+ of \d+\]\n/.test(content) ? 1 : 0;
	return [
		{
			by: 'other',
			text: content,
			place: line => placeOfResult(call, line),
			...(read !== undefined && {line: read.first - head}),
		},
	];
}

function placeOfResult(call: ToolCall, line: string): string {
	const subject = sanitizeLine(argumentText(call)).slice(0, maxPlace);
	const verb = toolFactsOf(call.name)?.verb;
	if (verb === 'read' || verb === 'fetch') return subject;
	if (verb === 'run') return t`the output of ${subject}`;
	const match = verb === 'search' ? placeOfMatch(line) : undefined;
	return match ?? t`a result of ${toolName(call.name)}`;
}

/** Returns the file and the line in a row of a search: `docs/a.md:12:text`. */
function placeOfMatch(row: string): string | undefined {
	const [, path, line] = /^([^:\n]{1,400}):(\d{1,9})[:-]/.exec(row) ?? [];
	return path === undefined || line === undefined ? undefined : inLine(named(path), Number(line));
}

/** Names a line of a file. */
export function inLine(place: string, line: number): string {
	return t`${place}, line ${line}`;
}

function messageSource(item: Message, origin: Origin | undefined): Source {
	const {text} = item;
	if (origin === undefined) return byUser(text);
	switch (origin.kind) {
		case 'file':
		case 'auto_read':
			return {by: 'other', text, place: () => named(origin.path), line: (origin.range?.first ?? 1) - 1};
		case 'editor':
		case 'instructions':
			return {by: 'other', text, place: () => named(origin.path), line: 0};
		case 'dir':
			return {by: 'list', text, place: () => ''};
		case 'web':
			return {by: 'other', text, place: () => named(origin.finalUrl)};
		case 'resource':
			return {by: 'other', text, place: () => named(`${origin.server}:${origin.uri}`)};
		case 'prompt':
			return {by: 'other', text, place: () => named(`/${origin.server}:${origin.name}`)};
		case 'workflow':
			return {by: 'other', text, place: () => named(`/${origin.slug}`)};
		case 'knowledge':
			return {by: 'other', text, place: () => named(`#${origin.slug}`)};
		case 'shell':
			return {by: 'other', text: text.slice(text.indexOf('\n') + 1), place: () => named(`!${origin.command}`)};
		case 'diagnostics':
			return {by: 'other', text, place: () => t`the output of ${named(origin.command)}`};
		case 'btw':
			return byModel(text);
		case 'document':
		case 'image':
		case 'interrupt':
		case 'notice':
		case 'plan':
		case 'submit':
		case 'task':
			return byUser(text);
		default:
			return origin satisfies never;
	}
}

/** Returns the descriptions of the tools of MCP servers, and a file of instructions. */
function noticeSources(block: BlockOf<'notice'>): readonly Source[] {
	if ('derived' in block) return [];
	const {item} = block;
	if (item.type === 'message') {
		const origin = block.origin ?? narrowOrigin(item.origin);
		return origin?.kind === 'instructions' ? [messageSource(item, origin)] : [];
	}
	if (item.type !== 'setup') return [];
	return item.tools.flatMap(({name, description, parameters}): Source[] =>
		name.startsWith('mcp__')
			? [
					{
						by: 'other',
						text: `${description}\n${unescaped(JSON.stringify(parameters))}`,
						place: () => t`the description of ${toolName(name)}`,
					},
				]
			: [],
	);
}

function byUser(text: string): Source {
	return {by: 'user', text, place: () => ''};
}

function byModel(text: string): Source {
	return {by: 'model', text, place: () => ''};
}

function named(name: string): string {
	return sanitizeLine(name).slice(0, maxPlace);
}

const maxPlace = 200;
