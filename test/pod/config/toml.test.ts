import fc from 'fast-check';
import {parse} from 'smol-toml';
import {describe, expect, it} from 'vitest';
import {deepestOf, lineOf} from '../../../src/pod/config/toml-lines.ts';

describe('lineOf', () => {
	it.each([
		['a key after a list', 'a = [\n1,\n]\nb = 1\n', ['b'], 4],
		['a list of many lines', '# x\na = [\n1,\n]\n', ['a'], 2],
		['a text with brackets', 'a = "[["\nb = 1\n', ['b'], 2],
		['a literal text with quotes', "a = '\"'\nb = 1\n", ['b'], 2],
		['a text with escapes', 'a = "\\"["\nb = 1\n', ['b'], 2],
		['a text of many lines', 'a = """\n[\n"" \\"""\n"""\nb = 1\n', ['b'], 5],
		['a text that ends in five quotes', 'a = """x"""""\nb = 1\n', ['b'], 2],
		['a literal text of many lines', "a = '''\n\\\n'''\nb = 1\n", ['b'], 4],
		['a comment with brackets and quotes', '# [ """\nb = 1\n', ['b'], 2],
		['a header with quotes', '["]"]\nb = 1\n', [']', 'b'], 2],
		['one of several rules', '[[p]]\na = 1\n[[p]]\nb = 1\n', ['p', '1', 'b'], 4],
		['Windows line ends', 'a = [\r\n]\r\nb = 1\r\n', ['b'], 3],
		['a key that is missing', 'a = 1\n', ['b'], undefined],
	])('finds the line of %s', (_, text, path, line) => {
		expect(lineOf(text, path, parse)).toBe(line);
	});

	it('takes little more than twice the time for a text of twice the length', () => {
		for (const make of [manyLines, manyKeys, manyTexts]) {
			const [small, large] = [work(make(2000)), work(make(4000))];
			expect(large).toBeLessThan(small * 2.4);
		}
	});

	it('finds the line of a statement, whatever came before it', () => {
		const value = fc.constantFrom(
			'1',
			'"a"',
			'"[\\"{"',
			"'\"'",
			'[\n1,\n2]',
			'[[], [\n"]"]]',
			'{a = 1}',
			'{a = [\n]}',
			'"""\n[\n"""',
			"'''\n\"\"\"\n'''",
			'"""a\\"""""',
			'1 # [',
		);
		fc.assert(
			fc.property(fc.array(value, {minLength: 1, maxLength: 20}), fc.nat(), (values, at) => {
				const chosen = at % values.length;
				const statements = values.map((each, index) => `k${index} = ${each}\n`);
				const before = statements.slice(0, chosen).join('');
				expect(lineOf(statements.join(''), [`k${chosen}`], parse)).toBe(before.split('\n').length);
			}),
		);
	});
});

describe('deepestOf', () => {
	it.each([
		['nothing', 'a = 1\n', 0, 1],
		['lists', 'a = 1\nb = [[\n[1]]]\n', 3, 3],
		['open lists', 'a = [[[[', 4, 1],
		['brackets in texts', 'a = "[[[["\n', 0, 1],
	])('counts %s', (_, text, depth, line) => {
		expect(deepestOf(text)).toEqual({depth, line});
	});
});

/** Counts the characters that the parser gets. */
function work(text: string): number {
	let characters = 0;
	lineOf(text, ['unknown'], part => {
		characters += part.length;
		return parse(part);
	});
	return characters;
}

function manyLines(count: number): string {
	return `unknown = [\n${'1,\n'.repeat(count)}]\n`;
}

function manyKeys(count: number): string {
	return `${Array.from({length: count}, (_, index) => `k${index} = 1\n`).join('')}unknown = 1\n`;
}

function manyTexts(count: number): string {
	return `unknown = """\n${'[\n'.repeat(count)}"""\n`;
}
