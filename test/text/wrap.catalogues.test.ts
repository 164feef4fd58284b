import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {wrap} from '../../src/text/wrap.ts';
import {width} from '../../src/text/width.ts';
import {projectRoot} from '../helpers/built.ts';

const catalogue = (name: string): Readonly<Record<string, string>> =>
	JSON.parse(readFileSync(join(projectRoot, `src/language/${name}.json`), 'utf8'));

const texts = {
	en: Object.keys(catalogue('ja')),
	ja: Object.values(catalogue('ja')),
	zh: Object.values(catalogue('zh')),
};

/** Values of two lengths, so that rows end at different places of a text. */
const samples = ['7', 'src/a.ts'];

/** Japanese and Chinese forbid them at the start, or at the end, of a row. */
const noStart = /^[、。，．：；！？）」』】〉》”’…ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ]/;
const noEnd = /[（「『【〈《“‘]$/;

describe.each(['en', 'ja', 'zh'] as const)('the texts in %s', language => {
	it.each([60, 58, 56, 40])(
		'wrap at %i columns at words, keep keys whole, and put no mark at a wrong end',
		columns => {
			const wrong = texts[language].flatMap(text =>
				samples.flatMap(sample => wrongRows(filled(text, sample), columns)),
			);
			expect(wrong).toEqual([]);
		},
	);
});

function filled(text: string, sample: string): string {
	return text.replaceAll(/\{\d\*?\}/g, sample);
}

function wrongRows(text: string, columns: number): readonly string[] {
	return text.split('\n').flatMap(line => {
		const rows = wrap(line, columns);
		return rows.flatMap((row, index) => {
			const next = rows[index + 1];
			const isWrong =
				width(row) > columns ||
				(index > 0 && noStart.test(row)) ||
				(next !== undefined && (noEnd.test(row) || isSplit(row, next, line, columns)));
			return isWrong ? [`${row}|${next ?? ''}`] : [];
		});
	});
}

/** Tells whether a word, an option or a key is divided between two rows. A word that is longer than a row must be. */
function isSplit(row: string, next: string, line: string, columns: number): boolean {
	const word = /[~\w+\-'’./:]+$/.exec(row)?.[0];
	const rest = /^[~\w+\-'’./:]+/.exec(next)?.[0];
	return word !== undefined && rest !== undefined && line.includes(word + rest) && width(word + rest) <= columns;
}
