import {parseAst} from 'rolldown/parseAst';
import {childrenOf, type Node} from './source-file.ts';

/** Returns the places of a module where its loading waits for something, each with the code that follows. */
export function topLevelAwaits(code: string): string[] {
	if (!/\bawait\b/.test(code)) return [];
	const found: string[] = [];
	const visit = (node: Node): void => {
		if (functionTypes.has(node.type)) return;
		if (waits(node)) found.push(code.slice(node.start, node.start + 60));
		for (const child of childrenOf(node)) visit(child);
	};
	visit(parseAst(code, {sourceType: 'module'}) as unknown as Node);
	return found;
}

const functionTypes = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

function waits(node: Node): boolean {
	return node.type === 'AwaitExpression' || node['await'] === true || node['kind'] === 'await using';
}
