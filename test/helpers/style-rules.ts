import path from 'node:path';
import {nodesIn, type Node, type SourceFile} from './source-file.ts';

/** Finds lines of more than `max` characters. */
export function longLines(texts: ReadonlyMap<string, string>, max: number): string[] {
	return [...texts].flatMap(([name, text]) =>
		text.split('\n').flatMap((line, index) => (line.length > max ? [`${name}:${index + 1}`] : [])),
	);
}

/** Finds functions with more than `max` statements of their own. Statements of inner functions do not count. */
export function crowdedFunctions(files: readonly SourceFile[], max: number): string[] {
	return files.flatMap(file => {
		const counts = new Map<Node, number>();
		for (const [node, around] of nodesIn(file)) {
			const owner = isStatement(node) ? around.find(isFunction) : undefined;
			if (owner !== undefined) counts.set(owner, (counts.get(owner) ?? 0) + 1);
		}
		return [...counts].flatMap(([node, count]) =>
			count > max ? [`${file.path}:${file.lineOf(node)} has ${count} statements`] : [],
		);
	});
}

/** Finds type assertions except `as const`. */
export function casts(files: readonly SourceFile[]): string[] {
	return placesOf(files, node => node.type === 'TSAsExpression' && assertedType(node) !== 'const');
}

/** Finds assertions that discard the type: `as never`, `as unknown`, `as any`. */
export function blindCasts(files: readonly SourceFile[]): string[] {
	return placesOf(files, node => node.type === 'TSAsExpression' && blind.has(assertedType(node)));
}

/** Finds non-null assertions. */
export function nonNulls(files: readonly SourceFile[]): string[] {
	return placesOf(files, node => node.type === 'TSNonNullExpression');
}

/**
Finds pairs of folders inside `root` that import each other, each with its subfolders. Files directly in the root do not
count.
*/
export function mutualFolders(files: readonly SourceFile[], root: string): string[] {
	const arrows = new Set<string>();
	for (const file of files) {
		const from = folderIn(root, file.path);
		for (const {specifier} of file.imports) {
			const to = folderIn(root, path.posix.join(path.posix.dirname(file.path), specifier));
			if (from !== undefined && to !== undefined && from !== to) arrows.add(`${from} ${to}`);
		}
	}
	return [...arrows].flatMap(arrow => {
		const [from, to] = arrow.split(' ') as [string, string];
		return from < to && arrows.has(`${to} ${from}`) ? [`${from} <-> ${to}`] : [];
	});
}

/** Counts the source files in each folder, without its subfolders. */
export function filesPerFolder(files: readonly SourceFile[]): ReadonlyMap<string, number> {
	const counts = new Map<string, number>();
	for (const file of files) {
		const folder = path.posix.dirname(file.path);
		counts.set(folder, (counts.get(folder) ?? 0) + 1);
	}
	return counts;
}

function placesOf(files: readonly SourceFile[], matches: (node: Node) => boolean): string[] {
	return files.flatMap(file =>
		nodesIn(file).flatMap(([node]) => (matches(node) ? [`${file.path}:${file.lineOf(node)}`] : [])),
	);
}

const blind = new Set(['TSNeverKeyword', 'TSUnknownKeyword', 'TSAnyKeyword']);

function assertedType(node: Node): string {
	const {type, typeName} = node['typeAnnotation'] as Node;
	return (typeName as Node | undefined)?.['name'] === 'const' ? 'const' : type;
}

function isFunction({type}: Node): boolean {
	return type === 'FunctionDeclaration' || type === 'FunctionExpression' || type === 'ArrowFunctionExpression';
}

function isStatement({type}: Node): boolean {
	return (type.endsWith('Statement') && type !== 'BlockStatement') || type === 'VariableDeclaration';
}

/** Returns the first folder below the root, if there is one. */
function folderIn(root: string, file: string): string | undefined {
	if (!file.startsWith(`${root}/`)) return undefined;
	const [folder, ...rest] = file.slice(root.length + 1).split('/');
	return rest.length === 0 ? undefined : folder;
}
