/**
Whether the terminal is trusted to move rows by itself: as INKPOD_SCROLL_REGIONS says (1 or 0), else as the user's
configuration does, else everywhere but in Zellij, which has left rows behind.
*/
export function usesScrollRegions(
	env: Readonly<Record<string, string | undefined>>,
	configured: boolean | undefined,
): boolean {
	const said = env['INKPOD_SCROLL_REGIONS'];
	if (said === '0' || said === '1') return said === '1';
	return configured ?? env['ZELLIJ'] === undefined;
}
