import {argumentsText, splitText, type Answer, type StepOf} from '../../../src/worker/wires/script.ts';
import type {Ledger} from './ledger.ts';
import {refuseMedia} from './media.ts';
import {refusePairing, type Said} from './pairing.ts';
import {callIdOf, isInterruption, paced, stopOf, usageOf, type Frame, type Json, type Speech} from './speech.ts';

/**
Speaks Gemini's streamGenerateContent. The signature of a thought is on the first call after it, or on the end of the
next text.
*/
export const googleSpeech: Speech = {
	path: /^\/v1beta\/models\/[^/]+:streamGenerateContent$/,
	refuse({body, headers, url}, ledger, {alternate}) {
		if (typeof headers['x-goog-api-key'] !== 'string') return 'API key not valid.';
		if (!url.endsWith('?alt=sse')) return 'alt=sse is expected.';
		return (
			refuseContents(body.contents) ??
			(alternate ? refuseUsers(body.contents) : undefined) ??
			refusePairing(body.contents.flatMap(said)) ??
			refuseSigned(body.contents, ledger)
		);
	},
	*frames(answer, n, ledger) {
		yield* parts(answer, n, ledger);
		const usage = usageOf(answer);
		const usageMetadata = {
			promptTokenCount: usage.input,
			cachedContentTokenCount: usage.cacheRead,
			candidatesTokenCount: usage.output - usage.reasoning,
			thoughtsTokenCount: usage.reasoning,
			totalTokenCount: usage.input + usage.output,
		};
		yield event({
			candidates: [{content: {role: 'model', parts: []}, finishReason: finishReasons[stopOf(answer)], index: 0}],
			usageMetadata,
			modelVersion: 'served',
			responseId: `r_${n}`,
		});
	},
	errorBody: (status, message) => ({error: {code: status, message, status: statuses[status] ?? 'INTERNAL'}}),
	errorFrame: (status, message) =>
		event({error: {code: status, message, status: statuses[status] ?? 'INTERNAL'}}).sse,
};

const finishReasons = {
	end: 'STOP',
	tool_calls: 'STOP',
	length: 'MAX_TOKENS',
	refused: 'STOP',
	blocked: 'SAFETY',
	unread_call: 'MALFORMED_FUNCTION_CALL',
	paused: 'OTHER',
	other: 'OTHER',
};
const statuses: Record<number, string> = {
	400: 'INVALID_ARGUMENT',
	401: 'UNAUTHENTICATED',
	403: 'PERMISSION_DENIED',
	404: 'NOT_FOUND',
	429: 'RESOURCE_EXHAUSTED',
	503: 'UNAVAILABLE',
};

function event(data: Json): {sse: string} {
	return {sse: `data: ${JSON.stringify(data)}\r\n\r\n`};
}

function part(value: Json): {sse: string} {
	return event({candidates: [{content: {role: 'model', parts: [value]}, index: 0}]});
}

function* parts(answer: Answer, n: number, ledger: Ledger): Iterable<Frame> {
	const signatures = new Map<number, {readonly thoughtSignature: string}>();
	for (const [index, step] of answer.entries()) {
		const signed = signatures.get(index) ?? {};
		if (isInterruption(step)) yield {step};
		else if (step.type === 'reasoning') {
			for (const text of splitText(step.text, step.chunk)) yield paced(part({text, thought: true}).sse, step);
			const carrier = carrierAfter(answer, index);
			if (carrier !== undefined) signatures.set(carrier.index, {thoughtSignature: ledger.sign(carrier.text)});
		} else if (step.type === 'text') {
			for (const text of splitText(step.text, step.chunk)) yield paced(part({text}).sse, step);
			if (signatures.has(index)) yield part({text: '', ...signed});
			ledger.owe(`text ${step.text}`, Object.values(signed));
		} else if (step.type === 'tool_call') {
			const id = callIdOf(step, n, index);
			ledger.owe(`call ${id}`, Object.values(signed));
			yield paced(part({functionCall: {id, name: step.name, args: argumentsOf(step)}, ...signed}).sse, step);
		}
	}
}

/** Returns the part that carries the signature of the thought at `from`, and the text that is signed. */
function carrierAfter(answer: Answer, from: number): {readonly index: number; readonly text: string} | undefined {
	const after = answer.map((step, index) => ({step, index})).slice(from + 1);
	const found = after.find(({step}) => step.type === 'tool_call') ?? after.find(({step}) => step.type === 'text');
	if (found?.step.type === 'tool_call') return {index: found.index, text: found.step.name};
	return found?.step.type === 'text' ? {index: found.index, text: found.step.text} : undefined;
}

function argumentsOf(step: StepOf<'tool_call'>): unknown {
	try {
		return JSON.parse(argumentsText(step));
	} catch {
		return argumentsText(step);
	}
}

function refuseContents(contents: Json): string | undefined {
	if (!Array.isArray(contents) || contents.length === 0) return 'contents is not specified.';
	for (const [index, content] of contents.entries()) {
		if (!/^(user|model)$/.test(content.role))
			return `contents[${index}]: a role is user or model, found ${content.role}.`;
		if (!Array.isArray(content.parts) || content.parts.length === 0)
			return `contents[${index}].parts must not be empty.`;
		const media = content.parts
			.filter((each: Json) => each.inlineData !== undefined)
			.map(({inlineData}: Json) => refuseMedia(inlineData.mimeType, inlineData.data))
			.find((reason: string | undefined) => reason !== undefined);
		if (media !== undefined) return `contents[${index}]: ${media}`;
		const calls = count(content, 'functionCall');
		if (calls > 0 && calls !== count(contents[index + 1], 'functionResponse'))
			return 'The number of function response parts must equal the number of function call parts of the turn before.';
		if (
			content.parts.some(
				({functionCall}: Json) =>
					functionCall !== undefined &&
					(typeof functionCall.args !== 'object' ||
						functionCall.args === null ||
						Array.isArray(functionCall.args)),
			)
		)
			return `contents[${index}]: args must be an object.`;
	}
	return contents.at(-1).role === 'user' ? undefined : 'The conversation must end with a user turn.';
}

/** Stricter than Google today, which joins the turns of one side itself. */
function refuseUsers(contents: Json[]): string | undefined {
	const index = contents.findIndex(({role}, at) => role === 'user' && contents[at - 1]?.role === 'user');
	return index === -1 ? undefined : `contents[${index}]: a user turn must not follow a user turn.`;
}

function count(content: Json, key: string): number {
	return content?.parts?.filter((each: Json) => each[key] !== undefined).length ?? 0;
}

function said({role, parts: each}: Json): Said[] {
	const ids = (key: string): string[] =>
		each.filter((one: Json) => one[key] !== undefined).map((one: Json) => one[key].id);
	return role === 'model'
		? [{type: 'calls', ids: ids('functionCall')}]
		: [{type: 'results', ids: ids('functionResponse')}, {type: 'user'}];
}

/** Follows Google's documentation for calls that another model made. */
const unsigned = 'skip_thought_signature_validator';

function refuseSigned(contents: Json[], ledger: Ledger): string | undefined {
	const given = contents.filter(({role}) => role === 'model').flatMap(({parts: each}) => each);
	const signed = new Map<string, string>(
		given
			.filter(one => one.thoughtSignature !== undefined && one.thoughtSignature !== unsigned)
			.map(one => [one.thoughtSignature, one.text ?? one.functionCall?.name ?? '']),
	);
	return ledger.refuse(
		signed,
		given
			.filter(one => one.thought !== true)
			.map(one => (one.functionCall === undefined ? `text ${one.text}` : `call ${one.functionCall.id}`)),
	);
}
