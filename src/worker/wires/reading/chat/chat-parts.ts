import {elementsOf, fieldOf, isRecord} from '../../values.ts';
import {thoughtsIn} from './reasoning-details.ts';

/** A piece of an answer. Pieces are in the order in which the model wrote them. */
export type ChatPart =
	| {readonly kind: 'text' | 'refusal'; readonly text: string}
	/** `field`: the field in which the server sent the piece and expects it back. */
	| {readonly kind: 'reasoning'; readonly text: string; readonly field: string}
	| {readonly kind: 'unread'; readonly type: string; readonly value: unknown}
	/** A source that a content part names. */
	| {readonly kind: 'citation'; readonly value: unknown};

/** Returns the parts of a `delta` or `message` of any form, without its calls. */
export function partsOf(delta: Readonly<Record<string, unknown>>): readonly ChatPart[] {
	const {content, refusal, images} = delta;
	const thought = thoughtOf(delta);
	const parts = typeof content === 'string' ? textPart(content, delta) : contentParts(content, delta);
	return [
		...(thought === undefined ? [] : [thought]),
		...(thought === undefined ? parts : parts.filter(({kind}) => kind !== 'reasoning')),
		...(typeof refusal === 'string' && refusal !== '' ? [{kind: 'refusal', text: refusal} as const] : []),
		// openrouter.ai/docs/features/multimodal/image-generation
		...elementsOf(images).map(value => ({kind: 'unread', type: 'image', value}) as const),
	];
}

/**
Returns the thoughts outside the content. A server that sends two of these fields sends the same text in both:
`reasoning_content` (DeepSeek, Kimi, Qwen, xAI, vLLM), `reasoning` (OpenRouter, Groq, Cerebras, LM Studio, Ollama, newer
vLLM), `reasoning_text` (Copilot), `thinking` (Ollama's own API), or only OpenRouter's `reasoning_details` (MiniMax).
*/
function thoughtOf(delta: Readonly<Record<string, unknown>>): ChatPart | undefined {
	for (const field of thoughtFields) {
		const value = delta[field];
		if (value === undefined || value === null) continue;
		const text = typeof value === 'string' ? value : wordsIn(value);
		if (text !== '') return {kind: 'reasoning', text, field};
	}
	const text = delta['reasoning_details'] === undefined ? '' : thoughtsIn(delta['reasoning_details']);
	return text === '' ? undefined : {kind: 'reasoning', text, field: 'reasoning_details'};
}

const thoughtFields = ['reasoning_content', 'reasoning', 'reasoning_text', 'thinking'];

/**
Returns a text as a part. Gemini marks a thought in `extra_content` (ai.google.dev/gemini-api/docs/openai#thinking).
*/
function textPart(text: string, {extra_content}: Readonly<Record<string, unknown>> = {}): readonly ChatPart[] {
	if (text === '') return [];
	const isThought = extra_content !== undefined && fieldOf(fieldOf(extra_content, 'google'), 'thought') === true;
	return [isThought ? {kind: 'reasoning', text, field: 'content'} : {kind: 'text', text}];
}

/**
Returns the parts of content that is not a string: a list of parts (docs.mistral.ai/capabilities/reasoning), one part,
or a number.
*/
function contentParts(content: unknown, delta: Readonly<Record<string, unknown>>): readonly ChatPart[] {
	if (typeof content === 'number') return textPart(String(content));
	if (!isRecord(content)) return textPart(textOf(delta['text']));
	return (Array.isArray(content) ? elementsOf(content) : [content]).flatMap(contentPart);
}

function contentPart(part: unknown): readonly ChatPart[] {
	if (typeof part === 'string') return textPart(part);
	if (!isRecord(part)) return [];
	const type = textOf(part['type']);
	if (thoughtTypes.has(type)) {
		const text = wordsIn(
			part['thinking'] ?? part['reasoning'] ?? part['text'] ?? part['summary'] ?? part['content'],
		);
		return text === '' ? [] : [{kind: 'reasoning', text, field: 'content'}];
	}
	if (type === 'refusal' && textOf(part['refusal']) !== '') return [{kind: 'refusal', text: textOf(part['refusal'])}];
	// docs.mistral.ai/agents/connectors/websearch: the sources of a text are parts of the content.
	if (type === 'tool_reference') return [{kind: 'citation', value: part}];
	// Such a part only contains the numbers of sources.
	if (type === 'reference') return [];
	if (type === '' || textTypes.has(type)) return textPart(wordsIn(part['text'] ?? part['content']));
	return [{kind: 'unread', type: type.replace(/_url$/, ''), value: part}];
}

const thoughtTypes: ReadonlySet<string> = new Set(['thinking', 'reasoning', 'reasoning_text', 'reasoning_content']);
const textTypes: ReadonlySet<string> = new Set(['text', 'output_text', 'input_text']);

/** Returns the text of a value, which is a string, a list of parts, or one part. */
function wordsIn(value: unknown, depth = 0): string {
	if (typeof value === 'string') return value;
	if (depth === maxDepth) return '';
	if (Array.isArray(value)) return value.map(part => wordsIn(part, depth + 1)).join('');
	return isRecord(value)
		? wordsIn(fieldOf(value, 'text') ?? fieldOf(value, 'content') ?? fieldOf(value, 'summary'), depth + 1)
		: '';
}

const maxDepth = 4;

function textOf(value: unknown): string {
	return typeof value === 'string' ? value : '';
}
