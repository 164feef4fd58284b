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
		const last = named.get(keyOf({id: line.item.id, after, newHash: hash})) ?? -1;
		if (last > at) confirmed.push(line.line);
		else lines[at] = {line: line.line, start: line.start, end: line.end, damage: 'changed', sumKnown: true};
	}
	return confirmed;
}

/** Returns the index of the last `redaction` item that names each line. */
function namedLines(lines: readonly Line[], isChained: (line: number) => boolean): ReadonlyMap<string, number> {
	const named = new Map<string, number>();
	for (const [index, line] of lines.entries()) {
		if (!('item' in line) || line.item.type !== 'redaction' || !isChained(line.line)) continue;
		for (const one of line.item.lines) named.set(keyOf(one), index);
	}
	return named;
}

function keyOf({id, after, newHash}: {readonly id: string; readonly after: string; readonly newHash: string}): string {
	return JSON.stringify([id, after, newHash]);
}
