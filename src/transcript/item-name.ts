import type {Item} from '../pod/protocol.ts';
import {sanitizeLine} from '../text/sanitize.ts';
import {cut} from '../text/width.ts';
import {itemsOf, type Block} from './block.ts';
import {shortName} from './system-title.ts';
import {argumentSpans, toolName} from './tool-title.ts';
import {emptyText, itemNames, partLabels, undoneNames} from './texts.ts';

/**
Returns the name by which other texts refer to an item: `File src/a.ts:10-20`, `read_file a.md`, `“the first words…”`.
The name is inert, short and on one line. Returns `undefined` if the block does not contain the item.
*/
export function itemName(block: Block | undefined, id: string): string | undefined {
	const item = block && itemsOf(block).find(one => one.id === id);
	if (block === undefined || item === undefined) return undefined;
	if (block.kind === 'system') {
		const part = block.parts.find(one => one.item === item);
		return part && cut(shortName(part), maxCells, '…');
	}
	if (block.kind === 'tool' && block.call !== undefined)
		return cut(
			`${toolName(block.call.name)}${argumentSpans(block.call, {}, {columns: maxCells})
				.map(({text}) => text)
				.join('')}`,
			maxCells,
			'…',
		);
	if (block.kind === 'notice' && 'origin' in block && block.origin?.kind === 'instructions')
		return cut(`${partLabels.instructions} ${sanitizeLine(block.origin.path)}`, maxCells, '…');
	return names[item.type] ?? ('text' in item ? `“${cut(wordsOf(item), maxCells, '…')}”` : sanitizeLine(item.type));
}

/** Returns the name of a restored item. For a compaction, a rewind or a context change, it names what is restored. */
export function restoredName(block: Block | undefined, id: string): string | undefined {
	const item = block && itemsOf(block).find(one => one.id === id);
	return (item && undone[item.type]) ?? itemName(block, id);
}

const undone: Names = undoneNames;
const names: Names = itemNames;

type Names = {readonly [Type in Item['type']]?: string};

const maxCells = 48;

function wordsOf({text}: {readonly text: string}): string {
	return sanitizeLine(/\S[^\n]{0,200}/.exec(text)?.[0].toWellFormed() ?? emptyText);
}
