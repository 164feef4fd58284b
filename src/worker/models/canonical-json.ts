/**
JSON with sorted keys and without undefined values, so that equal requests have equal bytes. What a model without a wire
counts as its body.
*/
export function canonicalJson(value: unknown): string {
	return JSON.stringify(value, (_key, inner: unknown) =>
		typeof inner === 'object' && inner !== null && !Array.isArray(inner)
			? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
			: inner,
	);
}
