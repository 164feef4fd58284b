import type {
	AssistantPart,
	Model,
	ModelEvent,
	ModelFailure,
	ModelMessage,
	ModelRequest,
} from '../../src/worker/history/model.ts';
import type {Stop, Usage} from '../../src/worker/history/item.ts';

/** A whole answer, put together from its events. */
export type Collected = {
	readonly events: readonly ModelEvent[];
	/** The finished parts in the order in which they began, as they would be sent back. */
	readonly parts: readonly AssistantPart[];
	/** The texts of parts that began and did not end. */
	readonly open: readonly string[];
	readonly hash?: string;
	readonly stop?: Stop;
	readonly usage?: Usage;
	readonly error?: ModelFailure;
};

/** Makes a minimal request. */
export function ask(messages: readonly ModelMessage[], more: Partial<ModelRequest> = {}): ModelRequest {
	return {prompt: 'Be brief.', tools: [], settings: {}, messages, ...more};
}

/** Streams one answer to its end and puts it together. */
export async function collect(
	model: Model,
	request: ModelRequest,
	signal: AbortSignal = new AbortController().signal,
): Promise<Collected> {
	const events: ModelEvent[] = [];
	for await (const event of model.stream(request, signal)) events.push(event);
	return assemble(events);
}

type Growing = {part: AssistantPart; text: string; ended: boolean};

/** Puts events together. Throws if they violate the contract of Model. */
export function assemble(events: readonly ModelEvent[]): Collected {
	const growing = new Map<string, Growing>();
	let rest: Pick<Collected, 'hash' | 'stop' | 'usage' | 'error'> = {};
	for (const [index, event] of events.entries()) {
		const last = event.type === 'finish' || event.type === 'error';
		if (last !== (index === events.length - 1)) throw new Error(`${event.type} at ${index} of ${events.length}`);
		if (event.type === 'answered') continue;
		if (event.type === 'sending') rest = {hash: event.hash};
		else if (event.type === 'start') {
			if (growing.has(event.key)) throw new Error(`${event.key} began twice`);
			growing.set(event.key, {part: partOf(event.part), text: '', ended: false});
		} else if (event.type === 'delta' || event.type === 'end') grow(growing.get(event.key), event);
		else if (event.type === 'finish') rest = {...rest, stop: event.stop, usage: event.usage};
		else rest = {...rest, error: event.error, ...(event.usage === undefined ? {} : {usage: event.usage})};
	}
	const all = [...growing.values()];
	return {
		events,
		parts: all.filter(({ended}) => ended).map(({part}) => part),
		open: all.filter(({ended}) => !ended).map(({text}) => text),
		...rest,
	};
}

function grow(target: Growing | undefined, event: Extract<ModelEvent, {type: 'delta' | 'end'}>): void {
	if (target === undefined || target.ended) throw new Error(`${event.type} of ${event.key}, which is not open`);
	if (event.type === 'delta') {
		target.text += event.text;
		return;
	}
	const text = event.text ?? target.text;
	const provider = event.provider === undefined ? {} : {provider: event.provider};
	target.ended = true;
	if (event.isThought === true) target.part = {type: 'reasoning', text: ''};
	target.part =
		target.part.type === 'tool_call'
			? {...target.part, arguments: text, ...provider}
			: {...target.part, text, ...provider};
}

function partOf(head: Extract<ModelEvent, {type: 'start'}>['part']): AssistantPart {
	if (head.type === 'tool_call') return {...head, arguments: ''};
	if (head.type === 'unread') return {type: 'text', text: `[${head.kind}: ${head.data ?? ''}]`};
	return {type: head.type, text: ''};
}
