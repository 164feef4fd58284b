import {readdirSync, readFileSync} from 'node:fs';
import {describe, expect, it} from 'vitest';
import {glyphs, inAscii} from '../../../src/screen/spans/glyphs.ts';
import {paintRow} from '../../../src/screen/spans/paint-row.ts';
import {makeRow} from '../../../src/screen/spans/row.ts';
import {createTheme, detectTheme} from '../../../src/screen/spans/theme.ts';
import {width} from '../../../src/text/width.ts';
import {projectRoot} from '../../helpers/built.ts';

/** These files contain characters of other texts as data. The screen shows none of them as a sign. */
const aboutTexts =
	/(?:invisibles?|sanitize|wrap|width|glyphs|token|patterns)\.ts|markdown\/|editor\/(?!vim\/|texts)|selection\.ts/u;

/** Pictures of characters of other texts, as the sanitizer shows them, and a wide @ that a message may contain. */
const pictures = new Set('␉␊⟨⟩＠');

describe('the signs of the screen', () => {
	it('are all in the table, so that each has an ASCII stand-in', () => {
		const unknown = sources().flatMap(({path, text}) =>
			[...new Set(signsIn(text))]
				.filter(sign => !glyphs.has(sign) && !pictures.has(sign))
				.map(sign => `${path}: ${sign}`),
		);
		expect(unknown).toEqual([]);
	});

	it('are in the fonts of common terminals', () => {
		const common = commonCodePoints();
		expect([...glyphs].filter(sign => !common.has(sign.codePointAt(0)!))).toEqual([]);
	});

	it('have stand-ins of the same width in ASCII', () => {
		for (const sign of glyphs) {
			expect(inAscii(sign)).toMatch(/^[ -~]$/u);
			expect(width(sign)).toBe(1);
		}
		expect(inAscii('● bash npm test · exit 0 日本…')).toBe('* bash npm test - exit 0 日本.');
	});

	it('are replaced only where rows are painted', () => {
		const row = makeRow([{text: '→ “a”', style: 'dim'}], 'text', {text: '❯ '});
		expect(paintRow(row, createTheme(0, {glyphs: 'ascii'}))).toBe('> \u001b[2m> "a"\u001b[22m');
		expect(paintRow(row, createTheme(0))).toBe('❯ \u001b[2m→ “a”\u001b[22m');
	});

	it('are chosen by INKPOD_GLYPHS, or otherwise by the configuration', () => {
		expect(detectTheme({}).glyphs).toBe('unicode');
		expect(detectTheme({}, {glyphs: 'ascii'}).glyphs).toBe('ascii');
		expect(detectTheme({INKPOD_GLYPHS: 'ascii'}).glyphs).toBe('ascii');
		expect(detectTheme({INKPOD_GLYPHS: 'unicode'}, {glyphs: 'ascii'}).glyphs).toBe('unicode');
		expect(detectTheme({INKPOD_GLYPHS: 'other'}, {glyphs: 'ascii'}).glyphs).toBe('ascii');
	});
});

function sources(): ReadonlyArray<{readonly path: string; readonly text: string}> {
	return ['text', 'transcript', 'screen'].flatMap(layer =>
		readdirSync(`${projectRoot}/src/${layer}`, {recursive: true, encoding: 'utf8'})
			.map(name => `${layer}/${name}`)
			.filter(path => /\.tsx?$/u.test(path) && !aboutTexts.test(path))
			.map(path => ({path, text: readFileSync(`${projectRoot}/src/${path}`, 'utf8')})),
	);
}

/** Returns the characters above ASCII outside of comments. */
function signsIn(text: string): readonly string[] {
	const code = text.replaceAll(/\/\*[^]*?\*\//gu, '').replaceAll(/^\s*\/\/.*$/gmu, '');
	return Array.from(code).filter(character => character.codePointAt(0)! > 0x7e);
}

function commonCodePoints(): ReadonlySet<number> {
	const list = readFileSync(`${projectRoot}/test/helpers/common-glyphs.txt`, 'utf8');
	return new Set(
		list
			.split('\n')
			.filter(line => /^[\da-f]/u.test(line))
			.flatMap(line => {
				const [first = '', last = first] = line.split('-');
				const from = Number.parseInt(first, 16);
				return Array.from({length: Number.parseInt(last, 16) - from + 1}, (_, at) => from + at);
			}),
	);
}
