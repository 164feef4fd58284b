import {en} from '../../../language/index.ts';

/** Received bytes, messages that nobody requested, and JSON values. */
export type Received = {readonly bytes?: number; readonly unasked?: number; readonly values?: number};

/** Limits the amount of data that a server may send within a span of time. */
export type FloodMeter = {
	/** Counts received data. If the amount is too large, it returns the end of a sentence about the server. */
	readonly count: (what: Received) => string | undefined;
};

const spanMs = 10_000;
const maxMegabytes = 128;
const maxUnasked = 20_000;
/** A message of so many wrong values takes about 400 MB for the errors about them. */
export const maxValues = 200_000;

/**
Creates a meter. Without it a server that never stops would use all of inkpod's time, or its memory.
`now` returns milliseconds.
*/
export function createFloodMeter(now: () => number = () => performance.now()): FloodMeter {
	let since = now();
	let total = 0;
	let messages = 0;
	let allValues = 0;
	return {
		count({bytes = 0, unasked = 0, values = 0}) {
			if (now() - since > spanMs) {
				since = now();
				total = 0;
				messages = 0;
				allValues = 0;
			}
			total += bytes;
			messages += unasked;
			allValues += values;
			if (messages > maxUnasked)
				return en`it sent more than ${maxUnasked} messages in ${spanMs / 1000} s that nobody asked for and was stopped`;
			if (allValues > maxValues)
				return en`it sent more than ${maxValues} values in ${spanMs / 1000} s and was stopped`;
			if (total > maxMegabytes * 1024 * 1024)
				return en`it sent more than ${maxMegabytes} MB in ${spanMs / 1000} s and was stopped`;
			return undefined;
		},
	};
}
