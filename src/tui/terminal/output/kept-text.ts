/** A text node of Ink's tree, as far as it is read here (ink 8.0.0, build/dom.js). */
type TextNode = {readonly nodeName: string; readonly nodeValue?: string; readonly childNodes?: readonly TextNode[]};

/**
Remembers what `squash` makes of a node whose only child is a text, until that text changes: Ink asks for it at every
frame, and again when it measures. Other nodes are squashed each time: what they contain may change without them.
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
