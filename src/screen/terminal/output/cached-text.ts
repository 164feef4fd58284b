/** The properties of a text node in Ink's tree that are used here (ink 8.0.0, build/dom.js). */
type TextNode = {readonly nodeName: string; readonly nodeValue?: string; readonly childNodes?: readonly TextNode[]};

/**
Caches the result of `squash` for a node with a single text child until that text changes. Ink needs the result for
every frame and for measuring. Other nodes are not cached, because their contents may change unnoticed.
*/
export function keepTextOfNode<Node extends TextNode>(squash: (node: Node) => string): (node: Node) => string {
	const kept = new WeakMap<Node, {readonly value: string; readonly text: string}>();
	return node => {
		const value = onlyText(node);
		if (value === undefined) return squash(node);
		let found = kept.get(node);
		if (found?.value !== value) kept.set(node, (found = {value, text: squash(node)}));
		return found.text;
	};
}

function onlyText({childNodes = []}: TextNode): string | undefined {
	const [child] = childNodes;
	return childNodes.length === 1 && child?.nodeName === '#text' ? child.nodeValue : undefined;
}
