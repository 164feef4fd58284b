import {parseAst} from 'rolldown/parseAst';

/**
Returns the keys of the texts in a source (src/language): those of t`…`, and the nouns of counts, which have the
key `{0} noun`.
*/
export function textsOf(file, source) {
	const keys = new Set();
	visit(parseAst(source, {lang: file.endsWith('x') ? 'tsx' : 'ts'}, file), node => {
		if (node.type === 'TaggedTemplateExpression' && node.tag.name === 't') keys.add(keyOf(node.quasi.quasis));
		const counts = node.type === 'CallExpression' && ['plural', 'counted', 'tCount'].includes(node.callee.name);
		if (counts) for (const noun of nounsOf(node.arguments[1])) keys.add(`{0} ${noun}`);
	});
	return keys;
}

function keyOf(quasis) {
	return quasis
		.map(({value: {raw, cooked}}) => (raw.includes('\n') ? cooked.replaceAll(/\n\t+/g, ' ') : cooked))
		.map((part, index) => (index === 0 ? part : `{${index - 1}}${part}`))
		.join('');
}

function nounsOf(node) {
	if (node?.type === 'Literal') return [node.value];
	if (node?.type === 'ConditionalExpression') return [...nounsOf(node.consequent), ...nounsOf(node.alternate)];
	return [];
}

function visit(node, see) {
	see(node);
	for (const child of Object.values(node).flat())
		if (typeof child === 'object' && child !== null && typeof child.type === 'string') visit(child, see);
}
