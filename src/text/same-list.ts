/** Tells whether two lists have the same length and equal entries. */
export function isSameList<Entry>(
	one: readonly Entry[],
	other: readonly Entry[],
	isSame: (one: Entry, other: Entry) => boolean,
): boolean {
	if (one.length !== other.length) return false;
	return one.every((entry, index) => {
		const counterpart = other[index];
		return counterpart !== undefined && isSame(entry, counterpart);
	});
}
