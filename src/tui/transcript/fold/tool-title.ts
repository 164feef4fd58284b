import type {ToolCall, ToolDetails} from '../../../pod/protocol.ts';
import {plural} from '../../text/formats.ts';
import {withoutFinalNewline} from '../../text/lines.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import type {Span} from '../../text/span.ts';
import {cut, fit} from '../../text/width.ts';

/** A tool's name as a title, inert: one of an MCP server's, `mcp__server__tool`, as `server: tool`. */
export function toolName(name: string): string {
	const [, server, tool] = /^mcp__(.+?)__(.+)$/s.exec(name) ?? [];
	return sanitizeLine(server === undefined ? name : `${server}: ${tool}`);
}

/**
What a call is about, for its title, inert: of lines that do not fit in a row together the first, and how many follow.
At most three rows of it.
*/
export function argumentSpans(call: ToolCall, details: ToolDetails, {columns}: {readonly columns: number}): Span[] {
	const args = parseArguments(call.arguments);
	const text = withoutFinalNewline(
		args === undefined ? partialArgument(call) : mainArgument(call.name, args, details),
	);
	if (text === '') return [];
	const start = beginningOf(text);
	const isLong = fit(start, columns) < start.length;
	const lines = isLong && hasLines.has(call.name) ? text.split('\n') : [text];
	const first = cut(beginningOf(lines[0]!), Math.max(20, columns * 3 - 30), '…');
	const more: Span[] =
		lines.length === 1 ? [] : [{text: ` … ${plural(lines.length - 1, 'more line')}`, style: 'dim'}];
	return [{text: ` ${first}`, style: 'path'}, ...more];
}

/** What came of a call, without the path that its title says already. */
export function summaryBeside({name, arguments: text}: ToolCall, summary: string): string {
	const path = textOf(parseArguments(text) ?? {}, 'path');
	return path !== '' && mainArguments[name] === 'path' && summary.startsWith(`${path}: `)
		? summary.slice(path.length + 2)
		: summary;
}

/** As much of a text, inert, as a title may show. It says that more follows: a long run is one short mark. */
function beginningOf(text: string): string {
	return text.length > looksAt ? `${sanitizeLine(text.slice(0, looksAt))}…` : sanitizeLine(text);
}

const looksAt = 4096;

type Arguments = Readonly<Record<string, unknown>>;

/** What is written over several lines; elsewhere a newline is a sign that does not belong there. */
const hasLines: ReadonlySet<string> = new Set(['bash']);

/** Which argument says what a tool does, while it streams. Of other tools the first text. */
const mainArguments: {readonly [tool: string]: string | undefined} = {
	read_file: 'path',
	write_file: 'path',
	edit_file: 'path',
	glob: 'pattern',
	grep: 'pattern',
	bash: 'command',
	workflow: 'slug',
};

/** The same of whole arguments, with what belongs to it. */
const titles: {readonly [tool: string]: ((args: Arguments, details: ToolDetails) => string) | undefined} = {
	read_file: (args, details) => textOf(args, 'path') + rangeOf(args, details),
	glob: args => textOf(args, 'pattern') + (textOf(args, 'path') === '' ? '' : ` in ${textOf(args, 'path')}`),
	grep: args =>
		[
			textOf(args, 'pattern'),
			...['path', 'glob']
				.map(name => textOf(args, name))
				.filter(text => text !== '')
				.map(text => `in ${text}`),
		].join(' '),
	workflow: args => `/${textOf(args, 'slug')} ${textOf(args, 'arguments')}`.trimEnd(),
};

function mainArgument(name: string, args: Arguments, details: ToolDetails): string {
	const main = mainArguments[name] ?? Object.keys(args).find(key => typeof args[key] === 'string');
	return titles[name]?.(args, details) ?? (main === undefined ? '' : textOf(args, main));
}

function textOf(args: Arguments, name: string): string {
	const value = args[name];
	return typeof value === 'string' ? value : '';
}

/** Which lines were in the answer; before it is there, which ones were asked for. */
function rangeOf({offset, limit}: Arguments, {read}: ToolDetails): string {
	if (read !== undefined) return read.whole ? '' : `:${read.first}-${read.last}`;
	if (typeof offset !== 'number' && typeof limit !== 'number') return '';
	const first = typeof offset === 'number' ? offset : 1;
	return `:${first}-${typeof limit === 'number' ? first + limit - 1 : ''}`;
}

/** Arguments that are whole and an object. Long ones are not parsed. */
export function parseArguments(text: string): Arguments | undefined {
	if (text.length > 200_000 || !text.trimEnd().endsWith('}')) return undefined;
	try {
		const value: unknown = JSON.parse(text);
		return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Arguments) : undefined;
	} catch {
		return undefined;
	}
}

/**
The same from JSON that still streams or does not parse: the text of the first argument that matters, as far as it came.
*/
function partialArgument({name, arguments: text}: ToolCall): string {
	const wanted = mainArguments[name] ?? String.raw`[^"\\]+`;
	const found = new RegExp(`"${wanted}"\\s*:\\s*"((?:[^"\\\\]|\\\\.)*)`).exec(text.slice(0, 2048))?.[1];
	if (found === undefined) return '';
	return found.replaceAll(
		/\\(u[\da-fA-F]{4}|.)/g,
		(whole, escape: string) =>
			escapes[escape] ??
			(escape.length === 5 ? String.fromCharCode(Number.parseInt(escape.slice(1), 16)) : whole.slice(1)),
	);
}

const escapes: {readonly [letter: string]: string | undefined} = {n: '\n', t: '\t', r: '\r', b: '\b', f: '\f'};
