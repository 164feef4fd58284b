import type {Item} from '../../pod/protocol.ts';
import {sanitizeLine} from '../text/sanitize.ts';
import {itemsOf, type Block, type BlockKind, type BlockOf} from './fold/block.ts';
import {inOrder, shortName} from './fold/system-title.ts';

/** A text that an item of a block holds, exactly as it is stored. What has no text is its JSON. */
export type StoredPart = {
	/** The block's. */
	readonly id: string;
	/** Inert, one row. */
	readonly name: string;
	readonly text: string;
	readonly extension: 'txt' | 'md' | 'json' | 'diff';
	/** Whether the text is the output of a call. */
	readonly isOutput?: boolean;
};

/** What can be opened of a block, in the order of the screen. */
export function storedParts(block: Block): readonly StoredPart[] {
	return (texts[block.kind] as (block: Block) => ReadonlyArray<Omit<StoredPart, 'id'>>)(block).map(part => ({...part, id: block.id}));
}

/** The part that you most likely want: of a call, its output. */
export function mainPart(parts: readonly StoredPart[]): number {
	return Math.max(0, parts.findIndex(part => part.isOutput === true));
}

type Text = Omit<StoredPart, 'id'>;

const texts: {readonly [Kind in BlockKind]: (block: BlockOf<Kind>) => readonly Text[]} = {
	user: ({item}) => [{name: `Message: ${firstWords(item.text)}`, text: item.text, extension: 'md'}],
	assistant: ({item}) => [{name: `Answer: ${firstWords(item.text)}`, text: item.text, extension: 'md'}],
	thinking: ({item}) => (item.text === '' ? [json('Thoughts', item)] : [{name: `Thoughts: ${firstWords(item.text)}`, text: item.text, extension: 'md'}]),
	tool({call, result}) {
		const name = sanitizeLine(call?.name ?? 'result without a call');
		return [
			...(call === undefined ? [] : [{name: `${name} · arguments`, text: call.arguments, extension: 'json'} satisfies Text]),
			...(result === undefined ? [] : [{name: `${name} · output`, text: result.content, extension: 'txt', isOutput: true} satisfies Text]),
		];
	},
	system: ({parts}) => inOrder(parts).map(part => ({name: shortName(part), text: part.item.text, extension: part.origin?.kind === 'workflow' || part.origin?.kind === 'knowledge' ? 'md' : 'txt'})),
	notice(block) {
		if ('derived' in block) return [];
		const {item} = block;
		if (item.type === 'message') return [{name: `Notice: ${firstWords(item.text)}`, text: item.text, extension: 'txt'}];
		return item.type === 'setup' ? [{name: 'Setup: the prompt', text: item.prompt, extension: 'md'}, json('Setup: all', item)] : [json(item.type, item)];
	},
	foot: block => itemsOf(block).map(item => json(item.type === 'request' ? 'Request' : 'End of the run', item)),
	compaction: ({item}) => [{name: 'Compaction: the summary', text: item.summary, extension: 'md'}, json('Compaction: all', item)],
};

function json(name: string, item: Item): Text {
	return {name: `${name} (JSON)`, text: `${JSON.stringify(item, undefined, 2)}\n`, extension: 'json'};
}

function firstWords(text: string): string {
	return sanitizeLine(/\S.{0,60}/.exec(text)?.[0] ?? '(empty)');
}
