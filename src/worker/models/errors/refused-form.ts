/**
Tells whether a server says that it does not accept a field of a message, the ids of the calls or the order of the
messages. The chat templates of local servers report this with status 500 or inside a stream.
*/
export function refusesForm({status, words}: {readonly status: number | undefined; readonly words: string}): boolean {
	return (status === undefined || formStatuses.has(status)) && wordings.some(wording => wording.test(words));
}

const formStatuses: ReadonlySet<number> = new Set([400, 422, 500]);

/** The wordings, each of which was seen at the server named. */
const wordings: readonly RegExp[] = [
	// Groq, Cerebras: janhq/jan#8136.
	/property '[^']{1,80}' is unsupported/i,
	// Mistral, Fireworks and other servers that check with Pydantic.
	/extra inputs are not permitted|extra_forbidden|extra fields not permitted/i,
	// OpenAI, Google, servers in Rust or Go.
	/unrecognized request argument|unknown (?:name|field)\b.{0,80}(?:messages|tool_calls|reasoning|extra_content)/i,
	/unknown field `?"?(?:reasoning|extra_content|tool_call)/i,
	/additional propert(?:y|ies).{0,80}(?:not allowed|reasoning|extra_content)/i,
	// DeepSeek: QwenLM/qwen-code#2695; Groq.
	/invalid type: sequence, expected a string|content'? : value must be a string/i,
	// Mistral: anomalyco/opencode#1680, and templates of its models.
	/tool call ids? (?:was .{0,120})?(?:but must be|should be|must be) (?:a-z|alphanumeric)/i,
	/invalid 'tool_calls?\b.{0,80}id'|tool_calls?\b.{0,80}\bid\b.{0,80}(?:maximum length|too long|pattern)/i,
	// Mistral: zed-industries/zed#31736.
	/unexpected role '?"?\w+'?"? after role|expected last role|invalid_request_message_order/i,
	// Templates of Gemma and Ministral: huggingface/text-generation-inference#3198, charmbracelet/crush#279.
	/roles must alternate|must alternate between|roles should be alternating|should alternate with/i,
	// Templates of Qwen and others.
	/system (?:message|role|prompt) (?:must be|should be) (?:at the beginning|the first)/i,
	/last message must have role/i,
];
