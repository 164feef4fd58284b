import {readFileSync, readdirSync} from 'node:fs';
import path from 'node:path';
import {describe, expect, it} from 'vitest';
import {projectRoot} from '../helpers/built.ts';

type Source = {readonly name: string; readonly text: string};

const sources = ['src/text', 'src/transcript', 'src/screen'].flatMap(root =>
	readdirSync(path.join(projectRoot, root), {recursive: true, encoding: 'utf8'})
		.filter(name => /\.tsx?$/u.test(name))
		.map(name => ({name: `${root}/${name}`, text: readFileSync(path.join(projectRoot, root, name), 'utf8')})),
);

const outputStage = /^src\/screen\/terminal\//u;

/** One reads the colours of a command's output, and writes none. The other makes links for paint-row.ts alone. */
const known: ReadonlySet<string> = new Set(['src/screen/spans/sgr-spans.ts', 'src/screen/spans/links.ts']);

/** Finds files outside `screen/terminal/` that contain an escape sequence or its pattern. */
function escapes(files: readonly Source[]): string[] {
	return namesOf(files, /\\x1b|\\u001b|\\u\{1b\}|\\e\[/iu).filter(
		name => !outputStage.test(name) && !known.has(name),
	);
}

/** Finds files that paint a text outside the one place that paints rows. */
function painters(files: readonly Source[]): string[] {
	return namesOf(files, /\btheme\.paint\(|\bcreateTheme\(|\bdetectTheme\(/u).filter(
		name => !/\/(?:theme|paint-row)\.ts$/u.test(name),
	);
}

/** Finds files that search the words of a row. */
function matchers(files: readonly Source[]): string[] {
	const text = String.raw`(?:textOf|plainText|spansText)\((?:[^()]|\([^()]*\))*\)`;
	const part = String.raw`(?:\??\.(?:at|slice|trim|trimStart|trimEnd|toLowerCase)\([^()]*\))*`;
	const after = new RegExp(
		String.raw`${text}${part}\??\.(?:match|matchAll|search|startsWith|endsWith|includes)\(`,
		'u',
	);
	const before = new RegExp(String.raw`\.(?:test|exec)\(${text}`, 'u');
	// Code may check whether a row is empty, because that is not a meaning.
	const same = new RegExp(String.raw`${text}${part}\s*[!=]==\s*(?!\s|''|"")`, 'u');
	const readers = files.filter(file => /\/(?:row|span|spoken)\.ts'/u.test(file.text));
	return [...new Set([after, before, same].flatMap(pattern => namesOf(readers, pattern)))];
}

function namesOf(files: readonly Source[], pattern: RegExp): string[] {
	return files.filter(({text}) => pattern.test(text)).map(({name}) => name);
}

describe('rows', () => {
	it('contain no escape sequence outside screen/terminal', () => {
		expect(escapes(sources)).toEqual([]);
		const own = [String.raw`row.replaceAll(/\x1b\[[\d;]*m/g, '')`, String.raw`'\u001B[2m'`, 'plain'];
		expect(escapes(own.map((text, index) => ({name: `src/screen/${index}.ts`, text})))).toEqual([
			'src/screen/0.ts',
			'src/screen/1.ts',
		]);
	});

	it('are painted in one place', () => {
		expect(painters(sources)).toEqual([]);
		const own = [`theme.paint('dim', text)`, 'const theme = createTheme(0)', 'paintRow(row, theme)'];
		expect(painters(own.map((text, index) => ({name: `src/screen/${index}.ts`, text})))).toEqual([
			'src/screen/0.ts',
			'src/screen/1.ts',
		]);
	});

	it('are never searched for their meaning, because each row has a role', () => {
		expect(matchers(sources)).toEqual([]);
		const own = [
			'/^… \\d+/.test(textOf(row))',
			`plainText(rows.at(0)).startsWith('▲')`,
			`textOf(row).slice(0, 2) === '▌ '`,
			`textOf(row).trim().endsWith('more')`,
			'textOf(row).slice(0, 2)',
			`textOf(row) === ''`,
		];
		const texts = own.map(text => `import {textOf, plainText} from '../../src/screen/spans/row.ts';\n${text}`);
		const files = texts.map((text, index) => ({name: `src/screen/spoken/${index}.tsx`, text}));
		expect(matchers(files).toSorted()).toEqual([0, 1, 2, 3].map(index => `src/screen/spoken/${index}.tsx`));
		expect(sources.map(({name}) => name)).toContain('src/screen/view/spoken/spoken-transcript.tsx');
	});
});
