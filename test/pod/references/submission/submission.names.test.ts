import {describe, expect, it} from 'vitest';
import {flatten, quoted} from '../../../../src/pod/protocol.ts';
import {onOneLine} from '../../../../src/pod/ground/text/one-line.ts';
import {tempProject} from '../../../helpers/temp-project.ts';
import {accepted, failures, segmentsOf} from './submit.ts';

const names = [
	'a b.md',
	' leading and trailing ',
	'"quoted".md',
	"it's.md",
	'tick`.md',
	'back\\slash.md',
	'ends with backslash\\',
	'new\nline.md',
	'carriage\rreturn.md',
	'tab\tin.md',
	'日本語、全角。.md',
	'「括弧」.md',
	'👩‍👩‍👧.md',
	'caf\u00E9.md',
	'cafe\u0301.md',
	'\u001B[31mred\u001B[0m\u0007.md',
	'\u202Egnp.exe',
	'end.',
	'(paren)',
	'a>',
	'x:10',
	'x:10-20',
	'x#L3',
	'x#L0',
	'-rf',
	'#hash',
	'@at@at.md',
	'＠全角.md',
	'$(id).md',
	'[File: a]',
	`${'長'.repeat(80)}.md`,
];

describe('a file with a hostile name', () => {
	it.each(names)('is attached by its chip and by its name in text: %j', async name => {
		const project = await tempProject({[name]: 'body\n'});
		const picked = await accepted(project, [{type: 'file_ref', path: name}]);
		expect(failures(picked.user)).toEqual([undefined]);
		expect(picked.attachments.map(item => item.text)).toEqual([`[File: ${onOneLine(name)}]\nbody\n`]);
		expect(picked.user.text).toBe(`@${quoted(name)}`);
		const typed = await accepted(project, `see @${quoted(name)} now`);
		expect(failures(typed.user)).toEqual([undefined]);
		expect(typed.attachments.map(item => item.text)).toEqual([`[File: ${onOneLine(name)}]\nbody\n`]);
		expect(typed.user.text).toBe(`see @${quoted(name)} now`);
		expect(flatten(segmentsOf(typed.user))).toBe(typed.user.text);
	});

	it.each(names)('is attached with its range: %j', async name => {
		const project = await tempProject({[name]: 'one\ntwo\nthree\n'});
		const {attachments} = await accepted(project, [{type: 'file_ref', path: name, range: {first: 2, last: 9}}]);
		expect(attachments.map(item => item.text)).toEqual([`[File: ${onOneLine(name)}:2-9]\ntwo\nthree`]);
		expect(
			(await accepted(project, `see @"${name.replaceAll(/["\\]/g, '\\$&')}":2`)).attachments.map(
				item => item.text,
			),
		).toEqual([`[File: ${onOneLine(name)}:2]\ntwo`]);
	});

	it('is not confused with its composed or decomposed form', async () => {
		const project = await tempProject({'caf\u00E9.md': 'composed'});
		const {user, alerts} = await accepted(project, '@cafe\u0301.md');
		if (failures(user)[0] === undefined) return; // This disk treats both names as the same.
		expect(failures(user)).toEqual(['not_found']);
		expect(alerts[0]?.text).toContain('did you mean caf\u00E9.md');
	});
});

describe('a file whose name looks like a range', () => {
	it('is found by its literal name, and the other file by its quoted path with a range', async () => {
		const project = await tempProject({x: 'one\ntwo\n', 'x:2': 'literal'});
		const {user, attachments} = await accepted(project, '@x:2 @"x":2 @x#L2 @x:1');
		expect(attachments.map(item => item.text)).toEqual([
			'[File: x:2]\nliteral',
			'[File: x:2]\ntwo',
			'[File: x:1]\none',
		]);
		expect(segmentsOf(user).flatMap(segment => (segment.type === 'file_ref' ? [segment.outcome] : []))).toEqual([
			{item: 'id002'},
			{item: 'id003'},
			{item: 'id003'},
			{item: 'id004'},
		]);
	});
});

describe('an unusable path', () => {
	it.each<[string, string, string]>([
		['5,000 characters', `./${'x'.repeat(5000)}`, 'not_found'],
		['5,000 characters in parts', `./${'x/'.repeat(2500)}`, 'not_found'],
		['300 characters in one part', `./${'x'.repeat(300)}`, 'not_found'],
		['a NUL byte', './a\0b.md', 'not_found'],
		['a file’s name with a slash at its end', 'a.md/', 'not_found'],
		['a path below a file', './a.md/b', 'not_found'],
		['its own folder’s parent', '..', 'out_of_scope'],
		['a way out through a folder', 'src/../../x', 'out_of_scope'],
		['the root', '/', 'out_of_scope'],
		['a folder beside the scope whose name begins as the scope’s', '../project-x/a.md', 'out_of_scope'],
		['line 0', 'a.md:0', 'bad_range'],
		['line 0 of a missing file', './b.md:0', 'not_found'],
		['a line beyond all files', `a.md:${'9'.repeat(24)}`, 'bad_range'],
	])('fails with one short sentence: %s, %s, reason %s', async (_, path, reason) => {
		const project = await tempProject({'a.md': 'a\n', 'src/b.ts': '', '../project-x/a.md': 'secret'});
		const {user, attachments, alerts} = await accepted(project, `see @${path} now`);
		expect(failures(user)).toEqual([reason]);
		expect(attachments).toEqual([]);
		expect(alerts).toHaveLength(1);
		expect(alerts[0]!.text.length).toBeLessThan(300);
	});
});

describe('a path', () => {
	it('counts as one attachment in many spellings', async () => {
		const project = await tempProject({'src/a.md': 'a'});
		const {attachments} = await accepted(
			project,
			'@src/a.md @./src/a.md @src//a.md @src/./a.md @src/../src/a.md @"src/a.md" ＠src/a.md @src\\/a.md ' +
				`@${project.path('src/a.md')}`,
		);
		expect(attachments.map(item => item.text)).toEqual(['[File: src/a.md]\na']);
	});
});

describe('a text with @', () => {
	it.each([
		'write to someone@example.com',
		'@types/node is a package',
		'the `@decorator` here',
		'costs 5@3',
		'ask @alice',
		'@angular/core@17.3.1',
		'\\@README.md is literal',
		'`@./gone.ts`',
		'```\n@gone.ts\n```',
		'~~~\n@gone.ts\n~~~',
		'   ```ts\n   @gone.ts\n   ```',
		'```\n@gone.ts',
		'``@gone.ts``',
		'> ```\n> @gone.ts\n> ```',
		'```\r\n@gone.ts\r\n```\r\n',
		'@media (min-width: 3px)',
		'@',
		'@@',
		'@ @ @',
	])('is sent unchanged: %j', async text => {
		const project = await tempProject({'README.md': 'x'});
		const {user, attachments, alerts} = await accepted(project, text);
		expect(user.text).toBe(text);
		expect(segmentsOf(user)).toEqual([{type: 'text', text}]);
		expect([attachments, alerts]).toEqual([[], []]);
	});

	it('is sent unchanged in a paste', async () => {
		const project = await tempProject({'a.md': 'x'});
		const content = 'see @a.md and @gone.md and /review\n';
		const {user, attachments, alerts} = await accepted(project, [
			{type: 'paste', id: 'p1', chars: content.length, lines: 1, content},
		]);
		expect(user.text).toBe(content);
		expect([attachments, alerts]).toEqual([[], []]);
	});
});

describe('a ref in code', () => {
	it.each([
		['`@a.md`', 1],
		['```\n@a.md\n```', 1],
		['```\n@gone.md\n``` @gone.md', 0],
		['````\n```\n@gone.md\n```\n````', 0],
		['    ```\n@gone.md', 1],
		['```\ncode\n```\n@gone.md', 1],
		['~~~\n```\n~~~\n@gone.md', 1],
	])('is a ref only if its file exists: %j, %i refs', async (text, count) => {
		const project = await tempProject({'a.md': 'x'});
		const {user} = await accepted(project, text);
		expect(failures(user)).toHaveLength(count);
	});
});
