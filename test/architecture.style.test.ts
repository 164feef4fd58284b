import {readFileSync, readdirSync} from 'node:fs';
import path from 'node:path';
import {describe, expect, it} from 'vitest';
import {projectRoot} from './helpers/built.ts';
import {parseSource, type SourceFile} from './helpers/source-file.ts';
import {
	blindCasts,
	casts,
	crowdedFunctions,
	filesPerFolder,
	longLines,
	mutualFolders,
	nonNulls,
} from './helpers/style-rules.ts';

const texts = new Map(
	['src', 'test', 'bench', 'scripts']
		.flatMap(folder =>
			readdirSync(path.join(projectRoot, folder), {recursive: true, encoding: 'utf8'}).map(
				name => `${folder}/${name}`,
			),
		)
		.filter(name => /\.(?:tsx?|mjs)$/.test(name) && !name.startsWith('test/fixtures/'))
		.map(name => [name, readFileSync(path.join(projectRoot, name), 'utf8')]),
);
const sources = [...texts].filter(([name]) => name.startsWith('src/')).map(([name, text]) => parseSource(name, text));

describe('lines', () => {
	it('have at most 120 characters', () => {
		expect(longLines(texts, 120)).toEqual([]);
		expect(longLines(new Map([['a.ts', `${'x'.repeat(120)}\n${'x'.repeat(121)}`]]), 120)).toEqual(['a.ts:2']);
	});
});

describe('functions', () => {
	it('have at most 40 statements of their own', () => {
		expect(crowdedFunctions(sources, 40)).toEqual([]);
		const inner = 'const f = () => { a(); b(); c(); };';
		expect(crowdedFunctions([source(`function g() { ${inner} d(); e(); }`)], 2)).toEqual([
			'src/a.ts:1 has 3 statements',
			'src/a.ts:1 has 3 statements',
		]);
		expect(crowdedFunctions([source(`function g() { ${inner} d(); e(); }`)], 3)).toEqual([]);
	});
});

describe('the type assertions in src', () => {
	it('never cast through unknown or never', () => {
		expect(blindCasts(sources)).toEqual([]);
		const samples = ['a as never;', 'a as unknown as B;', 'a as any;', 'a as B;', 'a as const;'];
		expect(blindCasts([source(samples.join('\n'))])).toEqual(['src/a.ts:1', 'src/a.ts:2', 'src/a.ts:3']);
	});

	it('stay few', () => {
		expect(casts(sources).length).toBeLessThan(maxCasts);
		expect(nonNulls(sources).length).toBeLessThan(maxNonNulls);
		expect(casts([source('a as B; c as const; d = <E>f;')])).toEqual(['src/a.ts:1']);
		expect(nonNulls([source('a!.b; c[0]!;')])).toHaveLength(2);
	});
});

describe('folders', () => {
	it.each(['src', 'src/screen', 'src/worker', 'src/cli'])('of %s import each other in one direction', root => {
		expect(mutualFolders(sources, root)).toEqual([]);
	});

	it('are reported when they import each other in both directions', () => {
		const files = [
			parseSource('src/pod/a/x.ts', `import '../b/y.ts';`),
			parseSource('src/pod/b/y.ts', `import type {Z} from '../a/z.ts';`),
			parseSource('src/pod/c/w.ts', `import '../a/x.ts'; import '../pod.ts';`),
		];
		expect(mutualFolders(files, 'src/pod')).toEqual(['a <-> b']);
	});

	it('have at most 12 files when they are the root of a layer', () => {
		const counts = filesPerFolder(sources);
		const full = ['src', 'src/pod', 'src/screen', 'src/cli'].filter(root => (counts.get(root) ?? 0) > 12);
		expect(full).toEqual([]);
		expect(filesPerFolder([source(''), parseSource('src/b/c.ts', '')])).toEqual(
			new Map([
				['src', 1],
				['src/b', 1],
			]),
		);
	});
});

/** Upper bounds that may only get lower. The targets are 60 and 100. */
const maxCasts = 60;
const maxNonNulls = 30;

function source(text: string): SourceFile {
	return parseSource('src/a.ts', text);
}
