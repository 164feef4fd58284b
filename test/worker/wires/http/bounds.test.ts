import {describe, expect, it} from 'vitest';
import {bounded, boundedError} from '../../../../src/worker/wires/http/bounds.ts';
import {endOfSource, textOf, type Piece, type Source} from '../../../../src/worker/wires/http/source.ts';

type TestSource = Source & {readonly isCancelled: () => boolean};

/** Creates a source of these pieces. After them it ends, fails or stays silent forever. */
function sourceOf(pieces: readonly string[], then: 'end' | 'fail' | 'silence' = 'end'): TestSource {
	const left = pieces.map(text => Buffer.from(text));
	const cancelled = Promise.withResolvers<Piece>();
	let isCancelled = false;
	return {
		isCancelled: () => isCancelled,
		async read() {
			const value = left.shift();
			if (value !== undefined) return {done: false, value};
			if (then === 'fail') throw new Error('torn');
			return then === 'end' ? endOfSource : cancelled.promise;
		},
		async cancel() {
			isCancelled = true;
			cancelled.resolve(endOfSource);
		},
	};
}

describe('a bounded source', () => {
	it.each([
		['LF', '\n\n'],
		['CR', '\r\r'],
		['CRLF', '\r\n\r\n'],
		['a mixture', '\r\n\n'],
	])('counts the bytes between blank lines of %s, wherever the pieces are split', async (_, blank) => {
		const events = `data: 12345678${blank}`.repeat(50);
		for (const size of [1, 2, 3, 5, 19, 1000]) {
			const pieces = events.match(new RegExp(`[^]{1,${size}}`, 'g'))!;
			expect(await textOf(bounded(sourceOf(pieces), {maxBytes: 10_000, maxEventBytes: 40}))).toBe(events);
		}
	});

	it('refuses an event that is too large, and cancels the source', async () => {
		const source = sourceOf(['data: 1\n\n', 'x'.repeat(30), 'x'.repeat(30)]);
		await expect(textOf(bounded(source, {maxBytes: 10_000, maxEventBytes: 40}))).rejects.toMatchObject({
			reason: 'event_too_large',
		});
		expect(source.isCancelled()).toBe(true);
	});

	it('refuses an answer that is too large, and cancels the source', async () => {
		const source = sourceOf(Array.from({length: 20}, () => 'data: 1\n\n'));
		await expect(textOf(bounded(source, {maxBytes: 100, maxEventBytes: 40}))).rejects.toMatchObject({
			reason: 'answer_too_large',
		});
		expect(source.isCancelled()).toBe(true);
	});
});

describe('the body of an error', () => {
	it.each([
		['is long', sourceOf(['abc', 'def', 'ghi']), 'abcd'],
		['breaks', sourceOf(['ab'], 'fail'), 'ab'],
		['never ends', sourceOf(['ab'], 'silence'), 'ab'],
		['is short', sourceOf(['ab']), 'ab'],
	])('ends with the received text and cancels its source when it %s', async (_, source, text) => {
		expect(await textOf(boundedError(source, 4, 20))).toBe(text);
		expect(source.isCancelled()).toBe(true);
	});
});
