import {createChannels, openings, type ThinkPiece} from './channels.ts';

/**
Splits the `<think>…</think>` at the beginning of an answer from its text. The pieces may end anywhere, even inside a
tag.
*/
type ThinkTags = {
	push(text: string): readonly ThinkPiece[];
	/** Returns the text that was held back because it might begin a tag. */
	flush(): readonly ThinkPiece[];
	/** Tells whether text was held back. */
	isHolding(): boolean;
};

/**
Local servers that do not parse thoughts send the tags of the model's template (docs.vllm.ai/en/latest/features/
reasoning_outputs.html names them; Gemini's compatible endpoint writes `<thought>`). White space around the tags is not
content. Tags later in the text are plain text.
*/
export function createThinkTags(): ThinkTags {
	let place: 'start' | 'thought' | 'gap' | 'text' = 'start';
	/** Set if the answer begins with a channel of gpt-oss. */
	let channels: ReturnType<typeof createChannels> | undefined;
	let held = '';
	/** The blanks before the tag at the start. There may be very many blanks, so they are read only once. */
	let blanks = '';
	let closing = '';
	let hasThought = false;

	function open(): readonly ThinkPiece[] {
		const tag = tags.find(name => held.startsWith(name));
		if (openings.some(opening => held.startsWith(opening))) {
			channels = createChannels();
			const opened = held;
			held = '';
			return channels.push(opened);
		}
		if (tag === undefined && [...tags, ...openings].some(name => name.startsWith(held))) return [];
		if (tag === undefined) {
			place = 'text';
			return take('text', blanks + held);
		}
		place = 'thought';
		closing = tag.replace('<', '</');
		held = held.slice(tag.length);
		return think();
	}

	function think(): readonly ThinkPiece[] {
		if (!hasThought) held = held.trimStart();
		const at = held.indexOf(closing);
		const end = at === -1 ? held.length - prefixAtEnd(held, closing) : at;
		const rest = held.slice(at === -1 ? end : end + closing.length);
		const thought = held.slice(0, end);
		hasThought ||= thought !== '';
		const pieces = take('reasoning', thought);
		held = rest;
		if (at === -1) return pieces;
		place = 'gap';
		return [...pieces, ...skip()];
	}

	function skip(): readonly ThinkPiece[] {
		const text = held.trimStart();
		if (text !== '') place = 'text';
		return take('text', text);
	}

	function take(kind: ThinkPiece['kind'], text: string): readonly ThinkPiece[] {
		held = '';
		blanks = '';
		return text === '' ? [] : [{kind, text}];
	}

	return {
		push(text) {
			if (channels !== undefined) return channels.push(text);
			if (place === 'text') return text === '' ? [] : [{kind: 'text', text}];
			const added = place === 'start' && held === '' ? text.trimStart() : text;
			blanks += text.slice(0, text.length - added.length);
			held += added;
			if (place === 'start') return open();
			return place === 'thought' ? think() : skip();
		},
		flush: () => channels?.flush() ?? (place === 'thought' ? take('reasoning', held) : take('text', blanks + held)),
		isHolding: () => channels?.isHolding() ?? (held.trim() !== '' && place !== 'thought'),
	};
}

/** Returns how many characters at the end of the text may be the beginning of the tag. */
function prefixAtEnd(text: string, tag: string): number {
	let length = Math.min(tag.length - 1, text.length);
	while (length > 0 && !text.endsWith(tag.slice(0, length))) length--;
	return length;
}

const tags = ['<think>', '<thinking>', '<thought>'];
