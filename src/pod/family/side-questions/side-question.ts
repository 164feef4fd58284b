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
import {originRules} from '../../ground/history/reader.ts';
import {streamedText} from '../../protocol/tail.ts';
import type {StreamPiece} from '../../disk/log/stream-file.ts';
import type {SideQuestionLog} from './side-question-log.ts';
import {sideQuestionTexts} from './texts.ts';

/** The conversation of one side question: a fork of the session, with a record of its own. */
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
	/** The record. Each request is in it before its first byte leaves. */
	readonly log: SideQuestionLog;
	readonly clock: Clock;
	readonly model: Model;
	readonly setup: Draft<'setup'>;
	readonly tools: () => readonly Tool[];
	readonly limits: WorkerLimits;
	readonly readMedia: ReadMedia;
	/** The function that is called with the items of the conversation when it has ended. */
	readonly onEnd: (items: readonly Item[]) => void;
	/** The function that is called with a sentence if something could not be recorded. The answer has ended then. */
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
	const run = worker.run(messages, {model, setup, interceptor: withoutCalls, signal: stopping.signal});
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

/** The maximum number of requests. After refused calls the model gets the chance to answer without them. */
const maxRequests = 4;

/** Refuses every call. The tools stay in the request, so that the provider's cache still applies. */
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

/** Collects the streamed pieces of items until these are committed, like the tail of a session. */
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
			// What a failed request streamed is either committed or lost.
			if (type === 'request' || type === 'run_end') open.clear();
			unsaved = unsaved.filter(({item}) => open.has(item.id));
			log.settle([...open.values()]);
		},
		items() {
			// A client reads a few times a second. Text is saved before that, and not at each piece.
			if (log.stream(unsaved)) unsaved = [];
			return [...open.values()];
		},
	};
}

function withText(item: Item, text: string): Item {
	if (item.type === 'message' || item.type === 'reasoning') return {...item, text: item.text + text};
	return item.type === 'tool_call' ? {...item, arguments: item.arguments + text} : item;
}
