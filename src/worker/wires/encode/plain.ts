import {isRecord} from '../values.ts';
import type {AssistantPart, ModelMessage, ModelRequest, ToolAnswer} from '../../history/model.ts';
import {bySetting, Sourced, type ItemPart, type Tree} from './sourced.ts';

/**
Returns the request itself as the body for a model without a wire. The keys are sorted, so that equal requests have
equal bytes. The body contains the hashes of images and documents instead of their bytes.
*/
export function plainTree({prompt, tools, settings, messages}: ModelRequest): Tree {
	return {
		messages: messages.map(messageTree),
		prompt: new Sourced(prompt, {kind: 'setup', key: 'prompt'}),
		settings: Object.fromEntries(sorted(settings).map(([key, value]) => [key, bySetting(key, sortedValue(value))])),
		tools: tools.map(({name, description, parameters}) => {
			const from = <Value>(key: string, value: Value) =>
				new Sourced(value, {kind: 'setup', key: `tools.${name}.${key}`});
			return {
				description: from('description', description),
				name: from('name', name),
				parameters: from('parameters', sortedValue(parameters)),
			};
		}),
	};
}

function messageTree(message: ModelMessage): Tree {
	if (message.role === 'assistant') return {parts: message.parts.map(partTree), role: 'assistant'};
	if (message.role === 'tool') return {results: message.results.map(resultTree), role: 'tool'};
	return {
		media: message.media && sourced(sortedValue(message.media), message, 'bytes'),
		role: 'user',
		text: sourced(message.text, message, 'text'),
	};
}

function partTree(part: AssistantPart): Tree {
	const provider = part.provider && sourced(sortedValue(part.provider), part, 'provider data');
	if (part.type !== 'tool_call') {
		const text = sourced(part.text, part, part.type === 'text' ? 'text' : 'thoughts');
		return {provider, text, type: part.type};
	}
	return {
		arguments: sourced(part.arguments, part, 'arguments'),
		callId: sourced(part.callId, part, 'call id'),
		name: sourced(part.name, part, 'name'),
		provider,
		type: part.type,
	};
}

function resultTree(result: ToolAnswer): Tree {
	return {
		callId: sourced(result.callId, result, 'call id'),
		content: sourced(result.content, result, 'content'),
		isError: result.isError,
		name: sourced(result.name, result, 'name'),
	};
}

function sourced<Value>(value: Value, of: object, part: ItemPart): Sourced<Value> {
	return new Sourced(value, {kind: 'part', of, part});
}

/** Returns a value with the keys of all objects sorted. */
function sortedValue(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(sortedValue);
	return isRecord(value) ? Object.fromEntries(sorted(value).map(([key, inner]) => [key, sortedValue(inner)])) : value;
}

function sorted(record: Readonly<Record<string, unknown>>): ReadonlyArray<readonly [string, unknown]> {
	return Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1));
}
