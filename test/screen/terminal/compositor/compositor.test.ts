import * as fc from 'fast-check';
import {describe, expect, onTestFinished, it} from 'vitest';
import {compose, type Picture} from '../../../../src/screen/terminal/compositor/compositor.ts';
import {cut} from '../../../../src/text/width.ts';
import {difference} from '../../../helpers/same-screen.ts';
import {createScreen, type Screen} from '../../../helpers/screen.ts';

const long = process.env['INKPOD_TEST'] === 'long';
const seed = 20_261_121;

function screenOf(columns: number, rows: number): Screen {
	const screen = createScreen(columns, rows);
	onTestFinished(() => screen.dispose());
	return screen;
}

function picture(columns: number, height: number, rows: readonly string[], x = 0, y = 0): Picture {
	return {columns, rows: Array.from({length: height}, (_, at) => rows[at] ?? ''), cursor: {x, y}};
}

const on = {scrollRegions: true};
const off = {scrollRegions: false};
const body = (bytes: string) => bytes.replace('\x1b[?2026h', '').replace('\x1b[?2026l', '');

describe('the written bytes of a picture', () => {
	const before = picture(20, 6, ['alpha', 'beta', 'gamma', 'delta', '', '> dra'], 5, 5);

	it('are empty for the same picture', () => {
		expect(compose(before, {...before, rows: [...before.rows]}, on)).toBe('');
	});

	it('are a cursor move when only the cursor changes', () => {
		expect(compose(before, {...before, cursor: {x: 2, y: 5}}, on)).toBe('\x1b[6;3H');
	});

	it('are one letter in one synchronized update, the cursor last, when one letter is added', () => {
		expect(compose(before, picture(20, 6, before.rows.with(5, '> draf'), 6, 5), on)).toBe(
			'\x1b[?2026h\x1b[6;6Hf\x1b[6;7H\x1b[?2026l',
		);
	});

	it('clear the rest before a shorter row, because the cursor stays on the last cell of a full row', () => {
		expect(body(compose(before, picture(20, 6, before.rows.with(0, 'al'), 5, 5), on))).toBe(
			'\x1b[1;3H\x1b[K\x1b[6;6H',
		);
		expect(body(compose(before, picture(20, 6, before.rows.with(0, 'alter'), 5, 5), on))).toBe(
			'\x1b[1;3Hter\x1b[6;6H',
		);
	});

	it('are only a cursor move for blanks at the end of a row, unless the blanks have a style', () => {
		const after = picture(20, 6, before.rows.with(5, '> dra '), 6, 5);
		expect(compose(before, after, on)).toBe('\x1b[6;7H');
		expect(body(compose(after, picture(20, 6, before.rows.with(5, '> dra f'), 7, 5), on))).toBe(
			'\x1b[6;7Hf\x1b[6;8H',
		);
		expect(body(compose(before, picture(20, 6, before.rows.with(5, '> dra\x1b[7m  \x1b[0m'), 5, 5), on))).toContain(
			'\x1b[7m  \x1b[0m',
		);
	});

	it('repeat a style after it ends', () => {
		const styled = picture(20, 6, ['\x1b[1m\x1b[38;5;12mone\x1b[39m \x1b[2mtwo\x1b[22m']);
		expect(
			body(compose(styled, picture(20, 6, ['\x1b[1m\x1b[38;5;12mone\x1b[39m \x1b[2mtwist\x1b[22m']), on)),
		).toBe('\x1b[1;7H\x1b[1;2mist\x1b[22m\x1b[0m\x1b[1;1H');
	});

	it('scroll moved text and write new rows, unless the terminal cannot scroll', () => {
		const lines = Array.from({length: 30}, (_, at) => `line ${at} of a text that scrolls`);
		const [one, other] = [
			picture(40, 12, [...lines.slice(0, 10), 'status', '> '], 2, 11),
			picture(40, 12, [...lines.slice(1, 11), 'status', '> '], 2, 11),
		];
		expect(body(compose(one, other, on))).toBe(
			'\x1b[1;10r\x1b[1S\x1b[r\x1b[10;1Hline 10 of a text that scrolls\x1b[12;3H',
		);
		expect(body(compose(other, one, on))).toBe(
			'\x1b[1;10r\x1b[1T\x1b[r\x1b[1;1Hline 0 of a text that scrolls\x1b[12;3H',
		);
		expect(compose(one, other, off)).not.toMatch(/[ST]/);
	});

	it('include every non-blank row on a cleared screen when the size changes', () => {
		const bytes = compose(before, picture(30, 3, ['one', '', 'three']), on);
		expect(body(bytes)).toBe('\x1b[0m\x1b[r\x1b[?7l\x1b[?25h\x1b[H\x1b[J\x1b[1;1Hone\x1b[3;1Hthree\x1b[1;1H');
	});

	it('are inert for a row that contains more than text and styles', () => {
		const bytes = compose(before, picture(20, 6, ['a\x1b]0;owned\x07\x1b[2J\x9b5n\nb\x1b[31mred\x1b[39m']), on);
		expect(bytes).toContain('\ufffd]0;owned\ufffd\ufffd[2J\ufffd5n\ufffdb\x1b[31mred\x1b[39m');
	});
});

describe('a changed row', () => {
	const screens = async (before: string, next: string) => {
		const [changed, fresh] = [screenOf(12, 2), screenOf(12, 2)];
		const [one, other] = [picture(12, 2, [before]), picture(12, 2, [next])];
		await changed.write(compose(undefined, one, on) + compose(one, other, on));
		await fresh.write(compose(undefined, other, on));
		return difference(changed, fresh);
	};

	it.each([
		['a letter that gets an accent', 'cafe', 'cafe\u0301 au lait'],
		['an accent that disappears', 'e\u0301x', 'ex'],
		['a flag that gets its second half', 'a🇯', 'a🇯🇵b'],
		['a family that grows', '👨‍👩', '👨‍👩‍👧 x'],
		['a digit that becomes a keycap', 'a1', 'a1\ufe0f\u20e3'],
		['a heart that gets its variation selector', '❤ x', '❤️ x'],
		['an accent after a style', 'ab\x1b[1mx\x1b[22m', 'ab\x1b[1m\u0301x\x1b[22m'],
		['a wide character cut in its middle', '日本語', '日本a'],
		['narrow over wide, and wide over narrow', 'ab日本', 'abc日'],
		['as wide as the screen', 'abcdefghijkl', 'abcdefghijkm'],
		['wide characters up to the edge', '日本語日本語', '日本語日本go'],
		['a shorter one, with a mark', '\x1b[7mselected\x1b[0m rest', 'selected'],
		['one that becomes blank', 'something', ''],
	])('looks as if it were newly written: %s', async (_, before, next) => {
		expect(await screens(before, next)).toBeUndefined();
		expect(await screens(next, before)).toBeUndefined();
	});
});

/** Returns a painted row without its styles and links. */
function textIn(row: string): string {
	return row.replaceAll(/\x1b\[[\d;]*m|\x1b\]8;;[!-~]*\x1b\\/g, '');
}

describe('a row with a link', () => {
	const linked = (address: string, text: string) => `see \x1b]8;;${address}\x1b\\${text}\x1b]8;;\x1b\\ now`;
	const row = linked('https://a.example/', 'https://a.example/');

	it('is written with the link, and again from its begin if only the address changes', () => {
		const one = picture(40, 1, [row]);
		expect(compose(undefined, one, on)).toContain(row);
		const other = linked('https://b.example/', 'https://a.example/');
		expect(body(compose(one, picture(40, 1, [other]), on))).toContain('\x1b]8;;https://b.example/\x1b\\https');
	});

	it('begins the link again if the change is in the middle of it', () => {
		const changed = body(
			compose(picture(40, 1, [row]), picture(40, 1, [row.replace('ple/\x1b]', 'pli/\x1b]')]), on),
		);
		expect(changed).toContain('\x1b[1;21H\x1b]8;;https://a.example/\x1b\\i\x1b]8;;\x1b\\');
	});

	it.each(['javascript:1', 'file:///etc/passwd', 'https://a b', 'x', 'https://\u00e4'])(
		'has no link to %s: the sequence is inert',
		address => {
			expect(compose(undefined, picture(60, 1, [linked(address, 'x')]), on)).toContain('see \ufffd]8;;');
		},
	);
});

describe('a series of pictures', () => {
	const columns = 24;
	const pieces = [
		'word ',
		'a',
		'   ',
		'\x1b[4m  \x1b[24m',
		'x'.repeat(9),
		'日本',
		'語',
		'👍🏽',
		'👨‍👩‍👧',
		'e\u0301',
		'❤️',
		'🇯🇵',
		'…│●',
		'\x1b[31mred\x1b[39m',
		'\x1b[1m\x1b[2mbold\x1b[22m',
		'\x1b[7mmark\x1b[0m',
		'\x1b[38;2;1;2;3m\x1b[48;5;9mdeep\x1b[49m\x1b[39m',
		'ส้ำ',
		'\x1b]8;;https://a.example/\x1b\\\x1b[4ma.example\x1b[24m\x1b]8;;\x1b\\',
		'\x1b]8;;http://b.example/?q=1;2\x1b\\b\x1b]8;;\x1b\\',
	];
	const row = fc.array(fc.constantFrom(...pieces), {maxLength: 7}).map(parts => {
		const kept: string[] = [];
		for (const part of parts)
			if (cut(textIn([...kept, part].join('')), columns) === textIn([...kept, part].join(''))) kept.push(part);
		return kept.join('');
	});
	const change = fc.oneof(
		fc.record({type: fc.constant('set' as const), at: fc.nat(11), row}),
		fc.record({type: fc.constant('append' as const), at: fc.nat(11), row}),
		fc.record({
			type: fc.constant('move' as const),
			from: fc.nat(10),
			to: fc.nat(11),
			by: fc.integer({min: -5, max: 5}),
		}),
		fc.record({type: fc.constant('size' as const), rows: fc.integer({min: 3, max: 14})}),
		fc.record({type: fc.constant('cursor' as const), x: fc.nat(columns), y: fc.nat(11)}),
	);

	it.each([
		['with scroll regions', on, 'graphemes'],
		['without scroll regions', off, 'graphemes'],
		['in a terminal of Unicode 6, where most emoji are narrow', on, '6'],
	] as const)('looks as if each were newly written: %s', async (_, options, unicode) => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(row, {minLength: 12, maxLength: 12}),
				fc.array(fc.array(change, {minLength: 1, maxLength: 4}), {minLength: 3, maxLength: 20}),
				async (rows, steps) => {
					let shown = picture(columns, 12, rows);
					const [changed, fresh] = [createScreen(columns, 12), createScreen(columns, 12)];
					for (const {terminal} of [changed, fresh]) terminal.unicode.activeVersion = unicode;
					await changed.write(compose(undefined, shown, options));
					for (const step of steps) {
						const next = step.reduce(changedBy, shown);
						for (const screen of [changed, fresh])
							if (screen.terminal.rows !== next.rows.length) screen.resize(columns, next.rows.length);
						await changed.write(compose(shown, next, options));
						await fresh.write(`\x1bc${compose(undefined, next, options)}`);
						expect(difference(changed, fresh)).toBeUndefined();
						shown = next;
					}
					for (const screen of [changed, fresh]) screen.dispose();
				},
			),
			{seed, numRuns: long ? 1000 : 20},
		);
	});

	type Change = typeof change extends fc.Arbitrary<infer Of> ? Of : never;

	function changedBy(before: Picture, step: Change): Picture {
		return changesBy[step.type](before, step as never);
	}

	const atRow = ({rows}: Picture, at: number) => Math.min(at, rows.length - 1);
	const changesBy: {
		readonly [Type in Change['type']]: (before: Picture, step: Extract<Change, {type: Type}>) => Picture;
	} = {
		set: (before, step) => ({...before, rows: before.rows.with(atRow(before, step.at), step.row)}),
		append(before, step) {
			const joined = before.rows[atRow(before, step.at)]! + step.row;
			return textIn(joined).length > columns / 2
				? before
				: {...before, rows: before.rows.with(atRow(before, step.at), joined)};
		},
		move: (before, step) => ({
			...before,
			rows: before.rows.map((one, at) =>
				at < step.from || at > step.to ? one : (before.rows[at + step.by] ?? 'new'),
			),
		}),
		size: (before, step) => ({
			...before,
			rows: Array.from({length: step.rows}, (_, at) => before.rows[at] ?? 'more'),
			cursor: {x: 0, y: 0},
		}),
		cursor: (before, step) => ({...before, cursor: {x: Math.min(step.x, columns - 1), y: atRow(before, step.y)}}),
	};
});
