import {describe, expect, it} from 'vitest';
import {type Segment} from '../../../../src/pod/protocol.ts';
import {parseDraft} from '../../../../src/pod/references/submission/parse.ts';
import {brief, exists, parsed} from './parsed.ts';

describe('the start of a ref', () => {
	it.each([
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
	])('is parsed in %j', async (text, expected) => {
		expect(await parsed(text)).toEqual(expected);
	});
});

describe('the end of a ref', () => {
	it.each([
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
	])('is parsed in %j', async (text, expected) => {
		expect(await parsed(text)).toEqual(expected);
	});
});

describe('a name with spaces or quotes', () => {
	it.each([
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
	])('is parsed in %j', async (text, expected) => {
		expect(await parsed(text)).toEqual(expected);
	});
});

describe('a ref in code', () => {
	it.each([
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
	])('is parsed in %j', async (text, expected) => {
		expect(await parsed(text)).toEqual(expected);
	});
});

describe('a workflow', () => {
	it.each([
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
	])('is parsed in %j', async (text, expected) => {
		expect(await parsed(text)).toEqual(expected);
	});
});

describe('a draft of several segments', () => {
	const chip: Segment = {type: 'file_ref', path: 'picked.ts'};
	const paste: Segment = {type: 'paste', id: '1', chars: 9, lines: 1, content: '@src/a.ts'};

	it.each<[string, Segment[], string[]]>([
		['does not parse a paste', [paste], ['PASTE']],
		[
			'takes a ref right after a paste for a part of a word',
			[paste, {type: 'text', text: '@src/a.ts'}],
			['PASTE', '@src/a.ts'],
		],
		[
			'finds a ref after a chip and a space',
			[chip, {type: 'text', text: ' @src/a.ts'}],
			['<picked.ts>', ' ', '<src/a.ts>'],
		],
		[
			'takes a ref right after a chip for a part of a word',
			[chip, {type: 'text', text: '@src/a.ts'}],
			['<picked.ts>', '@src/a.ts'],
		],
		[
			'adds a range right after a chip to it',
			[chip, {type: 'text', text: ':10-20 please'}],
			['<picked.ts|10-20>', ' please'],
		],
		[
			'keeps a range after a chip with a range as text',
			[
				{...chip, range: {first: 1}},
				{type: 'text', text: ':10'},
			],
			['<picked.ts|1->', ':10'],
		],
		[
			'adds line 0 after a chip to its path, so that it fails',
			[chip, {type: 'text', text: ':0 please'}],
			['<picked.ts:0>', ' please'],
		],
		[
			'adds a range before Japanese text',
			[chip, {type: 'text', text: ':10を見て'}],
			['<picked.ts|10-10>', 'を見て'],
		],
		['keeps a colon after a chip as text', [chip, {type: 'text', text: ': 10'}], ['<picked.ts>', ': 10']],
		[
			'finds a fence around a chip',
			[{type: 'text', text: '```\n'}, chip, {type: 'text', text: '\n@./gone\n```'}],
			['```\n', '<picked.ts>', '\n@./gone\n```'],
		],
		[
			'merges adjacent texts',
			[
				{type: 'text', text: '@src/'},
				{type: 'text', text: 'a.ts'},
				{type: 'text', text: ''},
			],
			['<src/a.ts>'],
		],
		[
			'does not take a slug after a chip for the start',
			[chip, {type: 'text', text: ' /nothing'}],
			['<picked.ts>', ' /nothing'],
		],
	])('%s', async (_, draft, expected) => {
		expect(brief((await parseDraft(draft, exists, {knows: slug => slug === 'review'})).segments)).toEqual(expected);
	});
});
