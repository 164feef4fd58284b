import {en} from '../../../language/index.ts';
import {stamp, type Clock, type Item, type Message} from '../../../worker/index.ts';
import {narrowOrigin, type OriginOf} from '../../protocol.ts';
import {closed} from '../text/one-line.ts';

/** A system message about a user's command. */
export type CommandItem = Message & {readonly origin: OriginOf<'shell'>};

/**
Creates the item that is committed when a command starts. The item has no text, so no request contains it. The item of
the command's output follows when the command has ended. `id`: the command's id in the queue.
*/
export function commandStart(command: string, clock: Clock, id?: string): CommandItem {
	const origin = {...originOf(command), ...(id !== undefined && {id}), started: true} as const;
	return {...messageOf('', clock), origin};
}

/**
Creates the item of a command's output, still without the output. The output is streamed under the id of this item.
*/
export function commandOutput({id, origin}: CommandItem, clock: Clock): CommandItem {
	const {command} = origin;
	return {...messageOf(headerOf(command), clock), origin: {...originOf(command), start: id}};
}

/** Returns the text that the model reads about a command: the command, its output, and how it ended. */
export function commandText(command: string, output: string, ending: string): string {
	return `${headerOf(command)}${closed(output)}[${ending}]`;
}

/**
Returns the item of an interrupted command, with the output that arrived. `item` is the streamed part of the item.
*/
export function interruptedCommand(item: CommandItem): CommandItem {
	const {command} = item.origin;
	const output = item.text.slice(headerOf(command).length);
	const bytes = Buffer.byteLength(output);
	const text = commandText(command, output, en`Interrupted: inkpod ended during the command`);
	return {...item, text, origin: {...item.origin, bytes, totalBytes: bytes}};
}

/**
Returns the start item of the last command if its output item is missing. Only notices can follow such a start item.
*/
export function openCommand(items: readonly Item[]): CommandItem | undefined {
	const last = items.findLastIndex(item => item.type !== 'message' || item.role !== 'system' || isCommand(item));
	const item = items[last];
	if (item?.type !== 'message' || item.role !== 'system') return undefined;
	return isCommand(item) && item.origin.started === true ? item : undefined;
}

export function isCommand(item: Message): item is CommandItem {
	return item.role === 'system' && narrowOrigin(item.origin)?.kind === 'shell';
}

function headerOf(command: string): string {
	return `[Shell: ${command}]\n`;
}

function originOf(command: string): OriginOf<'shell'> {
	return {kind: 'shell', command, bytes: 0, totalBytes: 0, truncated: false};
}

function messageOf(text: string, clock: Clock): Message {
	return stamp(clock, {type: 'message', role: 'system', text});
}
