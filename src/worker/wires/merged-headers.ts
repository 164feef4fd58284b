/**
Merges the headers of a provider with the user's headers, which have priority. The names in the result are in lower
case.
*/
export function mergedHeaders(
	provider: Readonly<Record<string, string>>,
	own: Readonly<Record<string, string>>,
): Record<string, string> {
	const all = [...Object.entries(provider), ...Object.entries(own)];
	return Object.fromEntries(all.map(([name, value]) => [name.toLowerCase(), value]));
}
