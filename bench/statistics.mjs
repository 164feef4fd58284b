/** The value below which the part `part` of the values lies. */
export function percentile(values, part) {
	const sorted = values.toSorted((left, right) => left - right);
	return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))];
}

/** The middle value, or the mean of the two middle ones. Undefined of no values. */
export function median(values) {
	if (values.length === 0) return undefined;
	const sorted = values.toSorted((left, right) => left - right);
	const half = sorted.length / 2;
	return Number.isInteger(half) ? (sorted[half - 1] + sorted[half]) / 2 : sorted[Math.floor(half)];
}
