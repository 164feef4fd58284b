import {stamp, type Clock, type Draft, type History, type Interceptor, type Item} from '../../worker/index.ts';

/** The workflows that the model invokes during one run: their items are committed as soon as the call's result is. */
export type ModelCalls = {
	/** Takes the items of a call that is about to have its result. */
	take(callId: string, drafts: ReadonlyArray<Draft<'message'>>): void;
	/** A new run begins: what an earlier one left without a result is made anew when its call runs again. */
	interceptor(): Pick<Interceptor, 'postToolCall'>;
};

/** `onCommit` hears the items once they are durable. */
export function createModelCalls({history, clock, onCommit}: {readonly history: History; readonly clock: Clock; readonly onCommit: (items: readonly Item[]) => Promise<void>}): ModelCalls {
	let taken = new Map<string, Array<ReadonlyArray<Draft<'message'>>>>();
	return {
		take(callId, drafts) {
			taken.set(callId, [...(taken.get(callId) ?? []), drafts]);
		},
		interceptor() {
			taken = new Map();
			return {
				async postToolCall({callId, name}, {isError}) {
					const drafts = name === 'workflow' && !isError ? taken.get(callId)?.shift() : undefined;
					if (drafts === undefined) return {type: 'continue'};
					const items = drafts.map(draft => stamp(clock, draft));
					await history.append(items);
					await onCommit(items);
					return {type: 'continue'};
				},
			};
		},
	};
}
