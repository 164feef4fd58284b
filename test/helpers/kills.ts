/** The kills of all tests that kill the program. `INKPOD_KILLS` sets their number. */
const all = Number(process.env['INKPOD_KILLS'] ?? (process.env['INKPOD_TEST'] === 'long' ? 2000 : 30));

/** Returns the kills of one test: its share of all. */
export function killsOf(share: keyof typeof shares): number {
	return Math.round(all * shares[share]);
}

/** Returns the time limit of a test with many kills, in milliseconds. */
export function timeFor(kills: number): number {
	return 60_000 + kills * 10_000;
}

/**
`process`: print mode, on all wires. `screen`: a chat on a terminal. `queue`: a chat with queued messages. `compaction`:
during `/compact`.
*/
const shares = {process: 0.4, screen: 0.2, queue: 0.3, compaction: 0.1};
