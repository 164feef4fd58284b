import {beforeAll, describe, expect, it} from 'vitest';
import {spansText} from '../../../../src/text/span.ts';
import {createDiffColours, languageOf, createDiffMarks} from '../../../../src/screen/rows/diff/diff-spans.ts';
import {parseDiff} from '../../../../src/screen/rows/diff/diff-layout.ts';
import {loadHighlight} from '../../../../src/screen/markdown/highlight.ts';

beforeAll(loadHighlight);

const hunk = (...lines: readonly string[]) => parseDiff(['@@ -1,999 +1,999 @@', ...lines]);

describe('the colours of a diff', () => {
	it('never change a text, at any line of a long hunk', () => {
		const code = Array.from(
			{length: 500},
			(_, n) => `${['+', '-', ' '][n % 3]}const value${n} = "text ${n}"; // note`,
		);
		const lines = hunk(...code);
		const colours = createDiffColours(lines, 'a.ts');
		for (const [index, {kind, text}] of lines.entries()) {
			const spans = colours(index);
			if (kind === 'hunk') expect(spans).toBeUndefined();
			else expect(spansText(spans!)).toBe(text.slice(1));
		}
		expect(colours(400)!.some(({style}) => style !== undefined)).toBe(true);
	});

	it('know that a line is inside a comment of the lines before', () => {
		const lines = hunk('+/* a comment', ...Array.from({length: 30}, () => '+const a = 1;'), '+*/');
		const colours = createDiffColours(lines, 'a.ts');
		const styles = (index: number) => new Set(colours(index)!.map(({style}) => style));
		expect([...styles(2)]).toEqual([...styles(1)]);
	});

	it('are absent for an unknown language and outside of hunks', () => {
		const lines = parseDiff(['--- a/x', '+++ b/x.unknownlanguage', '@@ -1 +1 @@', '+one']);
		const colours = createDiffColours(lines, 'x');
		expect(lines.map((_, index) => colours(index))).toEqual([undefined, undefined, undefined, undefined]);
	});

	it.each([
		['src/a.ts', 'ts'],
		['Dockerfile', 'dockerfile'],
		['dir/Makefile', 'makefile'],
		['a.b/none', ''],
	])('are those of the language of %s', (path, language) => {
		expect(languageOf(path)).toBe(language);
	});
});

describe('the marks of changed words', () => {
	it('compare the first removed line with the first added one, and so on', () => {
		const lines = hunk('-let one = 1;', '-let two = 2;', '+let one = 11;', '+let two = 22;', '+let three = 3;');
		const marks = createDiffMarks(lines);
		const marked = (index: number) => marks(index).length > 0;
		expect(lines.map((_, index) => marked(index))).toEqual([false, true, true, true, true, false]);
	});
});
