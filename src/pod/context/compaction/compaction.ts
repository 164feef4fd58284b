import {
	createHistory,
	HistoryError,
	stamp,
	type Clock,
	type History,
	type Item,
	type ItemOf,
	type Log,
	type Model,
	type Settings,
} from '../../../worker/index.ts';
import {contextPieces, projectedItems} from '../../ground/history/reader.ts';
import {lastTruncation, type ServerFacts} from '../truncation/truncation.ts';
import type {Limits} from '../../config/limits.ts';
import type {Alert} from '../../protocol.ts';
import type {Scope} from '../../scope/scope.ts';
import {readAgain} from './auto-read.ts';
import {serializeItems} from './prompts.ts';
import {nameOf, overBudget, type Refused} from './auto-read.ts';
import {planCompaction, type Plan} from './plan.ts';
import {summarise, type Guards, type Summarised} from './summarise.ts';
import {usageOf} from './sum-usage.ts';
import {compactionTexts} from './texts.ts';
import {touchedFiles} from './plan.ts';

export type CompactionOptions = {
	readonly history: History;
	readonly clock: Clock;
	readonly scope: Scope;
	readonly limits: Limits;
	readonly random: () => number;
	/** Loads the conversation's model, which also writes the summary. */
	readonly model: () => Promise<Model>;
	/** The settings of the next request. */
	readonly settings: () => Settings;
	/** Returns the window of the model in tokens, or `undefined` if it is unknown. */
	readonly window: () => number | undefined;
	/** Estimates the tokens of the next request. */
	readonly size: (items: readonly Item[]) => number;
	/** Estimates the tokens of a text. */
	readonly estimate: (text: string) => number;
	/** Returns the window of the model's server and the meaning of its token counts, as far as they are known. */
	readonly server: () => ServerFacts;
	readonly guards: Guards;
	/** Called before inkpod sends any request for the compaction. */
	readonly hook?: CompactHook | undefined;
	readonly onAlert: (alert: Alert) => void;
	/** Creates the session that records the conversation of a compaction. `id` is the id of the compaction's item. */
	readonly createConversation: (id: string) => Conversation;
	/** Called with the conversation of each compaction, because its requests cost money. */
	readonly onConversation: (items: readonly Item[], isFinished: boolean) => void;
};

/**
The stored conversation in which the model writes one summary. `close` returns the reference that identifies the
conversation's contents.
*/
export type Conversation = {readonly log: Log; close(): Promise<ItemOf<'compaction'>['conversation']>};

/**
The reason for a compaction: the user asked for it, the context passed the threshold, or the provider refused a
request as too long.
*/
export type CompactTrigger = 'manual' | 'threshold' | 'too_long';

/** A user's hook before a compaction. It continues the compaction, or cancels it with a reason. */
export type CompactHook = (
	compaction: {readonly trigger: CompactTrigger; readonly hint?: string; readonly tokens: number},
	signal: AbortSignal,
) => Promise<
	({readonly type: 'continue'} | {readonly type: 'cancel'; readonly reason: string}) & {
		readonly alerts?: readonly Alert[];
		readonly items?: never;
	}
>;

type CompactRequest = {
	readonly trigger: CompactTrigger;
	readonly hint?: string | undefined;
	readonly signal: AbortSignal;
};

/**
The result of a compaction. A failed compaction does not change the history. `unsaved`: inkpod could not write the
history.
*/
export type Compacted =
	| {readonly ok: true}
	| {
			readonly ok: false;
			readonly reason: 'nothing' | 'aborted' | 'hook' | 'failed' | 'unsaved';
			readonly sentence: string;
	  };

/**
Compacts the context (docs/compaction.md). The function plans, gets the summary, reads the chosen files again, and
commits everything in one append. Before this append it commits nothing, so an abort leaves the history unchanged.
inkpod records the conversation with the model as a separate session, even if the compaction fails.
*/
export async function compact(request: CompactRequest, options: CompactionOptions): Promise<Compacted> {
	const {history, size, onAlert} = options;
	const {trigger, hint, signal} = request;
	const model = await options.model();
	const before = size(history.items);
	const room = roomOf(keptWindow(options), before, trigger);
	const budgets = budgetsOf(options.limits, room);
	const plan = planCompaction(history.items, {retainedTokens: budgets.retained, estimate: options.estimate});
	if (!plan.ok || (trigger === 'threshold' && plan.tokens < minShare * (room ?? 0)))
		return {ok: false, reason: 'nothing', sentence: compactionTexts.nothing(budgets.retained)};
	const verdict = await options.hook?.({trigger, hint, tokens: before}, signal);
	for (const alert of verdict?.alerts ?? []) onAlert(alert);
	if (signal.aborted) return aborted();
	if (verdict?.type === 'cancel') return {ok: false, reason: 'hook', sentence: verdict.reason};
	return compactAs(options.clock.id(), plan, {model, request, budgets, room, before}, options);
}

/** Gets the summary in a stored conversation with this id, closes the conversation, and commits the result. */
async function compactAs(id: string, plan: FoundPlan, making: Making, options: CompactionOptions): Promise<Compacted> {
	const stored = options.createConversation(id);
	const own = createHistory(stored.log);
	const made = await itemsOf(plan, {...making, id, own}, options).finally(async () => stored.close());
	const conversation = await stored.close();
	const notices = options.guards.answered.noticesOf(own.items);
	const done = made.ok ? await commit({...made, usage: usageOf(own.items), conversation, notices}, options) : made;
	// If there is no stored conversation, the compaction's item already contains the cost.
	if (own.items.length > 0 && (!done.ok || conversation !== undefined)) options.onConversation(own.items, done.ok);
	return done;
}

type Committing = Extract<MadeItems, {readonly ok: true}> &
	Pick<ItemOf<'compaction'>, 'usage' | 'conversation'> & {readonly notices: readonly Item[]};

async function commit(
	{item, reads, usage, conversation, notices}: Committing,
	{history, size}: CompactionOptions,
): Promise<Compacted> {
	const linked = {...item, usage, ...(conversation !== undefined && {conversation})};
	const then = [...history.items, linked, ...reads];
	try {
		await history.append([
			{...linked, summarised: contextPieces(then).summarised, after: size(then)},
			...reads,
			...notices,
		]);
		return {ok: true};
	} catch (error) {
		if (error instanceof HistoryError) return {ok: false, reason: 'unsaved', sentence: error.message};
		throw error;
	}
}

/**
Returns the maximum number of tokens of a request. After the provider refused a request, this is less than the size of
the refused request.
*/
function roomOf(window: number | undefined, size: number, trigger: CompactTrigger): number | undefined {
	return trigger === 'too_long' ? Math.min(window ?? Infinity, Math.ceil(size * refusedShare)) : window;
}

/** The fraction of a refused request's size that inkpod assumes to fit. */
export const refusedShare = 0.75;
/** inkpod does not start an automatic compaction if the part to summarise is smaller than this fraction of the room. */
const minShare = 0.1;

type Budgets = {
	readonly retained: number;
	readonly autoRead: number;
	/** The maximum number of tokens of the serialised part that the model summarises. */
	readonly material: number;
};

/** Returns the token budgets. In a small window, each budget is at most a fixed fraction of the window. */
function budgetsOf({compaction: {retainedTokens, autoReadTokens}}: Limits, room = Infinity): Budgets {
	return {
		retained: Math.min(retainedTokens, Math.floor(room / 4)),
		autoRead: Math.min(autoReadTokens, Math.floor(room / 4)),
		material: Math.floor(room * 0.6),
	};
}

type Making = {
	readonly model: Model;
	readonly request: CompactRequest;
	readonly budgets: Budgets;
	readonly room: number | undefined;
	readonly before: number;
};

type FoundPlan = Extract<Plan, {readonly ok: true}>;
/** `id` is the id of the compaction's item. `own` is the history of the conversation with the model. */
type Recording = Making & {readonly id: string; readonly own: History};

type MadeItems =
	| {readonly ok: true; readonly item: ItemOf<'compaction'>; readonly reads: readonly Item[]}
	| Extract<Compacted, {readonly ok: false}>;

/** Gets the summary and reads the chosen files again. Returns the items to commit. */
async function itemsOf(plan: FoundPlan, recording: Recording, options: CompactionOptions): Promise<MadeItems> {
	const {trigger, signal} = recording.request;
	const made = await summaryOf(plan, recording, options);
	if (!made.ok) return made.reason === 'aborted' ? aborted() : {ok: false, reason: 'failed', sentence: made.sentence};
	const {reads, refused} = await readAll(made, recording, options);
	if (signal.aborted) return aborted();
	const item = compactionItem(plan, {...made, refused}, recording, options.clock);
	if (trigger !== 'manual' && tokensOf([item, ...reads], options) >= plan.tokens)
		return {ok: false, reason: 'failed', sentence: compactionTexts.notSmaller};
	return {ok: true, item, reads};
}

/**
Gets the summary. If the provider refuses the part as too long, the function tries again with a text of half the size.
In this way it adapts to an unknown window. All attempts are in one conversation.
*/
async function summaryOf(
	{summarised}: FoundPlan,
	{model, request: {hint, signal}, budgets, room, own}: Recording,
	options: CompactionOptions,
): Promise<Summarised> {
	const {scope, limits, clock, random, estimate, settings, guards} = options;
	const files = touchedFiles(summarised, {scope, max: maxFiles});
	let maxTokens = budgets.material;
	for (let attempt = 1; ; attempt++) {
		const material = serializeItems(summarised, {maxTokens, estimate});
		const facts = {material, files, hint, autoReadTokens: budgets.autoRead};
		const how = {model, settings: settings(), scope, limits, clock, random, estimate, window: room, guards, signal};
		const server = {...options.server(), window: keptWindow(options)};
		const made = await summarise({...facts, ...how, server, history: own});
		if (made.ok || made.reason !== 'too_long' || attempt === maxAttempts) return made;
		maxTokens = Math.floor(estimate(material) / 2);
	}
}

/**
Returns the window that the server or the user states. If neither states one and the server truncated the last request,
returns the number of tokens that the server kept.
*/
function keptWindow({history, server}: CompactionOptions): number | undefined {
	const facts = server();
	return facts.window ?? lastTruncation(history.items, projectedItems, facts)?.read;
}

const maxFiles = 20;
const maxAttempts = 3;

type Read = {readonly reads: readonly Item[]; readonly refused: readonly Refused[]};

/** Reads the current contents of the wanted files. Refuses files that cannot be read or do not fit into the budget. */
async function readAll(
	made: Extract<Summarised, {readonly ok: true}>,
	{id, budgets, request: {signal}}: Recording,
	{scope, limits, clock, estimate, guards}: CompactionOptions,
): Promise<Read> {
	const refused: Refused[] = [...made.refused];
	const reads: Item[] = [];
	let left = budgets.autoRead;
	for (const wanted of made.wanted) {
		const {maxScanBytes} = limits.fileRefs;
		const read = await readAgain(wanted, {scope, refuses: guards.refusesReading, maxScanBytes, estimate, signal});
		if (!read.ok) refused.push({path: nameOf(wanted), reason: read.sentence});
		else if (read.tokens > left) refused.push({path: nameOf(wanted), reason: overBudget(read.tokens, left)});
		else {
			left -= read.tokens;
			reads.push(stamp(clock, read.draft(id)));
		}
	}
	return {reads, refused};
}

function compactionItem(
	{firstKept, keptIds}: FoundPlan,
	{summary, refs, refused}: Pick<Extract<Summarised, {readonly ok: true}>, 'summary' | 'refs' | 'refused'>,
	{id, model, before}: Recording,
	clock: Clock,
): ItemOf<'compaction'> {
	const counts = {summarised: 0, before, after: 0};
	const lists = {keptIds: [...keptIds], refs: [...refs], refused: [...refused]};
	return stamp(
		clock,
		{type: 'compaction', summary, firstKept, ...lists, ...counts, model: model.name, usage: {}},
		id,
	);
}

/** Estimates tokens in the same way as for the summarised part. The provider's token count would not be comparable. */
function tokensOf(items: readonly Item[], {estimate}: CompactionOptions): number {
	return items.reduce(
		(sum, item) =>
			sum +
			(item.type === 'message' ? estimate(item.text) : item.type === 'compaction' ? estimate(item.summary) : 0),
		0,
	);
}

function aborted(): Extract<Compacted, {readonly ok: false}> {
	return {ok: false, reason: 'aborted', sentence: compactionTexts.aborted};
}
