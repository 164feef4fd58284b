/** Returns the headers of a provider with those of the user, which have priority. The names are in lower case. */
export function mergedHeaders(
	provider: Readonly<Record<string, string>>,
	own: Readonly<Record<string, string>>,
): Record<string, string> {
	const all = [...Object.entries(provider), ...Object.entries(own)];
	return Object.fromEntries(all.map(([name, value]) => [name.toLowerCase(), value]));
}
