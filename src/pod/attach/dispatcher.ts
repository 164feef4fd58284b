import {messageOf} from '../values/message-of.ts';
import type {PodClient, Receipt} from '../protocol.ts';
import {lineOf} from './lines.ts';
import type {ClientMessage} from './wire.ts';

/** A message that the dispatcher handles. `attach` comes before it and is not one of them. */
export type DispatchedMessage = Exclude<ClientMessage, {readonly attach: number}>;

/** Forwards the methods and queries of one client to the pod, and sends back the replies. */
export type Dispatcher = {
	/** Returns false if too many requests are pending, or if the id is already pending. */
	dispatch(message: DispatchedMessage): boolean;
	/** Aborts the pending requests. They get no reply. */
	close(): void;
};

export type DispatcherOptions = {
	readonly client: PodClient;
	readonly send: (line: string) => void;
	readonly maxPending: number;
};

export function createDispatcher({client, send, maxPending}: DispatcherOptions): Dispatcher {
	const pending = new Map<number, AbortController>();

	async function reply(id: number, settle: (signal: AbortSignal) => Promise<object>): Promise<void> {
		const controller = new AbortController();
		pending.set(id, controller);
		const line = await settle(controller.signal).catch((error: unknown) => ({problem: messageOf(error)}));
		if (pending.delete(id)) send(lineOf({id, ...line}));
	}

	return {
		dispatch(message) {
			if ('cancel' in message) {
				pending.get(message.cancel)?.abort();
				return true;
			}
			if (pending.size >= maxPending || pending.has(message.id)) return false;
			if ('method' in message) {
				const {id, method} = message;
				void reply(id, async () => ({receipt: await client.send(method).catch(failedReceipt)}));
			} else {
				const {id, ask} = message;
				void reply(id, async signal => ({answer: (await ask(client, signal)) ?? null}));
			}
			return true;
		},
		close() {
			const controllers = [...pending.values()];
			pending.clear();
			for (const controller of controllers) controller.abort();
		},
	};
}

function failedReceipt(error: unknown): Receipt {
	return {accepted: false, code: 'io', sentence: messageOf(error)};
}
