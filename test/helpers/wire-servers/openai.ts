import {argumentsText, splitText, type Answer, type StepOf} from '../../../src/worker/wires/script.ts';
import type {Ledger} from './ledger.ts';
import {refuseDataUrl} from './media.ts';
import {refusePairing, type Said} from './pairing.ts';
import {callIdOf, isInterruption, paced, stopOf, usageOf, type Frame, type Json, type Speech} from './speech.ts';

/** Speaks the Responses API, for a model that reasons and an account that stores nothing. */
export const openaiSpeech: Speech = {
	path: /^\/v1\/responses$/,
	refuse({body, headers}, ledger) {
		if (!/^Bearer ./.test(headers.authorization ?? '')) return 'You did not provide an API key.';
		if (body.stream !== true || body.store !== false) return 'stream and store: false are expected.';
		if (!body.include?.includes('reasoning.encrypted_content'))
			return 'Without storage, reasoning.encrypted_content must be included.';
		if (
			body.prompt_cache_key !== undefined &&
			(typeof body.prompt_cache_key !== 'string' || body.prompt_cache_key.length > 64)
		)
			return 'prompt_cache_key: a string of at most 64 characters is expected.';
		return refuseInput(body.input) ?? refusePairing(body.input.flatMap(said)) ?? refuseSigned(body.input, ledger);
	},
	*frames(answer, n, ledger) {
		const usage = usageOf(answer);
		const stop = stopOf(answer);
		const response = {
			id: `resp_${n}`,
			object: 'response',
			created_at: 1_700_000_000,
			model: 'served',
			status: 'in_progress',
		};
		yield event({type: 'response.created', response});
		yield event({type: 'response.in_progress', response});
		yield* items(answer, n, ledger);
		if (stop === 'refused') yield* refusal(n, answer.length);
		const reason = stop === 'length' ? 'max_output_tokens' : stop === 'blocked' ? 'content_filter' : undefined;
		const tokens = {
			input_tokens: usage.input,
			input_tokens_details: {cached_tokens: usage.cacheRead},
			output_tokens: usage.output,
			output_tokens_details: {reasoning_tokens: usage.reasoning},
			total_tokens: usage.input + usage.output,
		};
		yield event({
			type: reason === undefined ? 'response.completed' : 'response.incomplete',
			response: {
				...response,
				status: reason === undefined ? 'completed' : 'incomplete',
				incomplete_details: reason === undefined ? null : {reason},
				usage: tokens,
			},
		});
	},
	errorBody: (status, message) => ({
		error: {
			message,
			type: status === 401 ? 'invalid_request_error' : 'error',
			param: null,
			code: codes[status] ?? null,
		},
	}),
	errorFrame: (status, message) =>
		event({
			type: 'error',
			sequence_number: 9,
			error: {type: codes[status] ?? 'server_error', code: codes[status] ?? 'server_error', message, param: null},
		}).sse,
};

const codes: Record<number, string> = {
	401: 'invalid_api_key',
	404: 'model_not_found',
	429: 'rate_limit_exceeded',
	503: 'server_overloaded',
};

function event(data: {type: string; [key: string]: Json}): {sse: string} {
	return {sse: `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`};
}

function* items(answer: Answer, n: number, ledger: Ledger): Iterable<Frame> {
	const signatures: string[] = [];
	let place = 0;
	for (const [index, step] of answer.entries()) {
		if (isInterruption(step)) yield {step};
		if (step.type === 'text' || step.type === 'reasoning' || step.type === 'tool_call') {
			const item = {
				n,
				output_index: place,
				callId: callIdOf(step as StepOf<'tool_call'>, n, index),
				ledger,
				signatures,
			};
			yield* kinds[step.type](step as never, item);
			place += 1;
		}
	}
}

/** The words with which the model declines. */
const declined = 'I cannot help with that.';

/** A message that has a refusal in place of a text. */
function* refusal(n: number, output_index: number): Iterable<Frame> {
	const id = `msg_${n}_${output_index}`;
	const item = {type: 'message', id, role: 'assistant'};
	const at = {item_id: id, output_index, content_index: 0};
	yield event({type: 'response.output_item.added', output_index, item: {...item, content: []}});
	yield event({type: 'response.content_part.added', ...at, part: {type: 'refusal', refusal: ''}});
	yield event({type: 'response.refusal.delta', ...at, delta: declined});
	yield event({type: 'response.refusal.done', ...at, refusal: declined});
	const content = [{type: 'refusal', refusal: declined}];
	yield event({type: 'response.output_item.done', output_index, item: {...item, content}});
}

type Place = {
	readonly n: number;
	readonly output_index: number;
	readonly callId: string;
	readonly ledger: Ledger;
	readonly signatures: string[];
};

const kinds = {
	*reasoning(step: StepOf<'reasoning'>, {n, output_index, ledger, signatures}: Place): Iterable<Frame> {
		const id = `rs_${n}_${output_index}`;
		const signature = ledger.sign(step.text);
		signatures.push(signature);
		const at = {item_id: id, output_index, summary_index: 0};
		yield event({
			type: 'response.output_item.added',
			output_index,
			item: {type: 'reasoning', id, encrypted_content: 'not yet', summary: []},
		});
		if (step.text !== '')
			yield event({type: 'response.reasoning_summary_part.added', ...at, part: {type: 'summary_text', text: ''}});
		for (const delta of splitText(step.text, step.chunk))
			yield paced(event({type: 'response.reasoning_summary_text.delta', ...at, delta}).sse, step);
		if (step.text !== '')
			yield event({
				type: 'response.reasoning_summary_part.done',
				...at,
				part: {type: 'summary_text', text: step.text},
			});
		yield event({
			type: 'response.output_item.done',
			output_index,
			item: {
				type: 'reasoning',
				id,
				encrypted_content: signature,
				summary: step.text === '' ? [] : [{type: 'summary_text', text: step.text}],
			},
		});
	},
	*text(step: StepOf<'text'>, {n, output_index, ledger, signatures}: Place): Iterable<Frame> {
		const id = `msg_${n}_${output_index}`;
		const item = {type: 'message', id, role: 'assistant', status: 'in_progress', content: []};
		yield event({type: 'response.output_item.added', output_index, item});
		yield event({
			type: 'response.content_part.added',
			item_id: id,
			output_index,
			content_index: 0,
			part: {type: 'output_text', text: '', annotations: []},
		});
		for (const delta of splitText(step.text, step.chunk))
			yield paced(
				event({type: 'response.output_text.delta', item_id: id, output_index, content_index: 0, delta}).sse,
				step,
			);
		yield event({type: 'response.output_text.done', item_id: id, output_index, content_index: 0, text: step.text});
		ledger.owe(`text ${step.text}`, signatures);
		yield event({
			type: 'response.output_item.done',
			output_index,
			item: {...item, status: 'completed', content: [{type: 'output_text', text: step.text, annotations: []}]},
		});
	},
	*tool_call(step: StepOf<'tool_call'>, {n, output_index, callId, ledger, signatures}: Place): Iterable<Frame> {
		const id = `fc_${n}_${output_index}`;
		const item = {
			type: 'function_call',
			id,
			call_id: callId,
			name: step.name,
			arguments: '',
			status: 'in_progress',
		};
		yield event({type: 'response.output_item.added', output_index, item});
		for (const delta of splitText(argumentsText(step), step.chunk))
			yield paced(
				event({type: 'response.function_call_arguments.delta', item_id: id, output_index, delta}).sse,
				step,
			);
		yield event({
			type: 'response.function_call_arguments.done',
			item_id: id,
			output_index,
			arguments: argumentsText(step),
		});
		ledger.owe(`call ${callId}`, signatures);
		yield event({
			type: 'response.output_item.done',
			output_index,
			item: {...item, arguments: argumentsText(step), status: 'completed'},
		});
	},
};

function refuseInput(input: Json): string | undefined {
	if (!Array.isArray(input) || input.length === 0) return 'input must not be empty.';
	for (const [index, item] of input.entries()) {
		if (index > 0 && /^(system|developer)$/.test(item.role ?? ''))
			return `input.${index}: ${item.role} in mid-conversation.`;
		if (item.type === 'item_reference') return `input.${index}: nothing is stored that could be referred to.`;
		const media = (Array.isArray(item.content) ? item.content : [])
			.filter((part: Json) => part.type === 'input_image' || part.type === 'input_file')
			.map((part: Json) => refuseDataUrl(part.image_url ?? part.file_data))
			.find((reason: string | undefined) => reason !== undefined);
		if (media !== undefined) return `input.${index}: ${media}`;
		if (item.call_id !== undefined && item.call_id.length > 64)
			return `input.${index}: call_id is longer than 64 characters.`;
		if (item.type === 'reasoning' && !followsReasoning(input[index + 1]))
			return `Item '${item.id}' of type 'reasoning' was provided without its required following item.`;
	}
	return undefined;
}

function followsReasoning(next: Json): boolean {
	return next?.type === 'reasoning' || next?.type === 'function_call' || next?.role === 'assistant';
}

function said(item: Json): Said[] {
	if (item.type === 'function_call') return [{type: 'calls', ids: [item.call_id]}];
	if (item.type === 'function_call_output') return [{type: 'results', ids: [item.call_id]}];
	return item.role === 'user' ? [{type: 'user'}] : [];
}

function refuseSigned(input: Json[], ledger: Ledger): string | undefined {
	const signed = new Map<string, string>(
		input
			.filter(item => item.type === 'reasoning')
			.map(item => [item.encrypted_content, item.summary.map((part: Json) => part.text).join('')]),
	);
	const markers = input.map(item =>
		item.type === 'function_call'
			? `call ${item.call_id}`
			: item.role === 'assistant'
				? `text ${textOf(item.content)}`
				: '',
	);
	return ledger.refuse(signed, markers);
}

function textOf(content: Json): string {
	return typeof content === 'string' ? content : content.map((part: Json) => part.text).join('');
}
