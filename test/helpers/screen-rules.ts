import {isNode, nameIn, nodesIn, nodesOf, type Node, type SourceFile} from './source-file.ts';

/*
The rules of src/screen about its syntax. Each rule gets the parsed sources and returns a sentence for each violation.
*/

/** The exceptions to the rules, with their reasons. */
export type Exceptions = Readonly<Record<string, string>>;

/**
Finds elements outside of components. Only components in .tsx files create elements: functions with a component's name,
or the `render` of a class.
*/
export function strayElements(files: readonly SourceFile[], mounts: Exceptions): string[] {
	return files.flatMap(file =>
		nodesIn(file).flatMap(([node, around]) => {
			const where = `${file.path}:${file.lineOf(node)}`;
			if (isElementCall(node)) return [`${where} makes an element without JSX`];
			if (!jsxTypes.has(node.type) || around.some(({type}) => jsxTypes.has(type))) return [];
			if (file.path in mounts || isInComponent(around)) return [];
			return [`${where} makes an element outside a component`];
		}),
	);
}

/** Finds other exports of .tsx files than components, contexts and types. */
export function strayExports(files: readonly SourceFile[], mounts: Exceptions): string[] {
	const views = files.filter(file => file.path.endsWith('.tsx') && !(file.path in mounts));
	return views.flatMap(file =>
		nodesIn(file).flatMap(([node]) => {
			if (node.type === 'ExportAllDeclaration') return [`${file.path}:${file.lineOf(node)} exports another file`];
			if (node.type !== 'ExportNamedDeclaration' || node['exportKind'] === 'type') return [];
			return exportedNames(node)
				.filter(name => !/^[A-Z]/u.test(name))
				.map(name => `${file.path}:${file.lineOf(node)} exports ${name}, which is not a component`);
		}),
	);
}

/** Finds calls of Ink's `render` outside the file that mounts the tree. */
export function strayMounts(files: readonly SourceFile[], mounts: Exceptions): string[] {
	return files
		.filter(file => !(file.path in mounts))
		.flatMap(file =>
			nodesIn(file).flatMap(([node, [declaration]]) => {
				const isInk = node.type === 'ImportSpecifier' && valueOf(declaration, 'source') === 'ink';
				return isInk && nameIn(node['imported']) === 'render'
					? [`${file.path}:${file.lineOf(node)} mounts a tree`]
					: [];
			}),
		);
}

/** Finds code outside `terminal/` that writes to the terminal. */
export function strayWrites(files: readonly SourceFile[], exceptions: Exceptions): string[] {
	const outside = files.filter(file => !file.path.startsWith('src/screen/terminal/') && !(file.path in exceptions));
	return outside.flatMap(file =>
		nodesIn(file).flatMap(([node]) => {
			const what = writeOf(node);
			return what === undefined ? [] : [`${file.path}:${file.lineOf(node)} uses ${what}`];
		}),
	);
}

/** Finds other code than `createApp` that creates or sets the store of the state. Components have no own state. */
export function strayStores(files: readonly SourceFile[], exceptions: Exceptions): string[] {
	return files
		.filter(file => !(file.path in exceptions))
		.flatMap(file =>
			nodesIn(file).flatMap(([node]) => {
				const name = node.type === 'CallExpression' ? calledName(node) : undefined;
				return name !== undefined && storeCalls.has(name)
					? [`${file.path}:${file.lineOf(node)} calls ${name}`]
					: [];
			}),
		);
}

/**
Finds assignments to the state or to a part of it. The types forbid them, too, but a cast could get around the types.
*/
export function stateAssignments(files: readonly SourceFile[]): string[] {
	return files.flatMap(file =>
		nodesIn(file).flatMap(([node]) => {
			const target = assignedIn(node);
			const owners = target === undefined ? [] : ownersOf(target);
			return owners.includes('state') ? [`${file.path}:${file.lineOf(node)} assigns to the state`] : [];
		}),
	);
}

const jsxTypes = new Set(['JSXElement', 'JSXFragment']);
const elementCalls = new Set(['createElement', 'cloneElement', 'jsx', 'jsxs']);
const storeCalls = new Set(['createStore', 'setState', 'useState', 'useReducer']);
const writers = new Set(['writeSync', 'writeNow']);
const streams = new Set(['stdout', 'stderr']);

function isElementCall(node: Node): boolean {
	return node.type === 'CallExpression' && elementCalls.has(calledName(node) ?? '');
}

/** Whether an enclosing function has the name of a component, or is the `render` of a class. */
function isInComponent(around: readonly Node[]): boolean {
	return around.some(node => {
		const name = nameIn(node['id']) ?? '';
		const isFunction = node.type === 'FunctionDeclaration' || node.type === 'FunctionExpression';
		const isRender = node.type === 'MethodDefinition' && nameIn(node['key']) === 'render';
		return isRender || (isFunction && /^[A-Z]/u.test(name));
	});
}

function exportedNames(node: Node): string[] {
	const {declaration, specifiers} = node;
	if (!isNode(declaration)) return nodesOf(specifiers).map(each => nameIn(each['exported']) ?? '');
	if (declaration.type.startsWith('TS')) return [];
	const declared = declaration.type === 'VariableDeclaration' ? nodesOf(declaration['declarations']) : [declaration];
	return declared.map(each => nameIn(each['id']) ?? '');
}

function writeOf(node: Node): string | undefined {
	if (node.type === 'CallExpression' && writers.has(calledName(node) ?? '')) return calledName(node);
	if (node.type !== 'MemberExpression') return undefined;
	const owner = lastName(node['object']);
	const name = nameIn(node['property']) ?? '';
	if (owner === 'console') return `console.${name}`;
	if (owner === 'process' && streams.has(name)) return `process.${name}`;
	return streams.has(owner ?? '') && (name === 'write' || name === 'end') ? `${owner}.${name}` : undefined;
}

function assignedIn(node: Node): Node | undefined {
	if (node.type === 'CallExpression') {
		const isAssign =
			lastName(node['callee']) === 'assign' && nameIn(valueAt(node['callee'], 'object')) === 'Object';
		const [first] = nodesOf(node['arguments']);
		return isAssign && first !== undefined ? {...first, type: 'MemberExpression', object: first} : undefined;
	}
	const assigned = node.type === 'AssignmentExpression' ? node['left'] : undefined;
	const counted = node.type === 'UpdateExpression' ? node['argument'] : undefined;
	const deleted = node.type === 'UnaryExpression' && node['operator'] === 'delete' ? node['argument'] : undefined;
	return [assigned, counted, deleted].filter(isNode).find(({type}) => type === 'MemberExpression');
}

/** Returns the names before the last one of a chain: for `app.state.card.id` these are `card`, `state` and `app`. */
function ownersOf(member: Node): string[] {
	const owner = unwrapped(member['object']);
	if (owner === undefined) return [];
	const name = lastName(owner);
	const rest = owner.type === 'MemberExpression' ? ownersOf(owner) : [];
	return name === undefined ? rest : [name, ...rest];
}

function calledName(node: Node): string | undefined {
	return lastName(node['callee']);
}

/** Returns the last name of a chain, without casts. */
function lastName(value: unknown): string | undefined {
	const node = unwrapped(value);
	return node?.type === 'MemberExpression' ? nameIn(node['property']) : nameIn(node);
}

function unwrapped(value: unknown): Node | undefined {
	if (!isNode(value)) return undefined;
	const isWrapped = /^(?:TS(?:As|NonNull|Satisfies|TypeAssertion)|Parenthesized|Chain)/u.test(value.type);
	return isWrapped ? unwrapped(value['expression']) : value;
}

function valueOf(node: Node | undefined, key: string): unknown {
	const child = node?.[key];
	return isNode(child) ? child['value'] : undefined;
}

function valueAt(node: unknown, key: string): unknown {
	return isNode(node) ? node[key] : undefined;
}
