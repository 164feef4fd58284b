/**
Returns the file name for a call's output. Each run of the call has its own: `<item id>.txt`, then `<item id>-2.txt`.
*/
export function outputName(id: string, attempt: number): string {
	return `${id}${attempt === 1 ? '' : `-${attempt}`}.txt`;
}

/**
Tells whether an id can name a file. A history from another person may contain any id, which must not lead elsewhere.
*/
export function isFileId(id: string): boolean {
	return /^\w{1,64}$/.test(id);
}

/** Returns the last of the numbered file names of an id that exists among these names. */
export function lastOutputName(id: string, names: ReadonlySet<string>): string | undefined {
	if (!isFileId(id)) return undefined;
	let last: string | undefined;
	for (let attempt = 1; names.has(outputName(id, attempt)); attempt++) last = outputName(id, attempt);
	return last;
}

/** Tells whether a name is that of an output. */
export function isOutputName(name: string): boolean {
	return /^\w{1,64}(?:-\d{1,4})?\.txt$/.test(name);
}
