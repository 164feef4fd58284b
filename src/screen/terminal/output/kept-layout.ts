/** The properties of a node in Ink's tree that this file uses (ink 8.0.0, build/dom.js). */
type InkNode = {
	readonly nodeName: string;
	readonly parentNode?: InkNode | undefined;
	readonly childNodes?: readonly unknown[];
	readonly style: InkStyle;
};

/** The styles that this file reads. With `alignSelf` or `position`, a box may have another width than its parent. */
type InkStyle = {
	readonly [
		name in
			| 'alignItems'
			| 'alignSelf'
			| 'flexDirection'
			| 'flexWrap'
			| 'maxWidth'
			| 'minWidth'
			| 'position'
			| 'textWrap'
			| 'width'
	]?: unknown;
};

/**
Tells whether a text that is cut to one line always has the width of its column, whatever the text contains. If another
line replaces such a text, the layout stays the same. Ink then does not need to measure the text or to calculate the
layout again.
*/
export function fillsColumn(node: InkNode | undefined): boolean {
	if (node?.nodeName !== 'ink-text' || node.childNodes?.length !== 1) return false;
	if (!String(node.style.textWrap).startsWith('truncate')) return false;
	for (let box = node.parentNode; box?.nodeName === 'ink-box'; box = box.parentNode) {
		const {style} = box;
		if (!String(style.flexDirection).startsWith('column') || style.alignItems !== undefined) return false;
		if (style.flexWrap !== undefined && style.flexWrap !== 'nowrap') return false;
		if (typeof style.width === 'number') return true;
		if (bends.some(name => style[name] !== undefined)) return false;
		if (box.parentNode?.nodeName === 'ink-root') return true;
	}
	return false;
}

const bends = ['alignSelf', 'maxWidth', 'minWidth', 'position', 'width'] as const;

/** Tells whether a text with these measures is one line that is not empty. */
export function isLine({width, height}: {readonly width: number; readonly height: number}): boolean {
	return width > 0 && height === 1;
}

let layouts = 0;

/** Ends the validity of all cached places. Call this after each calculation of a layout. */
export function countLayout(): void {
	layouts++;
}

/**
Caches the results of `read` until the next calculation of a layout. Each result needs several calls into WebAssembly,
for each node in each frame.
*/
export function keepPlaces<Node extends object, Place>(read: (node: Node) => Place): (node: Node) => Place {
	const kept = new WeakMap<Node, {readonly layout: number; readonly place: Place}>();
	return node => {
		const found = kept.get(node);
		if (found?.layout === layouts) return found.place;
		const place = read(node);
		kept.set(node, {layout: layouts, place});
		return place;
	};
}
