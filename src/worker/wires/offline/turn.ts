import type {ModelMessage, ModelRequest} from '../../history/model.ts';
import {isRecord, parseJson} from '../values.ts';

/** A request as the guide reads it: the user's last message, its attachments, and the calls since that message. */
export type Turn = {
	readonly message: string;
	readonly attachments: readonly Attachment[];
	/** The paths in the message that could not be attached. */
	readonly unresolved: readonly string[];
	/** The notifications since the last answer. */
	readonly notifications: readonly string[];
	/** The answered calls since the message, in call order. */
	readonly steps: readonly Step[];
	/** Whether there is no answer before the message. */
	readonly isFirst: boolean;
	/** The names of the session's tools. */
	readonly offered: ReadonlySet<string>;
};

/** `name`: the path, or the name of the workflow. `first`: the number of the body's first line. */
export type Attachment = {
	readonly kind: 'File' | 'Dir' | 'Workflow';
	readonly name: string;
	readonly first: number;
	readonly body: string;
};

export type Step = {
	readonly name: string;
	readonly args: Readonly<Record<string, unknown>>;
	readonly content: string;
	readonly isError: boolean;
};

/**
Reads the turn from the request alone, because a model gets nothing else. Attachments are user messages that begin with
a header line.
*/
export function readTurn({messages, tools}: ModelRequest): Turn {
	const at = messages.findLastIndex(message => message.role === 'user' && !ownText.test(message.text));
	const since = messages.slice(at + 1);
	const [text = ''] = textsOf(messages.slice(Math.max(at, 0), at + 1));
	const unresolved = /\[unresolved file ref: ([^\]\n]*)\]/g;
	return {
		message: text.replaceAll(unresolved, ''),
		attachments: textsOf(since).flatMap(attachmentIn),
		unresolved: Array.from(text.matchAll(unresolved), ([, path = '']) => path),
		notifications: notificationsIn(messages),
		steps: stepsOf(since),
		isFirst: !messages.slice(0, Math.max(at, 0)).some(({role}) => role === 'assistant'),
		offered: new Set(tools.map(({name}) => name)),
	};
}

export function textsOf(messages: readonly ModelMessage[]): readonly string[] {
	return messages.flatMap(message => (message.role === 'user' ? [message.text] : []));
}

export function callsIn(messages: readonly ModelMessage[]) {
	const parts = messages.flatMap(message => (message.role === 'assistant' ? message.parts : []));
	return parts.filter(part => part.type === 'tool_call');
}

const notification = '[Notification] ';
const cutShort = 'The previous turn was cut short';
const headers = [
	'File|Dir|Web|Auto-read file|Workflow|Instructions|Knowledge|Notice|Notification|Interrupted|Shell|',
	'Summary of|A part of',
].join('');
/** Matches attachments and inkpod's own notes, which the user did not write. */
const ownText = new RegExp(
	String.raw`^(?:\[(?:${headers})\b[^\n]*\]|${cutShort}|Your (?:last |previous )?(?:answer|reply) was cut)`,
);

const header = new RegExp(
	String.raw`^\[(?:(?<kind>File|Dir): (?<name>[^\n]*?)(?::(?<first>\d+)(?:-\d*)?)?|Workflow \/(?<slug>[\w-]+))\]\n?` +
		'(?<body>[^]*)$',
);

function attachmentIn(text: string): readonly Attachment[] {
	const groups = header.exec(text)?.groups;
	if (groups === undefined) return [];
	const {kind, slug = '', name = slug, first = '1', body = ''} = groups;
	return [{kind: kind === 'File' || kind === 'Dir' ? kind : 'Workflow', name, first: Number(first), body}];
}

/**
Returns the notifications that the guide reports once everything else is answered. During a turn, the guide ignores
notifications.
*/
function notificationsIn(messages: readonly ModelMessage[]): readonly string[] {
	const last = messages.findLastIndex(message =>
		message.role === 'assistant'
			? !message.parts.some(part => part.type === 'tool_call')
			: message.role === 'user' && message.text.startsWith(cutShort),
	);
	const since = messages.slice(last + 1);
	if (since.some(message => message.role !== 'user' || !ownText.test(message.text))) return [];
	return textsOf(since).flatMap(text => (text.startsWith(notification) ? [text.slice(notification.length)] : []));
}

function stepsOf(messages: readonly ModelMessage[]): readonly Step[] {
	const results = messages.flatMap(message => (message.role === 'tool' ? message.results : []));
	const resultOf = new Map(results.map(result => [result.callId, result]));
	return callsIn(messages).flatMap(({callId, name, arguments: written}) => {
		const result = resultOf.get(callId);
		const args = parseJson(written);
		return result === undefined ? [] : [{...result, name, args: isRecord(args) ? args : {}}];
	});
}
