/**
Tells whether the terminal may scroll rows itself. INKPOD_SCROLL_REGIONS (1 or 0) has priority, then the user's
configuration. The default is yes, except in Zellij, which would leave old rows on the screen.
*/
export function usesScrollRegions(
	env: Readonly<Record<string, string | undefined>>,
	configured: boolean | undefined,
): boolean {
	const said = env['INKPOD_SCROLL_REGIONS'];
	if (said === '0' || said === '1') return said === '1';
	return configured ?? env['ZELLIJ'] === undefined;
}
