import type {Item, ItemOf, Setup, ToolCall, ToolResult} from './item.ts';
import type {AssistantPart, ModelMessage, ModelRequest, ToolAnswer} from './model.ts';
import {isSaid, openCalls, pairResults} from './pairs.ts';
import {project, projectedItems, type Place, type Projection} from './projection.ts';

/**
What the next request holds: a pure function of history (L6), and valid on every wire (L9).

- Only what is in the context (projection.ts): rewinds, compactions, drops and pins are applied.
- System items go as user-role messages: a file's text must not speak with the operator's authority.
- The results of a batch of calls follow it at once, in call order, wherever they lie in history.
- Left out, because every provider refuses them: a call without result, a result without call, a reasoning
  that was cut or that nothing followed, a text of white space only without provider data. The ids of repeated calls are
  made unique, and a name that no provider takes is made one that they do.
- Where something was left out between two answers, or before the first, a line says so: an answer must follow
something.

Throws when history holds no setup: the worker commits one before it asks.
*/
export function context(items: readonly Item[]): ModelRequest {
	const setup = lastSetup(items);
	if (setup === undefined) throw new Error('context() needs a setup item in history');
	return {
		prompt: setup.prompt,
		tools: setup.tools,
		settings: setup.settings,
		messages: compose(project(items)).messages,
	};
}

/**
A piece of the next request and the item that it comes from. Without an item: the line that says that something was left
out.
Without a part: an item that is dropped, where it would be.
*/
export type ContextPiece = {readonly item?: Item; readonly part?: SentPart; readonly pinned?: true};
export type SentPart =
	| {readonly type: 'words'; readonly text: string}
	| AssistantPart
	| ({readonly type: 'result'} & ToolAnswer);

/** The same messages in pieces, in the order of the request, and what the last compaction's summary stands for. */
export function contextPieces(items: readonly Item[]): {
	readonly pieces: readonly ContextPiece[];
	readonly summarised: number;
} {
	const projection = project(items);
	return {pieces: compose(projection).pieces, summarised: projection.summarised};
}

/** The setup in force: model, system prompt, tools, settings. No rewind takes it back. */
export function lastSetup(items: readonly Item[]): Setup | undefined {
	return items.findLast(item => item.type === 'setup');
}

/**
The calls of the context that have no result and can still get one, in call order: none whose id a later answer has used
again.
*/
export function unansweredCalls(items: readonly Item[]): ToolCall[] {
	return openCalls(projectedItems(items));
}

/** The results of the context that answer no call: a request does not hold them. */
export function orphanResults(items: readonly Item[]): ToolResult[] {
	const inContext = projectedItems(items);
	const answers = new Set(pairResults(inContext).values());
	return inContext.filter(item => item.type === 'tool_result').filter(result => !answers.has(result));
}

type Composed = {readonly messages: readonly ModelMessage[]; readonly pieces: readonly ContextPiece[]};
type Answered = {readonly place: Place; readonly answer: ToolAnswer};

function compose({places, hasGaps}: Projection): Composed {
	const answers = pairResults(places.flatMap(({item, dropped}) => (dropped ? [] : [item])));
	const placeOf = new Map(places.map(place => [place.item, place]));
	const wireId = uniqueIds();
	const messages: ModelMessage[] = [];
	const said: ContextPiece[] = [];
	let batch: ContextPiece[] = [];
	let answered: Answered[] = [];

	const words = (text: string, place?: Place) => {
		messages.push({role: 'user', text});
		said.push(pieceOf(place, {type: 'words', text}));
	};
	const flush = () => {
		// What stood between a thought and what it led to may be elsewhere now.
		const last = batch.findLastIndex(({part}) => part !== undefined && part.type !== 'reasoning');
		const isSent = last !== -1;
		const held = batch.filter(
			({part}, index) =>
				part === undefined || (isSent && (index < last || !hasGaps || part.type !== 'reasoning')),
		);
		const results = answered;
		[batch, answered] = [[], []];
		if (isSent && hasGaps && (messages.at(-1)?.role ?? 'assistant') === 'assistant') words(gapText);
		said.push(...held);
		if (!isSent) return;
		messages.push({
			role: 'assistant',
			parts: held.flatMap(({part}) => (part === undefined ? [] : [part as AssistantPart])),
		});
		if (results.length === 0) return;
		messages.push({role: 'tool', results: results.map(({answer}) => answer)});
		for (const {place, answer} of results) said.push(pieceOf(place, {type: 'result', ...answer}));
	};
	const add = (place: Place, part: AssistantPart) => batch.push(pieceOf(place, part));
	const takers: {readonly [Type in Item['type']]?: (item: ItemOf<Type>, place: Place) => void} = {
		request: flush,
		run_end: flush,
		compaction({summary, refs}, place) {
			flush();
			words([summaryHeader, summary, ...referred(refs)].join('\n'), place);
		},
		tool_call(call, place) {
			const result = answers.get(call);
			if (result === undefined) return;
			const [callId, name] = [wireId(call.callId), wireName(call.name)];
			add(place, {type: 'tool_call', callId, name, arguments: call.arguments, ...withProvider(call.provider)});
			answered.push({
				place: placeOf.get(result)!,
				answer: {callId, name, content: result.content, isError: result.isError},
			});
		},
		reasoning({text, provider, stop}, place) {
			if (stop === undefined) add(place, {type: 'reasoning', text, ...withProvider(provider)});
		},
		message(message, place) {
			const {role, text, provider} = message;
			if (role === 'assistant') {
				if (isSaid(message)) add(place, {type: 'text', text, ...withProvider(provider)});
			} else if (text.trim() !== '') {
				flush();
				words(text, place);
			}
		},
	};

	for (const place of places) {
		const {item, dropped} = place;
		if (!dropped) {
			takers[item.type]?.(item as never, place);
			continue;
		}
		if (item.type === 'message' && item.role !== 'assistant') flush();
		batch.push({item});
	}
	flush();
	return {messages, pieces: said};
}

function pieceOf(place: Place | undefined, part: SentPart): ContextPiece {
	return {...(place !== undefined && {item: place.item}), part, ...(place?.pinned && {pinned: true})};
}

/** What goes before a summary. */
const summaryHeader = '[Summary of the conversation until here]';
const gapText = '[A part of the conversation was left out here.]';

/** Names without their texts, a line each. */
function referred(refs: readonly string[]): readonly string[] {
	return refs.length === 0
		? []
		: ['', 'Files that it refers to:', ...refs.map(ref => `- ${ref.replaceAll(/[\r\n]+/g, ' ')}`)];
}

/** A tool's name as it goes back: one that the model made up may hold what no provider takes. */
function wireName(name: string): string {
	return name.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || 'unnamed';
}

function withProvider(provider: AssistantPart['provider']): {provider?: NonNullable<AssistantPart['provider']>} {
	return provider === undefined ? {} : {provider};
}

/** A call id as it goes on the wire: unchanged the first time, with a counter when history holds it again. */
function uniqueIds(): (callId: string) => string {
	const used = new Set<string>();
	const times = new Map<string, number>();
	return callId => {
		let id = callId;
		for (let n = times.get(callId) ?? 1; used.has(id); times.set(callId, n)) id = `${callId}_${++n}`;
		used.add(id);
		return id;
	};
}
