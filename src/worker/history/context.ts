import {Composer, type ContextPiece, type ContextRules} from './composer.ts';
import {foldOf} from './fold.ts';
import type {Item, Setup, ToolCall, ToolResult} from './item.ts';
import type {ModelMessage, ModelRequest, AssistantPart} from './model.ts';
import {openCalls, pairResults} from './pairs.ts';
import {project, projectedItems, type Projection} from './projection.ts';
import {rewritesOf, type Rewrite, type RewriteNotes, createRewriteNotes} from './rewrites.ts';

/**
Returns the next request to the model. The request depends only on the history (L6), and is valid for every provider
(L9).

- The request contains only the items in the context: projection.ts applies rewinds, compactions, drops and pins.
- System items are sent as user-role messages: a file's text must not have the authority of the system prompt.
- The results of a batch of calls directly follow the batch in call order, even if they are elsewhere in the history.
- Items that every provider refuses are left out: a call without a result, a result without its call, and a blank text
  without provider data. A thought is left out if it was interrupted or nothing followed it.
- Repeated call ids become unique, and invalid tool names become valid ones.
- An answer must follow a user message. So where content is left out between two answers or before the first answer, a
  line says so.

Throws if the history has no setup. The worker commits a setup before the first request.
*/
export function context(items: readonly Item[], origins: ContextRules): ModelRequest {
	return composeRequest(items, origins).request;
}

/** A request, and how it deviates from its items. */
export type ComposedRequest = {
	readonly request: ModelRequest;
	/**
	Returns the item of each message and part of the request. For a message about a gap, it is the item after the gap.
	*/
	readonly sources: () => ReadonlyMap<object, Item>;
	/** Whether any message has an image or a document. */
	readonly hasMedia: boolean;
	/** The messages that only say that something was left out. */
	readonly gaps: ReadonlySet<object>;
	/** The rewrite rules that were applied to the messages, with the places of each rule. */
	readonly notes: RewriteNotes;
	/**
	Returns the rewrites of the request. `sent`: the rewrites that were noted while the body was encoded. `unnamed`: the
	ids of items that the result does not name.
	*/
	readonly rewrites: (sent: RewriteNotes | undefined, unnamed?: ReadonlySet<string>) => readonly Rewrite[];
};

/** Returns the next request as `context` does, with its rewrites. */
export function composeRequest(items: readonly Item[], origins: ContextRules): ComposedRequest {
	const setup = lastSetup(items);
	if (setup === undefined) throw new Error('context() needs a setup item in history');
	return composedRequest(setup, compose(project(items, origins), origins));
}

/** Returns a request with the values of a setup and the composed messages. */
export function composedRequest({prompt, tools, settings}: Setup, composer: Composer): ComposedRequest {
	const {messages, gaps, notes} = composer;
	const {thoughtsAfter} = settings;
	const fresh =
		typeof thoughtsAfter === 'string' ? withoutThoughts(messages, composer.sources(), thoughtsAfter) : undefined;
	const withFresh = () => joinedMaps(composer.sources(), fresh?.sources);
	const hasNoTools = settings['tools'] === false && tools.length === 0;
	const plain = hasNoTools ? withoutTools(fresh?.messages ?? messages, withFresh()) : undefined;
	const sources = () => joinedMaps(withFresh(), plain?.sources);
	const allNotes = [notes, fresh?.notes, plain?.notes];
	return {
		request: {prompt, tools, settings, messages: plain?.messages ?? fresh?.messages ?? messages},
		sources,
		hasMedia: composer.hasMedia,
		gaps,
		notes: joinedNotes(allNotes),
		rewrites: (sent, unnamed) => rewritesOf([...allNotes, sent], {idOf: part => sources().get(part)?.id, unnamed}),
	};
}

/** Returns the messages of the next request. */
export function composedMessages(items: readonly Item[], origins: ContextRules): readonly ModelMessage[] {
	return compose(project(items, origins), origins).messages;
}

/**
Returns the pieces of the next request's messages in order, and the number of items that the last compaction summarised.
*/
export function contextPieces(
	items: readonly Item[],
	origins: ContextRules,
): {readonly pieces: readonly ContextPiece[]; readonly summarised: number} {
	const projection = project(items, origins);
	return {pieces: compose(projection, origins).pieces, summarised: projection.summarised};
}

/** Returns the latest setup: model, system prompt, tools, settings. A rewind does not undo a setup. */
export const lastSetup: (items: readonly Item[]) => Setup | undefined = foldOf<Setup | undefined>(
	() => undefined,
	(setup, item) => (item.type === 'setup' ? item : setup),
);

/**
Returns the calls in the context that can still get a result, in call order. A call cannot get a result if a later
answer used the call's id again.
*/
export function unansweredCalls(items: readonly Item[], origins: ContextRules): ToolCall[] {
	return openCalls(projectedItems(items, origins));
}

/** Returns the results in the context that answer no call. No request includes them. */
export function orphanResults(items: readonly Item[], origins: ContextRules): ToolResult[] {
	const inContext = projectedItems(items, origins);
	const answers = new Set(pairResults(inContext).values());
	return inContext.filter(item => item.type === 'tool_result').filter(result => !answers.has(result));
}

function compose({places, hasGaps}: Projection, origins: ContextRules): Composer {
	const composer = new Composer(hasGaps, origins);
	composer.addAll(places);
	composer.endAnswer();
	return composer;
}

function joinedMaps<Key, Value>(
	first: ReadonlyMap<Key, Value>,
	more?: ReadonlyMap<Key, Value>,
): ReadonlyMap<Key, Value> {
	return more === undefined ? first : new Map([...first, ...more]);
}

function joinedNotes(all: ReadonlyArray<RewriteNotes | undefined>): RewriteNotes {
	const [first = new Map(), ...more] = all.filter(notes => notes !== undefined);
	if (more.length === 0) return first;
	const whole = new Map(first);
	for (const notes of more)
		for (const [rule, places] of notes) whole.set(rule, [...(whole.get(rule) ?? []), ...places]);
	return whole;
}

/** Messages that were derived from other messages. */
type OtherMessages = {
	readonly messages: readonly ModelMessage[];
	/** The items of the new messages and parts. */
	readonly sources: ReadonlyMap<object, Item>;
	readonly notes: RewriteNotes;
};

/**
Returns the messages for a model that gets no tools (`tools = false`), or `undefined` if they contain no calls.
Servers refuse calls in a conversation without tools. Thoughts of an answer with calls are left out, because some
providers accept them only before the calls that they led to.
*/
function withoutTools(
	messages: readonly ModelMessage[],
	sources: ReadonlyMap<object, Item>,
): OtherMessages | undefined {
	if (!messages.some(({role}) => role === 'tool')) return undefined;
	const own = new Map<object, Item>();
	const {note, notes} = createRewriteNotes();
	const from = copier(sources, own);
	const plainPart = (part: AssistantPart): readonly AssistantPart[] => {
		if (part.type === 'reasoning') {
			note('unsent_thought', part);
			return [];
		}
		if (part.type === 'text') return [from({type: 'text', text: part.text}, part)];
		const made = from({type: 'text', text: `[Tool call: ${part.name}]\n${part.arguments}`} as const, part);
		note('call_as_text', made);
		return [made];
	};
	const plain = messages.flatMap((message): readonly ModelMessage[] => {
		if (message.role === 'tool')
			return message.results.map(result => {
				const {name, content, isError} = result;
				const heading = `[${isError ? 'Error' : 'Result'} of ${name}]`;
				const made = from({role: 'user', text: `${heading}\n${content}`} as const, result);
				note('call_as_text', made);
				return made;
			});
		if (message.role !== 'assistant' || !message.parts.some(({type}) => type === 'tool_call')) return [message];
		return [from({role: 'assistant', parts: message.parts.flatMap(plainPart)} as const, message)];
	});
	return {messages: plain, sources: own, notes};
}

/**
Returns the messages for a server that no longer accepts the thoughts of items up to a time (`thoughtsAfter`), because
they were signed for another key or by another provider. The provider data of other parts up to that time is left out
too, because it may contain signatures of the same thoughts.
*/
function withoutThoughts(
	messages: readonly ModelMessage[],
	sources: ReadonlyMap<object, Item>,
	until: string,
): OtherMessages {
	const own = new Map<object, Item>();
	const {note, notes} = createRewriteNotes();
	const from = copier(sources, own);
	const isOld = (part: AssistantPart) => {
		const at = sources.get(part)?.at;
		return at !== undefined && at <= until && (part.type === 'reasoning' || part.provider !== undefined);
	};
	const bare = (part: AssistantPart): readonly AssistantPart[] => {
		if (!isOld(part)) return [part];
		note(part.type === 'tool_call' ? 'bare_call' : 'unsent_thought', sources.get(part)?.id ?? '');
		if (part.type === 'reasoning') return [];
		const {provider: _, ...rest} = part;
		return [from(rest, part)];
	};
	const fresh = messages.map(message => {
		if (message.role !== 'assistant' || !message.parts.some(isOld)) return message;
		return from({role: 'assistant', parts: message.parts.flatMap(bare)} as const, message);
	});
	return {messages: fresh, sources: own, notes};
}

/** Returns a function that records, for a new part, the item of the part from which the new part was made. */
function copier(sources: ReadonlyMap<object, Item>, own: Map<object, Item>) {
	return <Part extends object>(made: Part, part: object): Part => {
		const item = sources.get(part);
		if (item !== undefined) own.set(made, item);
		return made;
	};
}
