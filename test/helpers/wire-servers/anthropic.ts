import type {IncomingHttpHeaders} from 'node:http';
import {argumentsText, splitText, type Answer, type StepOf} from '../../../src/worker/wires/script.ts';
import type {Ledger} from './ledger.ts';
import {refusePairing, type Said} from './pairing.ts';
import {refuseMedia} from './media.ts';
import {callIdOf, isInterruption, paced, stopOf, usageOf, type Frame, type Json, type Speech} from './speech.ts';

/** Speaks the Messages API. */
export const anthropicSpeech: Speech = {
	path: /^\/v1\/messages$/,
	refuse({body, headers}, ledger) {
		if (!hasKey(headers) || headers['anthropic-version'] === undefined)
			return 'The key or the version header is missing.';
		if (body.stream !== true || typeof body.max_tokens !== 'number') return 'stream and max_tokens are required.';
		return (
			refuseMarks(body) ??
			refuseMessages(body.messages) ??
			refusePairing(body.messages.flatMap(said)) ??
			refuseSigned(body.messages, ledger)
		);
	},
	*frames(answer, n, ledger) {
		const usage = usageOf(answer);
		const tokens = {
			input_tokens: usage.input - usage.cacheRead - usage.cacheWrite,
			cache_read_input_tokens: usage.cacheRead,
			cache_creation_input_tokens: usage.cacheWrite,
			cache_creation: {
				ephemeral_5m_input_tokens: usage.cacheWrite - usage.cacheWriteHour,
				ephemeral_1h_input_tokens: usage.cacheWriteHour,
			},
		};
		yield event({
			type: 'message_start',
			message: {
				id: `msg_${n}`,
				type: 'message',
				role: 'assistant',
				model: 'served',
				content: [],
				stop_reason: null,
				stop_sequence: null,
				usage: {...tokens, output_tokens: 1},
			},
		});
		yield event({type: 'ping'});
		yield* blocks(answer, n, ledger);
		yield event({
			type: 'message_delta',
			delta: {stop_reason: stopReasons[stopOf(answer)], stop_sequence: null},
			usage: {output_tokens: usage.output},
		});
		yield event({type: 'message_stop'});
	},
	errorBody: (status, message) => ({type: 'error', error: {type: errorTypes[status] ?? 'api_error', message}}),
	errorFrame: (status, message) =>
		event({type: 'error', error: {type: errorTypes[status] ?? 'api_error', message}}).sse,
};

const stopReasons = {
	end: 'end_turn',
	tool_calls: 'tool_use',
	length: 'max_tokens',
	refused: 'refusal',
	blocked: 'strange',
	unread_call: 'strange',
	paused: 'pause_turn',
	other: 'strange',
};
const errorTypes: Record<number, string> = {
	400: 'invalid_request_error',
	401: 'authentication_error',
	403: 'permission_error',
	404: 'not_found_error',
	413: 'request_too_large',
	429: 'rate_limit_error',
	529: 'overloaded_error',
};

function event(data: {type: string; [key: string]: Json}): {sse: string} {
	return {sse: `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`};
}

function* blocks(answer: Answer, n: number, ledger: Ledger): Iterable<Frame> {
	const signatures: string[] = [];
	let block = 0;
	for (const [index, step] of answer.entries()) {
		if (isInterruption(step)) yield {step};
		if (step.type === 'text' || step.type === 'reasoning' || step.type === 'tool_call') {
			yield* parts[step.type](step as never, block, callIdOf(step as StepOf<'tool_call'>, n, index), {
				ledger,
				signatures,
			});
			block += 1;
		}
	}
}

type Signing = {readonly ledger: Ledger; readonly signatures: string[]};

const parts = {
	*text(step: StepOf<'text'>, index: number, _id: string, {ledger, signatures}: Signing): Iterable<Frame> {
		yield event({type: 'content_block_start', index, content_block: {type: 'text', text: ''}});
		for (const text of splitText(step.text, step.chunk))
			yield paced(event({type: 'content_block_delta', index, delta: {type: 'text_delta', text}}).sse, step);
		ledger.owe(`text ${step.text}`, signatures);
		yield event({type: 'content_block_stop', index});
	},
	*reasoning(step: StepOf<'reasoning'>, index: number, _id: string, {ledger, signatures}: Signing): Iterable<Frame> {
		const signature = ledger.sign(step.text);
		signatures.push(signature);
		yield event({
			type: 'content_block_start',
			index,
			content_block:
				step.text === ''
					? {type: 'redacted_thinking', data: signature}
					: {type: 'thinking', thinking: '', signature: ''},
		});
		for (const thinking of splitText(step.text, step.chunk))
			yield paced(
				event({type: 'content_block_delta', index, delta: {type: 'thinking_delta', thinking}}).sse,
				step,
			);
		if (step.text !== '')
			yield event({type: 'content_block_delta', index, delta: {type: 'signature_delta', signature}});
		yield event({type: 'content_block_stop', index});
	},
	*tool_call(step: StepOf<'tool_call'>, index: number, id: string, {ledger, signatures}: Signing): Iterable<Frame> {
		yield event({
			type: 'content_block_start',
			index,
			content_block: {type: 'tool_use', id, name: step.name, input: {}},
		});
		for (const partial_json of splitText(argumentsText(step), step.chunk))
			yield paced(
				event({type: 'content_block_delta', index, delta: {type: 'input_json_delta', partial_json}}).sse,
				step,
			);
		ledger.owe(`call ${id}`, signatures);
		yield event({type: 'content_block_stop', index});
	},
};

/** The API takes a key in its own header, or a bearer token, but not both. */
function hasKey(headers: IncomingHttpHeaders): boolean {
	const hasToken = /^Bearer .+/.test(headers.authorization ?? '');
	return (typeof headers['x-api-key'] === 'string') !== hasToken;
}

function refuseMessages(messages: Json): string | undefined {
	if (!Array.isArray(messages) || messages.length === 0) return 'messages: at least one message is required.';
	for (const [index, {role, content}] of messages.entries()) {
		if (role !== (index % 2 === 0 ? 'user' : 'assistant'))
			return `messages.${index}: roles must alternate and begin with user, found ${role}.`;
		if (!Array.isArray(content) || content.length === 0) return `messages.${index}: content must not be empty.`;
		if (role === 'assistant' && /thinking$/.test(content.at(-1).type))
			return `messages.${index}: the final block in an assistant message cannot be thinking.`;
		const firstText = content.findIndex((block: Json) => block.type === 'text');
		if (
			role === 'user' &&
			firstText !== -1 &&
			content.slice(firstText).some((block: Json) => block.type === 'tool_result')
		)
			return `messages.${index}: tool_result blocks must come first.`;
		const refusal = content.map(refuseBlock).find((reason: string | undefined) => reason !== undefined);
		if (refusal !== undefined) return `messages.${index}: ${refusal}`;
	}
	return messages.length % 2 === 1 ? undefined : 'The conversation must end with a user message.';
}

function refuseBlock(block: Json): string | undefined {
	if (block.type === 'text')
		return block.text.trim() === '' ? 'text content blocks must contain non-whitespace text.' : undefined;
	if (block.type === 'tool_use')
		return !/^[\w-]{1,64}$/.test(block.id)
			? 'tool_use.id does not match the pattern.'
			: isObject(block.input)
				? undefined
				: 'tool_use.input must be an object.';
	if (block.type === 'tool_result')
		return block.is_error === true && block.content === ''
			? 'content cannot be empty if is_error is true.'
			: undefined;
	if (block.type === 'image' || block.type === 'document')
		return refuseMedia(block.source.media_type, block.source.data);
	return ['thinking', 'redacted_thinking'].includes(block.type) ? undefined : `unknown block ${block.type}.`;
}

/**
Allows at most four marks, none on a part that cannot be cached, and none for an hour after one for five minutes.
*/
function refuseMarks({system, tools = [], messages}: Json): string | undefined {
	const blocks: Json[] = [
		...tools,
		...(Array.isArray(system) ? system : []),
		...(Array.isArray(messages) ? messages.flatMap(({content}) => content) : []),
	];
	const marked = blocks.filter(block => block.cache_control !== undefined);
	if (marked.length > 4) return `A maximum of 4 blocks with cache_control may be provided. Found ${marked.length}.`;
	if (marked.some(({cache_control: mark}) => mark.type !== 'ephemeral'))
		return 'cache_control.type must be ephemeral.';
	const times = marked.map(({cache_control: {ttl = '5m'}}) => ttl);
	if (times.some(time => time !== '5m' && time !== '1h')) return "cache_control.ttl must be '5m' or '1h'.";
	if (times.lastIndexOf('1h') > times.indexOf('5m') && times.includes('5m'))
		return "a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block.";
	return marked.some(({type, text}) => /thinking$/.test(type ?? '') || text === '')
		? 'cache_control cannot be set for empty text or thinking blocks.'
		: undefined;
}

function isObject(value: unknown): boolean {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function said({role, content}: Json): Said[] {
	if (role === 'assistant') return [{type: 'calls', ids: idsOf(content, 'tool_use', 'id')}];
	return [{type: 'results', ids: idsOf(content, 'tool_result', 'tool_use_id')}, {type: 'user'}];
}

function idsOf(content: Json[], type: string, key: string): string[] {
	return content.filter(block => block.type === type).map(block => block[key]);
}

function refuseSigned(messages: Json[], ledger: Ledger): string | undefined {
	const given = messages.filter(({role}) => role === 'assistant').flatMap(({content}) => content);
	const signed = new Map<string, string>();
	for (const block of given) {
		if (block.type === 'thinking') signed.set(block.signature, block.thinking);
		if (block.type === 'redacted_thinking') signed.set(block.data, '');
	}
	return ledger.refuse(
		signed,
		given.map(block => (block.type === 'tool_use' ? `call ${block.id}` : `text ${block.text}`)),
	);
}
