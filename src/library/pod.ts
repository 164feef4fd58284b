import type {Event, PodClient} from '../pod/protocol.ts';
import type {Item, Pod, PodEvent, Question, Turn} from './types.ts';

/** Returns the `Pod` for a program that uses the library. Its methods use `client`. */
export function podOf(client: PodClient, id: string, warnings: readonly string[]): Pod {
	const items: Item[] = [];
	let questions: readonly Question[] = [];
	let state = '';
	let closing: Promise<void> | undefined;
	const listeners = new Set<(event: PodEvent) => void>();
	const emit = (event: PodEvent) => listeners.forEach(listener => listener(event));
	const isRunning = () => state === 'running';
	client.subscribe(event => {
		if (event.type === 'snapshot') items.splice(0, items.length, ...event.items.map(plainItem));
		if (event.type === 'item') items.push(plainItem(event.item));
		const status = event.type === 'snapshot' || event.type === 'status' ? event.status : undefined;
		if (status !== undefined) {
			const before = questions;
			questions = status.asks.map(questionOf);
			if (JSON.stringify(before) !== JSON.stringify(questions)) emit({type: 'questions', questions});
			const wasOther = state !== status.kind;
			state = status.kind;
			if (wasOther) emit({type: 'state', state: status.kind});
		}
		const told = eventOf(event);
		if (told !== undefined) emit(told);
	});
	const close = async () => {
		await (closing ??= client.send({method: 'shutdown'}).then(() => {}));
	};
	return {
		id,
		warnings,
		items,
		get questions() {
			return questions;
		},
		send: async (text, {signal} = {}) => sendText({client, items, listeners, isRunning}, text, signal),
		subscribe(listener) {
			listeners.add(listener);
			return () => void listeners.delete(listener);
		},
		async answer(question, choice, reason) {
			const receipt = await client.send({
				method: 'answer',
				askId: question,
				choice,
				reason,
				from: 'program',
			});
			return receipt.accepted;
		},
		close,
		[Symbol.asyncDispose]: close,
	};
}

type Sending = {
	readonly client: PodClient;
	readonly items: readonly Item[];
	readonly listeners: Set<(event: PodEvent) => void>;
	readonly isRunning: () => boolean;
};

/** Sends a message, and waits until its turn is in the history and the session is idle or paused. */
async function sendText(
	{client, items, listeners, isRunning}: Sending,
	text: string,
	signal: AbortSignal | undefined,
): Promise<Turn> {
	const from = items.length;
	const {promise: ended, resolve} = Promise.withResolvers<void>();
	const isOver = () => !isRunning() && items.slice(from).some(({type}) => type === 'run_end');
	const listener = (event: PodEvent) => {
		if (event.type === 'closed' || isOver()) resolve();
	};
	const cancel = () => void client.send({method: 'cancel'});
	listeners.add(listener);
	signal?.addEventListener('abort', cancel, {once: true});
	try {
		const sent = client.send({method: 'run', segments: [{type: 'text', text}]});
		if (signal?.aborted === true) cancel();
		const receipt = await sent;
		if (!receipt.accepted) return {ok: false, reason: receipt.code, sentence: receipt.sentence};
		if (!isOver()) await ended;
		// Waits for the status event that immediately follows the last item.
		await new Promise(done => setImmediate(done));
		return turnOf(items.slice(from));
	} finally {
		listeners.delete(listener);
		signal?.removeEventListener('abort', cancel);
	}
}

const outcomes = ['finished', 'limit', 'cancelled', 'paused', 'error'] as const;

function turnOf(items: readonly Item[]): Turn {
	const end = items.findLast(({type}) => type === 'run_end');
	const answer = items.findLast(item => item.type === 'message' && item['role'] === 'assistant');
	const outcome = outcomes.find(each => each === end?.['outcome']) ?? 'error';
	const cause = end?.['cause'];
	return {
		ok: true,
		outcome,
		text: typeof answer?.['text'] === 'string' ? answer['text'] : '',
		...(typeof cause === 'string' && {cause}),
	};
}

function eventOf(event: Event): PodEvent | undefined {
	if (event.type === 'item') return {type: 'item', item: plainItem(event.item)};
	if (event.type === 'delta') return {type: 'text', id: event.id, text: event.text};
	if (event.type === 'alert') return {type: 'alert', ...event.alert};
	if (event.type === 'closed') return {type: 'closed', sentence: event.sentence};
	return undefined;
}

function plainItem(item: object & {readonly type: string; readonly id: string; readonly at: string}): Item {
	return {...item};
}

function questionOf({
	id,
	title,
	detail,
	choices,
}: {
	readonly id: string;
	readonly title: string;
	readonly detail: string;
	readonly choices: ReadonlyArray<{
		readonly choice: string;
		readonly label: string;
		readonly refuses?: boolean | undefined;
	}>;
}): Question {
	return {
		id,
		title,
		detail,
		choices: choices.map(({choice, label, refuses}) => ({choice, label, ...(refuses === true && {refuses})})),
	};
}
