/**
A piece of an answer: a thought, or text for the user. `unopened`: the earlier text and this text are a thought, which
ends here.
*/
export type ThinkPiece = {readonly kind: 'text' | 'reasoning' | 'unopened'; readonly text: string};

/** Splits an answer in the channels of gpt-oss into thoughts and text. */
type Channels = {
	push(text: string): readonly ThinkPiece[];
	/**
	Returns the text that was held back because it might be the beginning of a mark. A mark at the end is dropped.
	*/
	flush(): readonly ThinkPiece[];
	isHolding(): boolean;
};

/**
Servers that do not parse the answers of gpt-oss send them with the marks of the model's template
(cookbook.openai.com/articles/openai-harmony): `<|channel|>analysis<|message|>` before a thought, and
`<|end|><|start|>assistant<|channel|>final<|message|>` before the answer. Marks are recognised only in an answer that
begins with one of `openings`. Only complete marks are recognised, so a text that mentions `<|end|>` does not change.
*/
export function createChannels(): Channels {
	let kind: Mark['kind'] = 'text';
	// Unlike later marks, the first mark may lack the role.
	let held = '<|end|>';
	let isFirst = true;

	function take(text: string): readonly ThinkPiece[] {
		return text === '' ? [] : [{kind, text}];
	}

	return {
		push(text) {
			held += isFirst && text.startsWith(role) ? text.slice(role.length) : text;
			isFirst = false;
			const pieces: ThinkPiece[] = [];
			for (let found = firstMark(held); found !== undefined; found = firstMark(held)) {
				pieces.push(...take(held.slice(0, found.at)));
				kind = found.mark.kind;
				held = held.slice(found.at + found.mark.text.length);
			}
			const end = held.length - markAtEnd(held);
			pieces.push(...take(held.slice(0, end)));
			held = held.slice(end);
			return pieces;
		},
		flush() {
			const rest = lastMarks.some(mark => held.startsWith(mark)) ? '' : held;
			held = '';
			return take(rest);
		},
		isHolding: () => kind === 'text' && held !== '' && !lastMarks.some(mark => held.startsWith(mark)),
	};
}

type Mark = {readonly text: string; readonly kind: 'text' | 'reasoning'};

function marksAfter(beginnings: readonly string[]): readonly Mark[] {
	return beginnings.flatMap(beginning =>
		channels.map(([name, kind]) => ({text: `${beginning}<|channel|>${name}<|message|>`, kind})),
	);
}

/** The names of the channels. The channel `commentary` contains text for the user that introduces calls. */
const channels = [
	['analysis', 'reasoning'],
	['commentary', 'text'],
	['final', 'text'],
] as const;

const role = '<|start|>assistant';

/** The marks with which an answer begins. The prompt may already contain the role. */
export const openings: readonly string[] = marksAfter(['', role]).map(({text}) => text);

const marks = marksAfter([`<|end|>${role}`, `<|return|>${role}`, role, '<|end|>']);

/** The marks after the last part of an answer, or before a part that was never sent. */
const lastMarks = ['<|end|>', '<|return|>', role];

/**
Returns the first mark in a text. If one mark contains another, the longer mark is found, because it begins first.
*/
function firstMark(text: string): {readonly at: number; readonly mark: Mark} | undefined {
	const found = marks.flatMap(mark => {
		const at = text.indexOf(mark.text);
		return at === -1 ? [] : [{at, mark}];
	});
	return found.toSorted((one, other) => one.at - other.at)[0];
}

/** Returns how many characters at the end of the text may be the beginning of a mark. */
function markAtEnd(text: string): number {
	const from = Math.max(0, text.length - longest + 1);
	for (let at = text.indexOf('<', from); at !== -1; at = text.indexOf('<', at + 1)) {
		const rest = text.slice(at);
		if (marks.some(mark => mark.text.startsWith(rest))) return rest.length;
	}
	return 0;
}

const longest = Math.max(...marks.map(({text}) => text.length));
