import path from 'node:path';
import {childrenOf, isNode, nameIn, nodesOf, type Node, type SourceFile} from './source-file.ts';

/** Types that the state may contain although they are not plain values. Each has its reason. */
export type Handles = Readonly<Record<string, string>>;

/**
Returns why a type is not a plain readonly value, including all types that it refers to in the given files. In a plain
readonly value every property and list is readonly. It contains no function, promise, timer or controller, and no Map or
Set that can change.
*/
export function changeableTypes(
	files: readonly SourceFile[],
	file: string,
	type: string,
	handles: Handles = {},
): string[] {
	const byPath = new Map(files.map(each => [each.path, each]));
	const seen = new Set<string>();
	const breaches: string[] = [];

	function follow(at: SourceFile, name: string): void {
		const found = declarationOf(byPath, at, name);
		if (found === undefined || name in handles || seen.has(`${found.at.path} ${found.name}`)) return;
		seen.add(`${found.at.path} ${found.name}`);
		if (found.node.type === 'ClassDeclaration') breach(found.at, found.node, `${found.name} is a class`);
		else look(found.at, found.node, false);
	}

	function look(at: SourceFile, node: Node, isReadonly: boolean): void {
		const sentence = breachOf(node, isReadonly);
		if (sentence !== undefined) breach(at, node, sentence);
		if (node.type === 'TSFunctionType' || node.type === 'TSTypeQuery') return;
		if (node.type === 'TSTypeReference') follow(at, referenceName(node));
		if (node.type === 'TSInterfaceHeritage') follow(at, nameIn(node['expression']) ?? '');
		const isOperator = node.type === 'TSTypeOperator' && node['operator'] === 'readonly';
		for (const child of childrenOf(node)) look(at, child, isOperator);
	}

	function breach(at: SourceFile, node: Node, sentence: string): void {
		breaches.push(`${at.path}:${at.lineOf(node)} ${sentence}`);
	}

	const start = byPath.get(file);
	if (start === undefined || declarationOf(byPath, start, type) === undefined) return [`${file} declares no ${type}`];
	follow(start, type);
	return breaches;
}

const changeable = new Set([
	'Array',
	'Map',
	'Set',
	'WeakMap',
	'WeakSet',
	'WeakRef',
	'Promise',
	'PromiseLike',
	'PromiseWithResolvers',
	'AbortController',
	'AbortSignal',
	'NodeJS.Timeout',
	'NodeJS.Immediate',
	'Timeout',
	'Date',
	'Function',
	'EventEmitter',
]);

function breachOf(node: Node, isReadonly: boolean): string | undefined {
	const name = nameIn(node['key']) ?? 'a property';
	switch (node.type) {
		case 'TSPropertySignature':
			return node['readonly'] === true ? undefined : `${name} is not readonly`;
		case 'TSIndexSignature':
		case 'TSMappedType':
			return node['readonly'] === true || node['readonly'] === '+' ? undefined : 'an index is not readonly';
		case 'TSMethodSignature':
			return `${name} is a function`;
		case 'TSFunctionType':
		case 'TSConstructorType':
			return 'a value is a function';
		case 'TSArrayType':
		case 'TSTupleType':
			return isReadonly ? undefined : 'a list is not readonly';
		case 'TSTypeReference':
			return changeable.has(referenceName(node)) ? `${referenceName(node)} is not a value` : undefined;
		default:
			return undefined;
	}
}

type Declared = {readonly at: SourceFile; readonly name: string; readonly node: Node};

/** Returns the declaration of a name, in this file or in the file that it is imported from. */
function declarationOf(files: ReadonlyMap<string, SourceFile>, at: SourceFile, name: string): Declared | undefined {
	for (const statement of nodesOf(at.program['body'])) {
		const declaration = isNode(statement['declaration']) ? statement['declaration'] : statement;
		if (declarations.has(declaration.type) && nameIn(declaration['id']) === name)
			return {at, name, node: declaration};
		if (statement.type !== 'ImportDeclaration') continue;
		const specifier = nodesOf(statement['specifiers']).find(each => nameIn(each['local']) === name);
		const source = isNode(statement['source']) ? String(statement['source']['value']) : '';
		const target = files.get(path.posix.join(path.posix.dirname(at.path), source));
		if (specifier === undefined || target === undefined) continue;
		return declarationOf(files, target, nameIn(specifier['imported']) ?? '');
	}
	return undefined;
}

const declarations = new Set(['TSTypeAliasDeclaration', 'TSInterfaceDeclaration', 'ClassDeclaration']);

function referenceName(node: Node): string {
	const name = node['typeName'];
	if (isNode(name) && name.type === 'TSQualifiedName') return `${nameIn(name['left'])}.${nameIn(name['right'])}`;
	return nameIn(name) ?? '';
}
