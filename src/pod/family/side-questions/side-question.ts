import {
	createHistory,
	createWorker,
	type Delta,
	type Draft,
	type Interceptor,
	HistoryError,
	type Item,
	type Message,
	type Model,
	type ReadMedia,
	type Tool,
	type WorkerLimits,
} from '../../../worker/index.ts';
import type {Clock} from '../../../worker/index.ts';
import type {AnsweredGuard} from '../../context/answered/answered.ts';
import {originRules} from '../../ground/history/reader.ts';
import {streamedText} from '../../protocol/tail.ts';
import type {StreamPiece} from '../../disk/log/stream-file.ts';
import type {SideQuestionLog} from './side-question-log.ts';
import {sideQuestionTexts} from './texts.ts';

/** The conversation of one side question: a fork of the session with its own record. */
export type SideQuestion = {
	readonly question: string;
	readonly model: string;
	/** The items of the session at the fork. */
	readonly before: readonly Item[];
	/** Resolves when the question is saved. */
	readonly begun: Promise<void>;
	/** Returns the items after the fork. */
	readonly own: () => readonly Item[];
	/** Returns the parts of the answer that are still streaming. */
	readonly tail: () => readonly Item[];
	readonly isRunning: () => boolean;
	/** Returns the final text of the answer, or `undefined` if there is none. */
	readonly answer: () => string | undefined;
	/** Stops the answer. Resolves when the run has ended. */
	stop(): Promise<void>;
};

type SideQuestionOptions = {
	readonly question: string;
	readonly before: readonly Item[];
	/** The question and its attachments. */
	readonly messages: readonly Message[];
	/** The record. It contains each request before inkpod sends the first byte of that request. */
	readonly log: SideQuestionLog;
	readonly clock: Clock;
	readonly model: Model;
	readonly setup: Draft<'setup'>;
	readonly tools: () => readonly Tool[];
	readonly limits: WorkerLimits;
	readonly readMedia: ReadMedia;
	/** Reports answers from a model that inkpod did not request. */
	readonly answered: Pick<AnsweredGuard, 'beside'>;
	/** Called with the items after the fork when the run has ended. */
	readonly onEnd: (items: readonly Item[]) => void;
	/** Called with a sentence if an item could not be recorded. The answer has ended by then. */
	readonly onUnsaved: (sentence: string) => void;
};

/** Starts to answer a side question. */
export function startSideQuestion(options: SideQuestionOptions): SideQuestion {
	const {question, before, messages, log, clock, model, setup, tools, limits, readMedia, onEnd, onUnsaved} = options;
	const history = createHistory(log.log, before);
	const open = createOpenItems(log);
	history.observe(open.commit);
	const begun = Promise.withResolvers<void>();
	history.observe(() => begun.resolve());
	const stopping = new AbortController();
	const worker = createWorker({
		history,
		clock,
		origins: originRules,
		tools,
		limits: {...limits, maxTurns: maxRequests},
		readMedia,
		onDelta: open.add,
		onStep() {},
		random: Math.random,
	});
	const own = () => history.items.slice(before.length);
	let isRunning = true;
	const interceptor = {...withoutCalls, ...options.answered.beside(history)};
	const run = worker.run(messages, {model, setup, interceptor, signal: stopping.signal});
	const ended = run
		.finally(async () => {
			isRunning = false;
			begun.resolve();
			onEnd(own());
			await log.close();
		})
		.catch((error: unknown) => {
			if (!(error instanceof HistoryError)) throw error;
			onUnsaved(error.message);
		});
	return {
		question,
		model: setup.model,
		before,
		begun: begun.promise,
		own,
		tail: open.items,
		isRunning: () => isRunning,
		answer: () => finalText(own()),
		async stop() {
			stopping.abort('cancel');
			await ended;
		},
	};
}

/**
The maximum number of requests. The side question refuses all tool calls, and the model can then answer without them.
*/
const maxRequests = 4;

/** Refuses every tool call. The request still contains the tools, so that the provider can use its cached prompt. */
const withoutCalls: Interceptor = {
	preToolCall: () => ({
		type: 'result',
		output: {summary: sideQuestionTexts.noToolsSummary, content: sideQuestionTexts.noTools, isError: true},
	}),
};

/** Returns the text of the last answer, if the model finished it. */
function finalText(items: readonly Item[]): string | undefined {
	const end = items.findLast(({type}) => type === 'run_end');
	if (end?.type !== 'run_end' || end.outcome !== 'finished') return undefined;
	const from = items.findLastIndex(({type}) => type === 'request');
	const texts = items
		.slice(from + 1)
		.flatMap(item => (item.type === 'message' && item.role === 'assistant' ? [item.text] : []));
	const text = texts.join('\n\n');
	return text.trim() === '' ? undefined : text;
}

type OpenItems = {
	readonly add: (delta: Delta) => void;
	readonly commit: (item: Item) => void;
	readonly items: () => readonly Item[];
};

/** Collects the streamed text of items until the items are committed. */
function createOpenItems(log: Pick<SideQuestionLog, 'stream' | 'settle'>): OpenItems {
	const open = new Map<string, Item>();
	let unsaved: StreamPiece[] = [];
	return {
		add({id, text, begin}) {
			const item = open.get(id) ?? begin;
			if (item === undefined) return;
			if (text !== '' && streamedText(item) !== undefined) unsaved.push({item, text});
			open.set(id, withText(item, text));
		},
		commit({id, type}) {
			open.delete(id);
			// If the streamed items of a failed request are not committed by now, they are lost.
			if (type === 'request' || type === 'run_end') open.clear();
			unsaved = unsaved.filter(({item}) => open.has(item.id));
			log.settle([...open.values()]);
		},
		items() {
			// A client reads the items a few times a second. The text is saved only then, and not after each piece.
			if (log.stream(unsaved)) unsaved = [];
			return [...open.values()];
		},
	};
}

function withText(item: Item, text: string): Item {
	if (item.type === 'message' || item.type === 'reasoning') return {...item, text: item.text + text};
	return item.type === 'tool_call' ? {...item, arguments: item.arguments + text} : item;
}
