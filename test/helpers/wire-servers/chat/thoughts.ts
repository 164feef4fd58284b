import type {Json} from '../speech.ts';
import type {ChatServer} from './chat-server.ts';

/** The value for a call that came from another server (ai.google.dev/gemini-api/docs/thought-signatures). */
export const skippedSignature = 'skip_thought_signature_validator';

/** What a message of a request has from the thoughts of its answer: the text, the details or the signature. */
export function signatureOf(thoughts: ChatServer['answers']['thoughts'], message: Json): string | undefined {
	if (thoughts === 'reasoning_details')
		return message.reasoning_details === undefined ? undefined : sortedJson(message.reasoning_details);
	if (thoughts === 'extra_content')
		return message.tool_calls?.find((call: Json) => call.extra_content !== undefined)?.extra_content.google
			.thought_signature;
	return message.reasoning_content?.trim();
}

/** The signatures in a message, each with the text that it signs. */
export function signedIn(thoughts: ChatServer['answers']['thoughts'], message: Json): ReadonlyMap<string, string> {
	if (thoughts === 'extra_content') {
		const signature = signatureOf(thoughts, message);
		return new Map(signature === undefined || signature === skippedSignature ? [] : [[signature, '']]);
	}
	const details: readonly Json[] = thoughts === 'reasoning_details' ? (message.reasoning_details ?? []) : [];
	return new Map(details.map(({signature, data, text = ''}) => [signature ?? data, text]));
}

/** The marks of calls in the ledger. A server that gives no ids knows a call by its name and arguments. */
export function markersOf({calls: form}: ChatServer['answers'], calls: readonly Json[]): string[] {
	return calls.map(({id, function: {name, arguments: args}}) =>
		form === 'without ids' ? `call ${name} ${args}` : `call ${id}`,
	);
}

/** JSON in which the order of fields makes no difference. */
export function sortedJson(value: Json): string {
	return JSON.stringify(value, (_key, field: unknown) =>
		typeof field === 'object' && field !== null && !Array.isArray(field)
			? Object.fromEntries(Object.entries(field).toSorted(([one], [other]) => (one < other ? -1 : 1)))
			: field,
	);
}
