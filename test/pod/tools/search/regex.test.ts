import {expect, it} from 'vitest';
import {compilePattern} from '../../../../src/pod/tools/search/regex.ts';

it.each<[string, string, boolean]>([
	['foo', 'a foo b', true],
	['(?i)foo', 'FOO', true],
	[String.raw`\d+`, '٣', true],
	[String.raw`^\w+$`, 'Straße', true],
	[String.raw`^\w+$`, '日本語', true],
	[String.raw`\W`, 'é', false],
	[String.raw`\bé`, 'é', true],
	[String.raw`\bfoo\b`, 'foobar', false],
	[String.raw`[\w-]+é`, 'ñé', true],
	[String.raw`[\d]`, '٣', true],
	['[]a]+$', ']a]', true],
	['[^]a]', ']', false],
	['^}$', '}', true],
	['a]', 'a]', true],
	[String.raw`\"\-\'\@`, '"-\'@', true],
	[String.raw`\<foo\>`, 'a foo b', true],
	[String.raw`\<foo\>`, 'afoo b', false],
	['(?P<x>a)b', 'ab', true],
	['a{2}', 'aa', true],
	['^.$', '👍', true],
	['a|b', 'b', true],
	['^$', '', true],
])('the pattern %s on %j gives %s', (pattern, line, expected) => {
	const compiled = compilePattern(pattern);
	if (!compiled.ok) throw new Error(compiled.message);
	expect(new RegExp(compiled.source, compiled.flags).test(line)).toBe(expected);
});

it.each([
	'(a',
	'[a',
	'a{',
	'*a',
	String.raw`\z`,
	'[[:alpha:]]',
	'[a&&b]',
	'[a--b]',
	'(?=a)',
	'(?<!a)b',
	String.raw`(a)\1`,
	'(?x)a',
	String.raw`\h`,
	String.raw`[\W_]`,
])('the pattern %s is refused with a sentence', pattern => {
	expect(compilePattern(pattern)).toMatchObject({
		ok: false,
		message: expect.stringContaining('cannot be searched for'),
	});
});
