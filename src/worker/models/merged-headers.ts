/** The headers of a provider, where the user's own count more, in small letters. */
export function mergedHeaders(
	provider: Readonly<Record<string, string>>,
	own: Readonly<Record<string, string>>,
): Record<string, string> {
	const all = [...Object.entries(provider), ...Object.entries(own)];
	return Object.fromEntries(all.map(([name, value]) => [name.toLowerCase(), value]));
}
