/** Returns a percentile of the values. `part` is between 0 and 1. */
export function percentile(values, part) {
	const sorted = values.toSorted((left, right) => left - right);
	return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))];
}

/** Returns the middle value, or the mean of the two middle values. Returns undefined for an empty list. */
export function median(values) {
	if (values.length === 0) return undefined;
	const sorted = values.toSorted((left, right) => left - right);
	const half = sorted.length / 2;
	return Number.isInteger(half) ? (sorted[half - 1] + sorted[half]) / 2 : sorted[Math.floor(half)];
}

/** Returns the slope of the best-fitting line: the growth per value. Returns 0 for fewer than two values. */
export function slope(values) {
	const middle = (values.length - 1) / 2;
	const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
	const spread = values.reduce((sum, _, at) => sum + (at - middle) ** 2, 0);
	return spread === 0 ? 0 : values.reduce((sum, value, at) => sum + (at - middle) * (value - mean), 0) / spread;
}
