import {rulesOf} from '../dialects.ts';
import {knownSettings} from '../settings.ts';
import {fieldOf} from '../values.ts';
import type {ToolDefinition} from '../../history/item.ts';
import type {EncodeContext, Encoded} from '../wire.ts';
import type {AnswerPart, CallPart, Prompt, PromptMessage, ResultPart, UserPart} from './prompt-types.ts';
import {acceptedEffort, responsesModel, type ResponsesModel} from './responses-models.ts';
import {acceptedSchema} from './responses-schema.ts';
import {byRule, bySetting, changed, dataUrl, Joined, Sourced, textOf, type Text, type Tree} from './sourced.ts';

/**
Returns the body of a request to the Responses API (developers.openai.com/api/reference/resources/responses). The server
is asked to store nothing, so the thoughts of a reasoning model are requested in encrypted form. `dataKey`: the key of
the server's own data in a part. Stop texts are not sent, because the API has no field for them.
*/
export function encodeResponses(prompt: Prompt, {model, settings, tools}: EncodeContext, dataKey: string): Encoded {
	const {reasoning, reasoningSummary, temperature, topP, maxOutputTokens, cacheKey} = knownSettings(settings);
	const form = responsesModel(model, rulesOf(settings));
	const effort = reasoning === undefined ? undefined : acceptedEffort(reasoning, form.efforts);
	const samples = !form.reasons || (form.samplesAtNone && effort === 'none');
	const body = {
		model: new Sourced(model, {kind: 'setup', key: 'model'}),
		input: prompt.flatMap(message => inputItems(message, form, dataKey)),
		temperature: setting('temperature', samples ? temperature : undefined),
		top_p: setting('topP', samples ? topP : undefined),
		max_output_tokens: setting('maxOutputTokens', maxOutputTokens),
		store: byRule('not_stored', false),
		include: form.reasons ? [byRule('not_stored', 'reasoning.encrypted_content')] : undefined,
		prompt_cache_key: setting('cacheKey', cacheKey),
		reasoning: form.reasons ? reasoningOf(effort, reasoningSummary) : undefined,
		tools: tools.length === 0 ? undefined : tools.map(toolOf),
		stream: true,
	};
	return {body, path: '/responses'};
}

function setting(key: string, value: string | number | undefined): Tree | undefined {
	return value === undefined ? undefined : bySetting(key, value);
}

/**
Returns the reasoning options. If an effort is set, a summary of the thoughts is requested by default, so that the user
sees something while the model thinks.
*/
function reasoningOf(effort: string | undefined, summary: string | undefined): Tree | undefined {
	const byEffort = effort === undefined || effort === 'none' ? undefined : bySetting('reasoning', 'detailed');
	const fields = {effort: setting('reasoning', effort), summary: setting('reasoningSummary', summary) ?? byEffort};
	return fields.effort === undefined && fields.summary === undefined ? undefined : fields;
}

function toolOf({name, description, parameters}: ToolDefinition): Tree {
	const own = (key: string, value: unknown) => new Sourced(value, {kind: 'setup', key: `tools.${name}.${key}`});
	return {
		type: 'function',
		name: own('name', name),
		description: own('description', description),
		parameters: own('parameters', acceptedSchema(parameters)),
		strict: byRule('tool_flags', false),
	};
}

function inputItems(message: PromptMessage, {reasons}: ResponsesModel, dataKey: string): readonly Tree[] {
	if (message.role === 'user') return [{role: 'user', content: message.content.map(userPart)}];
	if (message.role === 'assistant') return answerItems(message.content, dataKey);
	if (message.role === 'tool') return message.content.map(resultItem);
	return [{role: reasons ? 'developer' : 'system', content: message.content}];
}

/**
Returns a part of a user message. A document needs a file name, which contains the index of the part in the message.
*/
function userPart(part: UserPart, index: number): Tree {
	if (part.type === 'text') return {type: 'input_text', text: part.text};
	const url = dataUrl(part.mime, part.data);
	if (part.mime.startsWith('image/')) return {type: 'input_image', image_url: url};
	return {type: 'input_file', filename: `part-${index}.pdf`, file_data: url};
}

function resultItem({callId, output, isError}: ResultPart): Tree {
	return {type: 'function_call_output', call_id: callId, output: isError ? errorObject(output) : output};
}

/** Returns an error as the JSON text of an object. */
function errorObject(text: Text): Text {
	const texts = text instanceof Joined ? text.texts : [text];
	return new Joined([
		byRule('error_object', '{"error":"'),
		...texts.map(each => changed(each, JSON.stringify(each.value).slice(1, -1), 'error_object')),
		byRule('error_object', '"}'),
	]);
}

/**
Returns the items of one answer. All thoughts with the same item id become one item at the place of the first of these
thoughts.
*/
function answerItems(parts: readonly AnswerPart[], dataKey: string): readonly Tree[] {
	const items: Array<Tree | ReasoningItem> = [];
	const byId = new Map<string, ReasoningItem>();
	for (const part of parts) {
		if (part.type === 'call') items.push(callItem(part, dataKey));
		else if (part.type === 'text')
			items.push({role: 'assistant', content: part.text, phase: dataOf(part, dataKey, 'phase')});
		else {
			const id = textData(part, dataKey, 'itemId');
			const known = id === undefined ? undefined : byId.get(id.value);
			const item = known ?? new ReasoningItem(id);
			item.add(part.text, textData(part, dataKey, 'reasoningEncryptedContent'));
			if (known === undefined) items.push(item);
			if (id !== undefined) byId.set(id.value, item);
		}
	}
	return items.flatMap(item => (item instanceof ReasoningItem ? item.trees() : [item]));
}

/**
A reasoning item with its summaries. An item without encrypted content is not sent, because the server could not read
it.
*/
class ReasoningItem {
	readonly #id: Sourced | undefined;
	#encrypted: Sourced | undefined;
	readonly #summaries: Tree[] = [];

	constructor(id: Sourced | undefined) {
		this.#id = id;
	}

	/**
	Adds a summary. The encrypted content of the last summary replaces the encrypted content of the earlier summaries,
	because it is complete.
	*/
	add(summary: Text, encrypted: Sourced | undefined): void {
		if (textOf(summary) !== '') this.#summaries.push({type: 'summary_text', text: summary});
		this.#encrypted = encrypted ?? this.#encrypted;
	}

	trees(): readonly Tree[] {
		if (this.#encrypted === undefined) return [];
		return [{type: 'reasoning', id: this.#id, encrypted_content: this.#encrypted, summary: this.#summaries}];
	}
}

function callItem(call: CallPart, dataKey: string): Tree {
	const {callId, name, input} = call;
	return {
		type: 'function_call',
		call_id: callId,
		name,
		arguments: new Sourced(JSON.stringify(input.value), input.origin),
		async: dataOf(call, dataKey, 'async'),
		namespace: dataOf(call, dataKey, 'namespace'),
		caller: callerOf(dataOf(call, dataKey, 'caller')),
	};
}

/** Returns the caller of a tool with the API's field names. The item stores the caller with other field names. */
function callerOf(caller: Sourced | undefined): Tree | undefined {
	if (caller === undefined || fieldOf(caller.value, 'type') !== 'program') return caller;
	return new Sourced({type: 'program', caller_id: fieldOf(caller.value, 'callerId')}, caller.origin);
}

/** Returns the server's own data of a part under a name. */
function dataOf({provider, of}: AnswerPart, dataKey: string, name: string): Sourced | undefined {
	const value = fieldOf(provider?.[dataKey], name) ?? undefined;
	return value === undefined ? undefined : new Sourced(value, {kind: 'part', of, part: 'provider data'});
}

function textData(part: AnswerPart, dataKey: string, name: string): Sourced<string> | undefined {
	const data = dataOf(part, dataKey, name);
	return typeof data?.value === 'string' ? new Sourced(data.value, data.origin) : undefined;
}
