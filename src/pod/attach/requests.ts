import type {z} from 'zod';
import type {Method, Receipt} from '../protocol.ts';
import {lineOf} from './lines.ts';
import {texts} from './texts.ts';
import {answerSchemas, maxClientLineBytes, type Question, type ServerMessage} from './wire.ts';

type Reply = Extract<
	ServerMessage,
	{id: number; receipt: unknown} | {id: number; answer: unknown} | {id: number; problem: string}
>;
type AnswerTo<Name extends Question['ask']> = z.infer<(typeof answerSchemas)[Name]>;

/** What was asked over a connection and waits for its reply. */
export type Requests = {
	send(method: Method): Promise<Receipt>;
	/** Rejects with the signal's reason, or with a sentence. */
	ask<Name extends Question['ask']>(
		question: Extract<Question, {ask: Name}>,
		signal?: AbortSignal,
	): Promise<AnswerTo<Name>>;
	/** False for a reply to nothing. */
	settle(reply: Reply): boolean;
	/** Nothing that waits will have its reply. */
	close(): void;
};

export function createRequests(write: (line: string) => void): Requests {
	const pending = new Map<number, (reply: Reply | undefined) => void>();
	let isClosed = false;
	let nextId = 1;

	/** `undefined`: the connection ended first, or the signal was aborted. */
	async function request(body: Method | Question, signal?: AbortSignal): Promise<Reply | undefined> {
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
			// The reply may be under way already.
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
			return {accepted: false, code: 'io', sentence: 'problem' in reply ? reply.problem : texts.strange};
		},
		async ask(question, signal) {
			const reply = await request(question, signal);
			signal?.throwIfAborted();
			if (reply === undefined) throw new Error(texts.lost);
			if ('problem' in reply) throw new Error(reply.problem);
			const parsed = answerSchemas[question.ask].safeParse('answer' in reply ? reply.answer : undefined);
			if (!parsed.success) throw new Error(texts.strange);
			return parsed.data as never;
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
