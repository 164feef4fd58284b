import type {Settings} from '../item.ts';

/**
How a server of chat completions wants a conversation. It is data, so that another server is another line. An answer is
read in the same way from every server.
*/
export type ChatDialect = {
	/** How thoughts go back to the server that they came from. Absent: not at all. */
	readonly thoughts?: {
		readonly field: 'reasoning_content' | 'reasoning' | 'reasoning_details';
		/** `loop`: only in the answers since the last user message. */
		readonly when: 'loop' | 'always';
		/** Every assistant message has the field, even an empty one. */
		readonly isRequired?: true;
	};
	/** The ids of calls that the server accepts. Other ids are replaced by their hash. */
	readonly callIds: keyof typeof callIdRules;
	/** Consecutive user messages are merged. */
	readonly mergesUser: boolean;
	/** A user message may not directly follow a tool result, so an assistant message comes between them. */
	readonly answersTools?: true;
	/** Answers may begin with `<think>…</think>`. */
	readonly thinkTags?: true;
};

/** Which ids of calls a server accepts, and how long an id is that replaces another one. */
export const callIdRules = {
	any: {accepted: /[^]/, prefix: 'call_', length: 32},
	alphanumeric: {accepted: /^[A-Za-z0-9]{1,64}$/, prefix: 'call', length: 28},
	nine: {accepted: /^[A-Za-z0-9]{9}$/, prefix: '', length: 9},
} as const;

/** Accepted by every server that is known: no thoughts, user messages merged, plain ids. */
const safe = {callIds: 'alphanumeric', mergesUser: true} as const;
/** The safe one for templates of local models, which may think in tags. */
const template = {...safe, thinkTags: true} as const;

export const dialects = {
	safe,
	/** For a server that refused a field or the order of the safe form. */
	strict: {callIds: 'nine', mergesUser: true, answersTools: true},
	// api-docs.deepseek.com/guides/thinking_mode: V4 wants the field on every assistant message.
	deepseek: {...safe, callIds: 'any', thoughts: {field: 'reasoning_content', when: 'always', isRequired: true}},
	// platform.moonshot.ai/docs/guide/use-kimi-k2-thinking-model: "reasoning_content is missing" is a 400.
	kimi: {...safe, callIds: 'any', thoughts: {field: 'reasoning_content', when: 'loop', isRequired: true}},
	// help.aliyun.com/zh/model-studio/deep-thinking
	qwen: {...safe, callIds: 'any', thoughts: {field: 'reasoning_content', when: 'loop'}},
	// `reasoning_content` is a 400 there: janhq/jan#8136, opencode#33413.
	groq: {...safe, callIds: 'any'},
	cerebras: {...safe, callIds: 'any'},
	// openrouter.ai/docs/use-cases/reasoning-tokens: `reasoning_details` go back unchanged.
	openrouter: {...safe, callIds: 'any', thoughts: {field: 'reasoning_details', when: 'always'}},
	// docs.mistral.ai: ids have nine characters; a user message after a tool result is a 400 (zed#31736).
	mistral: {callIds: 'nine', mergesUser: true, answersTools: true},
	xai: {...safe, callIds: 'any'},
	together: {...safe, callIds: 'any', thinkTags: true},
	fireworks: {...safe, callIds: 'any', thinkTags: true},
	perplexity: {...safe, callIds: 'any', thinkTags: true},
	gemini: {...safe, callIds: 'any'},
	ollama: template,
	lmstudio: template,
	'llama.cpp': template,
	vllm: template,
} as const satisfies Record<string, ChatDialect>;

export type DialectName = keyof typeof dialects;

export const dialectNames = Object.keys(dialects).filter(isDialectName);

export function isDialectName(name: unknown): name is DialectName {
	return typeof name === 'string' && Object.hasOwn(dialects, name);
}

/**
The version of the rules that turn items into a request; it is a setting of the setup. Without it the rules of 0.1.0
apply, so that sessions of 0.1.0 verify.
*/
export const currentRules = 2;

/** The rules of a setup: 1 for those of 0.1.0. */
export function rulesOf(settings: Settings): number {
	const {rules} = settings;
	return typeof rules === 'number' ? rules : 1;
}

/** The dialect of a request; `undefined` under the rules of 0.1.0. */
export function chatDialectOf(settings: Settings): ChatDialect | undefined {
	if (rulesOf(settings) < 2) return undefined;
	const {dialect} = settings;
	return dialects[isDialectName(dialect) ? dialect : 'safe'];
}
