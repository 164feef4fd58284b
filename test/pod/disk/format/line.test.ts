import {describe, expect, it} from 'vitest';
import {closing, encodeBatch, headerLine, headerSum, readHeader} from '../../../../src/pod/disk/format/line.ts';
import type {Item} from '../../../../src/worker/index.ts';
import {decode} from '../../../../src/pod/disk/format/decode.ts';
import {historyOf} from '../fixture.ts';

const header = {session: '01JD8XK3Q2ABCDEFGHJKMNPQRS', cwd: '/home/ä', created: '2026-11-21T10:00:00.000Z'};
const items: Item[] = [
	{
		id: 'a',
		at: '2026-11-21T10:00:01.000Z',
		type: 'message',
		role: 'user',
		text: 'Grüße,\n"sum"',
		origin: {kind: 'submit', segments: []},
	},
	{
		id: 'b',
		at: '2026-11-21T10:00:02.000Z',
		type: 'tool_call',
		callId: 'c1',
		name: 'read_file',
		arguments: '{"path":',
	},
];

/** These checks and sums were made by hand with sha256sum. */
const golden = [
	String.raw`{"format":"inkpod.history/1","session":"01JD8XK3Q2ABCDEFGHJKMNPQRS","cwd":"/home/ä",`,
	String.raw`"created":"2026-11-21T10:00:00.000Z","check":"ec025c7a","items":[`,
	'\n',
	String.raw`{"id":"a","at":"2026-11-21T10:00:01.000Z","type":"message","role":"user","text":"Grüße,\n\"sum\"",`,
	String.raw`"origin":{"kind":"submit","segments":[]},"check":"98d10a6a","sum":"347816f47bb66c4410dd49fd4ffde4ae"},`,
	'\n',
	String.raw`{"id":"b","at":"2026-11-21T10:00:02.000Z","type":"tool_call","callId":"c1","name":"read_file",`,
	String.raw`"arguments":"{\"path\":","check":"14ba10c7","sum":"6e0a3fb9b4b490385062d85b21bc8991"}`,
	'\n]}\n',
].join('');

/** The same history as 0.1.0 wrote it. */
const goldenOfFirstVersion = [
	String.raw`{"format":"inkpod.history/1","session":"01JD8XK3Q2ABCDEFGHJKMNPQRS","cwd":"/home/ä",`,
	String.raw`"created":"2026-11-21T10:00:00.000Z","items":[`,
	'\n',
	String.raw`{"id":"a","at":"2026-11-21T10:00:01.000Z","type":"message","role":"user","text":"Grüße,\n\"sum\"",`,
	String.raw`"origin":{"kind":"submit","segments":[]},"sum":"a945424cef825fb801312a633de892b6"},`,
	'\n',
	String.raw`{"id":"b","at":"2026-11-21T10:00:02.000Z","type":"tool_call","callId":"c1","name":"read_file",`,
	String.raw`"arguments":"{\"path\":","sum":"5332c7c325192c5a5bec21e097ad6d75"}`,
	'\n]}\n',
].join('');

describe('the text of history.json', () => {
	it('equals the golden file for two items', () => {
		expect(historyOf(items, header).toString()).toBe(golden);
	});

	it.each([
		['of this version', golden, '6e0a3fb9b4b490385062d85b21bc8991'],
		['of 0.1.0', goldenOfFirstVersion, '5332c7c325192c5a5bec21e097ad6d75'],
	])('has the items and the last checksum of the golden file %s', (_, text, sum) => {
		const decoded = decode(Buffer.from(text));
		expect(decoded).toMatchObject({
			ok: true,
			closed: true,
			torn: false,
			unchecked: [],
			unseparated: [],
			sum,
			header,
		});
		expect(decoded.ok && decoded.lines.map(line => ('item' in line ? line.item : line.damage))).toEqual(items);
	});

	it('begins with the checksum of its header line', () => {
		expect(headerSum(headerLine(header))).toBe('36f037647550c49ea062444941a4cec6');
	});

	it('has one checksum at the end of a line, even if its item has a key named sum', () => {
		const {pieces, sum} = encodeBatch(
			[{...items[0]!, sum: 'mine'} as unknown as Item],
			headerSum(headerLine(header)),
		);
		expect(sum).toBe('347816f47bb66c4410dd49fd4ffde4ae');
		expect(
			Buffer.concat(pieces)
				.toString()
				.match(/"sum":/g),
		).toHaveLength(1);
	});

	it('has the same form for long texts as for short ones', () => {
		const long = {...items[0]!, text: `日"\\${'x'.repeat(70_000)}`} as Item;
		const {pieces, sum} = encodeBatch([long, items[1]!, long], headerSum(headerLine(header)));
		const bytes = Buffer.concat([Buffer.from(`${headerLine(header)}\n`), ...pieces, closing]);
		const decoded = decode(bytes);
		expect(decoded).toMatchObject({ok: true, sum, unchecked: [], closed: true});
		expect(decoded.ok && decoded.lines.map(line => ('item' in line ? line.item : line.damage))).toEqual([
			long,
			items[1],
			long,
		]);
		const changed = Buffer.from(bytes.toString('latin1').replace('xx', 'xy'), 'latin1');
		expect(decode(changed)).toMatchObject({lines: [{damage: 'changed'}, {}, {}]});
	});

	it.each([
		['', 'not_history'],
		['{"format":"inkpod.history/1","items":[', 'not_history'],
		['{"format":"other/1","session":"s","cwd":"/","created":"","items":[', 'not_history'],
		['{"format":"inkpod.history/2","items":[', 'newer_format'],
		['{"format":"inkpod.history/1","session":"s","cwd":"/","created":""}', 'not_history'],
	])('is refused for the header %j: %s', (line, reason) => {
		expect(readHeader(line)).toEqual({ok: false, reason});
	});
});
