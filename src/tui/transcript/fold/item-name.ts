import type {Item} from '../../../pod/protocol.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import {cut} from '../../text/width.ts';
import {itemsOf, type Block} from './block.ts';
import {shortName} from './system-title.ts';
import {argumentSpans, toolName} from './tool-title.ts';

/**
What an item is called where others speak of it: `File src/a.ts:10-20`, `read_file a.md`, `“the first words…”`. Inert,
short, one line. `undefined`: the block does not hold it.
*/
export function itemName(block: Block | undefined, id: string): string | undefined {
	const item = block && itemsOf(block).find(one => one.id === id);
	if (block === undefined || item === undefined) return undefined;
	if (block.kind === 'system') return cut(shortName(block.parts.find(part => part.item === item)!), maxCells, '…');
	if (block.kind === 'tool' && block.call !== undefined)
		return cut(
			`${toolName(block.call.name)}${argumentSpans(block.call, {}, {columns: maxCells})
				.map(({text}) => text)
				.join('')}`,
			maxCells,
			'…',
		);
	if (block.kind === 'notice' && 'origin' in block && block.origin?.kind === 'instructions')
		return cut(`Instructions ${sanitizeLine(block.origin.path)}`, maxCells, '…');
	return names[item.type] ?? ('text' in item ? `“${cut(wordsOf(item), maxCells, '…')}”` : sanitizeLine(item.type));
}

/** The same where it is restored: of a compaction, a rewind or a change, what comes back when it is undone. */
export function restoredName(block: Block | undefined, id: string): string | undefined {
	const item = block && itemsOf(block).find(one => one.id === id);
	return (item && undoneNames[item.type]) ?? itemName(block, id);
}

const undoneNames: {readonly [Type in Item['type']]?: string} = {
	compaction: 'what the compaction left out',
	rewind: 'what the rewind left out',
	context: 'what stood before the change of the context',
};

const names: {readonly [Type in Item['type']]?: string} = {
	compaction: 'the compaction',
	rewind: 'the rewind',
	context: 'the change of the context',
	setup: 'the setup',
	tool_result: 'a result without a call',
};

const maxCells = 48;

function wordsOf({text}: {readonly text: string}): string {
	return sanitizeLine(/\S[^\n]{0,200}/.exec(text)?.[0].toWellFormed() ?? '(empty)');
}
