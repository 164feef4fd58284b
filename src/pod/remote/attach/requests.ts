import {queries, type Answer, type Argument, type QueryName} from '../../protocol/queries.ts';
import type {Method, Receipt} from '../../protocol.ts';
import {lineOf} from '../../ground/text/lines.ts';
import {texts} from './texts.ts';
import {maxClientLineBytes, type Reply} from './wire.ts';

/** The requests of a connection that have no reply yet. */
export type Requests = {
	send(method: Method): Promise<Receipt>;
	/** Sends a query. Rejects with the signal's reason, or with a sentence. */
	ask<Name extends QueryName>(name: Name, argument: Argument<Name>, signal?: AbortSignal): Promise<Answer<Name>>;
	/** Settles the request that a reply belongs to. Returns false if no request waits for the reply. */
	settle(reply: Reply): boolean;
	/** Settles all pending requests, because no reply can arrive any more. */
	close(): void;
};

export function createRequests(write: (line: string) => void): Requests {
	const pending = new Map<number, (reply: Reply | undefined) => void>();
	let isClosed = false;
	let nextId = 1;

	/** Sends a request. Returns `undefined` if the connection ended or the signal was aborted before the reply. */
	async function request(body: object, signal?: AbortSignal): Promise<Reply | undefined> {
		const id = nextId++;
		const line = lineOf({...body, id});
		if (Buffer.byteLength(line) > maxClientLineBytes) return {id, problem: texts.long};
		if (isClosed) return undefined;
		const {promise, resolve} = Promise.withResolvers<Reply | undefined>();
		pending.set(id, resolve);
		const giveUp = () => {
			const settle = pending.get(id);
			if (settle === undefined) return;
			settle(undefined);
			// The reply may already be on its way, so the connection must accept and ignore it.
			pending.set(id, () => {});
			write(lineOf({cancel: id}));
		};
		signal?.addEventListener('abort', giveUp);
		write(line);
		const reply = await promise;
		signal?.removeEventListener('abort', giveUp);
		return reply;
	}

	return {
		async send(method) {
			const reply = await request(method);
			if (reply === undefined) return {accepted: false, code: 'closed', sentence: texts.lost};
			if ('receipt' in reply) return reply.receipt;
			return {accepted: false, code: 'io', sentence: 'problem' in reply ? reply.problem : texts.unknown};
		},
		async ask(name, argument, signal) {
			signal?.throwIfAborted();
			const {ask, key, answer} = queries[name];
			const reply = await request({ask, ...(key !== undefined && {[key]: argument})}, signal);
			signal?.throwIfAborted();
			if (reply === undefined) throw new Error(texts.lost);
			if ('problem' in reply) throw new Error(reply.problem);
			if (!('answer' in reply)) throw new Error(texts.unknown);
			const parsed = answer.safeParse(reply.answer ?? undefined);
			if (!parsed.success) throw new Error(texts.unknown);
			return parsed.data;
		},
		settle(reply) {
			pending.get(reply.id)?.(reply);
			return pending.delete(reply.id);
		},
		close() {
			isClosed = true;
			for (const settle of pending.values()) settle(undefined);
			pending.clear();
		},
	};
}
