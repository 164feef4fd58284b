import {narrowDetails, toolFactsOf, type ItemOf, type OriginOf, type ToolFacts} from '../../pod/protocol.ts';
import {lineRow, type Row, blankRow} from '../spans/row.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import type {Span} from '../../text/span.ts';
import type {Block, BlockOf} from '../../transcript/block.ts';
import {argumentText} from '../../transcript/tool-title.ts';
import {isHidden, blockRows, isLine} from './conversation.ts';
import {foldedCalls, startFacts} from './texts.ts';
import type {RenderContext} from './parts/render.ts';

/**
Blocks that the normal view shows as one row until you open the group. A group consists of consecutive calls that only
read, or of the setup and instructions at the start of a session. The row is shown in the place of `first`. The groups
depend only on the blocks, so a live session and a restored session have the same groups.
*/
export type Group = {
	readonly first: Block;
	/** All blocks of the group that the normal view does not hide, in order. */
	readonly blocks: readonly Block[];
};

/** The blocks of a transcript, by index. */
export type Blocks = (index: number) => Block | undefined;

/** The place of a block: outside of all groups, the first block of a group, or another block of a group. */
type GroupPlace = 'outside' | 'first' | 'inside';

/** Returns the place of a block. The time depends on the neighbours of the block, not on the length of the session. */
function groupPlace(blocks: Blocks, index: number): GroupPlace {
	const block = blocks(index);
	if (block === undefined) return 'outside';
	if (isReading(block)) {
		if (nextReading(blocks, index, -1) !== undefined) return 'inside';
		return nextReading(blocks, index, 1) === undefined ? 'outside' : 'first';
	}
	if (isStart(block)) return startPlace(blocks, index);
	const isBetween =
		block.kind === 'thinking' &&
		isPassed(block) &&
		nextReading(blocks, index, -1) !== undefined &&
		nextReading(blocks, index, 1) !== undefined;
	return isBetween ? 'inside' : 'outside';
}

/** Returns the index of the first block in the group of a block. */
type GroupStarts = (index: number) => number;

/**
Creates a function that finds the starts of groups. The function caches the last start until the version of the blocks
changes. The cache is useful because a screen asks for one block after another, and a group may have thousands of
blocks.
*/
export function createGroupStarts(blocks: Blocks, version: () => number): GroupStarts {
	let known = {version: -1, start: 0, end: -1};

	function find(index: number): number {
		const block = blocks(index);
		if (block !== undefined && isStart(block)) return 0;
		let start = index;
		for (let at: number | undefined = index; at !== undefined; at = nextReading(blocks, at, -1)) {
			start = at;
			if (at >= known.start && at <= known.end) return known.start;
		}
		return start;
	}

	return index => {
		const now = version();
		if (known.version !== now) known = {version: now, start: 0, end: -1};
		const start = find(index);
		known = {version: now, start, end: start === known.start ? Math.max(index, known.end) : index};
		return start;
	};
}

/** Returns the group that begins at an index. */
function groupAt(blocks: Blocks, index: number): Group | undefined {
	const first = blocks(index);
	if (first === undefined || groupPlace(blocks, index) !== 'first') return undefined;
	const found: Block[] = [];
	if (isReading(first)) {
		for (let at: number | undefined = index, from = index; at !== undefined;) {
			for (let each = from; each <= at; each++) {
				const block = blocks(each);
				if (block !== undefined && !isHidden(block)) found.push(block);
			}
			from = at + 1;
			at = nextReading(blocks, at, 1);
		}
	} else {
		for (let at = index, block = blocks(at); block !== undefined && isStart(block); block = blocks(++at))
			found.push(block);
	}
	return {first, blocks: found};
}

/** Returns the row of a group. */
function groupRow(group: Group, columns: number): Row {
	const isStarting = isStart(group.first);
	const spans = isStarting ? startSpans(group.blocks) : callSpans(group.blocks);
	const gutter: Span = isStarting ? {text: '· ', style: 'dim'} : {text: '● ', style: 'ok'};
	return lineRow(spans, {columns, gutter}, 'group');
}

/** The facts about a block's neighbours on which its rows in the normal view depend. */
export type Neighbours = {
	/** A text that is equal for equal facts. */
	readonly key: string;
	/**
	Whether there is no blank row before the block, because this block and the block before it have a single row each.
	*/
	readonly isClose: boolean;
	/** Whether the row of a group replaces the rows of the block. */
	readonly isFolded: boolean;
	/** The group that begins with this block. */
	readonly group?: Group;
};

/** The blocks and groups that the user has opened. A group is identified by the id of its first block. */
export type Opened = {
	isBlock(id: string): boolean;
	isGroup(id: string): boolean;
	toggleBlock(id: string): void;
	toggleGroup(id: string): void;
};

export function createOpened(): Opened {
	const blocks = new Set<string>();
	const groups = new Set<string>();
	return {
		isBlock: id => blocks.has(id),
		isGroup: id => groups.has(id),
		toggleBlock: id => toggle(blocks, id),
		toggleGroup: id => toggle(groups, id),
	};
}

/** The neighbours in views without groups. */
export const alone: Neighbours = {key: '', isClose: false, isFolded: false};

/** Returns the facts about a block's neighbours. The time does not depend on the length of the session. */
export function neighboursOf(blocks: Blocks, index: number, opened: Opened, startOf: GroupStarts): Neighbours {
	const block = blocks(index);
	if (block === undefined) return alone;
	const place = groupPlace(blocks, index);
	const isClose = place !== 'outside' || isLine(block) ? followsLine(blocks, index, opened) : false;
	if (place === 'outside') return isClose ? close : alone;
	const first = blocks(startOf(index));
	const isOpen = first !== undefined && opened.isGroup(first.id);
	if (place === 'inside') {
		const isFolded = !isOpen && !opened.isBlock(block.id);
		return isFolded ? folded : isClose ? close : alone;
	}
	const group = groupAt(blocks, index);
	if (group === undefined) return alone;
	const key = ['group', isClose, isOpen, group.blocks.length, group.blocks.at(-1)?.id].join(' ');
	return {key, isClose, isFolded: !isOpen && !opened.isBlock(block.id), group};
}

/** Returns the rows of a block. If a group begins with this block, they include the row of the group. */
export function rowsInPlace(neighbours: Neighbours, block: Block, context: RenderContext): readonly Row[] {
	const {group, isClose, isFolded} = neighbours;
	const isInLine = context.view === 'normal' && (isClose || group !== undefined);
	const rows = isFolded ? [] : blockRows(block, {...context, isClose: isInLine});
	if (group === undefined) return rows;
	const head = groupRow(group, context.columns);
	return !isClose && group.first.kind === 'tool' ? [blankRow, head, ...rows] : [head, ...rows];
}

/**
Tells whether a block is a finished call that only read something. A failed call does not count, so it has its own row.
The result is cached, because each frame asks about all blocks of its groups, and blocks are immutable.
*/
function isReading(block: Block): block is BlockOf<'tool'> {
	const known = readings.get(block) ?? hasOnlyRead(block);
	readings.set(block, known);
	return known;
}

const readings = new WeakMap<Block, boolean>();

function hasOnlyRead(block: Block): boolean {
	if (block.kind !== 'tool' || block.open || block.call === undefined) return false;
	const {call, result} = block;
	if (result === undefined || result.isError || result.partialOf !== undefined) return false;
	if (toolFactsOf(call.name)?.folded === undefined) return false;
	const {denied, interrupted} = narrowDetails(result.details);
	return denied === undefined && interrupted === undefined;
}

/**
Tells whether a block may be between the calls of a group. Such blocks are thoughts, and blocks that the normal view
hides.
*/
function isPassed(block: Block): boolean {
	if (block.kind === 'thinking') return !block.open && block.item.stop === undefined;
	return isHidden(block);
}

/** Returns the index of the nearest call of the same group in a direction. */
function nextReading(blocks: Blocks, index: number, direction: 1 | -1): number | undefined {
	const {rewound} = blocks(index) ?? {};
	for (let at = index + direction; ; at += direction) {
		const block = blocks(at);
		if (block === undefined || block.rewound !== rewound) return undefined;
		if (isReading(block)) return at;
		if (!isPassed(block)) return undefined;
	}
}

/** A setup or instructions, with which a session begins. */
type Start = {readonly setup: ItemOf<'setup'>} | {readonly origin: OriginOf<'instructions'>};

function startOf(block: Block): Start | undefined {
	if (block.kind !== 'notice' || 'derived' in block || block.rewound === true) return undefined;
	const {item, origin} = block;
	if (item.type === 'setup') return {setup: item};
	return origin?.kind === 'instructions' ? {origin} : undefined;
}

function isStart(block: Block): boolean {
	return startOf(block) !== undefined;
}

/**
Returns the place of a setup or instructions. Later in the session they are outside of groups and have their own rows.
*/
function startPlace(blocks: Blocks, index: number): GroupPlace {
	for (let at = index - 1; at >= 0; at--) {
		const block = blocks(at);
		if (block === undefined || !isStart(block)) return 'outside';
	}
	if (index > 0) return 'inside';
	const [own, next] = [blocks(0), blocks(1)];
	const isSetup = own !== undefined && 'setup' in (startOf(own) ?? {});
	return isSetup || (next !== undefined && isStart(next)) ? 'first' : 'outside';
}

function callSpans(blocks: readonly Block[]): readonly Span[] {
	const subjects = new Map<NonNullable<ToolFacts['folded']>, Set<string>>();
	for (const block of blocks) {
		if (block.kind !== 'tool' || block.call === undefined) continue;
		const {folded} = toolFactsOf(block.call.name) ?? {};
		if (folded === undefined) continue;
		const known = subjects.get(folded) ?? new Set<string>();
		subjects.set(folded, known.add(argumentText(block.call)));
	}
	const words = [...subjects].map(([folded, {size}], index) => foldedCalls[folded](size, index === 0)).join(', ');
	const names = [...subjects.values()].flatMap(each => [...each]).filter(name => name !== '');
	return [{text: words}, {text: ` · ${names.slice(0, maxNames).map(sanitizeLine).join(', ')}`, style: 'dim'}];
}

/** The maximum number of names in a row. More names do not fit in a row. */
const maxNames = 40;

function startSpans(blocks: readonly Block[]): readonly Span[] {
	const starts = blocks.flatMap(block => startOf(block) ?? []);
	const setup = starts.findLast(start => 'setup' in start)?.setup;
	const files = starts.flatMap(start => ('origin' in start ? [start.origin] : []));
	return [{text: sanitizeLine(startFacts(setup, files)), style: 'dim'}];
}

const close: Neighbours = {key: 'close', isClose: true, isFolded: false};

const folded: Neighbours = {key: 'folded', isClose: false, isFolded: true};

/** Tells whether the previous block with rows has a single row. */
function followsLine(blocks: Blocks, index: number, opened: Opened): boolean {
	let before: Block | undefined;
	for (let at = index - 1; ; at--) {
		before = blocks(at);
		if (before === undefined || !isHidden(before)) break;
	}
	return before !== undefined && !opened.isBlock(before.id) && isLine(before);
}

function toggle(ids: Set<string>, id: string): void {
	if (!ids.delete(id)) ids.add(id);
}
