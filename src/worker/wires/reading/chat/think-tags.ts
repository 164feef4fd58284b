import {createChannels, openings, type ThinkPiece} from './channels.ts';
import {closingTags, createUnopenedThought, openingTags, prefixAtEnd} from './unopened-thought.ts';

/**
Separates the `<think>…</think>` at the beginning of an answer from the answer's text. The pieces may end anywhere, even
inside a tag.
*/
type ThinkTags = {
	push(text: string): readonly ThinkPiece[];
	/** Returns the text that was held back because it might be the beginning of a tag. Call this when a text ends. */
	flush(): readonly ThinkPiece[];
	/**
	Call this when the server sends a thought in its own field. The current text ends, and tags in it are no longer
	searched.
	*/
	noteThought(): readonly ThinkPiece[];
	/** Tells whether text was held back. */
	isHolding(): boolean;
};

/**
Local servers that do not parse thoughts send the tags of the model's template
(docs.vllm.ai/en/latest/features/reasoning_outputs.html lists the tags; Gemini's compatible endpoint sends `<thought>`).
White space around the tags is not content. Later tags are plain text, except the closing tag of a thought whose opening
tag is in the prompt (unopened-thought.ts).
*/
export function createThinkTags(): ThinkTags {
	return new Splitter();
}

class Splitter implements ThinkTags {
	#place: 'start' | 'thought' | 'gap' | 'first text' | 'text' = 'start';
	readonly #unopened = createUnopenedThought();
	#mayBeUnopened = true;
	/** Set if the answer begins with a channel of gpt-oss. */
	#channels: ReturnType<typeof createChannels> | undefined;
	#held = '';
	/** The white space before the tag at the start. It may be very long, so it is read only once. */
	#blanks = '';
	#closing = '';
	#hasThought = false;

	push(text: string): readonly ThinkPiece[] {
		if (this.#channels !== undefined) return this.#channels.push(text);
		if (this.#place === 'text' || this.#place === 'first text') return this.#write(text);
		const added = this.#place === 'start' && this.#held === '' ? text.trimStart() : text;
		this.#blanks += text.slice(0, text.length - added.length);
		this.#held += added;
		if (this.#place === 'start') return this.#open();
		return this.#place === 'thought' ? this.#think() : this.#skip();
	}

	flush(): readonly ThinkPiece[] {
		if (this.#channels !== undefined) return this.#channels.flush();
		const pieces = this.#endText();
		const rest =
			this.#place === 'thought'
				? this.#take('reasoning', this.#held)
				: this.#take('text', this.#blanks + this.#held);
		return [...pieces, ...rest];
	}

	noteThought(): readonly ThinkPiece[] {
		return this.#channels === undefined ? this.#endText() : [];
	}

	isHolding(): boolean {
		return this.#channels?.isHolding() ?? (this.#held.trim() !== '' && this.#place !== 'thought');
	}

	#open(): readonly ThinkPiece[] {
		const held = this.#held;
		if (openings.some(opening => held.startsWith(opening))) {
			this.#channels = createChannels();
			this.#held = '';
			return this.#channels.push(held);
		}
		const tag = anyTag.find(name => held.startsWith(name));
		if (tag === undefined && [...anyTag, ...openings].some(name => name.startsWith(held))) return [];
		if (tag === undefined) return this.#beginText();
		this.#held = held.slice(tag.length);
		if (closingTags.includes(tag)) return this.#skipGap();
		this.#place = 'thought';
		this.#closing = tag.replace('<', '</');
		return this.#think();
	}

	#think(): readonly ThinkPiece[] {
		if (!this.#hasThought) this.#held = this.#held.trimStart();
		const held = this.#held;
		const at = held.indexOf(this.#closing);
		const end = at === -1 ? held.length - prefixAtEnd(held, this.#closing) : at;
		const thought = held.slice(0, end);
		this.#hasThought ||= thought !== '';
		const pieces = this.#take('reasoning', thought);
		this.#held = held.slice(at === -1 ? end : end + this.#closing.length);
		return at === -1 ? pieces : [...pieces, ...this.#skipGap()];
	}

	#skipGap(): readonly ThinkPiece[] {
		this.#place = 'gap';
		return this.#skip();
	}

	#skip(): readonly ThinkPiece[] {
		const text = this.#held.trimStart();
		if (text !== '') this.#place = 'text';
		return this.#take('text', text);
	}

	#beginText(): readonly ThinkPiece[] {
		this.#place = this.#mayBeUnopened ? 'first text' : 'text';
		const text = this.#blanks + this.#held;
		this.#take('text', '');
		return this.#write(text);
	}

	#write(text: string): readonly ThinkPiece[] {
		if (this.#place === 'text') return this.#take('text', text);
		const {pieces, rest} = this.#unopened.push(text);
		if (rest === undefined) return pieces;
		this.#held = rest;
		return [...pieces, ...this.#skipGap()];
	}

	#endText(): readonly ThinkPiece[] {
		this.#mayBeUnopened = false;
		if (this.#place !== 'first text') return [];
		this.#place = 'text';
		return this.#unopened.flush();
	}

	#take(kind: 'text' | 'reasoning', text: string): readonly ThinkPiece[] {
		this.#held = '';
		this.#blanks = '';
		return text === '' ? [] : [{kind, text}];
	}
}

const anyTag = [...openingTags, ...closingTags];
