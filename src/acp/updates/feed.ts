import type {SessionUpdate} from '@agentclientprotocol/sdk';
import type {Event, Status} from '../../pod/protocol.ts';
import type {Block} from '../../transcript/block.ts';
import {blockOf} from '../../transcript/fold-state.ts';
import {blocksOf, createTranscript, reduce} from '../../transcript/state.ts';
import {partsOf} from './block-parts.ts';
import type {Call, PartContext, Part} from './parts.ts';

/** Turns the events of a pod into updates, with the same fold as the screen. */
export type Feed = {
	/**
	`isShown`: whether to send the blocks of a snapshot. An editor that resumes a session already has these blocks.
	*/
	event(event: Event, isShown?: boolean): void;
	/** Returns the id under which the editor knows a call. */
	readonly callOf: (callId: string) => string | undefined;
	/**
	Called when a question about a call begins. The question replaces the title and the content of the call until
	`asked` is called.
	*/
	readonly asking: (id: string, fields: Partial<Call>) => void;
	readonly asked: (id: string) => void;
};

type FeedOptions = {
	readonly update: (update: SessionUpdate) => void;
	/** Tells whether a message is the editor's own prompt. The editor already shows its own prompts. */
	readonly isOwn: (block: Block) => boolean;
};

export function createFeed({update, isOwn}: FeedOptions): Feed {
	const transcript = createTranscript();
	const sender = createPartSender(update);
	/** The calls without a result, by the id of their block. */
	const waiting = new Set<string>();
	/** The calls with an open question. An update would overwrite the question. */
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

/** Sends the parts of blocks to an editor: at first the whole part, and later only the new text. */
type PartSender = {
	send(part: Part): void;
	/** Marks a part as sent, because the editor already has it. */
	skip(part: Part): void;
	/** Records that a question has replaced these fields of a call, so that the next update sends them again. */
	replaced(id: string, fields: Partial<Call>): void;
};

/** The state of a part that was sent. `final`: no further update follows. */
type Sent = 'final' | {readonly length: number} | {readonly call: Call};

function createPartSender(update: (update: SessionUpdate) => void): PartSender {
	const sent = new Map<string, Sent>();

	function note(part: Part): void {
		const {id} = part;
		if (part.isFinal) sent.set(id, 'final');
		else sent.set(id, part.kind === 'text' ? {length: part.text.length} : {call: part.call});
	}

	return {
		skip: note,
		replaced(id, fields) {
			const before = sent.get(id);
			if (before !== undefined && before !== 'final' && 'call' in before)
				sent.set(id, {call: {...before.call, ...fields}});
		},
		send(part) {
			const before = sent.get(part.id);
			if (before === 'final') return;
			for (const each of updatesOf(part, before)) update(each);
			note(part);
		},
	};
}

function updatesOf(part: Part, before: Exclude<Sent, 'final'> | undefined): readonly SessionUpdate[] {
	if (part.kind === 'plan') return [{sessionUpdate: 'plan', entries: part.entries}];
	if (part.kind === 'text') {
		const text = part.text.slice(before !== undefined && 'length' in before ? before.length : 0);
		if (text === '') return [];
		return [{sessionUpdate: part.channel, messageId: part.id, content: {type: 'text', text}}];
	}
	if (before === undefined || !('call' in before))
		return [{sessionUpdate: 'tool_call', toolCallId: part.id, ...part.call}];
	const changed = changesOf(before.call, part.call);
	return changed === undefined ? [] : [{sessionUpdate: 'tool_call_update', toolCallId: part.id, ...changed}];
}

function changesOf(before: Call, after: Call): Partial<Call> | undefined {
	const old = new Map<string, unknown>(Object.entries(before));
	const changed = Object.entries(after).filter(([key, value]) => !isSame(old.get(key), value));
	return changed.length === 0 ? undefined : Object.fromEntries(changed);
}

function isSame(one: unknown, other: unknown): boolean {
	return one === other || JSON.stringify(one) === JSON.stringify(other);
}
