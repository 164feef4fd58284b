import type {ToolDefinition} from '../../history/item.ts';
import type {AssistantPart, ModelRequest} from '../../history/model.ts';
import type {NoteRewrite} from '../../history/rewrites.ts';
import {knownSettings, type KnownSettings} from '../settings.ts';
import {fieldOf} from '../values.ts';
import type {EncodeContext, Encoded} from '../wire.ts';
import {isGemini3, isGemma, thinkingOf} from './gemini-models.ts';
import type {AnswerPart, Prompt, PromptMessage, ResultPart, UserPart} from './prompt-types.ts';
import {byRule, bySetting, joined, Sourced, textOf, type Text, type Tree} from './sourced.ts';

/** The differences between Gemini's own server and Vertex AI. */
export type GeminiForm = {
	/**
	The keys under which a signature may be stored, in the order in which they are read: first those of this server,
	then those of the other server, whose signatures this server accepts too.
	*/
	readonly dataKeys: readonly string[];
	/** Whether calls and results are sent with their ids. */
	readonly hasCallIds: boolean;
};

/** Returns the body of a request to streamGenerateContent (ai.google.dev/api/generate-content). */
export function encodeGemini(prompt: Prompt, {model, settings, tools}: EncodeContext, form: GeminiForm): Encoded {
	const system = prompt.flatMap(message => (message.role === 'system' ? [message.content] : []));
	const known = knownSettings(settings);
	const separate = prompt.flatMap(message => contentOf(message, model, form));
	const contents = known.mergeResults === true ? withMergedUsers(separate) : separate;
	const instruction = isGemma(model) ? [] : system.map(text => ({text}));
	return {
		body: {
			generationConfig: configOf(model, known),
			contents: isGemma(model) ? withPrompt(contents, system) : contents,
			systemInstruction: instruction.length === 0 ? undefined : {parts: instruction},
			tools: tools.length === 0 ? undefined : [{functionDeclarations: tools.map(declarationOf)}],
		},
		path: `/${model.includes('/') ? model : `models/${model}`}:streamGenerateContent?alt=sse`,
	};
}

type GeminiRules = {readonly note: NoteRewrite; readonly model: string; readonly form: GeminiForm};

/** Notes the rewrites that the models of Google need in addition to the rules that all wires share. */
export function noteGeminiRules({prompt, messages}: ModelRequest, {note, model, form}: GeminiRules): void {
	if (prompt !== '' && isGemma(model)) note('prompt_in_message', 'setup');
	if (!isGemini3(model)) return;
	for (const message of messages) {
		if (message.role !== 'assistant') continue;
		const calls = message.parts.filter(({type}) => type === 'tool_call');
		for (const call of beforeSigned(calls, form)) note('foreign_call_mark', call);
	}
}

function configOf(model: string, {maxOutputTokens, temperature, topP, stop, reasoning}: KnownSettings): Tree {
	return {
		maxOutputTokens: given('maxOutputTokens', maxOutputTokens),
		temperature: given('temperature', temperature),
		topP: given('topP', topP),
		stopSequences: given('stop', stop),
		thinkingConfig: reasoning === undefined ? undefined : thinkingConfig(model, reasoning),
	};
}

function given(key: string, value: unknown): Sourced | undefined {
	return value === undefined ? undefined : bySetting(key, value);
}

function thinkingConfig(model: string, effort: NonNullable<KnownSettings['reasoning']>): Tree {
	const thinking = thinkingOf(model, effort);
	return 'level' in thinking
		? {thinkingLevel: bySetting('reasoning', thinking.level)}
		: {thinkingBudget: bySetting('reasoning', thinking.budget)};
}

function declarationOf({name, description, parameters}: ToolDefinition): Tree {
	const definition = (key: string, value: unknown) =>
		new Sourced(value, {kind: 'setup', key: `tools.${name}.${key}`});
	return {
		name: definition('name', name),
		description: definition('description', description),
		parametersJsonSchema: definition('parameters', parameters),
	};
}

type Content = {readonly role: 'user' | 'model'; readonly parts: readonly Tree[]};

/** Merges consecutive turns of the user into one turn. Tool results have the role `user`, too. */
function withMergedUsers(contents: readonly Content[]): readonly Content[] {
	const merged: Content[] = [];
	for (const content of contents) {
		const last = merged.at(-1);
		if (content.role === 'user' && last?.role === 'user')
			merged[merged.length - 1] = {role: 'user', parts: [...last.parts, ...content.parts]};
		else merged.push(content);
	}
	return merged;
}

/**
Puts the system prompt at the start of the first message. If the first message is an answer, the prompt is not sent,
because Gemma has no system role.
*/
function withPrompt(contents: readonly Content[], prompt: readonly Text[]): readonly Content[] {
	const [first, ...rest] = contents;
	if (first?.role !== 'user') return contents;
	const parts = prompt.map(text => ({text: joined(text, byRule('prompt_in_message', '\n\n'))}));
	return [{role: 'user', parts: [...parts, ...first.parts]}, ...rest];
}

function contentOf(message: PromptMessage, model: string, form: GeminiForm): readonly Content[] {
	if (message.role === 'system') return [];
	if (message.role === 'assistant') return [{role: 'model', parts: answerParts(message.content, model, form)}];
	const parts =
		message.role === 'user'
			? message.content.map(userPart)
			: message.content.map(result => resultPart(result, form));
	return [{role: 'user', parts}];
}

function userPart(part: UserPart): Tree {
	if (part.type === 'text') return {text: part.text};
	return {inlineData: {mimeType: new Sourced(part.mime, part.data.origin), data: part.data}};
}

function answerParts(parts: readonly AnswerPart[], model: string, form: GeminiForm): readonly Tree[] {
	const calls = parts.filter(({type}) => type === 'call');
	const unsigned = new Set(isGemini3(model) ? beforeSigned(calls, form) : []);
	return parts.flatMap((part): readonly Tree[] => {
		const stored = signatureOf(part, form);
		const signature =
			stored === undefined ? undefined : new Sourced(stored, {kind: 'part', of: part.of, part: 'provider data'});
		if (part.type === 'call') {
			const {callId, name, input} = part;
			const mark = unsigned.has(part) ? byRule('foreign_call_mark', noSignature) : undefined;
			return [
				{
					functionCall: {id: form.hasCallIds ? callId : undefined, name, args: input},
					thoughtSignature: signature ?? mark,
				},
			];
		}
		if (textOf(part.text) === '' && signature === undefined) return [];
		return [
			{
				text: part.text,
				thought: part.type === 'reasoning' ? true : undefined,
				thoughtSignature: signature,
			},
		];
	});
}

/** Gemini 3 accepts this value instead of a signature (ai.google.dev/gemini-api/docs/thought-signatures). */
const noSignature = 'skip_thought_signature_validator';

function resultPart({callId, name, output, isError}: ResultPart, {hasCallIds}: GeminiForm): Tree {
	const response = isError ? {name, error: output} : {name, content: output};
	return {functionResponse: {id: hasCallIds ? callId : undefined, name, response}};
}

type Signable = Pick<AssistantPart, 'provider'> | Pick<AnswerPart, 'provider'>;

/**
Returns the calls before the first call that has a signature. The server signs the first call of its own answers, so
unsigned calls before a signed call come from another server.
*/
function beforeSigned<Call extends Signable>(calls: readonly Call[], form: GeminiForm): readonly Call[] {
	const signed = calls.findIndex(call => signatureOf(call, form) !== undefined);
	return signed === -1 ? calls : calls.slice(0, signed);
}

function signatureOf({provider}: Signable, {dataKeys}: GeminiForm): string | undefined {
	const key = dataKeys.find(name => (provider?.[name] ?? undefined) !== undefined);
	const signature = key === undefined ? undefined : fieldOf(provider?.[key], 'thoughtSignature');
	return typeof signature === 'string' ? signature : undefined;
}
