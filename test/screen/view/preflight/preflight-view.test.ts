import {describe, expect, it} from 'vitest';
import type {FileRef, RefFailure, RefForecast} from '../../../../src/pod/protocol.ts';
import {viewPreflight, type PreflightFacts} from '../../../../src/screen/view/preflight/preflight-view.ts';
import {shortName} from '../../../../src/screen/model/preflight/marks.ts';
import {plainText} from '../../../../src/screen/spans/row.ts';
import {width} from '../../../../src/text/width.ts';

function file(path: string, more: Partial<Extract<RefForecast, {ok: true}>> = {}): RefForecast {
	return {
		ref: {type: 'file_ref', path},
		ok: true,
		kind: 'file',
		bytes: 2150,
		totalBytes: 2150,
		lines: 80,
		truncated: false,
		tokens: 540,
		...more,
	};
}

function failed(path: string, reason: RefFailure, why: string): RefForecast {
	return {ref: {type: 'file_ref', path}, ok: false, reason, sentence: `${path} was not attached: ${why}.`};
}

function rows(facts: Partial<PreflightFacts>, columns = 100, maxRows = 12): string[] {
	const painted = viewPreflight(
		{refs: [], reading: [], pastes: [], stale: false, told: () => false, ...facts},
		columns,
		maxRows,
	);
	for (const row of painted) expect(width(plainText(row))).toBeLessThanOrEqual(columns);
	return painted.map(plainText);
}

const big = file('big.log', {bytes: 16_384, totalBytes: 3_355_443, lines: 200, truncated: true, tokens: 4100});
const missing = failed('missing.md', 'not_found', 'there is no such file; did you mean Missing.md?');
const secret = failed('.env', 'denied', 'it looks like a secret and was not confirmed');
const other = failed('o.md', 'binary', 'it is binary, or not valid UTF-8 text');

describe('the preflight on a tall screen', () => {
	it('shows each ref on a row, then the total', () => {
		expect(rows({refs: [file('src/a.ts'), big, missing, secret], tokens: 5400})).toEqual([
			'  @src/a.ts  2.1 KB · 80 lines · ≈ 540 tokens',
			'  @big.log  16 KB of 3.2 MB · truncated · ≈ 4,100 tokens',
			'  @missing.md  × there is no such file; did you mean Missing.md?',
			'  @.env  ▲ looks like a secret: Enter twice to attach',
			'  ≈ 5,400 tokens total',
		]);
	});

	it('shows the entries of directories', () => {
		const dir = {kind: 'dir', tokens: 12} as const;
		expect(
			rows({
				refs: [
					file('src/', {...dir, lines: 12}),
					file('d', {...dir, lines: 1}),
					file('e/', {...dir, lines: 0}),
					file('f', {...dir, lines: 100, truncated: true}),
				],
			}),
		).toEqual([
			'  @src/  12 entries · ≈ 12 tokens',
			'  @d  1 entry · ≈ 12 tokens',
			'  @e/  empty directory · ≈ 12 tokens',
			'  @f  first 100 entries · truncated · ≈ 12 tokens',
		]);
	});

	it('shows six of more than six refs, and the number of the others', () => {
		const many = Array.from({length: 10}, (_, index) =>
			index < 5 ? file(`${index}.md`) : failed(`${index}.md`, 'too_many', 'at most 5 files per message'),
		);
		expect(rows({refs: many, tokens: 9000}).slice(5)).toEqual([
			'  @5.md  × at most 5 files per message',
			'  … 4 more, not attached',
			'  ≈ 9,000 tokens total',
		]);
		expect(rows({refs: many.slice(0, 6)})).toHaveLength(6);
	});

	it('shows what Enter does when a secret needs confirmation', () => {
		expect(rows({refs: [secret], told: ({path}: FileRef) => path === '.env'})).toEqual([
			'  @.env  ▲ looks like a secret: Enter to attach',
		]);
	});

	it('shows all pastes on one row, and no total that would repeat it', () => {
		const paste = (id: string, tokens: number, lines = 40) => ({id, lines, chars: 12, tokens});
		expect(rows({pastes: [paste('1', 1234)], tokens: 1234})).toEqual(['  paste #1  40 lines · ≈ 1,234 tokens']);
		expect(rows({pastes: [paste('1', 3, 1)], tokens: 7})).toEqual([
			'  paste #1  12 characters · ≈ 3 tokens',
			'  ≈ 7 tokens total',
		]);
		const many = Array.from({length: 9}, (_, at) => paste(String(at + 1), 1000));
		expect(rows({pastes: many, tokens: 9100})).toEqual([
			'  9 pastes  ≈ 9,000 tokens · #1 1,000 · #2 1,000 · #3 1,000 · #4 1,000 · #5 1,000 · #6 1,000 · …',
			'  ≈ 9,100 tokens total',
		]);
		expect(rows({refs: [file('a')], pastes: many.slice(0, 2), tokens: 2600}, 40)).toEqual([
			'  @a  2.1 KB · 80 lines · ≈ 540 tokens',
			'  2 pastes  ≈ 2,000 tokens · #1 1,000 ·…',
			'  ≈ 2,600 tokens total',
		]);
	});

	it('shows that an answer is missing or a file is read', () => {
		expect(
			rows({
				refs: [file('a')],
				reading: [{type: 'file_ref', path: 'b c.md', range: {first: 2, last: 9}}],
				tokens: 7,
				stale: true,
			}),
		).toEqual(['  @a  2.1 KB · 80 lines · ≈ 540 tokens', '  @"b c.md":2-9  reading…', '  ≈ 7 tokens total …']);
	});

	it('shows a rejection alone', () => {
		expect(
			rows({refs: [file('a')], tokens: 7, rejection: 'Unknown command /reveiw; did you mean /review?'}),
		).toEqual(['  × Unknown command /reveiw; did you mean /review?']);
	});

	it('shows nothing before the preflight is known', () => {
		expect(rows({})).toEqual([]);
		expect(rows({refs: [big]}, 100, 0)).toEqual([]);
	});
});

describe('the preflight on one row of a small screen', () => {
	it.each<[string, Partial<PreflightFacts>, string]>([
		[
			'shows one file',
			{refs: [file('src/a.ts')], tokens: 560},
			'  @src/a.ts 2.1 KB · 80 lines · ≈ 560 tokens total',
		],
		[
			'sums up several files',
			{refs: [file('a'), file('b'), big], tokens: 5400},
			'  3 attached, 1 truncated · ≈ 5,400 tokens total',
		],
		[
			'shows a paste',
			{pastes: [{id: '1', lines: 40, chars: 900, tokens: 300}], tokens: 300},
			'  paste #1 ≈ 300 tokens',
		],
		[
			'sums up several pastes beside a file',
			{
				refs: [file('a')],
				pastes: ['1', '2', '3'].map(id => ({id, lines: 4, chars: 90, tokens: 30})),
				tokens: 700,
			},
			'  @a 2.1 KB · 80 lines · 3 pastes ≈ 90 tokens · ≈ 700 token…',
		],
		[
			'shows a failure',
			{refs: [missing], tokens: 12},
			'  @missing.md × there is no such file; did you mean Missing…',
		],
		[
			'shows a secret',
			{refs: [secret, file('a')], tokens: 560},
			'  @.env ▲ looks like a secret: Enter twice to attach',
		],
		[
			'names failures',
			{refs: [file('a'), missing, other], tokens: 560},
			'  × 2 not attached: @missing.md, @o.md · ≈ 560 tokens total',
		],
		[
			'shows a secret that Enter may attach beside a failure',
			{refs: [file('a'), missing, secret], tokens: 560},
			'  ▲ secret: @.env · × 1 not attached: @missing.md',
		],
		[
			'names secrets',
			{refs: [secret, failed('id_rsa', 'denied', 'x')], tokens: 5},
			'  ▲ 2 look like secrets: @.env, @id_rsa · ≈ 5 tokens total',
		],
		[
			'shows the files that are being read',
			{
				reading: [
					{type: 'file_ref', path: 'a'},
					{type: 'file_ref', path: 'b'},
				],
			},
			'  reading 2',
		],
	])('%s', (_, facts, expected) => {
		expect(rows(facts, 60, 7)).toEqual([expected]);
	});
});

describe('hostile and wide names', () => {
	const names = [
		'日本語のとても長い名前のファイルです/本当に長い名前.md',
		'\x1b[2J\x1b]0;x\x07.md',
		'a\nb\r\t.md',
		'\u202Egnp.exe',
		'👩‍👩‍👧‍👦'.repeat(30),
		'x'.repeat(4000),
		'e\u0301\u200B',
		'ส้ำ'.repeat(40),
		'\uD800',
		'C:\\a b\\"q"',
		'',
	];
	it.each([120, 60, 40, 20, 8, 4])('stay inert and within %i columns', columns => {
		for (const name of names) {
			const refs = [
				file(name),
				failed(name, 'not_found', `there is no such file; did you mean ${name}?`),
				failed(name, 'denied', 'x'),
			];
			for (const maxRows of [12, 3]) {
				const pastes = [{id: name, lines: 2, chars: 3, tokens: 4}];
				const reading = [{type: 'file_ref' as const, path: name}];
				for (const row of rows({refs, reading, pastes, tokens: 1}, columns, maxRows))
					expect(row).not.toMatch(/[\u0000-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/);
				for (const row of rows({rejection: `Unknown command /${name}.`}, columns, maxRows))
					expect(row).not.toMatch(/[\u0000-\u001F\u007F-\u009F\u202A-\u202E]/);
			}
			expect(width(shortName({type: 'file_ref', path: name}))).toBeLessThanOrEqual(48);
		}
	});

	it('truncates a long name at its beginning', () => {
		const [row] = rows({refs: [file('packages/worker/src/very/deep/folder/of/things/file-that-is-meant.ts')]}, 60);
		expect(row).toMatch(/^ {2}@….*file-that-is-meant\.ts {2}2\.1 KB · /);
	});
});
