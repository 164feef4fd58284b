import type {AnswerEvent} from '../answer-event.ts';
import type {AnswerNotes} from '../answer-notes.ts';
import type {Citations} from '../citations.ts';
import {isObject, textIn} from '../fields.ts';
import {hasContent, unreadPart} from '../unread.ts';
import {elementsOf, fieldOf} from '../../values.ts';
import {createGeminiCalls} from './gemini-calls.ts';

/** Reads the parts of a candidate. Consecutive texts become one part of the answer, and so do consecutive thoughts. */
type GeminiParts = {
	read(content: unknown): readonly AnswerEvent[];
	/** Ends the open text or thought. */
	end(): readonly AnswerEvent[];
	readonly counts: {
		readonly parts: number;
		readonly calls: ReturnType<typeof createGeminiCalls>['counts'];
		/** Whether a text is open. In this case, data that is noted for the next text belongs to this text. */
		readonly isInText: boolean;
	};
};

/** `dataKeys`: the names under which a signature is stored. */
export function createGeminiParts(
	{notes, citations}: {readonly notes: AnswerNotes; readonly citations: Citations},
	dataKeys: readonly string[],
): GeminiParts {
	let parts = 0;
	let lastId = -1;
	let open: OpenText | undefined;
	const calls = createGeminiCalls(notes, end);

	function end(): readonly AnswerEvent[] {
		const ended = open;
		open = undefined;
		return ended === undefined ? [] : [{type: 'end', ...ended}];
	}

	function begin(kind: OpenText['kind']): OpenText {
		if (kind === 'text') citations.begin();
		lastId += 1;
		return {kind, id: String(lastId)};
	}

	function readText(text: string, isThought: boolean, signature?: string): readonly AnswerEvent[] {
		if (text === '') return signature === undefined ? [] : readSignature(isThought, signature);
		parts += 1;
		const kind = isThought ? 'reasoning' : 'text';
		const before = open?.kind === kind ? [] : end();
		open ??= begin(kind);
		return [...before, {type: 'delta', ...open, text, ...signed(signature)}];
	}

	/** Reads a signature without a text. The signature belongs to the open text, or becomes a separate part. */
	function readSignature(isThought: boolean, signature: string): readonly AnswerEvent[] {
		if (!isThought) parts += 1;
		if (open?.kind === 'text') return [{type: 'delta', ...open, text: '', ...signed(signature)}];
		const before = end();
		const alone = begin(isThought ? 'reasoning' : 'text');
		return [...before, {type: 'delta', ...alone, text: '', ...signed(signature)}, {type: 'end', ...alone}];
	}

	function signed(signature: string | undefined) {
		if (signature === undefined) return {};
		return {data: Object.fromEntries(dataKeys.map(key => [key, {thoughtSignature: signature}]))};
	}

	function readPart(part: unknown): readonly AnswerEvent[] {
		if (typeof part === 'string') return readText(part, false);
		const signature = textIn(part, 'thoughtSignature', 'thought_signature');
		const isThought = fieldOf(part, 'thought') === true;
		const call = fieldOf(part, 'functionCall') ?? fieldOf(part, 'function_call');
		const text = fieldOf(part, 'text');
		if (isObject(call)) {
			const before = typeof text === 'string' ? readText(text, isThought) : [];
			return [...before, ...calls.read(call, signed(signature).data)];
		}
		if (typeof text === 'string') return readText(text, isThought, signature);
		for (const [name, value] of Object.entries(isObject(part) ? part : {}))
			if (!plainFields.has(name) && hasContent({[name]: value})) notes.addUnread(unreadPart(name, value));
		// A part may contain only a signature.
		return readText('', isThought, signature);
	}

	return {
		read: content => partsOf(content).flatMap(readPart),
		end,
		counts: {
			get parts() {
				return parts + calls.counts.begun;
			},
			calls: calls.counts,
			get isInText() {
				return open?.kind === 'text';
			},
		},
	};
}

type OpenText = {readonly kind: 'text' | 'reasoning'; readonly id: string};

/** The fields of a part that are not its content. */
const plainFields: ReadonlySet<string> = new Set([
	'thought',
	'thoughtSignature',
	'thought_signature',
	'videoMetadata',
	'partMetadata',
]);

/**
Returns the parts of the content of a candidate. Some servers send one part instead of a list, or only the text of a
part.
*/
function partsOf(content: unknown): readonly unknown[] {
	if (typeof content === 'string' && content !== '') return [content];
	const parts = Array.isArray(content) ? content : fieldOf(content, 'parts');
	return isObject(parts) || typeof parts === 'string' ? [parts] : elementsOf(parts);
}
