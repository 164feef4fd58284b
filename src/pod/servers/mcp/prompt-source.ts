import {hash} from 'node:crypto';
import type {Draft} from '../../../worker/index.ts';
import type {Invoked, WorkflowSource} from '../../references/submission/workflow.ts';
import {onOneLine} from '../../ground/text/one-line.ts';
import {splitWords} from '../../ground/text/nearest-name.ts';
import {hasUndrawn, inertLine} from './scrubber.ts';
import type {Mcp} from './mcp.ts';
import type {McpServer} from './server.ts';
import type {ListedPrompt, PromptMessage} from './shared-context.ts';
import {promptTexts} from './texts.ts';

/** A prompt in the completion popup. `slug` is `server:prompt`. */
type OfferedPrompt = {readonly slug: string; readonly description: string};

/** Returns the prompts of the started servers. */
export async function offeredPrompts(
	mcp: Pick<Mcp, 'running'>,
	signal: AbortSignal,
): Promise<readonly OfferedPrompt[]> {
	const lists = await Promise.all(
		[...mcp.running()].map(async ([name, server]) =>
			(await server.prompts(signal)).map(prompt => ({
				slug: `${name}:${prompt.name}`,
				description: inertLine(`${prompt.description ?? prompt.title ?? ''} ${usageOf(prompt)}`.trim(), 200),
			})),
		),
	);
	return lists.flat().filter(({slug}) => promptSlug.test(slug) && !hasUndrawn(slug));
}

/** Matches the name of a prompt after `/` in a message. */
export const promptSlug = /^[^\s:/]{1,64}:[^\s:/]{1,128}$/u;

/** Adds the prompts of servers to a source of workflows: `/server:prompt arguments`. */
export function withPrompts(workflows: WorkflowSource, mcp: Pick<Mcp, 'names' | 'serverNamed'>): WorkflowSource {
	return {
		slugs: async () => workflows.slugs(),
		prompts: async () => mcp.names(),
		async invoke(slug, args, signal) {
			if (!promptSlug.test(slug)) return workflows.invoke(slug, args, signal);
			const [name = '', prompt = ''] = slug.split(':');
			const server = await mcp.serverNamed(name, signal);
			if (server === undefined) return {ok: false, sentence: promptTexts.noServer(name)};
			return invokePrompt(server, {name, prompt, args}, signal);
		},
	};
}

type Invocation = {readonly name: string; readonly prompt: string; readonly args: string};

async function invokePrompt(
	server: McpServer,
	{name, prompt, args}: Invocation,
	signal: AbortSignal,
): Promise<Invoked> {
	const slug = `/${name}:${prompt}`;
	const listed = (await server.prompts(signal)).find(each => each.name === prompt);
	if (listed === undefined) return {ok: false, sentence: promptTexts.noPrompt(slug)};
	const given = argumentsOf(listed, args);
	const missing = (listed.arguments ?? []).filter(each => each.required === true && given[each.name] === undefined);
	if (missing.length > 0) return {ok: false, sentence: promptTexts.missing(slug, inertLine(usageOf(listed), 300))};
	const answer = await server.ask(async (shared, stop) => shared.getPrompt(prompt, given, stop), signal);
	if (!answer.ok) return {ok: false, sentence: promptTexts.failed(slug, answer.reason)};
	return {ok: true, drafts: [draftOf({name, prompt, args}, answer.value)]};
}

/**
Parses the arguments of a prompt: `name=value`, or values in the order of the declared arguments. If the prompt has only
one argument, the whole text is its value.
*/
function argumentsOf({arguments: declared = []}: ListedPrompt, text: string): Readonly<Record<string, string>> {
	const [only, ...others] = declared;
	const names = new Set(declared.map(({name}) => name));
	const words = splitWords(text);
	const pairs = words.map(word => /^([^=]+)=(.*)$/s.exec(word)).filter(pair => names.has(pair?.[1] ?? ''));
	if (only !== undefined && others.length === 0 && pairs.length === 0)
		return text === '' ? {} : {[only.name]: words.length === 1 ? (words[0] ?? '') : text};
	const named = Object.fromEntries(pairs.map(pair => [pair?.[1] ?? '', pair?.[2] ?? '']));
	const free = words.filter(word => !names.has(/^([^=]+)=/.exec(word)?.[1] ?? ''));
	const open = declared.filter(({name}) => !Object.hasOwn(named, name));
	return {
		...named,
		...Object.fromEntries(free.slice(0, open.length).map((word, index) => [open[index]?.name, word])),
	};
}

function usageOf({arguments: declared = []}: ListedPrompt): string {
	return declared.map(({name, required}) => (required === true ? `${name}=…` : `[${name}=…]`)).join(' ');
}

function draftOf({name, prompt, args}: Invocation, messages: readonly PromptMessage[]): Draft<'message'> {
	const isPlain = messages.length === 1 && messages[0]?.role === 'user';
	const body = messages
		.map(message => (isPlain ? '' : `${message.role === 'user' ? 'User' : 'Assistant'}: `) + textOf(message))
		.join('\n\n')
		.toWellFormed();
	return {
		type: 'message',
		role: 'system',
		text: `[Workflow: ${onOneLine(`/${name}:${prompt}`)}]\n${body}`,
		origin: {
			kind: 'prompt',
			server: name,
			name: prompt,
			...(args !== '' && {arguments: args}),
			messages: messages.length,
			sha256: hash('sha256', body),
		},
	};
}

function textOf({content}: PromptMessage): string {
	if (content.type === 'text') return content.text;
	if (content.type === 'resource_link') return `[Resource: ${onOneLine(content.uri)}]`;
	if (content.type === 'image') return `[image, ${onOneLine(content.mimeType)}, not shown]`;
	const {resource} = content;
	const name = `[Resource: ${onOneLine(resource.uri)}`;
	const text = 'text' in resource ? resource.text : undefined;
	return typeof text === 'string' ? `${name}]\n${text}` : `${name}, not text]`;
}
