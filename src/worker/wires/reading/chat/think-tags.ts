import {createChannels, openings, type ThinkPiece} from './channels.ts';
import {closingTags, createUnopenedThought, openingTags, prefixAtEnd} from './unopened-thought.ts';

/**
Splits the `<think>…</think>` at the beginning of an answer from its text. The pieces may end anywhere, even inside a
tag.
*/
type ThinkTags = {
	push(text: string): readonly ThinkPiece[];
	/** Returns the text that was held back because it might begin a tag. A text ends here. */
	flush(): readonly ThinkPiece[];
	/** The server sent a thought beside the text, so it reads thoughts itself. A text ends here. */
	noteThought(): readonly ThinkPiece[];
	/** Tells whether text was held back. */
	isHolding(): boolean;
};

/**
Local servers that do not parse thoughts send the tags of the model's template (docs.vllm.ai/en/latest/features/
reasoning_outputs.html names them; Gemini's compatible endpoint writes `<thought>`). White space around the tags is not
content. Later tags are plain text, except the end of a thought that was opened in the prompt (unopened-thought.ts).
*/
export function createThinkTags(): ThinkTags {
	let place: 'start' | 'thought' | 'gap' | 'first text' | 'text' = 'start';
	const unopened = createUnopenedThought();
	let mayBeUnopened = true;
	/** Set if the answer begins with a channel of gpt-oss. */
	let channels: ReturnType<typeof createChannels> | undefined;
	let held = '';
	/** The blanks before the tag at the start. There may be very many blanks, so they are read only once. */
	let blanks = '';
	let closing = '';
	let hasThought = false;

	function open(): readonly ThinkPiece[] {
		const tag = [...openingTags, ...closingTags].find(name => held.startsWith(name));
		if (openings.some(opening => held.startsWith(opening))) {
			channels = createChannels();
			const opened = held;
			held = '';
			return channels.push(opened);
		}
		if (tag === undefined && [...openingTags, ...closingTags, ...openings].some(name => name.startsWith(held)))
			return [];
		if (tag === undefined) return beginText();
		held = held.slice(tag.length);
		if (closingTags.includes(tag)) {
			place = 'gap';
			return skip();
		}
		place = 'thought';
		closing = tag.replace('<', '</');
		return think();
	}

	function beginText(): readonly ThinkPiece[] {
		place = mayBeUnopened ? 'first text' : 'text';
		const text = blanks + held;
		take('text', '');
		return write(text);
	}

	function write(text: string): readonly ThinkPiece[] {
		if (place === 'text') return take('text', text);
		const {pieces, rest} = unopened.push(text);
		if (rest === undefined) return pieces;
		place = 'gap';
		held = rest;
		return [...pieces, ...skip()];
	}

	function endText(): readonly ThinkPiece[] {
		mayBeUnopened = false;
		if (place !== 'first text') return [];
		place = 'text';
		return unopened.flush();
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
			if (place === 'text' || place === 'first text') return write(text);
			const added = place === 'start' && held === '' ? text.trimStart() : text;
			blanks += text.slice(0, text.length - added.length);
			held += added;
			if (place === 'start') return open();
			return place === 'thought' ? think() : skip();
		},
		flush() {
			if (channels !== undefined) return channels.flush();
			const pieces = endText();
			return [...pieces, ...(place === 'thought' ? take('reasoning', held) : take('text', blanks + held))];
		},
		noteThought: () => (channels === undefined ? endText() : []),
		isHolding: () => channels?.isHolding() ?? (held.trim() !== '' && place !== 'thought'),
	};
}
