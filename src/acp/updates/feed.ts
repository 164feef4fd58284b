import type {SessionUpdate} from '@agentclientprotocol/sdk';
import type {Event, Status} from '../../pod/protocol.ts';
import type {Block} from '../../transcript/block.ts';
import {blockOf} from '../../transcript/fold-state.ts';
import {blocksOf, createTranscript, reduce} from '../../transcript/state.ts';
import {partsOf} from './block-parts.ts';
import {createPartSender} from './part-sender.ts';
import type {Call, PartContext} from './parts.ts';

/** Turns the events of a pod into updates, by the fold of the screen. */
export type Feed = {
	/** `isShown`: whether the blocks of a snapshot are sent. An editor that resumes a session has them already. */
	event(event: Event, isShown?: boolean): void;
	/** Returns the id under which an editor knows a call. */
	readonly callOf: (callId: string) => string | undefined;
	/** A question about a call begins. It replaces the title and the content of the call until it is settled. */
	readonly asking: (id: string, fields: Partial<Call>) => void;
	readonly asked: (id: string) => void;
};

type FeedOptions = {
	readonly update: (update: SessionUpdate) => void;
	/** Tells whether a message is the editor's own prompt, which it shows itself. */
	readonly isOwn: (block: Block) => boolean;
};

export function createFeed({update, isOwn}: FeedOptions): Feed {
	const transcript = createTranscript();
	const sender = createPartSender(update);
	/** The calls without a result, by the id of their block. */
	const waiting = new Set<string>();
	/** The calls with an open question, which would be overwritten by an update. */
	const questioned = new Set<string>();
	const context = (): PartContext => ({
		pwd: transcript.session?.scope.pwd ?? '/',
		stateOf: callId => callState(transcript.status, callId),
	});

	function show(block: Block, isShown = true): void {
		if (block.kind === 'tool' && block.result === undefined) waiting.add(block.id);
		else waiting.delete(block.id);
		if (questioned.has(block.id) && block.kind === 'tool' && block.result === undefined) return;
		const sends = isShown && !isOwn(block);
		for (const part of partsOf(block, context()))
			if (sends) sender.send(part);
			else sender.skip(part);
	}

	function showAgain(id: string): void {
		const block = blocksOf(transcript)[transcript.folded.indexOf.get(id) ?? -1];
		if (block === undefined) waiting.delete(id);
		else show(block);
	}

	return {
		callOf: callId => {
			const index = transcript.folded.calls.get(callId)?.blocks.at(-1);
			return index === undefined ? undefined : transcript.folded.blocks[index]?.id;
		},
		asking(id, fields) {
			questioned.add(id);
			sender.replaced(id, fields);
		},
		asked(id) {
			questioned.delete(id);
			showAgain(id);
		},
		event(event, isShown = true) {
			reduce(transcript, event);
			if (event.type === 'snapshot') for (const block of blocksOf(transcript)) show(block, isShown);
			if (event.type === 'status') for (const id of waiting) showAgain(id);
			if (event.type !== 'item' && event.type !== 'delta') return;
			const block = blockOf(transcript.folded, event.type === 'item' ? event.item.id : event.id);
			if (block !== undefined) show(block);
		},
	};
}

function callState({kind, calls = []}: Status, callId: string): ReturnType<PartContext['stateOf']> {
	if (kind !== 'running') return 'failed';
	return calls.some(call => call.callId === callId) ? 'in_progress' : 'pending';
}
