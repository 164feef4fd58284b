import type {Segment} from '../../pod/protocol.ts';
import type {Draft} from '../composer/editor/draft.ts';
import {commands, type CommandName} from './commands.ts';

/** What a draft asks for: something of the screen, of the user's shell, or of the model. */
export type Meaning =
	| {readonly type: 'command'; readonly name: CommandName; readonly argument: string}
	/** Blank when nothing is after the `!`. */
	| {readonly type: 'shell'; readonly command: string}
	| {readonly type: 'message'};

/**
A command is one line of typed text, `/name` or `/name argument`; a command of the shell begins with `!`. A backslash or
a space before either makes it text.
*/
export function meaningOf(segments: readonly Segment[]): Meaning {
	const [first, ...rest] = segments;
	if (first?.type !== 'text') return message;
	if (first.text.startsWith('!')) return {type: 'shell', command: segments.map(shellText).join('').slice(1).trim()};
	const found = rest.length === 0 ? /^\/(?<name>[a-z-]+)(?:[^\S\n]+(?<argument>.*))?$/.exec(first.text) : null;
	const name = found?.groups?.['name'] ?? '';
	return isCommand(name) ? {type: 'command', name, argument: (found?.groups?.['argument'] ?? '').trim()} : message;
}

/** Whether a draft is one for the shell, as it is. */
export function isShellDraft(draft: Draft): boolean {
	return draft[0]?.[0] === '!';
}

const message: Meaning = {type: 'message'};

function isCommand(name: string): name is CommandName {
	return Object.hasOwn(commands, name);
}

/** A picked file is its path, one word to the shell whatever it is called. */
function shellText(segment: Segment): string {
	if (segment.type === 'text') return segment.text;
	if (segment.type === 'paste') return segment.content;
	if (segment.type === 'workflow') return `/${segment.slug}`;
	const path = segment.path.startsWith('-') ? `./${segment.path}` : segment.path;
	return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}
