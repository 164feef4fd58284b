import type {CompletionQuery, Completions, Match} from '../../protocol.ts';
import {isSlipOf} from '../../protocol/edit-distance.ts';
import type {Scope} from '../../scope/scope.ts';
import {Worker} from 'node:worker_threads';
import type {PathMatches} from './path-search.ts';
import type {PathAnswer, PathQuestion} from './path-worker.ts';
import {completionTexts} from './texts.ts';
import {messageOf} from '../../ground/values/is-record.ts';

/**
Answers the queries of a popup. Every answer contains its query. If a later path query overtakes an earlier query, the
earlier query gets no matches and `indexing`.
*/
export type Completion = {
	complete(query: CompletionQuery): Promise<Completions>;
	/** Frees all resources. Pending queries get no matches. */
	close(): void;
};

export type CompletionOptions = {
	/** Returns the current scope. Each query calls this function, so that an added folder is searched immediately. */
	readonly scope: () => Scope;
	readonly workflows?: () => Promise<readonly NamedWorkflow[]>;
	/** Returns the resources of MCP servers that fit the text after `@`, as the user would write them there. */
	readonly resources?: (text: string) => Promise<readonly string[]>;
};

export type NamedWorkflow = {readonly slug: string; readonly description: string};

/** Creates the completion for a scope. Nothing starts before the first query. */
export function createCompletion({
	scope,
	workflows = noWorkflows,
	resources = async () => [],
}: CompletionOptions): Completion {
	const thread = createPathThread();
	return {
		async complete(query) {
			const limit = Math.min(Math.max(Math.floor(query.limit), 0), maxMatches);
			if (query.kind === 'workflow')
				return {query, matches: await matchWorkflows(await workflows(), query.text, limit), indexing: false};
			const [found, listed] = await Promise.all([
				thread.ask(plainScope(scope()), query.text, limit),
				resources(query.text),
			]);
			const named = await matchResources(listed, query.text, limit);
			return {query, ...found, matches: [...named, ...found.matches].slice(0, limit)};
		},
		close: () => thread.close(),
	};
}

/** Creates the thread's client. `file` is the program of the thread; tests replace it. */
export function createPathThread({file = worker}: {readonly file?: URL} = {}): PathThread {
	let thread: Worker | undefined;
	let current: PendingQuestion | undefined;
	let next: PendingQuestion | undefined;
	let lastId = 0;
	let crashes = 0;
	let isClosed = false;

	const start = () => {
		const started = startWorker(file, {
			onAnswer: receive,
			onExit: cause => thread === started && onExit(cause),
		});
		return started;
	};
	const send = () => {
		if (current !== undefined || next === undefined) return;
		[current, next] = [next, undefined];
		const {id, scope, text, limit} = current;
		thread ??= start();
		thread.postMessage({id, scope, text, limit} satisfies PathQuestion);
	};
	const receive = ({id, found}: PathAnswer) => {
		if (current?.id !== id) return;
		const {answer} = current;
		current = undefined;
		crashes = 0;
		answer(found);
		send();
	};
	const onExit = (cause: string) => {
		thread = undefined;
		crashes += 1;
		const note = completionTexts.searchStopped(cause.replace(/\n.*/s, ''));
		current?.answer({matches: [], indexing: crashes < maxCrashes, note});
		current = undefined;
		send();
	};
	return {
		async ask(scope, text, limit) {
			if (isClosed) return nothing;
			return new Promise(answer => {
				next?.answer(overtaken);
				lastId += 1;
				next = {id: lastId, scope, text, limit, answer};
				send();
			});
		},
		close() {
			isClosed = true;
			const ended = thread;
			thread = undefined;
			for (const waiting of [current, next]) waiting?.answer(nothing);
			[current, next] = [undefined, undefined];
			void ended?.terminate();
		},
	};
}

const maxMatches = 1000;

const noWorkflows = async (): Promise<readonly NamedWorkflow[]> => [];

async function matchWorkflows(all: readonly NamedWorkflow[], text: string, limit: number): Promise<Match[]> {
	if (limit === 0) return [];
	const {go} = await import('fuzzysort');
	const matchOf = ({slug, description}: NamedWorkflow, marks: readonly number[]): Match => ({
		type: 'workflow',
		slug,
		description,
		marks,
	});
	if (text === '') return all.slice(0, limit).map(workflow => matchOf(workflow, []));
	const found = go(text, all, {key: 'slug', limit, threshold: 0});
	if (found.length > 0) return found.map(({obj, indexes}) => matchOf(obj, indexes));
	const near = all.filter(({slug}) => isSlipOf(text.toLowerCase(), slug));
	return near.slice(0, limit).map(workflow => matchOf(workflow, []));
}

async function matchResources(all: readonly string[], text: string, limit: number): Promise<Match[]> {
	if (all.length === 0 || text === '') return [];
	const {go} = await import('fuzzysort');
	return go(text, all, {limit, threshold: 0}).map(({target, indexes}) => ({
		type: 'path',
		path: target,
		directory: false,
		ignored: false,
		marks: indexes,
	}));
}

/** Returns the scope without its function, because only data can be sent to a thread. */
function plainScope(scope: Scope): Scope {
	const {copyOf: _, ...plain} = scope;
	return plain;
}

/**
Searches paths in a separate thread. The first question starts the thread. The thread does not keep the process alive.
*/
type PathThread = {
	/**
	Asks the thread. The promise always settles, and the latest pending question is asked next.
	Older pending questions get no matches and `indexing`, which tells the caller to ask again.
	*/
	ask(scope: Scope, text: string, limit: number): Promise<PathMatches>;
	/** Ends the thread. Pending questions get no matches. */
	close(): void;
};

type PendingQuestion = PathQuestion & {readonly answer: (found: PathMatches) => void};

const worker = new URL('./path-worker.ts', import.meta.url);

const maxHeapMb = 512;

/** After this many crashes in a row, answers no longer tell callers to ask again. */
const maxCrashes = 3;

const overtaken: PathMatches = {matches: [], indexing: true};

const nothing: PathMatches = {matches: [], indexing: false};

type WorkerEvents = {
	readonly onAnswer: (answer: PathAnswer) => void;
	readonly onExit: (cause: string) => void;
};

function startWorker(file: URL, {onAnswer, onExit}: WorkerEvents): Worker {
	const started = new Worker(file, {
		execArgv: [],
		stdout: true,
		stderr: true,
		resourceLimits: {maxOldGenerationSizeMb: maxHeapMb},
	});
	let cause = 'it ended';
	started.on('message', onAnswer);
	started.on('error', error => {
		cause = messageOf(error);
	});
	started.on('exit', () => onExit(cause));
	// A message listener makes the thread keep the process alive again, so `unref` comes last.
	started.unref();
	return started;
}
