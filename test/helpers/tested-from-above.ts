import path from 'node:path';
import type {SourceFile} from './source-file.ts';

/** Lists the modules without their own test file, by the path of the suite that tests them. */
export type TestedFromAbove = ReadonlyMap<string, readonly string[]>;

/** Parses the list: the path of a suite on a line, then its modules on indented lines. */
export function parseTestedFromAbove(text: string): TestedFromAbove {
	const table = new Map<string, string[]>();
	let modules: string[] = [];
	for (const line of text.split('\n')) {
		if (line.startsWith('\t')) modules.push(line.trim());
		else if (line !== '') table.set(line, (modules = []));
	}
	return table;
}

/**
Returns a sentence for each untested module, and for each wrong entry of the table. A module without functions needs no
test.
*/
export function testGaps(
	sources: readonly SourceFile[],
	tests: readonly SourceFile[],
	table: TestedFromAbove,
): string[] {
	const suites = tests.filter(file => file.path.includes('.test.'));
	const own = new Set(suites.flatMap(({path: name}) => mirrored(name)));
	const listed = new Set([...table.values()].flat());
	const reached = reachFrom([...sources, ...tests], own);
	const stems = new Set(sources.map(({path: name}) => stemOf(name)));
	return [
		...sources
			.filter(file => file.functions.length > 0 && !own.has(stemOf(file.path)) && !listed.has(file.path))
			.map(({path: name}) => `${name} has no test: write one, or name its suite in test/tested-from-above.txt`),
		...[...table].flatMap(([suite, modules]) => {
			if (!suites.some(({path: name}) => name === suite)) return [`${suite} is not a suite`];
			const known = reached(suite);
			return modules.flatMap(name => {
				if (!stems.has(stemOf(name))) return [`${name} is not a source`];
				if (own.has(stemOf(name))) return [`${name} has a test of its own`];
				return known.has(name) ? [] : [`${suite} does not reach ${name}`];
			});
		}),
	];
}

/** Returns a function for the modules that a suite reaches: by imports, by its mirrored module, or in the program. */
function reachFrom(files: readonly SourceFile[], own: ReadonlySet<string>): (suite: string) => ReadonlySet<string> {
	const imports = new Map(files.map(file => [file.path, targetsOf(file)]));
	const byStem = new Map([...imports.keys()].map(name => [stemOf(name), name]));
	return suite => {
		const mirrors = mirrored(suite).flatMap(stem => (own.has(stem) ? (byStem.get(stem) ?? []) : []));
		const reached = new Set([suite, ...mirrors, ...(runsProgram.test(suite) ? ['src/main.tsx'] : [])]);
		for (const at of reached) for (const target of imports.get(at) ?? []) reached.add(target);
		return reached;
	};
}

/** These suites run the built program. */
const runsProgram = /^test\/(?:terminal|commands|scripts)\//;

function targetsOf(file: SourceFile): readonly string[] {
	return file.imports
		.filter(({specifier}) => specifier.startsWith('.'))
		.map(({specifier}) => path.posix.join(path.posix.dirname(file.path), specifier));
}

/** Returns the paths of the modules that a suite may mirror, without `src/` and extension. An aspect may follow. */
function mirrored(suite: string): readonly string[] {
	if (/^test\/(?:laws|terminal|helpers)\//.test(suite)) return [];
	const stem = suite.replace(/^test\//, '').replace(/\.test\.tsx?$/, '');
	return [stem, stem.replace(/\.[^./]+$/, '')];
}

function stemOf(source: string): string {
	return source.replace(/^src\//, '').replace(/\.tsx?$/, '');
}
