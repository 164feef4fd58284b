/** Follows a JSON object or array that arrives in pieces, and reads each piece once. */
export type JsonMeter = {
	add(piece: string): void;
	/** Tells whether the text so far is a complete object or array. */
	isComplete(): boolean;
	/** The length of the text so far. */
	length(): number;
};

export function createJsonMeter(): JsonMeter {
	let length = 0;
	let depth = 0;
	let inText = false;
	let isEscaped = false;
	let state: 'empty' | 'open' | 'complete' | 'other' = 'empty';

	function read(character: string): void {
		if (inText) {
			if (isEscaped) isEscaped = false;
			else if (character === '\\') isEscaped = true;
			else if (character === '"') inText = false;
		} else if (character === '"') inText = true;
		else if (character === '{' || character === '[') depth += 1;
		else if (character === '}' || character === ']') depth -= 1;
	}

	function step(character: string): void {
		if (state === 'open') {
			read(character);
			if (depth === 0) state = 'complete';
		} else if (!/\s/.test(character)) {
			state = state === 'empty' && (character === '{' || character === '[') ? 'open' : 'other';
			depth = 1;
		}
	}

	return {
		add(piece) {
			length += piece.length;
			if (state !== 'other') for (const character of piece) step(character);
		},
		isComplete: () => state === 'complete',
		length: () => length,
	};
}
