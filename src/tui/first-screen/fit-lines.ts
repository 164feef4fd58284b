/** A line of the first screen. Lines with less worth are left out first. A line of the top never moves. */
export type WorthyLine = {readonly worth: number; readonly isTop?: true};

/**
Returns the lines that fit into a height, in their order. `reserved` is the number of lines that may still be added
below: until they are there, the top leaves room for them, so that it does not move when they appear.
*/
export function fitLines<Line extends WorthyLine>(
	lines: readonly Line[],
	height: number,
	reserved: readonly WorthyLine[] = [],
): readonly Line[] {
	const kept = new Set<WorthyLine>(mostWorthy([...lines, ...reserved], height));
	const top = lines.filter(line => line.isTop === true && kept.has(line));
	const below = lines.filter(line => line.isTop !== true);
	const keptBelow = new Set(mostWorthy(below, height - top.length));
	return [...top, ...below.filter(line => keptBelow.has(line))];
}

function mostWorthy<Line extends WorthyLine>(lines: readonly Line[], count: number): readonly Line[] {
	return lines.toSorted((one, other) => other.worth - one.worth).slice(0, Math.max(0, count));
}
