/** A move of rows: those from `top` to before `bottom` move up by `by` rows. A negative `by` moves them down. */
type Shift = {readonly top: number; readonly bottom: number; readonly by: number};

/** Returns the shift of rows that leaves the fewest bytes to write, if it saves more than it costs. */
export function findShift(before: readonly string[], next: readonly string[]): Shift | undefined {
	const from = oldPlaces(before);
	const votes = new Map<number, Place>();
	for (const [at, row] of next.entries()) {
		const old = from.get(row);
		if (old === undefined || old === moreThanOne || old === at) continue;
		const vote = votes.get(old - at);
		votes.set(old - at, {first: vote?.first ?? at, last: at, count: (vote?.count ?? 0) + 1});
	}
	let best: (Place & {readonly by: number}) | undefined;
	for (const [by, vote] of votes) if (vote.count > (best?.count ?? 0)) best = {...vote, by};
	if (best === undefined) return undefined;
	const {by, first, last} = best;
	const shift = {by, top: Math.min(first, first + by), bottom: Math.max(last, last + by) + 1};
	return costOf(before, next) - costOf(shifted(before, shift), next) > shiftCost ? shift : undefined;
}

/** Returns the rows after a shift. Rows that become free are blank. */
export function shifted(rows: readonly string[], {top, bottom, by}: Shift): string[] {
	return rows.map((row, at) =>
		at < top || at >= bottom ? row : at + by >= top && at + by < bottom ? (rows[at + by] ?? '') : '',
	);
}

type Place = {readonly first: number; readonly last: number; readonly count: number};

const moreThanOne = -1;

/** Returns the place of each row that occurs once. Blank rows are left out. */
function oldPlaces(rows: readonly string[]): Map<string, number> {
	const places = new Map<string, number>();
	for (const [at, row] of rows.entries()) if (row !== '') places.set(row, places.has(row) ? moreThanOne : at);
	return places;
}

/** Estimates the number of bytes that remain to be written. */
function costOf(before: readonly string[], next: readonly string[]): number {
	return next.reduce((sum, row, at) => (row === before[at] ? sum : sum + row.length + moveCost), 0);
}

const moveCost = 8;
/** The number of bytes that a shift costs: setting the region, scrolling, and resetting the region. */
const shiftCost = 24;
