import type {WireName} from '../providers.ts';
import type {RewriteRule} from '../../history/rewrites.ts';

/** A value that a wire has at a place, whatever the texts are. `rule`: it is there because of this rule. */
type FormValue = {
	/** Absent: any value, because the rule says where it comes from, or the package makes it. */
	readonly values?: readonly unknown[];
	readonly rule?: RewriteRule;
};

type WireForm = Readonly<Record<string, readonly FormValue[]>>;

/** The package numbers documents, because servers want a name. */
const any: readonly FormValue[] = [{}];

const anthropic: WireForm = {
	stream: is(true),
	max_tokens: by('output_limit'),
	'system[].type': is('text'),
	'system[].cache_control.type': by('cache_marks', 'ephemeral'),
	'messages[].role': is('user', 'assistant'),
	'messages[].content[].type': is(
		'text',
		'thinking',
		'redacted_thinking',
		'tool_use',
		'tool_result',
		'image',
		'document',
	),
	'messages[].content[].source.type': is('base64'),
	'messages[].content[].is_error': is(true, false),
	'messages[].content[].cache_control.type': by('cache_marks', 'ephemeral'),
	'tools[].eager_input_streaming': by('tool_flags', true),
	'tool_choice.type': is('auto'),
};

const responses: WireForm = {
	stream: is(true),
	store: by('not_stored', false),
	'include[]': by('not_stored', 'reasoning.encrypted_content'),
	'input[].type': is('message', 'reasoning', 'function_call', 'function_call_output'),
	'input[].role': is('system', 'developer', 'user', 'assistant'),
	'input[].content[].type': is('input_text', 'output_text', 'input_image', 'input_file'),
	'input[].content[].filename': any,
	'input[].summary[].type': is('summary_text'),
	'input[].encrypted_content': is(null),
	'tools[].type': is('function'),
	'tools[].strict': by('tool_flags', false),
	tool_choice: is('auto'),
};

const gemini: WireForm = {
	'contents[].role': is('user', 'model'),
	'contents[].parts[].thought': is(true),
	'contents[].parts[].thoughtSignature': by('foreign_call_mark', 'skip_thought_signature_validator'),
	'toolConfig.functionCallingConfig.mode': is('AUTO'),
};

const chat: WireForm = {
	stream: is(true),
	'stream_options.include_usage': by('stream_options', true),
	'messages[].role': is('system', 'user', 'assistant', 'tool'),
	'messages[].content': [...is(null), ...by('answer_line', '[No answer was given here.]')],
	'messages[].content[].type': is('text', 'image_url', 'file'),
	'messages[].content[].file.filename': is('document.pdf'),
	'messages[].reasoning_content': by('thought_filler', '', '.'),
	'messages[].reasoning': by('thought_filler', '', '.'),
	'messages[].tool_calls[].type': is('function'),
	'messages[].tool_calls[].extra_content.google.thought_signature': by(
		'foreign_call_mark',
		'skip_thought_signature_validator',
	),
	'tools[].type': is('function'),
	tool_choice: is('auto'),
};

const converse: WireForm = {
	'messages[].role': is('user', 'assistant'),
	'messages[].content[].document.name': any,
	'messages[].content[].toolResult.status': is('error', 'success'),
	'additionalModelResponseFieldPaths[]': by('stream_options', '/delta/stop_sequence'),
};

/** The request itself as JSON, for models without a wire. */
const none: WireForm = {
	'messages[].role': is('user', 'assistant', 'tool'),
	'messages[].parts[].type': is('text', 'reasoning', 'tool_call'),
	'messages[].results[].isError': is(true, false),
};

/**
The form of each wire: the closed list of the values that say what something is, by their place in the body. `[]` is any
element of an array. A value that is not listed has no source, so an addition by a provider's package is noticed.
*/
export const wireForms: Readonly<Record<WireName | 'none', WireForm>> = {
	anthropic,
	openai: responses,
	azure: responses,
	google: gemini,
	vertex: gemini,
	'openai-compatible': chat,
	bedrock: converse,
	none,
};

function is(...values: readonly unknown[]): readonly FormValue[] {
	return [{values}];
}

function by(rule: RewriteRule, ...values: readonly unknown[]): readonly FormValue[] {
	return [{rule, ...(values.length > 0 && {values})}];
}
