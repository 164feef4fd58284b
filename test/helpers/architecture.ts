import {isBuiltin} from 'node:module';
import path from 'node:path';
import {nameIn, nodesIn, nodesOf, type Import, type Node, type SourceFile} from './source-file.ts';

/* The rules of the structure. Each rule gets the parsed sources and returns a sentence for each violation. */

/**
The layers above import the pod and the worker through their entry files. first-frame.ts is the small entry file of the
pod.
*/
const aboveDoors =
	/^src\/(?:(?!pod\/|worker\/)|pod\/(?:index|first-frame|protocol)\.ts$|worker\/index\.ts$)|^package\.json$/u;

/**
Says which layer may import which, by path. All may import the language. A file outside of every layer is a violation.
*/
const rooms: ReadonlyArray<{readonly files: RegExp; readonly may: RegExp}> = [
	{files: /^src\/language\//u, may: /^src\/language\//u},
	{files: /^src\/worker\//u, may: /^src\/worker\//u},
	{files: /^src\/pod\//u, may: /^src\/(?:pod\/|worker\/index\.ts$)/u},
	{files: /^src\/text\//u, may: /^src\/text\//u},
	{files: /^src\/transcript\//u, may: /^src\/(?:transcript\/|text\/|pod\/protocol\.ts$)/u},
	{files: /^src\/screen\//u, may: /^src\/(?:screen\/|transcript\/|text\/|pod\/protocol\.ts$)/u},
	{files: /^src\/acp\//u, may: /^src\/(?:acp\/|transcript\/|text\/|pod\/protocol\.ts$)/u},
	{files: /^src\/library\//u, may: /^src\/(?:library\/|pod\/(?:index|protocol)\.ts$)/u},
	{files: /^src\/(?:cli\/|main\.tsx$)/u, may: aboveDoors},
];

export function wrongDirections(files: readonly SourceFile[]): string[] {
	return files.flatMap(file => {
		const room = rooms.find(candidate => candidate.files.test(file.path));
		if (room === undefined) return [`${file.path} is in no layer`];
		return ownImports(file)
			.filter(({target}) => !room.may.test(target) && target !== 'src/language/index.ts')
			.map(({target, line}) => `${file.path}:${line} imports ${target}`);
	});
}

/**
The protocol must load in a client in another process. So it imports no node: module, and only types of the worker.
*/
export function heavyProtocol(files: readonly SourceFile[], protocol = 'src/pod/protocol.ts'): string[] {
	const byPath = new Map(files.map(file => [file.path, file]));
	return [...reachedByValue(protocol, byPath)].flatMap(reached => {
		if (reached.startsWith('src/worker/')) return [`${protocol} loads ${reached}`];
		const imports = byPath.get(reached)?.imports ?? [];
		return imports
			.filter(({specifier, isType}) => !isType && isBuiltin(specifier))
			.map(({specifier, line}) => `${reached}:${line} loads ${specifier}`);
	});
}

/**
Finds cycles of imports, including type imports: `a -> b -> a`. Each cycle is listed once and begins at its smallest
path.
*/
export function importCycles(files: readonly SourceFile[]): string[] {
	const targets = new Map(files.map(file => [file.path, ownImports(file).map(({target}) => target)]));
	const found = new Set<string>();
	const settled = new Set<string>();
	const follow = (at: string, way: readonly string[]): void => {
		const start = way.indexOf(at);
		if (start !== -1) found.add(circle(way.slice(start)));
		if (start !== -1 || settled.has(at)) return;
		for (const target of targets.get(at) ?? []) follow(target, [...way, at]);
		settled.add(at);
	};
	for (const file of files) follow(file.path, []);
	return [...found].toSorted();
}

export function longFiles(files: readonly SourceFile[], most: number): string[] {
	return files.filter(({lines}) => lines > most).map(({path: name, lines}) => `${name} has ${lines} lines`);
}

export function longFunctions(files: readonly SourceFile[], most: number): string[] {
	return files.flatMap(file =>
		file.functions
			.filter(({lines}) => lines > most)
			.map(({name, line, lines}) => `${file.path}:${line} ${name} has ${lines} lines`),
	);
}

export function defaultExports(files: readonly SourceFile[]): string[] {
	return files
		.filter(({defaultExport}) => defaultExport !== undefined)
		.map(file => `${file.path}:${file.defaultExport} exports a default`);
}

export function moduleMocks(files: readonly SourceFile[]): string[] {
	return files.flatMap(file => file.mocks.map(line => `${file.path}:${line} mocks a module`));
}

export function badNames(files: readonly SourceFile[]): string[] {
	return files
		.filter(file => !/^[a-z0-9]+(?:-[a-z0-9]+)*\.tsx?$/u.test(path.posix.basename(file.path)))
		.map(file => `${file.path} is not in kebab-case`);
}

/**
Tests mirror the sources: test/a/b.test.ts tests src/a/b.ts, and test/scripts/c.test.ts tests scripts/c.mjs. The name
may end in an aspect: b.hostile.test.ts.
*/
export function strayTests(tests: readonly string[], sources: readonly string[]): string[] {
	const stems = new Set(sources.map(source => source.replace(/^src\//u, '').replace(/\.\w+$/u, '')));
	return tests
		.filter(test => {
			if (/^test\/(?:laws|terminal|system|fixtures|helpers)\//u.test(test)) return false;
			if (
				/^test\/(?:architecture(?:\.screen|\.style)?|banned-phrases|contributing|docs|package)\.test\.ts$/u.test(
					test,
				)
			)
				return false;
			const stem = test.replace(/^test\//u, '').replace(/\.test\.tsx?$/u, '');
			return !stems.has(stem) && !stems.has(stem.replace(/\.[^./]+$/u, ''));
		})
		.map(test => `${test} mirrors no source`);
}

/**
Finds imported packages that package.json does not name. They would disappear with the package that installed them.
*/
export function unnamedPackages(files: readonly SourceFile[], named: ReadonlySet<string>): string[] {
	return files.flatMap(file =>
		file.imports.flatMap(({specifier, line}) => {
			if (specifier.startsWith('.') || isBuiltin(specifier) || named.has(packageName(specifier))) return [];
			return [`${file.path}:${line} imports ${specifier}, which package.json does not name`];
		}),
	);
}

/** Lists which files use what differs by system: what they name of `process`, and import from system modules. */
export function systemUses(files: readonly SourceFile[]): string[] {
	const found = files.flatMap(file =>
		nodesIn(file)
			.flatMap(([node]) => systemNames(node))
			.filter(name => byTheSystem.has(name))
			.map(name => `${file.path} names ${name}`),
	);
	return [...new Set(found)].toSorted();
}

const byTheSystem = new Set([
	...['platform', 'kill', 'getuid', 'geteuid', 'getgid', 'getegid', 'getgroups'],
	...['createServer', 'createConnection', 'connect'],
]);

const systemModules = new Set<unknown>(['node:net', 'node:os', 'node:process']);

/** Returns the names in `process.name`, `{name} = process` and `import {name} from 'node:net'`. */
function systemNames(node: Node): string[] {
	const names =
		node.type === 'MemberExpression' && nameIn(node['object']) === 'process'
			? [nameIn(node['property'])]
			: node.type === 'VariableDeclarator' && nameIn(node['init']) === 'process'
				? nodesOf(node['id']).flatMap(({properties}) => nodesOf(properties).map(({key}) => nameIn(key)))
				: node.type === 'ImportDeclaration' && systemModules.has(nodesOf(node['source'])[0]?.['value'])
					? nodesOf(node['specifiers']).map(each => nameIn(each['imported']))
					: [];
	return names.filter(name => name !== undefined);
}

type OwnImport = Import & {readonly target: string};

function ownImports(file: SourceFile): OwnImport[] {
	return file.imports
		.filter(({specifier}) => specifier.startsWith('.'))
		.map(each => ({...each, target: path.posix.join(path.posix.dirname(file.path), each.specifier)}));
}

function reachedByValue(from: string, byPath: ReadonlyMap<string, SourceFile>): Set<string> {
	const reached = new Set([from]);
	for (const at of reached) {
		const file = byPath.get(at);
		if (file === undefined) continue;
		for (const {target, isType} of ownImports(file)) if (!isType) reached.add(target);
	}
	return reached;
}

function circle(way: readonly string[]): string {
	const smallest = way.indexOf([...way].toSorted()[0]!);
	const turned = [...way.slice(smallest), ...way.slice(0, smallest)];
	return [...turned, turned[0]].join(' -> ');
}

function packageName(specifier: string): string {
	return specifier
		.split('/')
		.slice(0, specifier.startsWith('@') ? 2 : 1)
		.join('/');
}
