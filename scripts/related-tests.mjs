import path from 'node:path';

/** The tests that read files without importing them, and the changes after which these tests run. */
const readers = [
	{
		changed: /^src\//u,
		tests: /^test\/(?:architecture[\w.]*|contributing|language\/translate\.catalogues)\.test\.ts$/u,
	},
	{changed: /^src\/(?:text|transcript|screen)\//u, tests: /^test\/screen\/spans\/glyphs\.test\.ts$/u},
	{
		changed: /^src\/(?:.+\/)?(?:[\w-]+-)?texts\.ts$|^src\/cli\/(?:help|start|subcommands)\//u,
		tests: /^test\/banned-phrases\.test\.ts$/u,
	},
	{changed: /^src\/language\/.+\.json$/u, tests: /^test\/(?:language\/.+|text\/wrap\.catalogues)\.test\.ts$/u},
	{changed: /\.md$/u, tests: /^test\/(?:docs|banned-phrases|contributing)\.test\.ts$/u},
	{changed: /^package(?:-lock)?\.json$/u, tests: /^test\/architecture\.test\.ts$/u},
];
/** These tests need a build, or many seconds each. Only `npm test` runs them. */
const slow = /^test\/(?:terminal|system|laws|fixtures)\/|^test\/package\.test\.ts$/u;
const isTest = /\.test\.tsx?$/u;

/**
Returns the tests that a change concerns. The tests of a changed file come first, then those in its folder, and then
those with the shortest chain of imports to a changed file. `texts` has the text of each file by its path.
*/
export function relatedTests(texts, changed) {
	const importers = importersOf(texts);
	const found = new Set(changed.filter(file => texts.has(file)));
	for (const file of found) for (const importer of importers.get(file) ?? []) found.add(importer);
	const tests = ownFirst(
		[...found].filter(file => isTest.test(file)),
		changed,
	);
	const others = [...texts.keys()].filter(file =>
		readers.some(reader => reader.tests.test(file) && changed.some(name => reader.changed.test(name))),
	);
	const all = [...new Set([...others, ...tests])];
	return {quick: all.filter(file => !slow.test(file)), slow: all.filter(file => slow.test(file))};
}

function importersOf(texts) {
	const importers = new Map();
	for (const [file, text] of texts) {
		for (const [, name] of text.matchAll(/(?:\bfrom |\bimport |\bimport\()\s*'(\.{1,2}\/[^']+)'/gu)) {
			const target = path.posix.join(path.posix.dirname(file), name);
			importers.set(target, [...(importers.get(target) ?? []), file]);
		}
	}
	return importers;
}

/** `test/` mirrors `src/`, so the place of a test tells which files it is about. */
function ownFirst(tests, changed) {
	const names = changed.map(file => file.replace(/^src\//u, 'test/').replace(/\.tsx?$/u, ''));
	const folders = new Set(names.map(name => path.posix.dirname(name)));
	const rank = test => {
		if (names.some(name => test.startsWith(`${name}.`))) return 0;
		return folders.has(path.posix.dirname(test)) ? 1 : 2;
	};
	return tests.toSorted((one, other) => rank(one) - rank(other));
}
