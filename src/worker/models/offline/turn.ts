import type {ModelMessage, ModelRequest} from '../../model.ts';

/**
A request as the guide reads it: the person's last words, what came with them, and what was done about them since.
*/
export type Turn = {
	/** The person's own words. */
	readonly ask: string;
	/** Every file in the context, the latest last. */
	readonly files: readonly AttachedFile[];
	readonly dirs: readonly AttachedDir[];
	readonly workflows: readonly AttachedWorkflow[];
	/** What programs told since the guide had its last word. Nobody asks anything with it. */
	readonly told: readonly string[];
	/** What the person named and could not be attached. */
	readonly unresolved: readonly string[];
	/** The calls since the ask that were answered, in call order. */
	readonly steps: readonly Step[];
	/** Whether the guide has not answered anything yet. */
	readonly first: boolean;
	/** The tools that may be called. */
	readonly tools: ReadonlySet<string>;
};

export type AttachedFile = {
	readonly path: string;
	/** The number of the body's first line. */
	readonly firstLine: number;
	readonly body: string;
	/** The header names a range, or the body was cut. */
	readonly partial: boolean;
	/** It came with this ask, not with an earlier one. */
	readonly now: boolean;
};
export type AttachedDir = {readonly path: string; readonly body: string};
export type AttachedWorkflow = {readonly slug: string; readonly body: string; readonly knowledge: readonly string[]};
export type Step = {
	readonly name: string;
	readonly args: Readonly<Record<string, unknown>>;
	readonly content: string;
	readonly isError: boolean;
};

/**
Reads the turn out of the messages, as any model must: attachments are user messages that begin with a header line.
*/
export function turnOf(request: ModelRequest): Turn {
	const {messages} = request;
	const asked = messages.findLastIndex(message => message.role === 'user' && isWords(message.text));
	const ask = messages[asked];
	const since = messages.slice(asked + 1);
	const headed = messages.flatMap((message, index) =>
		message.role === 'user' && !isWords(message.text) ? [{text: message.text, now: index > asked}] : [],
	);
	const words = ask?.role === 'user' ? ask.text : '';
	return {
		ask: words,
		files: headed.flatMap(fileOf),
		dirs: headed.filter(({now}) => now).flatMap(({text}) => dirOf(text)),
		workflows: workflowsOf(headed.filter(({now}) => now).map(({text}) => text)),
		told: toldSince(messages),
		unresolved: [...words.matchAll(/\[unresolved file ref: ([^\]\n]*)\]/g)].map(([, path]) => path!),
		steps: stepsOf(since),
		first: !messages.slice(0, Math.max(asked, 0)).some(message => message.role === 'assistant'),
		tools: new Set(request.tools.map(({name}) => name)),
	};
}

/**
Notifications that are said when all else was answered. Those that come while something is done change nothing of it.
*/
function toldSince(messages: readonly ModelMessage[]): readonly string[] {
	const last = messages.findLastIndex(message =>
		message.role === 'assistant'
			? !message.parts.some(part => part.type === 'tool_call')
			: message.role === 'user' && message.text.startsWith('The previous turn was cut short'),
	);
	const since = messages.slice(last + 1);
	if (since.some(message => message.role !== 'user' || isWords(message.text))) return [];
	return since.flatMap(message =>
		message.role === 'user' && message.text.startsWith(notification)
			? [message.text.slice(notification.length)]
			: [],
	);
}

const notification = '[Notification] ';

/** Not a header of an attachment and not one of the program's own notes. */
function isWords(text: string): boolean {
	return (
		!header.test(text) &&
		!text.startsWith(notification) &&
		!/^(?:The previous turn was cut short|Your (?:last |previous )?(?:answer|reply) was cut)/.test(text)
	);
}

const header =
	/^\[(?:File|Dir|Auto-read file|Workflow|Instructions|Knowledge|Notice|Interrupted|Shell|Summary of|A part of)\b[^\n]*\](?:\n|$)/;

function fileOf({text, now}: {readonly text: string; readonly now: boolean}): readonly AttachedFile[] {
	const match =
		/^\[(?:File|Auto-read file): (?<path>[^\n]*?)(?::(?<first>\d+)(?<more>-\d*)?)?\]\n(?<body>[^]*)$/.exec(text);
	if (match === null) return [];
	const {path, first, body} = match.groups as {path: string; first?: string; body: string};
	const cut = /\n\[\.\.\.truncated, [^\n]*\]$/.exec(body);
	return [
		{
			path,
			firstLine: Number(first ?? 1),
			body: cut === null ? body : body.slice(0, cut.index),
			partial: first !== undefined || cut !== null,
			now,
		},
	];
}

function dirOf(text: string): readonly AttachedDir[] {
	const match = /^\[Dir: (?<path>[^\n]*)\]\n(?<body>[^]*)$/.exec(text);
	return match === null ? [] : [{path: match.groups!['path']!, body: match.groups!['body']!}];
}

function workflowsOf(texts: readonly string[]): readonly AttachedWorkflow[] {
	const matches = texts.flatMap(text => {
		const groups =
			/^\[Workflow \/(?<slug>[\w-]+)(?: requires Knowledge #(?<knowledge>[\w-]+))?\]\n?(?<body>[^]*)$/.exec(
				text,
			)?.groups;
		return groups === undefined ? [] : [groups];
	});
	return matches
		.filter(groups => groups['knowledge'] === undefined)
		.map(groups => ({
			slug: groups['slug']!,
			body: groups['body']!,
			knowledge: matches.flatMap(other =>
				other['slug'] === groups['slug'] && other['knowledge'] !== undefined ? [other['knowledge']] : [],
			),
		}));
}

function stepsOf(messages: readonly ModelMessage[]): readonly Step[] {
	const answers = new Map(
		messages.flatMap(message =>
			message.role === 'tool' ? message.results.map(result => [result.callId, result] as const) : [],
		),
	);
	const calls = messages.flatMap(message =>
		message.role === 'assistant' ? message.parts.filter(part => part.type === 'tool_call') : [],
	);
	return calls.flatMap(call => {
		const answer = answers.get(call.callId);
		return answer === undefined
			? []
			: [{name: call.name, args: argumentsOf(call.arguments), content: answer.content, isError: answer.isError}];
	});
}

function argumentsOf(text: string): Readonly<Record<string, unknown>> {
	try {
		const value: unknown = JSON.parse(text);
		return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
	} catch {
		return {};
	}
}
