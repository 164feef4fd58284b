import type {AnswerNotes} from '../answer-notes.ts';
import type {Citations} from '../citations.ts';
import {argumentsText, isObject, textIn} from '../fields.ts';
import {hasContent, unreadPart} from '../unread.ts';
import {elementsOf, fieldOf} from '../../values.ts';

/** Writes the parts of a candidate in the form that the package reads. */
type GeminiParts = {
	read(content: unknown): readonly unknown[];
	readonly counts: {
		readonly parts: number;
		readonly calls: number;
		/** Whether a text has not ended yet. The end of such a text receives the data that is kept for it. */
		readonly isInText: boolean;
		readonly namelessCalls: number;
	};
};

export function createGeminiParts(notes: AnswerNotes, citations: Citations): GeminiParts {
	const counts = {parts: 0, calls: 0, isInText: false, namelessCalls: 0};
	/** A call whose arguments come in several parts. */
	let isCallOpen = false;

	/** The package begins a text when none is open, and ends the text before a thought or a call. */
	function count(kind: 'text' | 'thought' | 'call' | 'signature'): void {
		counts.parts += 1;
		if (kind === 'call') {
			counts.calls += 1;
			notes.countPart();
		}
		if (!counts.isInText && (kind === 'text' || kind === 'signature')) citations.begin();
		counts.isInText = kind === 'text' || (kind === 'signature' && counts.isInText);
	}

	function readCall(call: unknown, signed: object): readonly unknown[] {
		const name = textIn(call, 'name');
		if (name === undefined && !isCallOpen) {
			counts.namelessCalls += 1;
			notes.addUnread(unreadPart('functionCall', call));
			return [];
		}
		const id = textIn(call, 'id');
		const args = argumentsText(fieldOf(call, 'args') ?? fieldOf(call, 'arguments'));
		const whole = args === '' ? {} : {args};
		const partial = partialArguments(fieldOf(call, 'partialArgs'));
		const willContinue = fieldOf(call, 'willContinue') === true;
		const isPartial = partial !== undefined || willContinue;
		isCallOpen = willContinue || partial?.some(piece => fieldOf(piece, 'willContinue') === true) === true;
		if (name !== undefined) count('call');
		const fields = {
			...(id !== undefined && {id}),
			...(name !== undefined && {name}),
			...(isPartial
				? {...(partial !== undefined && {partialArgs: partial}), ...(willContinue && {willContinue})}
				: whole),
		};
		return [{functionCall: fields, ...signed}];
	}

	function readText(part: unknown, text: string, signed: object): readonly unknown[] {
		const isThought = fieldOf(part, 'thought') === true;
		if (text === '' && !('thoughtSignature' in signed)) return [];
		if (text !== '') count(isThought ? 'thought' : 'text');
		else if (!isThought) count('signature');
		return [{text, ...(isThought && {thought: true}), ...signed}];
	}

	function readPart(part: unknown): readonly unknown[] {
		if (typeof part === 'string') return readText({}, part, {});
		const signature = textIn(part, 'thoughtSignature', 'thought_signature');
		const signed = signature === undefined ? {} : {thoughtSignature: signature};
		const call = fieldOf(part, 'functionCall') ?? fieldOf(part, 'function_call');
		const text = fieldOf(part, 'text');
		if (isObject(call)) {
			const before = typeof text === 'string' ? readText(part, text, {}) : [];
			return [...before, ...readCall(call, signed)];
		}
		if (typeof text === 'string') return readText(part, text, signed);
		for (const [name, value] of Object.entries(isObject(part) ? part : {}))
			if (!plainFields.has(name) && hasContent({[name]: value})) notes.addUnread(unreadPart(name, value));
		// A signature may come without a text.
		return readText(part, '', signed);
	}

	return {
		counts,
		read: content => joinTexts(partsOf(content).flatMap(readPart)),
	};
}

/**
Returns the parts with each run of texts joined into one part, because a list may have very many. A part with a
signature stays as it is.
*/
function joinTexts(parts: readonly unknown[]): readonly unknown[] {
	const joined: unknown[] = [];
	let open: {text: string; readonly thought?: true} | undefined;
	for (const part of parts) {
		const text = fieldOf(part, 'text');
		const isThought = fieldOf(part, 'thought') === true;
		if (typeof text !== 'string' || textIn(part, 'thoughtSignature') !== undefined) {
			open = undefined;
			joined.push(part);
		} else if (open !== undefined && (open.thought === true) === isThought) open.text += text;
		else {
			open = {text, ...(isThought && {thought: true})};
			joined.push(open);
		}
	}
	return joined;
}

/** Returns the fields of a part that are not its content. */
const plainFields: ReadonlySet<string> = new Set([
	'thought',
	'thoughtSignature',
	'thought_signature',
	'videoMetadata',
	'partMetadata',
]);

/** Some servers send one part instead of a list, or only its text. */
function partsOf(content: unknown): readonly unknown[] {
	if (typeof content === 'string' && content !== '') return [content];
	const parts = Array.isArray(content) ? content : fieldOf(content, 'parts');
	return isObject(parts) || typeof parts === 'string' ? [parts] : elementsOf(parts);
}

/** Returns the pieces of arguments with only the fields of the API. */
function partialArguments(value: unknown): readonly unknown[] | undefined {
	if (!Array.isArray(value)) return undefined;
	return value.flatMap(piece => {
		const jsonPath = textIn(piece, 'jsonPath');
		if (jsonPath === undefined) return [];
		const fields = partialFields.flatMap(([name, type]) => {
			const field = fieldOf(piece, name);
			return typeof field === type || (type === 'null' && field !== undefined) ? [[name, field]] : [];
		});
		return [{jsonPath, ...Object.fromEntries(fields)}];
	});
}

const partialFields = [
	['stringValue', 'string'],
	['numberValue', 'number'],
	['boolValue', 'boolean'],
	['nullValue', 'null'],
	['willContinue', 'boolean'],
] as const;
