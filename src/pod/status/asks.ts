import type {Ask, QuestionAnswer} from '../protocol.ts';

/** The open questions to the user. They are part of the status, so any client can answer them. */
export type Asks = {
	/** Asks a question, and resolves with the answer. It resolves with `undefined` if the signal is aborted first. */
	ask(ask: Omit<Ask, 'id'>, signal: AbortSignal, how?: AskOptions): Promise<Answer | undefined>;
	/** Answers a question. It returns false if no open question has this id and this choice. */
	answer(id: string, answer: Answer): boolean;
};

/** `first` puts the question before the ones that are already open. */
export type AskOptions = {readonly first?: boolean};

export type Answer = {readonly choice: string; readonly reason?: string; readonly answers?: readonly QuestionAnswer[]};

type Open = {readonly ask: Ask; readonly settle: (answer: Answer | undefined) => void};

export function createAsks(nextId: () => string, onChange: (asks: readonly Ask[]) => void): Asks {
	let open: ReadonlyMap<string, Open> = new Map();
	const emit = () => onChange([...open.values()].map(({ask}) => ask));

	return {
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
