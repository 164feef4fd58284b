import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {flatten, type Segment} from '../../../src/pod/protocol.ts';
import {parse, parseDraft} from '../../../src/pod/submission/parse.ts';
import {anyText} from '../../helpers/any-text.ts';

const files: ReadonlySet<string> = new Set([
	'src',
	'src/a.ts',
	'src/main.tsx',
	'a b.md',
	'README.md',
	'Makefile',
	'odd).md',
	'end.',
	'x:10',
	'data.c#L3',
	'日本語.md',
	'メモ',
	'a"b.md',
	"it's.md",
	'.',
	'a',
	'wow!',
	'résumé.md',
	'@types/node',
	'./src/a.ts',
	'~/notes.md',
	'new\nline.md',
	'tick`.md',
	'back\\slash.md',
	'a。b.md',
]);
const exists = async (path: string): Promise<boolean> => files.has(path);

/** The segments in one short word each: texts as they are, `<path:range>` for a ref, `{slug}` for a workflow. */
function brief(segments: readonly Segment[]): string[] {
	return segments.map(segment => {
		if (segment.type === 'text') return segment.text;
		if (segment.type === 'workflow') return `{${segment.slug}}`;
		if (segment.type === 'paste') return 'PASTE';
		const range = segment.range === undefined ? '' : `|${segment.range.first}-${segment.range.last ?? ''}`;
		return `<${segment.path}${range}>`;
	});
}

async function parsed(text: string): Promise<string[]> {
	return brief(await parse(text, exists, {knows: slug => slug === 'review'}));
}

describe('where a ref may start', () => {
	test.each([
		['@src/a.ts', ['<src/a.ts>']],
		['see @src/a.ts', ['see ', '<src/a.ts>']],
		['see\n@src/a.ts', ['see\n', '<src/a.ts>']],
		['see\u3000@src/a.ts', ['see\u3000', '<src/a.ts>']],
		['(@src/a.ts)', ['(', '<src/a.ts>', ')']],
		['[@src/a.ts]', ['[', '<src/a.ts>', ']']],
		['{@src/a.ts}', ['{', '<src/a.ts>', '}']],
		['<@src/a.ts>', ['<', '<src/a.ts>', '>']],
		['"@src/a.ts"', ['"', '<src/a.ts>', '"']],
		["'@src/a.ts'", ["'", '<src/a.ts>', "'"]],
		['“@src/a.ts”', ['“', '<src/a.ts>', '”']],
		['«@src/a.ts»', ['«', '<src/a.ts>', '»']],
		['「@src/a.ts」を', ['「', '<src/a.ts>', '」を']],
		['まず@src/a.tsを', ['まず', '<src/a.ts>', 'を']],
		['まず。@src/a.ts', ['まず。', '<src/a.ts>']],
		['한글@src/a.ts', ['한글', '<src/a.ts>']],
		['𠮷@src/a.ts', ['𠮷', '<src/a.ts>']],
		['データー@src/a.ts', ['データー', '<src/a.ts>']],
		['葛\u{E0100}@src/a.ts', ['葛\u{E0100}', '<src/a.ts>']],
		['か\u3099@src/a.ts', ['か\u3099', '<src/a.ts>']],
		['e\u0301@src/a.ts', ['e\u0301@src/a.ts']],
		[`x${'\u0301'.repeat(20)}@src/a.ts`, [`x${'\u0301'.repeat(20)}@src/a.ts`]],
		['（＠src/main.tsx）を見て', ['（', '<src/main.tsx>', '）を見て']],
		['\\＠README.md', ['\\＠README.md']],
		['mailto:someone@example.md', ['mailto:someone@example.md']],
		['<someone@example.com>', ['<someone@example.com>']],
		['costs 5@3', ['costs 5@3']],
		['費用は５＠３', ['費用は５＠３']],
		['＠src/a.ts', ['<src/a.ts>']],
		['まず＠src/a.ts', ['まず', '<src/a.ts>']],
		['me@README.md', ['me@README.md']],
		['me.@README.md', ['me.@README.md']],
		['é@README.md', ['é@README.md']],
		['ａ＠README.md', ['ａ＠README.md']],
		['1@README.md', ['1@README.md']],
		['_@README.md', ['_@README.md']],
		['a/@README.md', ['a/@README.md']],
		['@@README.md', ['@@README.md']],
		['\\@README.md', ['\\@README.md']],
		['see \\@README.md', ['see \\@README.md']],
		['@', ['@']],
		['@ README.md', ['@ README.md']],
		['', []],
	])('%j', async (text, expected) => {
		expect(await parsed(text)).toEqual(expected);
	});
});

describe('where a token ends', () => {
	test.each([
		['@src/a.ts and', ['<src/a.ts>', ' and']],
		['@src/a.ts\tand', ['<src/a.ts>', '\tand']],
		['@src/a.ts, and', ['<src/a.ts>', ', and']],
		['@src/a.ts.', ['<src/a.ts>', '.']],
		['@src/a.ts...', ['<src/a.ts>', '...']],
		['@src/a.ts?!', ['<src/a.ts>', '?!']],
		['@src/a.ts).', ['<src/a.ts>', ').']],
		['@src/a.ts;', ['<src/a.ts>', ';']],
		['@src/a.ts: look', ['<src/a.ts>', ': look']],
		['@src/a.ts…', ['<src/a.ts>', '…']],
		['@src/a.ts’s', ['@src/a.ts’s']],
		["@src/a.ts's", ['<src/a.ts>', "'s"]],
		['@odd).md', ['<odd).md>']],
		['@odd).md).', ['<odd).md>', ').']],
		['@end.', ['<end.>']],
		['@end..', ['<end.>', '.']],
		['@wow!', ['<wow!>']],
		['@src/a.ts、次', ['<src/a.ts>', '、次']],
		['@src/a.ts。', ['<src/a.ts>', '。']],
		['@src/a.ts）', ['<src/a.ts>', '）']],
		['@src/a.ts`', ['<src/a.ts>', '`']],
		['@src/main.tsxを見て', ['<src/main.tsx>', 'を見て']],
		['@src/main.tsxを見て@src/a.tsも', ['<src/main.tsx>', 'を見て', '<src/a.ts>', 'も']],
		['@日本語.mdを見て', ['<日本語.md>', 'を見て']],
		['@メモ', ['<メモ>']],
		['@メモを', ['@メモを']],
		['@src/a.ts)を', ['<src/a.ts>', ')を']],
		['@README.md#installation', ['<README.md>', '#installation']],
		['@src', ['<src>']],
		['@Makefile', ['<Makefile>']],
		['@résumé.md', ['<résumé.md>']],
		['@.', ['<.>']],
		['@..', ['<..>']],
		['@...', ['@...']],
		['wait @... what', ['wait @... what']],
		['@types/node', ['@types/node']],
		['@src/a.ts#L7@README.md', ['@src/a.ts#L7@README.md']],
		['@src/a.ts@README.md', ['@src/a.ts@README.md']],
		['@@types/node', ['<@types/node>']],
	])('%j', async (text, expected) => {
		expect(await parsed(text)).toEqual(expected);
	});
});

describe('names with spaces and quotes', () => {
	test.each([
		['@"a b.md"', ['<a b.md>']],
		['@"a b.md", then', ['<a b.md>', ', then']],
		['@"a b.md":10-20 then', ['<a b.md|10-20>', ' then']],
		['@"a b.md:10-20"', ['<a b.md|10-20>']],
		['@"a b.md"#L3', ['<a b.md|3-3>']],
		['@"src/a.ts"', ['<src/a.ts>']],
		['@"src/a.ts"を', ['<src/a.ts>', 'を']],
		['@"a b.md"s', ['<a b.md>', 's']],
		['@"src/a.ts"👍', ['<src/a.ts>', '👍']],
		['@"src/a.ts"x', ['@"src/a.ts"x']],
		['@"src/a.ts"@README.md', ['@"src/a.ts"@README.md']],
		['@"a b.md"、@README.md', ['<a b.md>', '、', '<README.md>']],
		['@"a\\"b.md"', ['<a"b.md>']],
		['@"back\\\\slash.md"', ['<back\\slash.md>']],
		['@"back\\slash.md"', ['<back\\slash.md>']],
		['@"new\nline.md"', ['<new\nline.md>']],
		['@"nothing.md\n"', ['@"nothing.md\n"']],
		['@"tick`.md"', ['<tick`.md>']],
		['@"a。b.md"', ['<a。b.md>']],
		['@"missing name.md"', ['<missing name.md>']],
		['@"hello world"', ['@"hello world"']],
		['@"./hello world"', ['<./hello world>']],
		['@"unclosed.md', ['@"unclosed.md']],
		['@""', ['@""']],
		['@a\\ b.md', ['<a b.md>']],
		['@a\\ b.md.', ['<a b.md>', '.']],
		['@a\\ b.md:3', ['<a b.md|3-3>']],
		["@it\\'s.md", ["<it's.md>"]],
		['@a\\"b.md', ['<a"b.md>']],
		['@back\\slash.md', ['<back\\slash.md>']],
		['@a\\\nb.md', ['@a\\\nb.md']],
	])('%j', async (text, expected) => {
		expect(await parsed(text)).toEqual(expected);
	});
});

describe('ranges', () => {
	test.each([
		['@src/a.ts:10', ['<src/a.ts|10-10>']],
		['@src/a.ts:10-20', ['<src/a.ts|10-20>']],
		['@src/a.ts:10-', ['<src/a.ts|10->']],
		['@src/a.ts#L10', ['<src/a.ts|10-10>']],
		['@src/a.ts#L10-L20', ['<src/a.ts|10-20>']],
		['@src/a.ts:10-20.', ['<src/a.ts|10-20>', '.']],
		['@src/a.ts:10,', ['<src/a.ts|10-10>', ',']],
		['(@src/a.ts:10)', ['(', '<src/a.ts|10-10>', ')']],
		['@src/a.ts:10-20を見て', ['<src/a.ts|10-20>', 'を見て']],
		['@src/a.ts:20-10', ['<src/a.ts|20-10>']],
		['@src:10', ['<src|10-10>']],
		['@x:10', ['<x:10>']],
		['@x:10:5', ['<x:10|5-5>']],
		['@data.c#L3', ['<data.c#L3>']],
		['@src/gone.ts:10-20', ['<src/gone.ts|10-20>']],
		['@src/a.ts:0', ['<src/a.ts:0>']],
		['@Makefile:0', ['<Makefile:0>']],
		['@Makefile:0-5,', ['<Makefile:0-5>', ',']],
		['@Makefile#L0', ['<Makefile#L0>']],
		['@Makefile:3-0', ['<Makefile:3-0>']],
		['@"a b.md":0', ['<a b.md:0>']],
		['@"a b.md":3を見て', ['<a b.md|3-3>', 'を見て']],
		['@"a b.md"#L3-L9を見て', ['<a b.md|3-9>', 'を見て']],
		['@"a b.md:0"', ['<a b.md:0>']],
		['@"a b.md":3-9', ['<a b.md|3-9>']],
		['@"gone x.md":3-9', ['<gone x.md|3-9>']],
		['@"gone x.md":0', ['<gone x.md:0>']],
		['@gone:0', ['@gone:0']],
		['@src/a.ts:1-99999999999', ['<src/a.ts|1-99999999999>']],
		['@src/a.ts:99999999999999999999', [`<src/a.ts|${Number.MAX_SAFE_INTEGER}-${Number.MAX_SAFE_INTEGER}>`]],
		[`@src/a.ts:${'9'.repeat(30)}`, [`<src/a.ts:${'9'.repeat(30)}>`]],
		['@src/a.ts:10:5', ['<src/a.ts:10|5-5>']],
		['@src/a.ts:10,20', ['<src/a.ts:10,20>']],
		['@src/a.ts:007', ['<src/a.ts|7-7>']],
		['@src/a.ts#L10-20', ['<src/a.ts|10-20>']],
		['@src/a.ts#L10-L20。', ['<src/a.ts|10-20>', '。']],
		['@src/a.ts#l10', ['<src/a.ts>', '#l10']],
		['@src/a.ts:٣', ['@src/a.ts:٣']],
		['@Makefile:10-20', ['<Makefile|10-20>']],
		['@gone:10-20', ['@gone:10-20']],
		['@./gone:10-', ['<./gone|10->']],
		['@src/a.ts:', ['<src/a.ts>', ':']],
	])('%j', async (text, expected) => {
		expect(await parsed(text)).toEqual(expected);
	});
});

describe('a name that names nothing', () => {
	test.each([
		['@./gone', ['<./gone>']],
		['@../gone', ['<../gone>']],
		['@/gone/file', ['</gone/file>']],
		['@~/gone', ['<~/gone>']],
		['@/', ['</>']],
		['@src/../../x', ['<src/../../x>']],
		['@src/../x', ['@src/../x']],
		['@./a@b', ['<./a@b>']],
		['@./gone).', ['<./gone>', ').']],
		['@src/gone.ts', ['<src/gone.ts>']],
		['@src/gone.ts, please', ['<src/gone.ts>', ', please']],
		['@src/gone.tsxを見て', ['<src/gone.tsx>', 'を見て']],
		['@./gone.tsを見て', ['<./gone.ts>', 'を見て']],
		['@GONE.MD', ['<GONE.MD>']],
		['@.env.json', ['<.env.json>']],
		[`@./${'x'.repeat(5000)}`, [`<./${'x'.repeat(5000)}>`]],
		['@alice', ['@alice']],
		['@decorator()', ['@decorator()']],
		['@angular/core@17.3.1', ['@angular/core@17.3.1']],
		['@scope/x@1.2.3/a.js', ['@scope/x@1.2.3/a.js']],
		['@babel/core', ['@babel/core']],
		['@example.com', ['@example.com']],
		['@socket.io', ['@socket.io']],
		['@.json', ['@.json']],
		['@pytest.fixture', ['@pytest.fixture']],
		['@media (x)', ['@media (x)']],
		['@param {string} name', ['@param {string} name']],
		[`@${'x'.repeat(20_000)}.ts`, [`@${'x'.repeat(20_000)}.ts`]],
	])('%s', async (text, expected) => {
		expect(await parsed(text)).toEqual(expected);
	});
});

describe('code', () => {
	test.each([
		['`@src/a.ts`', ['`', '<src/a.ts>', '`']],
		['`@src/gone.ts`', ['`@src/gone.ts`']],
		['` @./gone `', ['` @./gone `']],
		['``@"gone x.ts" ` ``', ['``@"gone x.ts" ` ``']],
		['` @src/gone.ts', ['` ', '<src/gone.ts>']],
		['a ` b\n\n@src/gone.ts `', ['a ` b\n\n', '<src/gone.ts>', ' `']],
		[
			'```\n@src/gone.ts\n@src/a.ts\n```\n@src/gone.ts',
			['```\n@src/gone.ts\n', '<src/a.ts>', '\n```\n', '<src/gone.ts>'],
		],
		['~~~ts\n@./gone\n~~~', ['~~~ts\n@./gone\n~~~']],
		['````\n```\n@./gone\n````', ['````\n```\n@./gone\n````']],
		['```\n@./gone', ['```\n@./gone']],
		['`a` @./gone `b`', ['`a` ', '<./gone>', ' `b`']],
		['` /review `', ['` /review `']],
	])('%j', async (text, expected) => {
		expect(await parsed(text)).toEqual(expected);
	});
});

describe('workflows', () => {
	test.each([
		['/review', ['{review}']],
		['/review @src/a.ts', ['{review}', ' ', '<src/a.ts>']],
		['please /review, now', ['please ', '{review}', ', now']],
		['please\n/review', ['please\n', '{review}']],
		['まず/review', ['まず', '{review}']],
		['/reveiw', ['{reveiw}']],
		['/reveiw this', ['{reveiw}', ' this']],
		[' /reveiw', [' /reveiw']],
		['look in /tmp', ['look in /tmp']],
		['/usr/bin', ['/usr/bin']],
		['/a--b', ['/a--b']],
		['/Review', ['/Review']],
		['/-review', ['/-review']],
		['and/review', ['and/review']],
		['</review>', ['</review>']],
		['("/review")', ['("/review")']],
		['https://x.org/review', ['https://x.org/review']],
		['//review', ['//review']],
		['/', ['/']],
		['@/review', ['</review>']],
	])('%j', async (text, expected) => {
		expect(await parsed(text)).toEqual(expected);
	});
});

describe('a draft of several segments', () => {
	const chip: Segment = {type: 'file_ref', path: 'picked.ts'};
	const paste: Segment = {type: 'paste', id: '1', chars: 9, lines: 1, content: '@src/a.ts'};

	test.each<[string, Segment[], string[]]>([
		['a paste, never parsed', [paste], ['PASTE']],
		[
			'a ref right behind a paste, inside a word',
			[paste, {type: 'text', text: '@src/a.ts'}],
			['PASTE', '@src/a.ts'],
		],
		[
			'a ref behind a chip and a space',
			[chip, {type: 'text', text: ' @src/a.ts'}],
			['<picked.ts>', ' ', '<src/a.ts>'],
		],
		[
			'a ref right behind a chip, inside a word',
			[chip, {type: 'text', text: '@src/a.ts'}],
			['<picked.ts>', '@src/a.ts'],
		],
		[
			'a range right behind a chip, its own',
			[chip, {type: 'text', text: ':10-20 please'}],
			['<picked.ts|10-20>', ' please'],
		],
		[
			'a range behind a chip that has one, text',
			[
				{...chip, range: {first: 1}},
				{type: 'text', text: ':10'},
			],
			['<picked.ts|1->', ':10'],
		],
		[
			'line 0 behind a chip, of its path: it will fail',
			[chip, {type: 'text', text: ':0 please'}],
			['<picked.ts:0>', ' please'],
		],
		[
			'a range behind a chip, and Japanese behind that',
			[chip, {type: 'text', text: ':10を見て'}],
			['<picked.ts|10-10>', 'を見て'],
		],
		['a colon behind a chip, text', [chip, {type: 'text', text: ': 10'}], ['<picked.ts>', ': 10']],
		[
			'a fence around a chip, a fence',
			[{type: 'text', text: '```\n'}, chip, {type: 'text', text: '\n@./gone\n```'}],
			['```\n', '<picked.ts>', '\n@./gone\n```'],
		],
		[
			'texts in a row, one text',
			[
				{type: 'text', text: '@src/'},
				{type: 'text', text: 'a.ts'},
				{type: 'text', text: ''},
			],
			['<src/a.ts>'],
		],
		[
			'a slug behind a chip, not at the very start',
			[chip, {type: 'text', text: ' /nothing'}],
			['<picked.ts>', ' /nothing'],
		],
	])('%s', async (_, draft, expected) => {
		expect(brief((await parseDraft(draft, exists, {knows: slug => slug === 'review'})).segments)).toEqual(expected);
	});
});

describe('bounds', () => {
	test('a long text with refs that name nothing, a bounded number of questions', async () => {
		let asked = 0;
		const count = async (): Promise<boolean> => {
			asked += 1;
			return false;
		};
		for (const unit of [
			'@abcdefg. ',
			'(@(@(@(@(@',
			'@あいうえお',
			'@"a" @"b" ',
			'@a\\ b\\ c\\ ',
			'/a /b /c /',
			'`@a` ``@b`',
			'@a#@b#@c#@',
		]) {
			const text = unit.repeat(100_000).slice(0, process.env['INKPOD_TEST'] === 'long' ? 1_000_000 : 250_000);
			const draft = await parseDraft([{type: 'text', text: `start ${text}`}], count, {knows: () => false});
			expect(flatten(draft.segments)).toBe(`start ${text}`);
		}
		expect(asked).toBeLessThanOrEqual(8 * 512);
	});

	test('more paths than may be asked for, the rest is text and the draft says so', async () => {
		const draft = await parseDraft(
			[{type: 'text', text: Array.from({length: 9}, (_, index) => `@f${index}.ts`).join(' ')}],
			async () => true,
			{maxProbes: 3},
		);
		expect(draft.complete).toBe(false);
		expect(brief(draft.segments)).toEqual([
			'<f0.ts>',
			' ',
			'<f1.ts>',
			' ',
			'<f2.ts>',
			' @f3.ts @f4.ts @f5.ts @f6.ts @f7.ts @f8.ts',
		]);
	});

	test('the same path many times, asked for once', async () => {
		let asked = 0;
		const draft = await parseDraft([{type: 'text', text: '@a.ts '.repeat(2000)}], async () => (asked += 1) > 0);
		expect(draft.complete).toBe(true);
		expect(asked).toBe(1);
	});
});

describe('stability', () => {
	const pieces = [
		'@src/a.ts',
		'@"a b.md"',
		'@a\\ b.md',
		'＠README.md',
		'@gone.ts',
		'@./gone',
		'@x:10',
		'@src/a.ts:3-9',
		'@src/a.ts#L7',
		'@"src/a.ts"',
		'@日本語.md',
		'@"it\'s.md"',
		'@"tick`.md"',
		'@"new\nline.md"',
		'@alice',
		'/review',
		'/tmp',
		'`',
		'```\n',
		'\n',
		'\n\n',
		' ',
		'(',
		')',
		'.',
		':',
		'"',
		"'",
		'を',
		'、',
		'「',
		'」',
		'word',
		'\\',
		'@',
		'#',
		'👍',
		'…',
	];
	const text = fc.array(fc.constantFrom(...pieces), {maxLength: 12}).map(parts => parts.join(''));
	const runs = process.env['INKPOD_TEST'] === 'long' ? 200_000 : 5000;

	test('what was found once, found again in the flattened text', async () => {
		await fc.assert(
			fc.asyncProperty(text, async text => {
				// Quotes that a path does not need are gone in the flattened text; what is right behind them may then
				// belong to the name.
				fc.pre(!/"src\/a\.ts"\S/.test(text));
				// An escaped backtick is quoted when flattened, and the code around it is another.
				fc.pre(!text.includes('\\`'));
				const first = await parse(text, exists);
				// A quote that was never closed finds its end in one that the flattened text adds.
				fc.pre(!first.some(segment => segment.type === 'text' && /[@＠]"/.test(segment.text)));
				const again = await parse(flatten(first), exists);
				expect(again).toEqual(first);
			}),
			{seed: 3, numRuns: runs},
		);
	});

	test('a draft that is parsed twice, the same', async () => {
		await fc.assert(
			fc.asyncProperty(text, async text => {
				const first = await parse(text, exists);
				expect((await parseDraft(first, exists)).segments).toEqual(first);
			}),
			{seed: 4, numRuns: runs},
		);
	});

	test('any text without quotes and ranges, its words kept', async () => {
		await fc.assert(
			fc.asyncProperty(anyText({maxLength: 60}), async text => {
				expect(flatten(await parse(text, async () => false))).toBe(text);
			}),
			{seed: 5, numRuns: runs},
		);
	});
});

test('a draft full of marks, lets keys be heard while it is read', async () => {
	let turns = 0;
	const count = () => {
		turns += 1;
		immediate = setImmediate(count);
	};
	let immediate = setImmediate(count);
	await parse('tell @alice and someone@example.com\n'.repeat(2500), async () => false);
	clearImmediate(immediate);
	expect(turns).toBeGreaterThan(10);
});
