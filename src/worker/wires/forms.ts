import {isDeepStrictEqual} from 'node:util';
import type {Settings} from '../history/item.ts';
import {dialectIn, type ChatDialect} from './dialects.ts';

/**
A change in the form of a request, for a server that refused the usual form. `says` matches the error messages of such
servers. `change` changes the dialect for the encoder of chat completions. If `change` is absent, another encoder or the
context applies the change, which it finds by its name.
*/
type Form = {readonly says: RegExp; readonly change?: (dialect: ChatDialect) => ChatDialect};

/**
The changes in the order in which they are tried. After a refusal, inkpod makes the first change that the server's words
name, that was not made yet, and that makes a difference. The names are stored in setups (`settings.forms`), so they
never change their meaning.
*/
const ladder = {
	// OpenAI's words for an unknown field. Servers in Python and Rust use other words.
	no_stream_options: {
		says: refusing('stream_options'),
		change: dialect => ({...dialect, asksNoUsage: true}),
	},
	// platform.openai.com/docs/api-reference/chat/create: reasoning models refuse `max_tokens`.
	max_completion_tokens: {
		says: anyOf(refusing('max_tokens'), /\buse\W{1,3}max_completion_tokens\b/i),
		change: dialect => ({...dialect, outputLimit: 'max_completion_tokens'}),
	},
	max_tokens: {
		says: refusing('max_completion_tokens'),
		change: dialect => without(dialect, 'outputLimit'),
	},
	// The words of Pydantic, serde, Go (Ollama), OpenAI, Cloudflare and Groq.
	empty_content: {
		says: anyOf(
			// The error of a crashed gateway has these words, too ("Cannot read properties of null (reading
			// 'content')").
			/^(?!.*(?:cannot read|has no attribute)).*\bcontent\b.{0,80}\b(?:null|none|nil)\b/i,
			/^(?!.*(?:cannot read|has no attribute)).*\b(?:null|none|nil)\b.{0,80}\bcontent\b/i,
			/invalid type: null, expected/i,
			/missing (?:required )?(?:field |parameter )?\W?(?:[\w.[\]]{0,60}\.)?content\b/i,
			/\bcontent\W{1,3}(?:field )?(?:is )?required/i,
			/\bcontent\W{1,4}(?:value )?(?:must|should) be (?:a |of type )?(?:valid )?string/i,
		),
		change: dialect => ({...dialect, hasEmptyContent: true}),
	},
	// The words of DeepSeek and Kimi, also behind gateways with other names. Kimi treats an empty thought as missing.
	reasoning_content: {
		says: anyOf(
			/reasoning_content.{0,100}(?:must be|should be|needs to be|is) (?:passed back|provided|included|sent)/i,
			/reasoning_content.{0,100}\bis (?:required|missing)|missing.{0,60}reasoning_content/i,
			/reasoning_content\W{1,3}(?:field )?required/i,
		),
		change: dialect => ({...dialect, thoughts: {field: 'reasoning_content', when: 'always', ifNone: '.'}}),
	},
	// Groq, Cerebras and others refuse any thoughts: janhq/jan#8136.
	no_thoughts: {
		says: anyOf(refusing('reasoning(?:_content|_details)?'), unnamedField()),
		change: dialect => without(dialect, 'thoughts'),
	},
	// The key or the provider behind a gateway changed. These are the words of Anthropic and Bedrock, Gemini, and
	// OpenAI.
	old_thoughts: {
		says: anyOf(
			/(?:invalid|missing) \W?(?:signature|data)\W? in \W?(?:redacted_)?thinking|thinking\.signature/i,
			/\bthinking\b.{0,60}blocks.{0,80}cannot be modified/i,
			/(?:corrupted|invalid) thought[_ ]?signature|thought[_ ]?signature.{0,40}(?:not valid|invalid|corrupt)/i,
			/invalid_encrypted_content|encrypted content.{0,120}could not be (?:verified|decrypted)/i,
		),
	},
	// Sent by gateways to Anthropic's models, Bedrock and Vertex: "Unexpected value(s) … for the `anthropic-beta`
	// header", "invalid beta flag", "tools.0.custom.eager_input_streaming: Extra inputs are not permitted".
	no_betas: {
		says: anyOf(
			refusing('eager_input_streaming'),
			/(?:unexpected|invalid|unsupported) value.{0,120}anthropic-beta|invalid beta flag/i,
			refusing('anthropic-beta'),
		),
	},
	// Sent by gateways to Anthropic's models: "system.0.cache_control.ephemeral.ttl: Extra inputs are not permitted".
	short_cache: {says: refusing('ttl')},
	// The words of Gemini (ai.google.dev/gemini-api/docs/thought-signatures) behind an OpenAI-compatible server.
	call_marks: {
		says: /missing (?:a |its )?\W?thought_?signature/i,
		change: dialect => ({
			...dialect,
			foreignCall: {google: {thought_signature: 'skip_thought_signature_validator'}},
		}),
	},
	// Sent by Mistral (anomalyco/opencode#1680), and by the chat templates of its models.
	short_ids: {
		says: anyOf(
			/tool call ids? (?:was .{0,120})?(?:but must be|should be|must be) (?:a-z|alphanumeric)/i,
			/invalid 'tool_calls?\b.{0,80}id'|tool_calls?\b.{0,80}\bid\b.{0,80}(?:maximum length|too long|pattern)/i,
		),
		change: dialect => ({...dialect, callIds: 'nine'}),
	},
	// Sent by Mistral: zed-industries/zed#31736. Also sent by chat templates of Gemma, Ministral and Qwen:
	// charmbracelet/crush#279, huggingface/text-generation-inference#3198.
	separate_roles: {
		says: anyOf(
			/unexpected role '?"?\w+'?"? after role|expected last role|invalid_request_message_order/i,
			/roles must alternate|must alternate between|roles should be alternating|should alternate with/i,
			/system (?:message|role|prompt) (?:must be|should be) (?:at the beginning|the first)/i,
			/last message must have role/i,
		),
		change: dialect => ({...dialect, mergesUser: true, answersTools: true}),
	},
	// Sent by chat templates of Gemma: "System role not supported". Sent by Google: "Developer instruction is not
	// enabled".
	prompt_in_message: {
		says: anyOf(
			/\bsystem\W{0,2} (?:role|messages?|prompts?|instructions?) (?:is |are )?not (?:supported|enabled|allowed)/i,
			/does not support (?:the )?system (?:role|messages?|prompts?)|developer instruction is not enabled/i,
		),
		change: dialect => ({...dialect, promptInMessage: true}),
	},
	bare_calls: {
		says: anyOf(refusing('extra_content'), unnamedField()),
		change: dialect => ({...without(dialect, 'foreignCall'), isBare: true}),
	},
} as const satisfies Readonly<Record<string, Form>>;

export type FormName = keyof typeof ladder;

export const formNames = Object.keys(ladder).filter(isFormName);

function isFormName(name: unknown): name is FormName {
	return typeof name === 'string' && Object.hasOwn(ladder, name);
}

/**
Returns the changes that the words of a refusal name. Local servers report the refusal of a chat template with status
500 or inside a stream.
*/
export function formsNamedIn({
	status,
	words,
}: {
	readonly status: number | undefined;
	readonly words: string;
}): readonly FormName[] {
	if (status !== undefined && !formStatuses.has(status)) return [];
	return formNames.filter(name => ladder[name].says.test(words));
}

const formStatuses: ReadonlySet<number> = new Set([400, 422, 500]);

/**
Returns the dialect of a request with the user's `mergeUser` setting and all changes, or `undefined` under the rules of
0.1.0.
*/
export function chatDialectOf(settings: Settings): ChatDialect | undefined {
	const dialect = dialectIn(settings);
	if (dialect === undefined) return undefined;
	const {mergeUser} = settings;
	const own = typeof mergeUser === 'boolean' ? {...dialect, mergesUser: mergeUser} : dialect;
	return formsIn(settings).reduce(changed, own);
}

export function hasForm(settings: Settings, name: FormName): boolean {
	return formsIn(settings).includes(name);
}

/**
Returns the settings for the next request after a refusal that names these changes. Returns `undefined` if each change
was already made or makes no difference. `latest`: the time of the latest item.
*/
export function nextForm(settings: Settings, named: readonly string[], latest: string): Settings | undefined {
	const made = formsIn(settings);
	const dialect = 'dialect' in settings ? chatDialectOf(settings) : undefined;
	const makesDifference = (name: FormName) =>
		dialect === undefined
			? !('change' in ladder[name]) && (name !== 'short_cache' || settings['cacheTime'] !== undefined)
			: name === 'old_thoughts' || !isDeepStrictEqual(changed(dialect, name), dialect);
	const next = named.filter(isFormName).find(name => !made.includes(name) && makesDifference(name));
	if (next === undefined) return undefined;
	return {...settings, forms: [...made, next], ...(next === 'old_thoughts' && {thoughtsAfter: latest})};
}

/**
Returns settings with the changes of an earlier setup of the same model, if both setups have the same server and
dialect.
*/
export function withForms(settings: Settings, earlier: Settings): Settings {
	const {forms, thoughtsAfter} = earlier;
	const isSame = (['dialect', 'server'] as const).every(key => settings[key] === earlier[key]);
	if (forms === undefined || !isSame) return settings;
	return {...settings, forms, ...(thoughtsAfter !== undefined && {thoughtsAfter})};
}

function formsIn({forms}: Settings): readonly FormName[] {
	return Array.isArray(forms) ? forms.filter(isFormName) : [];
}

function changed(dialect: ChatDialect, name: FormName): ChatDialect {
	const {change}: Form = ladder[name];
	return change === undefined ? dialect : change(dialect);
}

function without(dialect: ChatDialect, key: 'outputLimit' | 'thoughts' | 'foreignCall'): ChatDialect {
	const {[key]: _, ...rest} = dialect;
	return rest;
}

/** Returns a pattern for the words with which servers refuse a field. */
function refusing(field: string): RegExp {
	const no =
		'(?:not (?:allowed|permitted|accepted)|(?:un|not )(?:known|supported|recogni[sz]ed|expected)|' +
		'forbidden|no such|additional propert|extra (?:inputs|fields))';
	return new RegExp(`${no}.{0,120}\\b${field}\\b|\\b${field}\\b.{0,120}${no}`, 'i');
}

/**
Returns a pattern for the words with which servers refuse an unknown field. The pattern does not match words that
contain one of the names in `others`.
*/
function unnamedField(): RegExp {
	const others =
		'stream_options|max_tokens|max_completion_tokens|reasoning\\w*|extra_content|eager_input_streaming|ttl';
	const no = [
		"property '[^']{1,80}' is unsupported",
		'extra inputs are not permitted|extra_forbidden|extra fields not permitted',
		'unrecognized request argument',
		'unknown (?:name|field)\\b.{0,80}(?:messages|tool_calls)|unknown field `?"?tool_call',
		'additional propert(?:y|ies).{0,80}not allowed',
	].join('|');
	return new RegExp(`^(?!.*\\b(?:${others})\\b).*(?:${no})`, 'i');
}

function anyOf(...patterns: readonly RegExp[]): RegExp {
	return new RegExp(patterns.map(({source}) => source).join('|'), 'i');
}
