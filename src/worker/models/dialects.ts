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
		/** What the field contains in a message without thoughts. Absent: such a message does not have it. */
		readonly ifNone?: string;
	};
	/** The ids of calls that the server accepts. Other ids are replaced by their hash. */
	readonly callIds: keyof typeof callIdRules;
	/** Consecutive user messages are merged into one text: not every server takes content in parts. */
	readonly mergesUser: boolean;
	/** A user message may not directly follow a tool result, so an assistant message comes between them. */
	readonly answersTools?: true;
	/** Answers may begin with `<think>…</think>`. */
	readonly thinkTags?: true;
	/** Calls go back without the server's own fields. */
	readonly isBare?: true;
	/** What the first call of a message has in `extra_content` if it came from another server. */
	readonly foreignCall?: {readonly google: {readonly thought_signature: string}};
	/** The dialect for a server that refuses a field or the order of the messages. */
	readonly stricter?: 'strict';
};

/** Which ids of calls a server accepts, and how long an id is that replaces another one. */
export const callIdRules = {
	any: {accepted: /[^]/, prefix: 'call_', length: 32},
	alphanumeric: {accepted: /^[A-Za-z0-9]{1,64}$/, prefix: 'call', length: 28},
	nine: {accepted: /^[A-Za-z0-9]{9}$/, prefix: '', length: 9},
} as const;

/** No thoughts, user messages merged. */
const plain = {callIds: 'any', mergesUser: true} as const;
/** For unknown servers: also plain ids. */
const safe = {...plain, callIds: 'alphanumeric', stricter: 'strict'} as const;
/**
For templates of local models, which may think in tags. Those of Gemma and Ministral let roles alternate, and tool
results count as nothing: charmbracelet/crush#279, huggingface/text-generation-inference#3198.
*/
const template = {...safe, answersTools: true, thinkTags: true} as const;

export const dialects = {
	safe,
	/** For a server that refused a field or the order of the safe form. */
	strict: {callIds: 'nine', mergesUser: true, answersTools: true, isBare: true},
	// api-docs.deepseek.com/guides/thinking_mode: V4 wants the field on every assistant message.
	deepseek: {...plain, thoughts: {field: 'reasoning_content', when: 'always', ifNone: ''}},
	// platform.moonshot.ai/docs/guide/use-kimi-k2-thinking-model: "reasoning_content is missing" is a 400 for any
	// message with calls, however old, and an empty one counts as missing (anomalyco/opencode#10996).
	kimi: {...plain, thoughts: {field: 'reasoning_content', when: 'always', ifNone: '.'}},
	// help.aliyun.com/zh/model-studio/deep-thinking
	qwen: {...plain, thoughts: {field: 'reasoning_content', when: 'loop'}},
	// `reasoning_content` is a 400 there: janhq/jan#8136, opencode#33413.
	groq: plain,
	cerebras: plain,
	// openrouter.ai/docs/use-cases/reasoning-tokens: `reasoning_details` go back unchanged.
	openrouter: {...plain, thoughts: {field: 'reasoning_details', when: 'always'}},
	// docs.mistral.ai: ids have nine characters; a user message after a tool result is a 400 (zed#31736).
	mistral: {...plain, callIds: 'nine', answersTools: true},
	xai: plain,
	together: {...plain, thinkTags: true},
	fireworks: {...plain, thinkTags: true},
	// "user and assistant roles should be alternating": perplexityai/api-discussion#265.
	perplexity: {...plain, answersTools: true, thinkTags: true},
	// ai.google.dev/gemini-api/docs/thought-signatures: the value for a call that has no signature.
	gemini: {...plain, foreignCall: {google: {thought_signature: 'skip_thought_signature_validator'}}},
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

/**
The settings for a server that refused the form of a request. `undefined`: its dialect has no stricter form.
*/
export function stricterSettings(settings: Settings): Settings | undefined {
	const stricter = chatDialectOf(settings)?.stricter;
	return stricter === undefined || !('dialect' in settings) ? undefined : {...settings, dialect: stricter};
}
