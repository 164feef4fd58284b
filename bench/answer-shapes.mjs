// The answers that answers.mjs measures, as each wire sends them.
import {speeches} from './wires.mjs';

export const wires = ['openai-compatible', 'anthropic', 'openai', 'google'];

/**
The forms in which a server may send an answer. `kind` is the long part, `size` is the number of characters in a delta,
and `text` is the share of these characters that inkpod keeps. inkpod truncates an answer at 8 MB.
*/
export const shapes = {
	'text, 8 a delta': {kind: 'text', size: 8},
	'text, 100 a delta': {kind: 'text', size: 100},
	'text, 10,000 a delta': {kind: 'text', size: 10_000},
	'text, 1,000,000 a delta': {kind: 'text', size: 1_000_000},
	'text, 7 MB kept': {kind: 'text', size: 100, most: 7 * 2 ** 20},
	'text, one event': {kind: 'text', size: Infinity},
	'thoughts, 100 a delta': {kind: 'thought', size: 100},
	'thoughts, 10,000 a delta': {kind: 'thought', size: 10_000},
	'call, 100 a delta': {kind: 'call', size: 100},
	'call, 10,000 a delta': {kind: 'call', size: 10_000},
	'call, 7 MB kept': {kind: 'call', size: 10_000, most: 7 * 2 ** 20},
};

const prose = 'The quick brown fox jumps over the lazy dog, and then it rests for a while.\n';
const long = prose.repeat(Math.ceil((20 * 2 ** 20) / prose.length));

/** Yields the pieces of an answer with about this many bytes. */
export function* answerOf(wire, name, bytes) {
	const {kind, size, most = bytes} = shapes[name] ?? {kind: 'text', size: 8};
	const {begin, delta, end} = speeches[wire](kind);
	const overhead = Buffer.byteLength(delta(''));
	const width = Math.min(size, Math.max(8, bytes - overhead - 64));
	const count = bytes === 0 ? 1 : Math.max(1, Math.floor(Math.min(bytes / (overhead + width), most / width)));
	yield begin;
	let batch = '';
	for (let at = 0; at < count; at++) {
		const from = (at * width) % (long.length - width);
		batch += delta(
			bytes === 0 ? 'endofwork' : long.slice(from, from + width).replaceAll('\n', kind === 'call' ? ' ' : '\n'),
		);
		if (batch.length < 65_536) continue;
		yield batch;
		batch = '';
	}
	yield batch + end;
}
