import type {SessionUpdate} from '@agentclientprotocol/sdk';
import type {Call, Part} from './parts.ts';

/** Sends parts to an editor: the first time as a whole, and then only what is new. */
type PartSender = {
	send(part: Part): void;
	/** Notes a part as sent, for an editor that knows it already. */
	skip(part: Part): void;
	/** Notes that a question has replaced these fields of a call. They are sent again with the next update. */
	replaced(id: string, fields: Partial<Call>): void;
};

/** What was sent of a part. `final`: no more of it is sent. */
type Sent = 'final' | {readonly length: number} | {readonly call: Call};

export function createPartSender(update: (update: SessionUpdate) => void): PartSender {
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
