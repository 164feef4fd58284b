/**
The part of Ink's output class that Ink itself uses (ink 8.0.0, build/output.js). Positions are in cells from the upper
left corner.
*/
export type OutputLike = {
	readonly width: number;
	readonly height: number;
	/**
	Writes a text at a position. The text may have several lines and SGR sequences. Later texts cover earlier ones.
	*/
	write(x: number, y: number, text: string, options: {readonly transformers: readonly Transformer[]}): void;
	/** Limits writes to the intersection of this clip and all open clips, until the matching `unclip`. */
	clip(clip: Clip): void;
	unclip(): void;
	/** Returns the rows, without trailing blanks and joined with newlines. */
	get(): {readonly output: string; readonly height: number};
};

export type OutputClass = new (size: Size) => OutputLike;

export type Size = {readonly width: number; readonly height: number};

/** A function that changes a line after Ink has cut it. `index` is the index of the line in its text. */
export type Transformer = (line: string, index: number) => string;

/**
The rectangle in which texts are visible. `x2` and `y2` are not included. `undefined` means no limit on that side.
*/
export type Clip = {
	readonly x1: number | undefined;
	readonly x2: number | undefined;
	readonly y1: number | undefined;
	readonly y2: number | undefined;
};

/**
Tells whether a line contains only text, SGR sequences and complete links, and ends without a style. Such a line can be
used as it is, so its cells do not need to be painted again.
*/
export function isComplete(text: string): boolean {
	const line = text.includes('\x1b]') ? text.replaceAll(links, '$1') : text;
	const open = new Set<string>();
	for (const [, parameters = ''] of line.matchAll(sgr)) {
		const group = closes.get(parameters);
		if (group !== undefined) open.delete(group);
		else {
			const opened = openedBy(parameters);
			if (opened === undefined) return false;
			open.add(opened);
		}
	}
	return open.size === 0 && !controls.test(line.replaceAll(sgr, ''));
}

/**
Caches the result of `squash` for a node with a single text child, until that text changes. Ink needs the result in
every frame and for measuring. Other nodes are not cached, because a change of their contents could not be noticed.
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

/** Returns the group of the style that an SGR sequence sets. chalk writes one style per sequence. */
function openedBy(parameters: string): string | undefined {
	if (/^(?:38|3[0-7]|9[0-7])(?:;|$)/.test(parameters)) return 'color';
	if (/^(?:48|4[0-7]|10[0-7])(?:;|$)/.test(parameters)) return 'background';
	return groups.get(parameters);
}

/** Matches links (OSC 8), from their start to their end. */
const links = /\x1b\]8;;[!-~]+\x1b\\((?:[^\x1b]|\x1b\[[\d;]*m)*)\x1b\]8;;\x1b\\/g;

/** Matches SGR sequences (ECMA-48). */
const sgr = /\x1b\[([\d;]*)m/g;

const controls = /[\x00-\x1f\x7f-\x9f]/;

const closes = new Map([
	['39', 'color'],
	['49', 'background'],
	['22', 'weight'],
	['23', 'italic'],
	['24', 'underline'],
	['27', 'inverse'],
	['28', 'hidden'],
	['29', 'strike'],
	['55', 'overline'],
]);

const groups = new Map([
	['1', 'weight'],
	['2', 'weight'],
	['3', 'italic'],
	['4', 'underline'],
	['7', 'inverse'],
	['8', 'hidden'],
	['9', 'strike'],
	['53', 'overline'],
]);

/** The properties of a text node in Ink's tree that this file uses (ink 8.0.0, build/dom.js). */
type TextNode = {readonly nodeName: string; readonly nodeValue?: string; readonly childNodes?: readonly TextNode[]};

function onlyText({childNodes = []}: TextNode): string | undefined {
	const [child] = childNodes;
	return childNodes.length === 1 && child?.nodeName === '#text' ? child.nodeValue : undefined;
}
