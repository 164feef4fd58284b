import {messageOf} from '../../ground/values/is-record.ts';
import type {Method, PodClient, Receipt, SideQuestionAnswer, SideQuestionStep} from '../../protocol.ts';
import {lineOf} from '../../ground/text/lines.ts';
import type {ClientMessage} from './wire.ts';

/** A message that the dispatcher handles: any message of a client except `attach`. */
type DispatchedMessage = Exclude<ClientMessage, {readonly attach: number}>;

/** Forwards the methods and queries of one client to the pod, and sends back the replies. */
export type Dispatcher = {
	/** Returns false if too many requests are pending, or if the id is already pending. */
	dispatch(message: DispatchedMessage): boolean;
	/**
	Aborts the pending requests without a reply. Puts queued messages that the client took and did not release back into
	the queue. Discards the side questions of the client.
	*/
	close(): void;
};

type DispatcherOptions = {
	readonly client: PodClient;
	readonly send: (line: string) => void;
	readonly maxPending: number;
};

export function createDispatcher({client: pod, send, maxPending}: DispatcherOptions): Dispatcher {
	const sideQuestions = ownSideQuestions(pod);
	const {client} = sideQuestions;
	const pending = new Map<number, AbortController>();
	/** The ids of the queued messages that the client has taken. */
	const taken = new Set<string>();
	let isClosed = false;

	async function forward(method: Method): Promise<{readonly receipt: Receipt}> {
		const receipt = await client.send(asAttached(method)).catch(failedReceipt);
		if (receipt.accepted) for (const {id} of receipt.returned ?? []) taken.add(id);
		if (isClosed) putBack();
		return {receipt};
	}

	function putBack(): void {
		const messages = [...taken];
		taken.clear();
		if (messages.length > 0) void client.send({method: 'requeue', messages}).catch(failedReceipt);
	}

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
				if (method.method === 'release_queued') taken.delete(method.message);
				void reply(id, async () => forward(method));
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
			isClosed = true;
			putBack();
			sideQuestions.close();
		},
	};
}

/** Marks an answer on a card as the answer of an attached client, whatever the client says. */
function asAttached(method: Method): Method {
	return method.method === 'answer' ? {...method, from: 'attached'} : method;
}

function failedReceipt(error: unknown): Receipt {
	return {accepted: false, code: 'io', sentence: messageOf(error)};
}

/** A client of the pod that remembers its own side questions. No other client knows their ids. */
type OwnSideQuestions = {
	readonly client: PodClient;
	/** Discards the remaining side questions of the client, because no other client can. */
	readonly close: () => void;
};

/** Wraps a pod. The result remembers the side questions of its client until the client discards them. */
function ownSideQuestions(pod: PodClient): OwnSideQuestions {
	const ids = new Set<string>();
	let isClosed = false;

	function discardAll(): void {
		for (const id of ids) void pod.btw({op: 'discard', id}).catch(() => {});
		ids.clear();
	}

	async function btw(step: SideQuestionStep): Promise<SideQuestionAnswer> {
		const answer = await pod.btw(step);
		if (step.op === 'discard') ids.delete(step.id);
		else if (step.op === 'ask' && 'id' in answer) ids.add(answer.id);
		if (isClosed) discardAll();
		return answer;
	}

	return {
		client: {...pod, btw},
		close() {
			isClosed = true;
			discardAll();
		},
	};
}
