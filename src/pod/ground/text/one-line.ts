/** Returns a path in a form for one line. It escapes newlines in names. */
export function onOneLine(path: string): string {
	return path
		.replaceAll('\\', '\\\\')
		.replaceAll('\n', String.raw`\n`)
		.replaceAll('\r', String.raw`\r`);
}
