/** Removes a final newline, which is not a line. */
export function withoutFinalNewline(text: string): string {
	return text.endsWith('\n') ? text.slice(0, -1) : text;
}

/** Counts the lines of a body as a preview does, without an empty last line. */
export function countBodyLines(body: string): number {
	return body === '' ? 0 : countLines(withoutFinalNewline(body), 0);
}

/** Splits a text into its header (the first `lines` lines) and its body. */
export function splitHeader(text: string, lines = 1): {readonly header: string; readonly body: string} {
	let end = -1;
	for (let line = 0; line < lines; line++) {
		end = text.indexOf('\n', end + 1);
		if (end === -1) return {header: text, body: ''};
	}
	return {header: text.slice(0, end), body: text.slice(end + 1)};
}

/** Counts the lines of a text from an index on. */
export function countLines(text: string, from: number): number {
	let count = 1;
	for (let at = text.indexOf('\n', from); at !== -1; at = text.indexOf('\n', at + 1)) count++;
	return count;
}

/** Returns the value. Throws if the value is missing, which is a bug, because the caller guarantees the value. */
export function required<Value>(value: Value | null | undefined, what: string): Value {
	if (value === undefined || value === null) throw new Error(`missing ${what}`);
	return value;
}

/** Tells whether two lists have the same length and equal entries. */
export function isSameList<Entry>(
	one: readonly Entry[],
	other: readonly Entry[],
	isSame: (one: Entry, other: Entry) => boolean,
): boolean {
	if (one.length !== other.length) return false;
	return one.every((entry, index) => {
		const counterpart = other[index];
		return counterpart !== undefined && isSame(entry, counterpart);
	});
}
