import {toolFactsOf, type ToolCall, type ToolDetails} from '../pod/protocol.ts';
import {withoutFinalNewline} from '../text/lines.ts';
import {sanitizeLine} from '../text/sanitize.ts';
import type {Span} from '../text/span.ts';
import {cut, fit} from '../text/width.ts';
import {moreLines, toolVerbs} from './texts.ts';

/** Returns the sanitized name of a tool. `mcp__server__tool` becomes `server: tool`. */
export function toolName(name: string): string {
	const [, server, tool] = /^mcp__(.+?)__(.+)$/s.exec(name) ?? [];
	return sanitizeLine(server === undefined ? name : `${server}: ${tool}`);
}

/** Returns one word for what a call does. For a tool of an MCP server, returns the name of the tool. */
export function toolWord(name: string): string {
	const verb = toolFactsOf(name)?.verb;
	return verb === undefined ? toolName(name) : toolVerbs[verb];
}

/**
Returns the main argument of a call for the title of the call. The result is sanitized and at most three rows long. If a
long command has several lines, only the first line is shown, with the number of the other lines.
*/
export function argumentSpans(call: ToolCall, details: ToolDetails, {columns}: {readonly columns: number}): Span[] {
	const args = parseArguments(call.arguments);
	const text = withoutFinalNewline(
		args === undefined ? partialArgument(call) : mainArgument(call.name, args, details),
	);
	if (text === '') return [];
	const start = beginningOf(text);
	const isLong = fit(start, columns) < start.length;
	const lines = isLong && hasLines(call.name) ? text.split('\n') : [text];
	const [line = ''] = lines;
	const first = cut(beginningOf(line), Math.max(20, columns * 3 - 30), '…');
	const more: Span[] = lines.length === 1 ? [] : [{text: moreLines(lines.length - 1), style: 'dim'}];
	const isPath = toolFactsOf(call.name)?.subject.kind === 'file';
	return [{text: ` ${first}`, ...(isPath && {style: 'path'})}, ...more];
}

/**
Returns the subject of a call: the file, the pattern, or the command. The text is exactly what the model wrote, so it is
not sanitized.
*/
export function argumentText({name, arguments: text}: ToolCall): string {
	const argument = toolFactsOf(name)?.subject.argument;
	return argument === undefined ? '' : textOf(parseArguments(text) ?? {}, argument);
}

/** Returns the summary of a call without the path that its title already shows. */
export function summaryBeside({name, arguments: text}: ToolCall, summary: string): string {
	const subject = toolFactsOf(name)?.subject;
	const path = subject?.kind === 'file' ? textOf(parseArguments(text) ?? {}, subject.argument) : '';
	return path !== '' && summary.startsWith(`${path}: `) ? summary.slice(path.length + 2) : summary;
}

/**
Returns the sanitized beginning of a text. The beginning is longer than any title. A `…` at its end says that more text
follows.
*/
function beginningOf(text: string): string {
	return text.length > looksAt ? `${sanitizeLine(text.slice(0, looksAt))}…` : sanitizeLine(text);
}

const looksAt = 4096;

type Arguments = Readonly<Record<string, unknown>>;

/**
Tells whether the argument may have several lines. Only commands may. In other arguments, a newline becomes a picture.
*/
function hasLines(name: string): boolean {
	return toolFactsOf(name)?.subject.kind === 'command';
}

/**
Returns the main argument that the tool's definition names. Without a definition, returns the first argument that is a
string.
*/
function mainArgument(name: string, args: Arguments, details: ToolDetails): string {
	const facts = toolFactsOf(name);
	if (facts?.title !== undefined) return facts.title(args, details);
	const main = mainArgumentName(name, args);
	return main === undefined ? '' : textOf(args, main);
}

/**
Returns the name of the argument that the title of a call shows completely on every screen. Returns `undefined` if there
is none.
*/
export function argumentInTitle(name: string, args: Arguments): string | undefined {
	const main = mainArgumentName(name, args);
	if (main === undefined) return undefined;
	const text = textOf(args, main);
	const isWhole = text !== '' && text.length <= alwaysWhole && mainArgument(name, args, {}).startsWith(text);
	return isWhole && !text.includes('\n') ? main : undefined;
}

/**
A title shows at least this number of characters in its three rows, even if all characters are wide and the screen is as
narrow as possible.
*/
const alwaysWhole = 40;

function mainArgumentName(name: string, args: Arguments): string | undefined {
	return toolFactsOf(name)?.subject.argument ?? Object.keys(args).find(key => typeof args[key] === 'string');
}

function textOf(args: Arguments, name: string): string {
	const value = args[name];
	return typeof value === 'string' ? value : '';
}

/** Parses arguments if they are a complete object. Long arguments are not parsed. */
export function parseArguments(text: string): Arguments | undefined {
	if (text.length > 200_000 || !text.trimEnd().endsWith('}')) return undefined;
	try {
		const value: unknown = JSON.parse(text);
		return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Arguments) : undefined;
	} catch {
		return undefined;
	}
}

/** Returns the received part of the main argument from incomplete or broken JSON. */
function partialArgument({name, arguments: text}: ToolCall): string {
	const wanted = toolFactsOf(name)?.subject.argument ?? String.raw`[^"\\]+`;
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
