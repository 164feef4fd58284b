import type {Item, Message, Reasoning, Setup, ToolCall, ToolResult} from './item.ts';
import type {AssistantPart, ModelMessage, ModelRequest} from './model.ts';

/**
What the next request holds: a pure function of history (L6), and valid on every wire (L9).

- System items go as user-role messages: a file's text must not speak with the operator's authority.
- The results of a batch of calls follow it at once, in call order, wherever they lie in history.
- Left out, because every provider refuses them: a call without result, a result without call, a reasoning
  that was cut or that nothing followed, a text of white space only without provider data. The ids of repeated calls are made unique, and a name that no provider takes is made one that they do.

Throws when history holds no setup: the worker commits one before it asks.
*/
export function context(items: readonly Item[]): ModelRequest {
	const setup = lastSetup(items);
	if (setup === undefined) throw new Error('context() needs a setup item in history');
	return {prompt: setup.prompt, tools: setup.tools, settings: setup.settings, messages: messagesOf(items)};
}

/** The setup in force: model, system prompt, tools, settings. */
export function lastSetup(items: readonly Item[]): Setup | undefined {
	return items.findLast(item => item.type === 'setup');
}

/** Each call with its result: the nth result of a call id answers the nth call of that id, and never an earlier one. */
export function pairResults(items: readonly Item[]): ReadonlyMap<ToolCall, ToolResult> {
	const waiting = new Map<string, ToolCall[]>();
	const answers = new Map<ToolCall, ToolResult>();
	for (const item of items) {
		if (item.type === 'tool_call') {
			const calls = waiting.get(item.callId);
			if (calls === undefined) waiting.set(item.callId, [item]);
			else calls.push(item);
		} else if (item.type === 'tool_result') {
			const call = waiting.get(item.callId)?.shift();
			if (call !== undefined) answers.set(call, item);
		}
	}
	return answers;
}

/** The calls of history that have no result, in call order. */
export function unanswered(items: readonly Item[]): ToolCall[] {
	const answers = pairResults(items);
	return items.filter(item => item.type === 'tool_call').filter(call => !answers.has(call));
}

/** The results of history that answer no call: a request does not hold them. */
export function stray(items: readonly Item[]): ToolResult[] {
	const answers = new Set(pairResults(items).values());
	return items.filter(item => item.type === 'tool_result').filter(result => !answers.has(result));
}

type Batch = {readonly parts: AssistantPart[]; readonly answered: Array<{readonly callId: string; readonly name: string; readonly result: ToolResult}>};

function messagesOf(items: readonly Item[]): ModelMessage[] {
	const answers = pairResults(items);
	const wireId = uniqueIds();
	const messages: ModelMessage[] = [];
	let batch: Batch = {parts: [], answered: []};

	const flush = () => {
		const {parts, answered} = batch;
		batch = {parts: [], answered: []};
		if (parts.every(part => part.type === 'reasoning')) return;
		messages.push({role: 'assistant', parts});
		if (answered.length === 0) return;
		messages.push({role: 'tool', results: answered.map(({callId, name, result}) => ({callId, name, content: result.content, isError: result.isError}))});
	};
	const take = {
		call(call: ToolCall) {
			const result = answers.get(call);
			if (result === undefined) return;
			const callId = wireId(call.callId);
			const name = wireName(call.name);
			batch.parts.push({type: 'tool_call', callId, name, arguments: call.arguments, ...withProvider(call.provider)});
			batch.answered.push({callId, name, result});
		},
		reasoning({text, provider, stop}: Reasoning) {
			if (stop === undefined) batch.parts.push({type: 'reasoning', text, ...withProvider(provider)});
		},
		/** A blank text may still carry what its provider wants back. */
		text({text, provider}: Message) {
			if (text.trim() !== '' || provider !== undefined) batch.parts.push({type: 'text', text, ...withProvider(provider)});
		},
		words({text}: Message) {
			if (text.trim() === '') return;
			flush();
			messages.push({role: 'user', text});
		},
	};

	for (const item of items) {
		if (item.type === 'request' || item.type === 'run_end') flush();
		else if (item.type === 'tool_call') take.call(item);
		else if (item.type === 'reasoning') take.reasoning(item);
		else if (item.type === 'message') take[item.role === 'assistant' ? 'text' : 'words'](item);
	}
	flush();
	return messages;
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
