/**
Returns Markdown in which all code blocks and HTML blocks end, so that the text after it is read as intended. A code
block or HTML without an end would contain the first line of the next code block. Then text from a file would be read as
Markdown, or would be hidden. If a block might not end, the Markdown becomes a quotation, because the end of a quotation
ends everything in it.
*/
export function closedMarkdown(text: string): string {
	const lines = text.split(/\r\n?|\n/);
	return isClosed(lines) ? text : lines.map(line => (line === '' ? '>' : `> ${line}`)).join('\n');
}

/**
Tells whether all blocks in these lines certainly end (CommonMark, "Fenced code blocks", "HTML blocks" and "Raw HTML").
If a fence is indented, or HTML is outside of code, the result is false.
*/
function isClosed(lines: readonly string[]): boolean {
	const hasTable = lines.some(line => tableRow.test(line));
	let fence: string | undefined;
	let block: string[] = [];
	for (const line of lines) {
		if (fence !== undefined) {
			const [, end = ''] = closing.exec(line) ?? [];
			if (end.startsWith(fence)) fence = undefined;
			continue;
		}
		[fence] = opening.exec(line) ?? [];
		if (fence === undefined && (anyFence.test(line) || startOfHtml.test(line))) return false;
		if (fence === undefined && line.trim() !== '') block.push(line);
		else if (hasHtml(block, hasTable)) return false;
		else block = [];
	}
	return fence === undefined && !hasHtml(block, hasTable);
}

/**
Tells whether HTML may begin in the lines between two empty lines. The function recognises only code that ends on the
same line. If a backtick remains outside of such code, the result is true, because code may continue on another line.
*/
function hasHtml(lines: readonly string[], hasTable: boolean): boolean {
	if (!lines.some(line => anyHtml.test(line))) return false;
	return lines.some(line => {
		if (line.length > maxLine || line.includes('\\`')) return true;
		// In a table, a `|` ends code, too.
		const rest = line.replaceAll(code, span => (hasTable && span.includes('|') ? span : '\0'));
		return rest.includes('`') || isCodeOfAddress(rest) || anyHtml.test(rest.replaceAll(address, ' '));
	});
}

/**
Tells whether code on a line is part of an address. In GFM, the backtick after `https://…` belongs to the address.
`rest`: the line with NUL in place of code.
*/
function isCodeOfAddress(rest: string): boolean {
	return rest.split(/[\s<]/).some(word => /\/\/|www\./i.test(word.slice(0, Math.max(0, word.lastIndexOf('\0')))));
}

const opening = /^(?:`{3,}(?=[^`]*$)|~{3,})/;
const closing = /^ {0,3}(`+|~+)[ \t]*$/;
const anyFence = /```|~~~/;
/** Matches the start of an HTML block, which may be in a list or a quotation. */
const startOfHtml = /^[\s>*+\-\d.)]*</;
const anyHtml = /<[A-Za-z/!?]/;
const code = /(?<!`)(`+)(?!`).*?[^`]\1(?!`)/g;
const address = /<(?:[A-Za-z][A-Za-z\d+.-]{1,31}:[^\s<>`\0]*|[\w.+-]+@[\w.-]+)>/g;
/** Matches the row below the column names of a table. */
const tableRow = /^[\s>*+\d.):-]*\|[\s|:-]*$/;
/** The maximum length of a line in which code is searched for, because the search takes long in a longer line. */
const maxLine = 10_000;
