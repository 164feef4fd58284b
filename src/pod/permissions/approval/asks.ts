import {notifyAll} from '../../../worker/index.ts';
import type {Ask, QuestionAnswer} from '../../protocol.ts';

/** The open questions to the user. They are part of the status, so any client can answer them. */
export type Asks = {
	/** Asks a question, and resolves with the answer, or with `undefined` if the signal is aborted first. */
	ask(ask: Omit<Ask, 'id'>, signal: AbortSignal, how?: AskOptions): Promise<Answer | undefined>;
	/** Answers a question. Returns false if no open question has this id and this choice. */
	answer(id: string, answer: Answer): boolean;
	/** Returns the open questions, the oldest first. */
	list(): readonly Ask[];
	/** Calls the listener whenever the open questions change. Returns a function that removes the listener. */
	observe(listener: (asks: readonly Ask[]) => void): () => void;
};

/** `first` puts the question before the ones that are already open. */
type AskOptions = {readonly first?: boolean};

export type Answer = {
	readonly choice: string;
	readonly reason?: string;
	readonly answers?: readonly QuestionAnswer[];
	/** Where the user answered, if it was not the terminal of the session. */
	readonly from?: string;
};

type Open = {readonly ask: Ask; readonly settle: (answer: Answer | undefined) => void};

/** `onChange` is the first listener. */
export function createAsks(nextId: () => string, onChange?: (asks: readonly Ask[]) => void): Asks {
	let open: ReadonlyMap<string, Open> = new Map();
	const listeners = new Set<(asks: readonly Ask[]) => void>(onChange === undefined ? [] : [onChange]);
	const list = () => [...open.values()].map(({ask}) => ask);
	const emit = () => notifyAll(listeners, list());

	return {
		list,
		observe(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		async ask(question, signal, {first = false} = {}) {
			if (signal.aborted) return undefined;
			const ask = {...question, id: nextId()};
			const {promise, resolve} = Promise.withResolvers<Answer | undefined>();
			const leave = () => resolve(undefined);
			signal.addEventListener('abort', leave);
			const entry = [ask.id, {ask, settle: resolve}] as const;
			open = new Map(first ? [entry, ...open] : [...open, entry]);
			emit();
			try {
				return await promise;
			} finally {
				signal.removeEventListener('abort', leave);
				open = new Map([...open].filter(([id]) => id !== ask.id));
				emit();
			}
		},
		answer(id, answer) {
			const waiting = open.get(id);
			if (waiting === undefined || !waiting.ask.choices.some(({choice}) => choice === answer.choice))
				return false;
			waiting.settle(answer);
			return true;
		},
	};
}

/** Returns the same questions for a child session. Each question that the child asks gets the child's name. */
export function asksOfChild(asks: Asks, child: NonNullable<Ask['child']>): Asks {
	return {...asks, ask: async (question, signal, how) => asks.ask({...question, child}, signal, how)};
}
