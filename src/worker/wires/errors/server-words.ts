import {elementsOf, fieldOf, isRecord, parseJson} from '../values.ts';

/** A server's own words and codes about an error. */
export type ServerWords = {
	/** The server's error message, or an empty text. */
	readonly text: string;
	/** The codes, types and states, such as `insufficient_quota` or `RESOURCE_EXHAUSTED`. */
	readonly codes: readonly string[];
	/** Whether the body is a web page, because a login page, a proxy or a gateway answered instead of the API. */
	readonly isWebPage: boolean;
};

/** Returns the words in the body of an error. */
export function wordsOfBody(body: string): ServerWords {
	const text = body.trim();
	if (isWebPage(text)) return {text: titleOf(text), codes: [], isWebPage: true};
	const value = parseJson(text);
	return value === undefined ? {text, codes: [], isWebPage: false} : wordsOfValue(value);
}

/** Returns the words in an error that a server sent as JSON. */
export function wordsOfValue(value: unknown): ServerWords {
	return {text: sentenceOf(value, 0) ?? '', codes: codesOf(value), isWebPage: false};
}

function isWebPage(text: string): boolean {
	return /^<(?:!doctype html|html|head|body|\?xml[^>]*>\s*<(?:!doctype html|html))/i.test(text);
}

function titleOf(page: string): string {
	return /<title[^>]*>([^<]{0,200})/i.exec(page.slice(0, 20_000))?.[1]?.trim() ?? '';
}

/** The fields into which servers put their sentence. The first field that contains a sentence is used. */
const sentenceFields = ['message', 'error', 'detail', 'errors', 'msg', 'error_msg', 'error_message', 'Message'];
const maxDepth = 6;

function sentenceOf(value: unknown, depth: number): string | undefined {
	if (typeof value === 'string') return sentenceInText(value, depth);
	if (depth > maxDepth) return undefined;
	if (Array.isArray(value)) return sentenceOf(value[0], depth + 1);
	if (!isRecord(value)) return undefined;
	const behind = upstreamSentence(value, depth);
	if (behind !== undefined) return behind;
	for (const field of sentenceFields) {
		const sentence = sentenceOf(value[field], depth + 1);
		if (sentence !== undefined) return sentence;
	}
	return undefined;
}

/** Returns the sentence in a text. Some gateways put the JSON of an error into the text. */
function sentenceInText(text: string, depth: number): string | undefined {
	if (text.trim() === '') return undefined;
	const inner = depth <= maxDepth && /^\s*[{[]/.test(text) ? sentenceOf(parseJson(text), depth + 1) : undefined;
	return inner ?? text;
}

/**
Returns the sentence of the provider behind OpenRouter. OpenRouter passes on the provider's error in `metadata.raw`, and
its own sentence does not explain the error (openrouter.ai/docs/api-reference/errors).
*/
function upstreamSentence(value: Readonly<Record<string, unknown>>, depth: number): string | undefined {
	const raw = fieldOf(value['metadata'], 'raw');
	const sentence = sentenceOf(raw, depth + 1);
	const name = fieldOf(value['metadata'], 'provider_name');
	return sentence !== undefined && typeof name === 'string' ? `${name}: ${sentence}` : sentence;
}

function codesOf(value: unknown): readonly string[] {
	const outer = isRecord(value) ? value : {};
	const inner = isRecord(outer['error']) ? outer['error'] : outer;
	const details = elementsOf(inner['details']).map(detail => fieldOf(detail, 'reason'));
	// OpenAI sends the name of the invalid field, and FastAPI sends its path.
	const place = elementsOf(fieldOf(elementsOf(outer['detail'])[0], 'loc')).join('.');
	const codes = [inner['code'], inner['type'], inner['status'], outer['code'], outer['type'], ...details];
	return [...codes, inner['param'], place].filter(isWord);
}

function isWord(value: unknown): value is string {
	return typeof value === 'string' && value !== '';
}
