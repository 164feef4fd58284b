/** The name of the file of a call's output, one for each time that it ran: `<item id>.txt`, then `<item id>-2.txt`. */
export function outputName(id: string, attempt: number): string {
	return `${id}${attempt === 1 ? '' : `-${attempt}`}.txt`;
}

/** Whether an id can name a file. It may come from a history that others wrote, and must not lead elsewhere. */
export function isFileId(id: string): boolean {
	return /^\w{1,64}$/.test(id);
}

/** Of the names in a folder the last one of an id. */
export function lastOutputName(id: string, names: ReadonlySet<string>): string | undefined {
	if (!isFileId(id)) return undefined;
	let last: string | undefined;
	for (let attempt = 1; names.has(outputName(id, attempt)); attempt++) last = outputName(id, attempt);
	return last;
}
