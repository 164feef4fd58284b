import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {truncateBody, createLineWindow, type LineRange} from '../../../../src/pod/ground/text/line-window.ts';

function windowOf(text: string, range: LineRange | undefined, maxBytes = 1000, step = 1000) {
	const window = createLineWindow(range, maxBytes);
	const bytes = Buffer.from(text);
	for (let at = 0; at < bytes.length; at += step) window.add(bytes.subarray(at, at + step));
	const {body, ...rest} = window.end();
	return {body: body.toString(), ...rest};
}

describe('createLineWindow', () => {
	it.each([
		['keeps the final newline of a whole text', 'a\nb\n', undefined, {body: 'a\nb\n', lines: 2, totalLines: 2}],
		['adds no final newline to a whole text', 'a\nb', undefined, {body: 'a\nb', lines: 2, totalLines: 2}],
		['returns no line of an empty text', '', undefined, {body: '', lines: 0, totalLines: 0}],
		['counts one newline as one line', '\n', undefined, {body: '\n', lines: 1, totalLines: 1}],
		['reads CRLF as LF', 'a\r\nb\r\n', undefined, {body: 'a\nb\n', lines: 2, totalLines: 2}],
		['a CR alone, kept', 'a\rb\r\r\nc\r', undefined, {body: 'a\rb\r\nc\r', lines: 2, totalLines: 2}],
		['returns one line', 'a\nb\nc\n', {first: 2, last: 2}, {body: 'b', lines: 1, totalLines: 3}],
		['returns some lines', 'a\r\nb\r\nc\r\nd', {first: 2, last: 3}, {body: 'b\nc', lines: 2, totalLines: 4}],
		['returns the lines to the end', 'a\nb\nc\n', {first: 2}, {body: 'b\nc', lines: 2, totalLines: 3}],
		['clamps an end past the last line', 'a\nb\n', {first: 2, last: 99}, {body: 'b', lines: 1, totalLines: 2}],
		[
			'keeps empty lines at the end of the range',
			'a\n\n\nb',
			{first: 1, last: 3},
			{body: 'a\n\n', lines: 3, totalLines: 4},
		],
		['keeps empty lines at the end of the text', 'a\n\n', {first: 1}, {body: 'a\n', lines: 2, totalLines: 2}],
		['returns an empty line', 'a\n\nb', {first: 2, last: 2}, {body: '', lines: 1, totalLines: 3}],
		['keeps a CR at the end of the text', 'a\nb\r', {first: 2}, {body: 'b\r', lines: 1, totalLines: 2}],
		['returns the first line of an empty text', '', {first: 1, last: 5}, {body: '', lines: 0, totalLines: 0}],
	])('%s', (_, text, range, expected) => {
		for (const step of [1, 2, 3, 1000])
			expect(windowOf(text, range, 1000, step)).toEqual({...expected, truncated: false, isPastEnd: false});
	});

	it.each([
		['a\nb\n', {first: 3}],
		['a\nb', {first: 3, last: 4}],
		['', {first: 2}],
	])('reports a start past the end of %j', (text, range) => {
		expect(windowOf(text, range).isPastEnd).toBe(true);
	});

	it('cuts at a line end within the last 256 bytes', () => {
		const text = `${'x'.repeat(80)}\n`.repeat(20);
		expect(windowOf(text, undefined, 1000)).toMatchObject({
			body: text.slice(0, 81 * 12 - 1),
			lines: 12,
			totalLines: 20,
			truncated: true,
		});
	});

	it('cuts right before a newline', () => {
		expect(windowOf(`${'x'.repeat(1000)}\n${'y'.repeat(9)}`, undefined, 1000)).toMatchObject({
			body: 'x'.repeat(1000),
			lines: 1,
			truncated: true,
		});
	});

	it('cuts inside a line if the last line end is 257 bytes back', () => {
		const text = `${'x'.repeat(742)}\n${'y'.repeat(1000)}`;
		expect(windowOf(text, undefined, 1000).body).toBe(text.slice(0, 1000));
		expect(windowOf(`x${text}`, undefined, 1000).body.length).toBe(1000);
		expect(windowOf(`xx${text}`, undefined, 1000).body).toBe('x'.repeat(744));
	});

	it('does not cut a text of exactly the limit, and counts CRLF as LF', () => {
		expect(windowOf('x'.repeat(1000), undefined, 1000).truncated).toBe(false);
		expect(windowOf('\r\n'.repeat(1000), undefined, 1000)).toMatchObject({
			body: '\n'.repeat(1000),
			truncated: false,
		});
		expect(windowOf(`${'x'.repeat(1000)}\n`, {first: 1}, 1000).truncated).toBe(false);
		expect(windowOf(`${'x'.repeat(1000)}\n`, undefined, 1000).truncated).toBe(true);
	});

	it('has the same rule as truncateBody: cut at a line, or at a character', () => {
		expect(truncateBody(Buffer.from('ab\ncd日'), 7)).toEqual({body: 'ab', bytes: 2, lines: 1});
		expect(truncateBody(Buffer.from('日本'), 5)).toEqual({body: '日', bytes: 3, lines: 1});
		expect(truncateBody(Buffer.from('日本'), 2)).toEqual({body: '', bytes: 0, lines: 0});
	});

	it('returns the same lines as a plain split, for any text, range, limit and chunks', () => {
		const text = fc
			.array(fc.constantFrom('a', 'é', '日', '👍', '\r', '\n', '\r\n', 'bc'), {maxLength: 40})
			.map(parts => parts.join(''));
		const range = fc.option(
			fc.record({first: fc.integer({min: 1, max: 8}), length: fc.option(fc.integer({min: 0, max: 8}))}),
			{nil: undefined},
		);
		fc.assert(
			fc.property(
				text,
				range,
				fc.integer({min: 0, max: 60}),
				fc.integer({min: 1, max: 9}),
				(text, spec, maxBytes, step) => {
					const wanted =
						spec === undefined
							? undefined
							: {first: spec.first, ...(spec.length !== null && {last: spec.first + spec.length})};
					const unix = text.replaceAll('\r\n', '\n');
					const lines = unix.split('\n');
					if (lines.at(-1) === '') lines.pop();
					const whole = wanted === undefined ? unix : lines.slice(wanted.first - 1, wanted.last).join('\n');
					const window = windowOf(text, wanted, maxBytes, step);
					expect(window.totalLines).toBe(lines.length);
					expect(window.isPastEnd).toBe((wanted?.first ?? 1) > Math.max(1, lines.length));
					expect(window.truncated).toBe(Buffer.byteLength(whole) > maxBytes);
					expect(Buffer.byteLength(window.body)).toBeLessThanOrEqual(maxBytes);
					if (!window.truncated) expect(window.body).toBe(whole);
					expect(whole.startsWith(window.body)).toBe(true);
					expect(window.body.isWellFormed()).toBe(true);
				},
			),
			{seed: 2, numRuns: process.env['INKPOD_TEST'] === 'long' ? 100_000 : 3000},
		);
	});
});
