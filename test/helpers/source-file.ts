import {parseAst} from 'rolldown/parseAst';

/** A source file for the architecture test. Paths are relative to the project's root, with `/`. */
export type SourceFile = {
	readonly path: string;
	readonly lines: number;
	readonly imports: readonly Import[];
	readonly functions: readonly FunctionSize[];
	/** The line of a default export. */
	readonly defaultExport: number | undefined;
	/** The lines on which a module is mocked. */
	readonly mocks: readonly number[];
	/** The whole syntax tree, for other rules. */
	readonly program: Node;
	readonly lineOf: (node: Node) => number;
};

/** A node of the syntax tree (ESTree with TypeScript's nodes). */
export type Node = {
	readonly type: string;
	readonly start: number;
	readonly end: number;
	readonly [key: string]: unknown;
};

/** `isType`: whether compilation removes the import. It keeps `import {type T}`, which still loads the module. */
export type Import = {readonly specifier: string; readonly isType: boolean; readonly line: number};
export type FunctionSize = {readonly name: string; readonly line: number; readonly lines: number};

/** Parses a TypeScript source. Throws if it does not parse. */
export function parseSource(path: string, text: string): SourceFile {
	const lineOf = lineCounter(text);
	const imports: Import[] = [];
	const functions: FunctionSize[] = [];
	const mocks: number[] = [];
	let defaultExport: number | undefined;
	const program = parseAst(text, {lang: path.endsWith('x') ? 'tsx' : 'ts'}, path) as unknown as Node;
	walk(program, (node, name) => {
		const line = lineOf(node.start);
		const specifier = importedSpecifier(node);
		if (specifier !== undefined) imports.push({specifier, isType: isTypeOnly(node), line});
		if (functionTypes.has(node.type)) functions.push({name, line, lines: lineOf(node.end) - line + 1});
		if (isDefaultExport(node)) defaultExport ??= line;
		if (isModuleMock(node)) mocks.push(line);
	});
	const lines = lineOf(text.trimEnd().length);
	return {path, lines, imports, functions, defaultExport, mocks, program, lineOf: ({start}) => lineOf(start)};
}

/** Returns all nodes of a file. With each node it returns the enclosing nodes, the innermost first. */
export function nodesIn(file: SourceFile): readonly Placed[] {
	const known = placed.get(file);
	if (known !== undefined) return known;
	const nodes: Placed[] = [];
	const visit = (node: Node, around: readonly Node[]): void => {
		nodes.push([node, around]);
		for (const child of childrenOf(node)) visit(child, [node, ...around]);
	};
	visit(file.program, []);
	placed.set(file, nodes);
	return nodes;
}

export type Placed = readonly [node: Node, around: readonly Node[]];

export function childrenOf(node: Node): Node[] {
	return Object.values(node).flatMap(nodesOf);
}

export function nodesOf(value: unknown): Node[] {
	return (Array.isArray(value) ? value : [value]).filter(isNode);
}

/** Returns the name of an identifier. */
export function nameIn(value: unknown): string | undefined {
	return isNode(value) && typeof value['name'] === 'string' ? value['name'] : undefined;
}

export function isNode(value: unknown): value is Node {
	return (
		typeof value === 'object' &&
		value !== null &&
		'type' in value &&
		typeof value.type === 'string' &&
		'start' in value
	);
}

const placed = new WeakMap<SourceFile, readonly Placed[]>();
const functionTypes = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);
const importTypes = new Set([
	'ImportDeclaration',
	'ExportNamedDeclaration',
	'ExportAllDeclaration',
	'ImportExpression',
	'TSImportType',
]);

// Visits a node and its descendants, each with the last property name on the way to it.
function walk(node: Node, visit: (node: Node, name: string) => void, outer = '(module)'): void {
	const name = nameOf(node) ?? outer;
	visit(node, name);
	for (const child of childrenOf(node)) walk(child, visit, name);
}

function nameOf(node: Node): string | undefined {
	const identifier =
		node['id'] ?? (node.type === 'Property' || node.type === 'MethodDefinition' ? node['key'] : undefined);
	return isNode(identifier) && typeof identifier['name'] === 'string' ? identifier['name'] : undefined;
}

function importedSpecifier(node: Node): string | undefined {
	if (!importTypes.has(node.type) || !isNode(node['source'])) return undefined;
	const {value} = node['source'];
	return typeof value === 'string' ? value : undefined;
}

function isTypeOnly(node: Node): boolean {
	return node.type === 'TSImportType' || node['importKind'] === 'type' || node['exportKind'] === 'type';
}

function isDefaultExport(node: Node): boolean {
	if (node.type === 'ExportDefaultDeclaration') return true;
	return (
		node.type === 'ExportSpecifier' &&
		isNode(node['exported']) &&
		(node['exported']['name'] ?? node['exported']['value']) === 'default'
	);
}

function isModuleMock(node: Node): boolean {
	const callee = node.type === 'CallExpression' ? node['callee'] : undefined;
	if (!isNode(callee) || !isNode(callee['object']) || !isNode(callee['property'])) return false;
	return (
		/^(?:vi|vitest|jest)$/u.test(String(callee['object']['name'])) &&
		/^(?:mock|doMock|unstable_mockModule)$/u.test(String(callee['property']['name']))
	);
}

function lineCounter(text: string): (offset: number) => number {
	const starts = [0, ...[...text.matchAll(/\n/gu)].map(({index}) => index + 1)];
	return offset => starts.findLastIndex(start => start <= offset) + 1;
}
