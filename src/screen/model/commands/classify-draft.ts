import type {Segment} from '../../../pod/protocol.ts';
import {commandNamed, type CommandName} from './commands.ts';

/** The meaning of a draft: a command of the screen, a shell command or a message for the model. */
export type DraftKind =
	| {readonly type: 'command'; readonly name: CommandName; readonly argument: string}
	/** The text after the `!` may be blank. */
	| {readonly type: 'shell'; readonly command: string}
	| {readonly type: 'message'};

/**
Returns the meaning of a draft. A command is one line of typed text: `/name` or `/name argument`. A shell command begins
with `!`. A leading backslash or space makes either of them text.
*/
export function classifyDraft(segments: readonly Segment[]): DraftKind {
	const [first, ...rest] = segments;
	if (first?.type !== 'text') return message;
	if (first.text.startsWith('!')) return {type: 'shell', command: segments.map(shellText).join('').slice(1).trim()};
	const login = /^\/login(?:\s+(?<argument>\S*))?/.exec(first.text);
	// The rest may be a key, which must not reach a model, however it was typed or pasted.
	if (login !== null && /^\/login(?:\s|$)/.test(first.text))
		return {type: 'command', name: 'login', argument: login.groups?.['argument'] ?? ''};
	const found = rest.length === 0 ? /^\/(?<name>[a-z-]+)(?:[^\S\n]+(?<argument>.*))?$/.exec(first.text) : null;
	const name = commandNamed(found?.groups?.['name'] ?? '');
	return name === undefined ? message : {type: 'command', name, argument: (found?.groups?.['argument'] ?? '').trim()};
}

const message: DraftKind = {type: 'message'};

/** A picked file becomes its path, quoted as one shell word. */
function shellText(segment: Segment): string {
	if (segment.type === 'text') return segment.text;
	if (segment.type === 'paste') return segment.content;
	if (segment.type === 'workflow') return `/${segment.slug}`;
	const path = segment.path.startsWith('-') ? `./${segment.path}` : segment.path;
	return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}
