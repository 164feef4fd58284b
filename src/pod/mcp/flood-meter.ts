/** Limits the amount that a server may send within a span of time. */
export type FloodMeter = {
	/** Counts received data. If it is too much, it returns the end of a sentence about the server. */
	readonly count: (what: {readonly bytes?: number; readonly unasked?: number}) => string | undefined;
};

const spanMs = 10_000;
const maxMegabytes = 128;
const maxUnasked = 20_000;

/**
Creates a meter for bytes and unrequested messages. Without it a server that never stops would use all of inkpod's
time.
`now` returns milliseconds.
*/
export function createFloodMeter(now: () => number = () => performance.now()): FloodMeter {
	let since = now();
	let total = 0;
	let messages = 0;
	return {
		count({bytes = 0, unasked = 0}) {
			if (now() - since > spanMs) {
				since = now();
				total = 0;
				messages = 0;
			}
			total += bytes;
			messages += unasked;
			if (messages > maxUnasked)
				return `it sent more than ${maxUnasked} messages in ${spanMs / 1000} s that nobody asked for and was stopped`;
			if (total > maxMegabytes * 1024 * 1024)
				return `it sent more than ${maxMegabytes} MB in ${spanMs / 1000} s and was stopped`;
			return undefined;
		},
	};
}
