import type {Settings} from '../history/item.ts';

/**
The form in which a server with a chat completions API expects a conversation. A dialect is data, so that supporting
another server needs only another entry in `dialects`. Dialects do not affect how answers are read, except for
`thinkTags`.
*/
export type ChatDialect = {
	/** How thoughts are sent back to the server that they came from. If absent, thoughts are not sent back. */
	readonly thoughts?: {
		readonly field: 'reasoning_content' | 'reasoning' | 'reasoning_details';
		/** `loop`: thoughts are sent only in the answers since the last user message. */
		readonly when: 'loop' | 'always';
		/** What the field contains in a message without thoughts. If absent, such a message does not have the field. */
		readonly ifNone?: string;
	};
	/** Which call ids the server accepts. A hash replaces any other id. */
	readonly callIds: keyof typeof callIdRules;
	/**
	Whether consecutive user messages are merged into one text, because not every server accepts content in parts.
	*/
	readonly mergesUser: boolean;
	/**
	Set if a user message must not directly follow a tool result, so that an assistant message is put between them.
	*/
	readonly answersTools?: true;
	/** Set if answers may begin with `<think>…</think>` or with a channel of gpt-oss. */
	readonly thinkTags?: true;
	/** Set if calls are sent back without the server's own fields. */
	readonly isBare?: true;
	/** The `extra_content` of a message's first call if the message came from another server. */
	readonly foreignCall?: {readonly google: {readonly thought_signature: string}};
	/** Set if the server is not asked to report the usage in the stream (`stream_options`). */
	readonly asksNoUsage?: true;
	/** The field of the output limit. If absent, it is `max_tokens`. */
	readonly outputLimit?: 'max_completion_tokens';
	/** Set if a message with calls and without a text is sent with an empty text. Other servers get `null`. */
	readonly hasEmptyContent?: true;
	/** Set if the system prompt is sent at the start of the first user message. */
	readonly promptInMessage?: true;
};

/** The rules for call ids: which ids a server accepts, and the prefix and length of an id that replaces another id. */
export const callIdRules = {
	any: {accepted: /[^]/, prefix: 'call_', length: 32},
	alphanumeric: {accepted: /^[A-Za-z0-9]{1,64}$/, prefix: 'call', length: 28},
	nine: {accepted: /^[A-Za-z0-9]{9}$/, prefix: '', length: 9},
} as const;

/** Sends no thoughts, and merges user messages. */
const plain = {callIds: 'any', mergesUser: true} as const;
/** For unknown servers, which may run any local model: like `plain`, but with alphanumeric call ids. */
const safe = {...plain, callIds: 'alphanumeric', thinkTags: true} as const;
/**
For the chat templates of local models. The templates of Gemma and Ministral require
alternating roles and ignore tool results: charmbracelet/crush#279, huggingface/text-generation-inference#3198.
*/
const template = {...safe, answersTools: true} as const;

export const dialects = {
	safe,
	/** For a server with the restrictions of all other servers. */
	strict: {callIds: 'nine', mergesUser: true, answersTools: true, thinkTags: true, isBare: true},
	// api-docs.deepseek.com/guides/thinking_mode: V4 requires the field in every assistant message.
	deepseek: {...plain, thoughts: {field: 'reasoning_content', when: 'always', ifNone: ''}},
	// platform.moonshot.ai/docs/guide/use-kimi-k2-thinking-model: the server answers 400 "reasoning_content is missing"
	// for any message with calls, however old, and treats an empty field as missing (anomalyco/opencode#10996).
	kimi: {...plain, thoughts: {field: 'reasoning_content', when: 'always', ifNone: '.'}},
	// help.aliyun.com/zh/model-studio/deep-thinking
	qwen: {...plain, thoughts: {field: 'reasoning_content', when: 'loop'}},
	// These servers answer `reasoning_content` with 400: janhq/jan#8136, opencode#33413.
	groq: plain,
	cerebras: plain,
	// openrouter.ai/docs/use-cases/reasoning-tokens: `reasoning_details` must be sent back unchanged.
	openrouter: {...plain, thoughts: {field: 'reasoning_details', when: 'always'}},
	// docs.mistral.ai: ids have nine characters; the server answers a user message after a tool result with 400
	// (zed#31736).
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
The version of the rules that turn items into a request. The version is a setting of the setup. If this setting is
absent, the rules of 0.1.0 apply, so that sessions of 0.1.0 can still be verified.
*/
export const currentRules = 2;

/** Returns the version of a setup's rules, which is 1 for the rules of 0.1.0. */
export function rulesOf(settings: Settings): number {
	const {rules} = settings;
	return typeof rules === 'number' ? rules : 1;
}

/** Returns the dialect that settings name, or `undefined` under the rules of 0.1.0. See `chatDialectOf` (forms.ts). */
export function dialectIn(settings: Settings): ChatDialect | undefined {
	if (rulesOf(settings) < 2) return undefined;
	const {dialect} = settings;
	return dialects[isDialectName(dialect) ? dialect : 'safe'];
}
