import {stamp, type Clock, type Item, type Message} from '../../../worker/index.ts';
import type {BtwAnswer, BtwStep, Receipt} from '../../protocol.ts';
import type {Aside} from './side-question.ts';
import {btwTexts} from './texts.ts';

/** Handles the steps of side questions. */
export type Btw = {
	step(step: BtwStep): Promise<BtwAnswer>;
	/** Stops all answers. */
	close(): Promise<void>;
};

export type BtwOptions = {
	readonly clock: Clock;
	/** Starts an answer, or resolves with a sentence that tells why this is not possible. */
	readonly start: (question: string) => Promise<Started>;
	/** Makes a session of the items before the fork and those after it. */
	readonly keep: (before: readonly Item[], own: readonly Item[]) => Promise<Kept>;
	/** Adds a message to the session. */
	readonly attach: (message: Message) => Promise<Receipt>;
};

export type Started = {readonly aside: Aside; readonly isPartial: boolean} | {readonly sentence: string};
export type Kept = {readonly session: string} | {readonly sentence: string};

type Entry = {
	readonly id: string;
	readonly aside: Aside;
	readonly isPartial: boolean;
	kept?: string;
	isAttached: boolean;
	/** The last `keep` or `attach`, so that a repeated key does not do it twice. */
	last: Promise<unknown>;
};

/** The number of side questions that are kept in memory. A terminal that went away does not discard its own. */
const maxEntries = 8;

/** Creates the side questions of a session. Each terminal knows only the ids of its own. */
export function createBtw(options: BtwOptions): Btw {
	const entries = new Map<string, Entry>();
	let isClosed = false;

	async function ask(question: string): Promise<BtwAnswer> {
		if (isClosed) return {sentence: btwTexts.closing};
		if (!makeRoom(entries)) return {sentence: btwTexts.tooMany};
		const started = await options.start(question);
		if ('sentence' in started) return started;
		const {aside, isPartial} = started;
		const entry: Entry = {id: options.clock.id(), aside, isPartial, isAttached: false, last: Promise.resolve()};
		entries.set(entry.id, entry);
		if (isClosed) await aside.stop();
		return stateOf(entry);
	}

	async function change(entry: Entry, op: 'keep' | 'attach'): Promise<BtwAnswer> {
		const steps = {keep, attach};
		const done = entry.last.then(async () => steps[op](entry, options));
		entry.last = done.catch(() => {});
		const problem = await done;
		return problem === undefined ? stateOf(entry) : {sentence: problem};
	}

	return {
		async step(step) {
			if (step.op === 'ask') return ask(step.question);
			const entry = entries.get(step.id);
			if (entry === undefined) return {sentence: btwTexts.unknown};
			if (step.op === 'read') return stateOf(entry);
			if (step.op !== 'discard') return change(entry, step.op);
			entries.delete(entry.id);
			await entry.aside.stop();
			return stateOf(entry);
		},
		async close() {
			isClosed = true;
			await Promise.all([...entries.values()].map(async ({aside}) => aside.stop()));
		},
	};
}

/** Forgets the oldest answered question if there are too many. Returns false if all are still being answered. */
function makeRoom(entries: Map<string, Entry>): boolean {
	if (entries.size < maxEntries) return true;
	const oldest = [...entries.values()].find(({aside}) => !aside.isRunning());
	return oldest !== undefined && entries.delete(oldest.id);
}

async function keep(entry: Entry, options: BtwOptions): Promise<string | undefined> {
	if (entry.kept !== undefined) return undefined;
	if (entry.aside.isRunning()) return btwTexts.running;
	const kept = await options.keep(entry.aside.before, entry.aside.own());
	if ('sentence' in kept) return kept.sentence;
	entry.kept = kept.session;
	return undefined;
}

async function attach(entry: Entry, {clock, attach: add}: BtwOptions): Promise<string | undefined> {
	const {question, model, isRunning, answer} = entry.aside;
	if (entry.isAttached) return undefined;
	if (isRunning()) return btwTexts.running;
	const text = answer();
	if (text === undefined) return btwTexts.noAnswer;
	const origin = {kind: 'btw', question, model};
	const message = {type: 'message', role: 'system', text: btwTexts.attached(question, text), origin} as const;
	const receipt = await add(stamp(clock, message));
	if (!receipt.accepted) return receipt.sentence;
	entry.isAttached = true;
	return undefined;
}

function stateOf({id, aside, isPartial, kept, isAttached}: Entry): BtwAnswer {
	return {
		id,
		before: aside.before.length,
		isPartial,
		items: [...aside.own(), ...aside.tail()],
		isRunning: aside.isRunning(),
		kept,
		isAttached,
	};
}
