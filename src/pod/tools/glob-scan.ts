type Found = {readonly character: string; readonly index: number};

/**
The characters of a glob that are neither escaped nor inside a class, from an index on, one by one. A `[` is one of them
if its class has no end.
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

/** Where the class that begins at an index ends. */
export function classEnd(text: string, start: number): number | undefined {
	const [opening = ''] = /^\[[!^]?\]?/.exec(text.slice(start, start + 3)) ?? [];
	const end = text.indexOf(']', start + opening.length);
	return end < 0 ? undefined : end;
}
