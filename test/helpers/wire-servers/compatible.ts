import {argumentsText, splitText, type Answer, type StepOf} from '../../../src/worker/wires/script.ts';
import type {Ledger} from './ledger.ts';
import {refusePairing, type Said} from './pairing.ts';
import {callIdOf, isInterruption, paced, stopOf, usageOf, type Frame, type Json, type Speech} from './speech.ts';

/** Speaks chat completions like a server that requires a tool call's thoughts back together with the call. */
export const compatibleSpeech: Speech = {
	path: /^\/v1\/chat\/completions$/,
	refuse({body}, ledger, {alternate}) {
		if (body.stream !== true || body.stream_options?.include_usage !== true)
			return 'A stream with usage is expected.';
		return (
			refuseMessages(body.messages, alternate) ??
			refusePairing(body.messages.flatMap(said)) ??
			refuseThoughts(body.messages, ledger)
		);
	},
	*frames(answer, n, ledger) {
		yield chunk(n, {role: 'assistant', content: ''});
		yield* deltas(answer, n, ledger);
		yield chunk(n, {}, finishReasons[stopOf(answer)]);
		const usage = usageOf(answer);
		const tokens = {
			prompt_tokens: usage.input,
			completion_tokens: usage.output,
			total_tokens: usage.input + usage.output,
			prompt_tokens_details: {cached_tokens: usage.cacheRead},
			completion_tokens_details: {reasoning_tokens: usage.reasoning},
		};
		yield event({...head(n), choices: [], usage: tokens});
		yield {sse: 'data: [DONE]\n\n'};
	},
	errorBody: (status, message) => ({error: {message, type: 'error', code: status}}),
	errorFrame: (status, message) => event({error: {message, code: status}}).sse,
};

const finishReasons = {
	end: 'stop',
	tool_calls: 'tool_calls',
	length: 'length',
	refused: 'refusal',
	blocked: 'content_filter',
	unread_call: 'strange',
	paused: 'strange',
	other: 'strange',
};

function event(data: Json): {sse: string} {
	return {sse: `data: ${JSON.stringify(data)}\n\n`};
}

function head(n: number): Json {
	return {id: `chatcmpl-${n}`, object: 'chat.completion.chunk', created: 1_700_000_000, model: 'served'};
}

function chunk(n: number, delta: Json, finish_reason: string | null = null): {sse: string} {
	return event({...head(n), choices: [{index: 0, delta, finish_reason}]});
}

function* deltas(answer: Answer, n: number, ledger: Ledger): Iterable<Frame> {
	const thoughts: string[] = [];
	let call = 0;
	for (const [index, step] of answer.entries()) {
		if (isInterruption(step)) yield {step};
		else if (step.type === 'text')
			for (const content of splitText(step.text, step.chunk)) yield paced(chunk(n, {content}).sse, step);
		else if (step.type === 'reasoning') {
			thoughts.push(step.text);
			for (const reasoning_content of splitText(step.text, step.chunk))
				yield paced(chunk(n, {reasoning_content}).sse, step);
		} else if (step.type === 'tool_call') {
			yield* callDeltas(step, n, call, callIdOf(step, n, index));
			ledger.owe(`call ${callIdOf(step, n, index)}`, thoughts.length === 0 ? [] : [thoughts.join('')]);
			call += 1;
		}
	}
}

function* callDeltas(step: StepOf<'tool_call'>, n: number, index: number, id: string): Iterable<Frame> {
	yield chunk(n, {tool_calls: [{index, id, type: 'function', function: {name: step.name, arguments: ''}}]});
	for (const text of splitText(argumentsText(step), step.chunk))
		yield paced(chunk(n, {tool_calls: [{index, function: {arguments: text}}]}).sse, step);
}

function refuseMessages(messages: Json, alternate: boolean): string | undefined {
	if (!Array.isArray(messages) || messages.length === 0) return 'messages must not be empty.';
	for (const [index, message] of messages.entries()) {
		if (message.role === 'system' && index > 0) return 'System message must be at the beginning.';
		if (alternate && message.role === 'user' && messages[index - 1]?.role === 'user')
			return 'Conversation roles must alternate user/assistant.';
		if (message.role === 'assistant' && message.content === '' && message.tool_calls === undefined)
			return `messages[${index}]: an assistant message must not be empty.`;
		if (message.tool_calls?.some((call: Json) => !isObjectText(call.function.arguments)))
			return `messages[${index}]: arguments must be a JSON object.`;
	}
	return messages.at(-1).role === 'assistant'
		? 'The conversation must not end with an assistant message.'
		: undefined;
}

function isObjectText(text: string): boolean {
	try {
		const value: unknown = JSON.parse(text);
		return typeof value === 'object' && value !== null && !Array.isArray(value);
	} catch {
		return false;
	}
}

function said(message: Json): Said[] {
	if (message.role === 'tool') return [{type: 'results', ids: [message.tool_call_id]}];
	if (message.role === 'assistant') return [{type: 'calls', ids: message.tool_calls?.map(({id}: Json) => id) ?? []}];
	return message.role === 'user' ? [{type: 'user'}] : [];
}

/**
Refuses a call without its thoughts. In this protocol thoughts have no separate signature, so the message of their call
must contain them.
*/
function refuseThoughts(messages: Json[], ledger: Ledger): string | undefined {
	for (const message of messages) {
		const markers = message.tool_calls?.map(({id}: Json) => `call ${id}`) ?? [];
		const refusal = ledger.missing(markers, new Set([message.reasoning_content]));
		if (refusal !== undefined) return refusal;
	}
	return undefined;
}
