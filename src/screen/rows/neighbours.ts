import {blankRow, type Row} from '../spans/row.ts';
import type {Block} from '../../transcript/block.ts';
import {groupAt, groupPlace, groupRow, type Blocks, type Group, type GroupStarts} from './groups.ts';
import {blockRows, isHidden, isLine} from './index.ts';
import type {RenderContext} from './parts/render.ts';

/** What the rows of a block in the normal view depend on besides the block itself. */
export type Neighbours = {
	/** Identifies these facts. */
	readonly key: string;
	/** Whether no blank row precedes the block, because the block before it also has a single row. */
	readonly isClose: boolean;
	/** Whether the row of a group stands for the block. */
	readonly isFolded: boolean;
	/** The group that the block begins. */
	readonly group?: Group;
};

/** What the user opened: blocks by id, and groups by the id of their first block. */
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

/** For views in which every block is on its own. */
export const alone: Neighbours = {key: '', isClose: false, isFolded: false};

/** Returns the facts about a block's neighbours. The cost does not depend on the length of the session. */
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

/** Returns the rows of a block at its place, with the row of the group that it begins. */
export function rowsInPlace(neighbours: Neighbours, block: Block, context: RenderContext): readonly Row[] {
	const {group, isClose, isFolded} = neighbours;
	const isInLine = context.view === 'normal' && (isClose || group !== undefined);
	const rows = isFolded ? [] : blockRows(block, {...context, isClose: isInLine});
	if (group === undefined) return rows;
	const head = groupRow(group, context.columns);
	return !isClose && group.first.kind === 'tool' ? [blankRow, head, ...rows] : [head, ...rows];
}

const close: Neighbours = {key: 'close', isClose: true, isFolded: false};
const folded: Neighbours = {key: 'folded', isClose: false, isFolded: true};

/** Tells whether the block before has a single row. Blocks without rows are passed over. */
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
