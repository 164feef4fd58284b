type Found = {readonly character: string; readonly index: number};

/**
Yields the characters of a glob from an index on that are neither escaped nor inside a class.
A `[` is one of them if its class has no end.
*/
export function* outside(text: string, start: number): Generator<Found, undefined> {
	for (let index = start; index < text.length; index += 1) {
		const character = text.charAt(index);
		const end = character === '[' ? classEnd(text, index) : undefined;
		if (character === '\\') index += 1;
		else if (end === undefined) yield {character, index};
		else index = end;
	}
}

/** Returns the end of the class that begins at an index. */
export function classEnd(text: string, start: number): number | undefined {
	const [opening = ''] = /^\[[!^]?\]?/.exec(text.slice(start, start + 3)) ?? [];
	const end = text.indexOf(']', start + opening.length);
	return end < 0 ? undefined : end;
}
