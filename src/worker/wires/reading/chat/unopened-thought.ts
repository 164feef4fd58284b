import type {ThinkPiece} from './channels.ts';

/** Passes on the text at the beginning of an answer until a closing tag shows that this text is a thought. */
type UnopenedThought = {
	/** `rest`: the text after the tag, once the tag has arrived. */
	push(text: string): {readonly pieces: readonly ThinkPiece[]; readonly rest?: string};
	/** Returns the text that was held back because it might be the beginning of a tag. */
	flush(): readonly ThinkPiece[];
};

/**
Some chat templates put the `<think>` into the prompt, so that the answer contains only `</think>`
(huggingface.co/deepseek-ai/DeepSeek-R1, huggingface.co/Qwen/Qwen3-235B-A22B-Thinking-2507). A tag that the text only
mentions stays in the text: inside a line or code, after a colon, or after an opening tag.
*/
export function createUnopenedThought(): UnopenedThought {
	/** The text that was passed on. */
	let before = '';
	let held = '';
	let mentions = 0;

	function passOn(end: number): readonly ThinkPiece[] {
		const text = held.slice(0, end);
		held = held.slice(end);
		before += text;
		return text === '' ? [] : [{kind: 'text', text}];
	}

	return {
		push(text) {
			held += text;
			const pieces: ThinkPiece[] = [];
			if (mentions === maxMentions) return {pieces: passOn(held.length)};
			for (let found = firstTag(held); found !== undefined; found = firstTag(held)) {
				const thought = held.slice(0, found.at);
				const end = found.at + found.tag.length;
				if (isThought(before + thought))
					return {pieces: [...pieces, {kind: 'unopened', text: thought}], rest: held.slice(end)};
				pieces.push(...passOn(end));
				if (++mentions === maxMentions) return {pieces: [...pieces, ...passOn(held.length)]};
			}
			const open = Math.max(...closingTags.map(tag => prefixAtEnd(held, tag)));
			return {pieces: [...pieces, ...passOn(held.length - open)]};
		},
		flush: () => passOn(held.length),
	};
}

/**
The maximum number of mentioned tags. After that, the remaining text is not searched, because each tag requires reading
all earlier text.
*/
const maxMentions = 8;

/** The tags before a thought in chat templates. */
export const openingTags = ['<think>', '<thinking>', '<thought>'];
export const closingTags = openingTags.map(tag => tag.replace('<', '</'));

/** Returns how many characters at the end of the text may be the beginning of the tag. */
export function prefixAtEnd(text: string, tag: string): number {
	let length = Math.min(tag.length - 1, text.length);
	while (length > 0 && !text.endsWith(tag.slice(0, length))) length--;
	return length;
}

function firstTag(text: string): {readonly at: number; readonly tag: string} | undefined {
	const found = closingTags.flatMap(tag => {
		const at = text.indexOf(tag);
		return at === -1 ? [] : [{at, tag}];
	});
	return found.toSorted((one, other) => one.at - other.at)[0];
}

/**
Tells whether the text before a closing tag can be a thought. In templates, the tag is at the start of a line. In other
places, the text only mentions the tag. A wrong guess would hide an answer, so in doubt the text is not a thought.
*/
function isThought(text: string): boolean {
	const fences = text.match(/^ {0,3}(?:```|~~~)/gm)?.length ?? 0;
	const isAlone = /(?:^|\n)[ \t]*$/.test(text.slice(-100));
	return isAlone && fences % 2 === 0 && !text.trimEnd().endsWith(':') && !openingTags.some(tag => text.includes(tag));
}
