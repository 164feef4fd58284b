import type {ModelMessage, ModelRequest} from '../../history/model.ts';
import {isRecord, parseJson} from '../values.ts';
import type {GuideTool} from './guide-tools.ts';

/** A request as the guide reads it: the user's last message, its attachments, and the calls since that message. */
export type Turn = {
	/** The user's last message. */
	readonly message: string;
	/** The files in the context, the latest one last. */
	readonly files: readonly AttachedFile[];
	readonly dirs: readonly AttachedDir[];
	readonly workflows: readonly AttachedWorkflow[];
	/** The notifications since the guide's last answer. */
	readonly notifications: readonly string[];
	/** The paths in the message that could not be attached. */
	readonly unresolved: readonly string[];
	/** The answered calls since the message, in call order. */
	readonly steps: readonly Step[];
	/** Whether the guide has not answered anything yet. */
	readonly isFirst: boolean;
	/** The tools that the guide uses. Not every session offers all of them. */
	readonly tools: readonly GuideTool[];
	/** The names of the session's tools. */
	readonly offered: ReadonlySet<string>;
};

export type AttachedFile = {
	readonly path: string;
	/** The number of the body's first line. */
	readonly firstLine: number;
	readonly body: string;
	/** Whether the header names a range, or the body was truncated. */
	readonly isPartial: boolean;
	/** Whether the file is attached to the last message and not to an earlier one. */
	readonly isNew: boolean;
};
export type AttachedDir = {readonly path: string; readonly body: string};
export type AttachedWorkflow = {readonly slug: string; readonly body: string; readonly knowledge: readonly string[]};
export type Step = {
	readonly name: string;
	readonly args: Readonly<Record<string, unknown>>;
	readonly content: string;
	readonly isError: boolean;
};

/** Reads the turn from the messages, as any model must: attachments are user messages that begin with a header line. */
export function readTurn({messages, tools: offered}: ModelRequest, tools: readonly GuideTool[]): Turn {
	const at = messages.findLastIndex(message => message.role === 'user' && isUserText(message.text));
	const last = messages[at];
	const text = last?.role === 'user' ? last.text : '';
	const attachments = messages.flatMap((message, index) =>
		message.role === 'user' && !isUserText(message.text) ? [{text: message.text, isNew: index > at}] : [],
	);
	const added = attachments.filter(({isNew}) => isNew).map(attachment => attachment.text);
	return {
		message: text,
		files: attachments.flatMap(fileOf),
		dirs: added.flatMap(dirOf),
		workflows: workflowsOf(added),
		notifications: notificationsIn(messages),
		unresolved: [...text.matchAll(/\[unresolved file ref: ([^\]\n]*)\]/g)].map(([, path = '']) => path),
		steps: stepsOf(messages.slice(at + 1)),
		isFirst: !messages.slice(0, Math.max(at, 0)).some(message => message.role === 'assistant'),
		tools,
		offered: new Set(offered.map(({name}) => name)),
	};
}

/**
Returns the notifications to report after everything else is answered. During a turn the guide ignores notifications.
*/
function notificationsIn(messages: readonly ModelMessage[]): readonly string[] {
	const last = messages.findLastIndex(message =>
		message.role === 'assistant'
			? !message.parts.some(part => part.type === 'tool_call')
			: message.role === 'user' && message.text.startsWith('The previous turn was cut short'),
	);
	const since = messages.slice(last + 1);
	if (since.some(message => message.role !== 'user' || isUserText(message.text))) return [];
	return since.flatMap(message =>
		message.role === 'user' && message.text.startsWith(notification)
			? [message.text.slice(notification.length)]
			: [],
	);
}

const notification = '[Notification] ';

const ownNote = /^(?:The previous turn was cut short|Your (?:last |previous )?(?:answer|reply) was cut)/;

/** Tells whether the user wrote the text. Attachments and inkpod's own notes are not written by the user. */
function isUserText(text: string): boolean {
	return !header.test(text) && !text.startsWith(notification) && !ownNote.test(text);
}

const headerNames = [
	'File',
	'Dir',
	'Auto-read file',
	'Workflow',
	'Instructions',
	'Knowledge',
	'Notice',
	'Interrupted',
	'Shell',
	'Summary of',
	'A part of',
];
const header = new RegExp(String.raw`^\[(?:${headerNames.join('|')})\b[^\n]*\](?:\n|$)`);

const fileHeader = /^\[(?:File|Auto-read file): (?<path>[^\n]*?)(?::(?<first>\d+)(?<more>-\d*)?)?\]\n(?<body>[^]*)$/;

function fileOf({text, isNew}: {readonly text: string; readonly isNew: boolean}): readonly AttachedFile[] {
	const groups = fileHeader.exec(text)?.groups;
	if (groups === undefined) return [];
	const {path = '', first, body = ''} = groups;
	const cut = /\n\[\.\.\.truncated, [^\n]*\]$/.exec(body);
	return [
		{
			path,
			firstLine: Number(first ?? 1),
			body: cut === null ? body : body.slice(0, cut.index),
			isPartial: first !== undefined || cut !== null,
			isNew,
		},
	];
}

function dirOf(text: string): readonly AttachedDir[] {
	const groups = /^\[Dir: (?<path>[^\n]*)\]\n(?<body>[^]*)$/.exec(text)?.groups;
	return groups === undefined ? [] : [{path: groups['path'] ?? '', body: groups['body'] ?? ''}];
}

const workflowHeader = /^\[Workflow \/(?<slug>[\w-]+)(?: requires Knowledge #(?<knowledge>[\w-]+))?\]\n?(?<body>[^]*)$/;

function workflowsOf(texts: readonly string[]): readonly AttachedWorkflow[] {
	const matches = texts.flatMap(text => {
		const groups = workflowHeader.exec(text)?.groups;
		return groups === undefined ? [] : [groups];
	});
	return matches
		.filter(({knowledge}) => knowledge === undefined)
		.map(({slug = '', body = ''}) => ({
			slug,
			body,
			knowledge: matches.flatMap(other => (other['slug'] === slug ? (other['knowledge'] ?? []) : [])),
		}));
}

function stepsOf(messages: readonly ModelMessage[]): readonly Step[] {
	const results = messages.flatMap(message => (message.role === 'tool' ? message.results : []));
	const resultOf = new Map(results.map(result => [result.callId, result]));
	const calls = messages.flatMap(message =>
		message.role === 'assistant' ? message.parts.filter(part => part.type === 'tool_call') : [],
	);
	return calls.flatMap(({callId, name, arguments: written}) => {
		const result = resultOf.get(callId);
		if (result === undefined) return [];
		return [{name, args: argumentsOf(written), content: result.content, isError: result.isError}];
	});
}

export function argumentsOf(text: string): Readonly<Record<string, unknown>> {
	const value = parseJson(text);
	return isRecord(value) ? value : {};
}
