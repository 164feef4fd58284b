import {Worker} from 'node:worker_threads';
import type {Scope} from '../scope/scope.ts';
import type {Found} from './path-search.ts';
import type {PathAnswer, PathQuestion} from './path-worker.ts';

/** Path search in a thread of its own, which is started by the first question and never keeps the process alive. */
export type PathThread = {
	/**
	Settles always. Of the questions that wait, the latest is asked next; the others are answered with nothing and
	`indexing`: ask again.
	*/
	ask(scope: Scope, text: string, limit: number): Promise<Found>;
	/** Ends the thread; whoever waits is answered with nothing. */
	close(): void;
};

type Waiting = PathQuestion & {readonly answer: (found: Found) => void};

const worker = new URL('./path-worker.ts', import.meta.url);
const mostHeapMb = 512;
/** Deaths without an answer between them, after which nobody is told to ask again. */
const mostDeaths = 3;

const stale: Found = {matches: [], indexing: true};
const nothing: Found = {matches: [], indexing: false};

/** `file`: the thread's program, another one in tests. */
export function createPathThread({file = worker}: {readonly file?: URL} = {}): PathThread {
	let thread: Worker | undefined;
	let asked: Waiting | undefined;
	let next: Waiting | undefined;
	let lastId = 0;
	let deaths = 0;
	let isClosed = false;

	const start = () => {
		const started = new Worker(file, {
			execArgv: [],
			stdout: true,
			stderr: true,
			resourceLimits: {maxOldGenerationSizeMb: mostHeapMb},
		});
		let cause = 'it ended';
		started.on('message', receive);
		started.on('error', error => {
			cause = error instanceof Error ? error.message : String(error);
		});
		started.on('exit', () => thread === started && died(cause));
		// Last: a listener for messages takes the reference back.
		started.unref();
		return started;
	};
	const send = () => {
		if (asked !== undefined || next === undefined) return;
		[asked, next] = [next, undefined];
		const {id, scope, text, limit} = asked;
		thread ??= start();
		thread.postMessage({id, scope, text, limit} satisfies PathQuestion);
	};
	const receive = ({id, found}: PathAnswer) => {
		if (asked?.id !== id) return;
		const {answer} = asked;
		asked = undefined;
		deaths = 0;
		answer(found);
		send();
	};
	const died = (cause: string) => {
		thread = undefined;
		deaths += 1;
		const note = `The search for files stopped (${cause.split('\n', 1)[0]}) and is started again with the next key.`;
		asked?.answer({matches: [], indexing: deaths < mostDeaths, note});
		asked = undefined;
		send();
	};
	return {
		async ask(scope, text, limit) {
			if (isClosed) return nothing;
			return new Promise(answer => {
				next?.answer(stale);
				lastId += 1;
				next = {id: lastId, scope, text, limit, answer};
				send();
			});
		},
		close() {
			isClosed = true;
			const ended = thread;
			thread = undefined;
			for (const waiting of [asked, next]) waiting?.answer(nothing);
			[asked, next] = [undefined, undefined];
			void ended?.terminate();
		},
	};
}
