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

/**
Returns the keys of the texts of a source that a record stores: those of en`…`, where the place of a nested text is
`{0*}`, and the nouns of their counts.
*/
export function recordedTextsOf(file, source) {
	const keys = new Set();
	visit(parseAst(source, {lang: file.endsWith('x') ? 'tsx' : 'ts'}, file), node => {
		if (node.type === 'TaggedTemplateExpression' && node.tag.name === 'en')
			keys.add(keyOf(node.quasi.quasis, node.quasi.expressions.map(isOwn)));
		if (node.type !== 'CallExpression' || node.callee.name !== 'enCount') return;
		const [, noun, many] = node.arguments;
		for (const one of nounsOf(noun)) {
			keys.add(`{0} ${one}`);
			keys.add(`{0} ${many?.value ?? `${one}s`}`);
		}
	});
	return keys;
}

function isOwn(node) {
	return node.type === 'CallExpression' && ['nested', 'enCount'].includes(node.callee.name);
}

function keyOf(quasis, ownValues = []) {
	return quasis
		.map(({value: {raw, cooked}}) => (raw.includes('\n') ? cooked.replaceAll(/\n\t+/g, ' ') : cooked))
		.map((part, index) => (index === 0 ? part : `{${index - 1}${ownValues[index - 1] === true ? '*' : ''}}${part}`))
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
