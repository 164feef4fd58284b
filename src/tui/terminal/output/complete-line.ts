/**
Whether a line holds nothing but text and SGR sequences, and ends without a style: then it looks the same on a terminal
whatever else is written, and need not be made anew from its cells.
*/
export function isComplete(line: string): boolean {
	const open = new Set<string>();
	for (const [, parameters = ''] of line.matchAll(sgr)) {
		const group = closes.get(parameters);
		if (group !== undefined) open.delete(group);
		else {
			const opened = openedBy(parameters);
			if (opened === undefined) return false;
			open.add(opened);
		}
	}
	return open.size === 0 && !controls.test(line.replaceAll(sgr, ''));
}

/** The group of styles that an SGR sequence opens, as chalk writes them: one style a sequence. */
function openedBy(parameters: string): string | undefined {
	if (/^(?:38|3[0-7]|9[0-7])(?:;|$)/.test(parameters)) return 'color';
	if (/^(?:48|4[0-7]|10[0-7])(?:;|$)/.test(parameters)) return 'background';
	return groups.get(parameters);
}

/** SGR sequences (ECMA-48), and the sequences that end each group of styles. */
const sgr = /\x1b\[([\d;]*)m/g;
const controls = /[\x00-\x1f\x7f-\x9f]/;
const closes = new Map([
	['39', 'color'],
	['49', 'background'],
	['22', 'weight'],
	['23', 'italic'],
	['24', 'underline'],
	['27', 'inverse'],
	['28', 'hidden'],
	['29', 'strike'],
	['55', 'overline'],
]);
const groups = new Map([
	['1', 'weight'],
	['2', 'weight'],
	['3', 'italic'],
	['4', 'underline'],
	['7', 'inverse'],
	['8', 'hidden'],
	['9', 'strike'],
	['53', 'overline'],
]);
