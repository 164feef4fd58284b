import type {Line, RedactedLine} from './file-scan.ts';

/**
Replaces each redacted line that no later `redaction` item names with a report of damage. Returns the numbers of the
other redacted lines. `lines` are all lines of a file. `isChained` tells whether an item follows the chain.
*/
export function confirmRedactions(
	lines: Line[],
	redacted: readonly RedactedLine[],
	isChained: (line: number) => boolean,
): readonly number[] {
	const confirmed: number[] = [];
	const named = namedLines(lines, isChained);
	for (const {at, after, hash} of redacted) {
		const line = lines[at];
		if (line === undefined || !('item' in line)) continue;
		const last = named.get(line.item.id);
		if (last !== undefined && last.at > at && last.after === after && last.newHash === hash)
			confirmed.push(line.line);
		else lines[at] = {line: line.line, start: line.start, end: line.end, damage: 'changed', sumKnown: true};
	}
	return confirmed;
}

type Named = {readonly at: number; readonly after: string; readonly newHash: string};

/**
Returns what the last `redaction` item says about each id, and the index of this item. An earlier item does not count:
otherwise somebody could put back the line as it was before its second redaction.
*/
function namedLines(lines: readonly Line[], isChained: (line: number) => boolean): ReadonlyMap<string, Named> {
	const named = new Map<string, Named>();
	for (const [index, line] of lines.entries()) {
		if (!('item' in line) || line.item.type !== 'redaction' || !isChained(line.line)) continue;
		for (const {id, after, newHash} of line.item.lines) named.set(id, {at: index, after, newHash});
	}
	return named;
}
