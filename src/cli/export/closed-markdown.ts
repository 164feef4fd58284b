/**
Returns Markdown that leaves nothing open, so that what follows is read as it is written. A code block or an HTML block
without an end would take the beginning of the next code block for its own, and then a text from a file would be
Markdown. If the text could leave something open, it becomes a quotation, whose end ends everything in it.
*/
export function closedMarkdown(text: string): string {
	const lines = text.split(/\r\n?|\n/);
	return isClosed(lines) ? text : lines.map(line => (line === '' ? '>' : `> ${line}`)).join('\n');
}

/**
Tells whether a text certainly leaves nothing open (CommonMark, "Fenced code blocks" and "HTML blocks"). It understands
only blocks of code without an indent, and text without HTML at the beginning of a line.
*/
function isClosed(lines: readonly string[]): boolean {
	let fence: string | undefined;
	for (const line of lines) {
		if (fence !== undefined) {
			const [, end = ''] = closing.exec(line) ?? [];
			if (end.startsWith(fence)) fence = undefined;
			continue;
		}
		[fence] = opening.exec(line) ?? [];
		if (fence === undefined && (anyFence.test(line) || anyHtml.test(line))) return false;
	}
	return fence === undefined;
}

const opening = /^(?:`{3,}(?=[^`]*$)|~{3,})/;
const closing = /^ {0,3}(`+|~+)[ \t]*$/;
const anyFence = /```|~~~/;
/** It may be in a list or a quotation. */
const anyHtml = /^[\s>*+\-\d.)]*</;
