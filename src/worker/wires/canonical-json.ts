/**
Returns JSON with sorted keys and without undefined values, so that equal requests have equal bytes. This JSON is the
body of a request to a model without a provider.
*/
export function canonicalJson(value: unknown): string {
	return JSON.stringify(value, (_key, inner: unknown) =>
		typeof inner === 'object' && inner !== null && !Array.isArray(inner)
			? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
			: inner,
	);
}
