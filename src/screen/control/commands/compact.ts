import type {ItemOf} from '../../../pod/protocol.ts';
import {send, showAlert, type App} from '../app.ts';
import {blocksOf, type Transcript} from '../../../transcript/state.ts';
import {compactionUndone, noCompaction, outputsRestored} from '../../model/commands/texts.ts';

/**
Starts a compaction, or undoes the last one. It may take a minute, so you can keep typing, and an alert shows the
result. Resolves with a sentence when this cannot be done now.
*/
export async function compact(app: App, argument: string): Promise<string | undefined> {
	if (argument === 'undo') return undo(app);
	void begin(app, argument);
	return undefined;
}

async function begin(app: App, hint: string): Promise<void> {
	const receipt = await send(app, {method: 'compact', ...(hint !== '' && {hint})});
	if (!receipt.accepted)
		showAlert(app, {level: receipt.code === 'aborted' ? 'info' : 'error', text: receipt.sentence});
}

async function undo(app: App): Promise<string | undefined> {
	await app.client.promise;
	const last =
		app.state.transcript.store === undefined ? undefined : lastCompaction(app.state.transcript.store.transcript);
	if (last === undefined) return noCompaction;
	const receipt = await send(app, {method: 'context', op: 'restore', ids: [last.id]});
	if (!receipt.accepted) return receipt.sentence;
	showAlert(app, {level: 'info', text: last.type === 'compaction' ? compactionUndone : outputsRestored});
	return undefined;
}

/**
Returns the last compaction that is in effect: neither rewound nor undone. Outputs that inkpod left out by itself count
as one. The search starts at the end, because later items override earlier ones.
*/
export function lastCompaction(transcript: Transcript): ItemOf<'compaction' | 'context'> | undefined {
	const blocks = blocksOf(transcript);
	const undone = new Set<string>();
	for (let index = blocks.length - 1; index >= 0; index--) {
		const block = blocks[index];
		if (block === undefined || !('item' in block) || block.item === undefined || undone.has(block.item.id))
			continue;
		const {item} = block;
		if (item.type === 'compaction' || (item.type === 'context' && item.rule !== undefined)) return item;
		if (item.type === 'context' && item.op === 'restore') for (const id of item.ids) undone.add(id);
		const to = item.type === 'rewind' ? transcript.folded.byItem.get(item.to) : undefined;
		if (to !== undefined && to < index) index = to + 1;
	}
	return undefined;
}
