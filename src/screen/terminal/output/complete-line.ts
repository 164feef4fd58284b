/**
Tells whether a line contains only text, SGR sequences and whole links, and ends without a style. Such a line looks the
same on every terminal, so its cells need not be painted again.
*/
export function isComplete(text: string): boolean {
	const line = text.includes('\x1b]') ? text.replaceAll(links, '$1') : text;
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

/** Returns the group of styles that an SGR sequence opens. chalk writes one style per sequence. */
function openedBy(parameters: string): string | undefined {
	if (/^(?:38|3[0-7]|9[0-7])(?:;|$)/.test(parameters)) return 'color';
	if (/^(?:48|4[0-7]|10[0-7])(?:;|$)/.test(parameters)) return 'background';
	return groups.get(parameters);
}

/** Links (OSC 8), from their begin to their end. */
const links = /\x1b\]8;;[!-~]+\x1b\\((?:[^\x1b]|\x1b\[[\d;]*m)*)\x1b\]8;;\x1b\\/g;
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
