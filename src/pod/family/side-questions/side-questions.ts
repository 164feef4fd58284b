import {stamp, type Clock, type Item, type Message} from '../../../worker/index.ts';
import type {SideQuestionAnswer, SideQuestionStep, Receipt} from '../../protocol.ts';
import type {SideQuestion} from './side-question.ts';
import {sideQuestionTexts} from './texts.ts';

/** The side questions of a session. */
export type SideQuestions = {
	step(step: SideQuestionStep): Promise<SideQuestionAnswer>;
	/** Stops all answers. */
	close(): Promise<void>;
};

export type SideQuestionsOptions = {
	readonly clock: Clock;
	/** Starts an answer, or resolves with the reason why inkpod cannot answer. */
	readonly start: (question: string) => Promise<Started>;
	/** Saves the items before and after the fork as a session. */
	readonly keep: (before: readonly Item[], own: readonly Item[]) => Promise<Kept>;
	/** Adds a message to the session. */
	readonly attach: (message: Message) => Promise<Receipt>;
};

type Started = {readonly asked: SideQuestion; readonly isPartial: boolean} | {readonly sentence: string};
export type Kept = {readonly session: string} | {readonly sentence: string};

type Entry = {
	readonly id: string;
	readonly asked: SideQuestion;
	readonly isPartial: boolean;
	kept?: string;
	isAttached: boolean;
	/**
	The last `keep` or `attach`. The next call waits for the last call, so that a repeated key press has no effect.
	*/
	last: Promise<unknown>;
};

/**
The maximum number of side questions in memory. The limit is needed because a terminal that disconnects does not discard
its questions.
*/
const maxEntries = 8;

/** Creates the side questions of a session. Each terminal knows only the ids of its own questions. */
export function createSideQuestions(options: SideQuestionsOptions): SideQuestions {
	const entries = new Map<string, Entry>();
	let isClosed = false;

	async function ask(question: string): Promise<SideQuestionAnswer> {
		if (isClosed) return {sentence: sideQuestionTexts.closing};
		if (!makeRoom(entries)) return {sentence: sideQuestionTexts.tooMany};
		const started = await options.start(question);
		if ('sentence' in started) return started;
		const {asked, isPartial} = started;
		const entry: Entry = {id: options.clock.id(), asked, isPartial, isAttached: false, last: Promise.resolve()};
		entries.set(entry.id, entry);
		if (isClosed) await asked.stop();
		return stateOf(entry);
	}

	async function change(entry: Entry, op: 'keep' | 'attach'): Promise<SideQuestionAnswer> {
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
			if (entry === undefined) return {sentence: sideQuestionTexts.unknown};
			if (step.op === 'read') return stateOf(entry);
			if (step.op !== 'discard') return change(entry, step.op);
			entries.delete(entry.id);
			await entry.asked.stop();
			return stateOf(entry);
		},
		async close() {
			isClosed = true;
			await Promise.all([...entries.values()].map(async ({asked}) => asked.stop()));
		},
	};
}

/**
Removes the oldest question that is not running if there are too many questions. Returns false if all questions are
running.
*/
function makeRoom(entries: Map<string, Entry>): boolean {
	if (entries.size < maxEntries) return true;
	const oldest = [...entries.values()].find(({asked}) => !asked.isRunning());
	return oldest !== undefined && entries.delete(oldest.id);
}

async function keep(entry: Entry, options: SideQuestionsOptions): Promise<string | undefined> {
	if (entry.kept !== undefined) return undefined;
	if (entry.asked.isRunning()) return sideQuestionTexts.running;
	const kept = await options.keep(entry.asked.before, entry.asked.own());
	if ('sentence' in kept) return kept.sentence;
	entry.kept = kept.session;
	return undefined;
}

async function attach(entry: Entry, {clock, attach: add}: SideQuestionsOptions): Promise<string | undefined> {
	const {question, model, isRunning, answer} = entry.asked;
	if (entry.isAttached) return undefined;
	if (isRunning()) return sideQuestionTexts.running;
	const text = answer();
	if (text === undefined) return sideQuestionTexts.noAnswer;
	const origin = {kind: 'btw', question, model};
	const message = {
		type: 'message',
		role: 'system',
		text: sideQuestionTexts.attached(question, text),
		origin,
	} as const;
	const receipt = await add(stamp(clock, message));
	if (!receipt.accepted) return receipt.sentence;
	entry.isAttached = true;
	return undefined;
}

function stateOf({id, asked, isPartial, kept, isAttached}: Entry): SideQuestionAnswer {
	return {
		id,
		before: asked.before.length,
		isPartial,
		items: [...asked.own(), ...asked.tail()],
		isRunning: asked.isRunning(),
		kept,
		isAttached,
	};
}
