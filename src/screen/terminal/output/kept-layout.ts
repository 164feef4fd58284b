/** The properties of a node of Ink's tree that are used here (ink 8.0.0, build/dom.js). */
type InkNode = {
	readonly nodeName: string;
	readonly parentNode?: InkNode | undefined;
	readonly childNodes?: readonly unknown[];
	readonly style: InkStyle;
};

/** `alignSelf` and `position` may take a box out of the width of its parent. */
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
Tells whether a text that is cut to one line has the width of its column, whatever it contains. If one line replaces
another one there, the layout stays the same, and Ink need not measure the text or calculate the layout again.
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

/** Tells whether a text with these measures is one line with something to see. */
export function isLine({width, height}: {readonly width: number; readonly height: number}): boolean {
	return width > 0 && height === 1;
}

let layouts = 0;

/** Call this after each calculation of a layout. */
export function countLayout(): void {
	layouts++;
}

/**
Keeps what `read` finds out about the place of a node until the next calculation of a layout. Each fact is a call of
WebAssembly, and there are several for each node of each frame.
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
