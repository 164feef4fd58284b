import type {Ledger} from '../ledger.ts';
import {refuseDataUrl} from '../media.ts';
import {refusePairing, type Said} from '../pairing.ts';
import type {Json} from '../speech.ts';
import type {ChatServer} from './chat-server.ts';
import {markersOf, signatureOf, signedIn} from './thoughts.ts';

/** Returns why a server refuses this request, in its own words, or `undefined` if it accepts it. */
export function refuseChat({refuses, answers}: ChatServer, body: Json, ledger: Ledger): string | undefined {
	if (body.stream !== true || body.stream_options?.include_usage !== true) return 'A stream with usage is expected.';
	const {messages} = body;
	if (!Array.isArray(messages) || messages.length === 0) return 'messages must not be empty.';
	for (const [index, message] of messages.entries()) {
		const refusal =
			refuseFields(refuses, message, index) ??
			refuseIds(refuses, message) ??
			refuseContent(refuses, message, index);
		if (refusal !== undefined) return refusal;
	}
	return (
		refuseOrder(refuses, messages) ??
		refusePairing(messages.flatMap(said)) ??
		refuseThoughts({refuses, answers}, messages, ledger)
	);
}

type Refuses = ChatServer['refuses'];

const fields: Readonly<Record<string, readonly string[]>> = {
	system: ['role', 'content'],
	user: ['role', 'content'],
	assistant: ['role', 'content', 'tool_calls'],
	tool: ['role', 'content', 'tool_call_id'],
};

function refuseFields({unknownField, more = []}: Refuses, message: Json, index: number): string | undefined {
	const known = fields[message.role];
	if (known === undefined) return `messages[${index}]: unknown role ${message.role}.`;
	const own = message.role === 'assistant' ? more : [];
	const unknown = Object.keys(message).find(name => !known.includes(name) && !own.includes(name));
	if (unknown !== undefined) return unknownField(index, unknown);
	const callFields = ['id', 'type', 'function', ...own];
	const stray = (message.tool_calls ?? [])
		.flatMap((call: Json) => Object.keys(call))
		.find((name: string) => !callFields.includes(name));
	return stray === undefined ? undefined : unknownField(index, stray);
}

function refuseIds({callIds}: Refuses, message: Json): string | undefined {
	const ids: string[] = [...(message.tool_calls ?? []).map(({id}: Json) => id), message.tool_call_id ?? []].flat();
	if (ids.includes('')) return 'The id of a tool call must not be empty.';
	const refused = callIds === undefined ? undefined : ids.find(id => !callIds.accepted.test(id));
	return refused === undefined ? undefined : callIds?.words(refused);
}

function refuseContent({parts}: Refuses, message: Json, index: number): string | undefined {
	const {role, content, tool_calls: calls} = message;
	if (role === 'assistant' && (content ?? '').trim() === '' && (calls ?? []).length === 0)
		return `messages[${index}]: an assistant message must have content or tool_calls.`;
	if (role === 'assistant' && content === null) return undefined;
	const images = Array.isArray(content) ? content.filter((part: Json) => part.type === 'image_url') : [];
	// A model that reads images takes parts, and a server has both kinds of models.
	if (typeof content !== 'string' && parts !== undefined && images.length === 0) return parts(index);
	for (const {image_url: image} of images) {
		const refusal = role === 'user' ? refuseDataUrl(image.url) : 'only a user message has images.';
		if (refusal !== undefined) return `messages[${index}]: ${refusal}`;
	}
	return (calls ?? []).every((call: Json) => isObjectText(call.function.arguments))
		? undefined
		: `messages[${index}]: arguments must be a JSON object.`;
}

function isObjectText(text: string): boolean {
	try {
		const value: unknown = JSON.parse(text);
		return typeof value === 'object' && value !== null && !Array.isArray(value);
	} catch {
		return false;
	}
}

function refuseOrder({order}: Refuses, messages: readonly Json[]): string | undefined {
	if (messages.slice(1).some(({role}) => role === 'system')) return 'System message must be at the beginning.';
	const roles: string[] = messages.map(({role}) => role).filter(role => role !== 'system');
	if (!['user', 'tool'].includes(roles.at(-1) ?? '')) return 'Last message must have role `user` or `tool`.';
	if (roles[0] !== 'user') return 'The first message must have role `user`.';
	if (order === undefined) return undefined;
	// A template counts only what is not about tools.
	const counted: string[] =
		order.rule === 'alternate'
			? messages
					.filter(
						({role, tool_calls: calls}) => role === 'user' || (role === 'assistant' && calls === undefined),
					)
					.map(({role}) => role)
			: roles;
	const wrong = counted.findIndex((role, at) => {
		const before = counted[at - 1];
		if (order.rule === 'alternate') return role !== (at % 2 === 0 ? 'user' : 'assistant');
		return role === 'user' && (before === 'user' || (before === 'tool' && order.rule === 'answered'));
	});
	return wrong === -1 ? undefined : order.words(counted[wrong] ?? '', counted[wrong - 1] ?? '');
}

function said(message: Json): Said[] {
	if (message.role === 'tool') return [{type: 'results', ids: [message.tool_call_id]}];
	if (message.role === 'assistant') return [{type: 'calls', ids: message.tool_calls?.map(({id}: Json) => id) ?? []}];
	return message.role === 'user' ? [{type: 'user'}] : [];
}

/** Refuses thoughts that are missing, changed, or another server's. */
function refuseThoughts(
	{refuses: {thoughts}, answers}: Pick<ChatServer, 'refuses' | 'answers'>,
	messages: readonly Json[],
	ledger: Ledger,
): string | undefined {
	if (thoughts === undefined) return undefined;
	const loopStart = messages.findLastIndex(({role}) => role === 'user');
	for (const [index, message] of messages.entries()) {
		if (message.role !== 'assistant') continue;
		const calls: readonly Json[] = message.tool_calls ?? [];
		const signature = signatureOf(answers.thoughts, message);
		const isMissing =
			thoughts.on === 'every'
				? typeof message.reasoning_content !== 'string'
				: thoughts.on === 'calls' && calls.length > 0 && (signature ?? '') === '';
		if (isMissing) return thoughts.words(index);
		if (answers.thoughts === 'reasoning_content' && index < loopStart && thoughts.on === 'own calls') continue;
		const present = new Set(signature === undefined ? [] : [signature]);
		if (ledger.missing(markersOf(answers, calls), present) !== undefined) return thoughts.words(index);
		if (ledger.refuse(signedIn(answers.thoughts, message), []) !== undefined) return thoughts.words(index);
	}
	return undefined;
}
