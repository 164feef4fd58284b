import type {DialectName} from '../../../../src/worker/wires/dialects.ts';

/** What a server of chat completions refuses, in its own words, and how it answers. */
export type ChatServer = {
	/** The path of requests. Absent: `/v1/chat/completions`. */
	readonly path?: RegExp;
	/** The status of a refusal. Absent: 400. */
	readonly status?: number;
	readonly refuses: {
		/** A field of a message that the server does not know. `more`: those that it knows beside the usual ones. */
		readonly unknownField: (index: number, name: string) => string;
		readonly more?: readonly string[];
		/** Content that is not a text. Absent: parts are accepted. */
		readonly parts?: (index: number) => string;
		readonly callIds?: {readonly accepted: RegExp; readonly words: (id: string) => string};
		/** `alternate`: user and assistant, where calls and results count as nothing. */
		readonly order?: {
			readonly rule: 'merged' | 'alternate' | 'answered';
			readonly words: (role: string, before: string) => string;
		};
		readonly thoughts?: ThoughtRule;
	};
	readonly answers: {
		readonly thoughts:
			| 'reasoning_content'
			| 'reasoning'
			| 'reasoning_details'
			| 'content parts'
			| 'think tags'
			| 'extra_content';
		/** Where the token counts come. */
		readonly usage: 'own event' | 'finish' | 'choice' | 'every event';
		/** `whole`: a call comes in one piece. */
		readonly calls?: 'whole' | 'without ids';
	};
};

/** Which thoughts a server wants back. */
export type ThoughtRule = {
	/** `every`: every assistant message has the field. `calls`: every one with calls, and not an empty one. */
	readonly on: 'every' | 'calls' | 'own calls';
	readonly words: (index: number) => string;
};

const plainIds = /^[A-Za-z0-9]{1,64}$/;
const nineIds = /^[A-Za-z0-9]{9}$/;

const unsupported = (index: number, name: string) =>
	`'messages.${index}' : for 'role:assistant' the following must be satisfied` +
	`[('messages.${index}' : property '${name}' is unsupported)]`;
const extraInput = (index: number, name: string) =>
	`Extra inputs are not permitted, field: 'messages[${index}].${name}'`;
const sequence = (index: number) =>
	`Failed to deserialize the JSON body into the target type: messages[${index}]: invalid type: sequence, ` +
	'expected a string';
const nine = {
	accepted: nineIds,
	words: (id: string) => `Tool call id was ${id} but must be a-z, A-Z, 0-9, with a length of 9.`,
};
const merged = {
	rule: 'merged',
	words: () => 'Conversation roles must alternate user/assistant/user/assistant/...',
} as const;
const answered = {
	rule: 'answered',
	words: (role: string, before: string) => `Unexpected role '${role}' after role '${before}'`,
} as const;
const template = {
	unknownField: extraInput,
	parts: sequence,
	order: {
		rule: 'alternate',
		words: () =>
			'Jinja Exception: After the optional system message, conversation roles must alternate user and ' +
			'assistant roles except for tool calls and results.',
	},
} as const;
const inField = {thoughts: 'reasoning_content', usage: 'own event'} as const;

/** The servers, by the dialect that inkpod speaks with them. */
export const chatServers: Readonly<Record<DialectName, ChatServer>> = {
	// An unknown server: everything that any of the others refuses, but for the order of Mistral.
	safe: {
		refuses: {
			unknownField: extraInput,
			parts: sequence,
			callIds: {accepted: plainIds, words: id => `Invalid 'tool_calls[0].id': '${id}'.`},
			order: merged,
		},
		answers: inField,
	},
	strict: {
		refuses: {unknownField: extraInput, parts: sequence, callIds: nine, order: answered},
		answers: {thoughts: 'content parts', usage: 'finish', calls: 'whole'},
	},
	// api-docs.deepseek.com/guides/thinking_mode, QwenLM/qwen-code#2695
	deepseek: {
		refuses: {
			unknownField: extraInput,
			more: ['reasoning_content'],
			parts: sequence,
			thoughts: {
				on: 'every',
				words: () => 'The `reasoning_content` in the thinking mode must be passed back to the API.',
			},
		},
		answers: {thoughts: 'reasoning_content', usage: 'finish'},
	},
	// mastra-ai/mastra#12592, anomalyco/opencode#10996
	kimi: {
		refuses: {
			unknownField: extraInput,
			more: ['reasoning_content'],
			parts: sequence,
			thoughts: {
				on: 'calls',
				words: index =>
					'thinking is enabled but reasoning_content is missing in assistant tool call message ' +
					`at index ${index}`,
			},
		},
		answers: {thoughts: 'reasoning_content', usage: 'choice'},
	},
	qwen: {
		refuses: {
			unknownField: extraInput,
			more: ['reasoning_content'],
			parts: sequence,
			thoughts: {on: 'own calls', words: index => `The reasoning_content of messages[${index}] is missing.`},
		},
		answers: inField,
	},
	// janhq/jan#8136
	groq: {
		refuses: {unknownField: unsupported, parts: index => `'messages.${index}.content' : value must be a string`},
		answers: {thoughts: 'reasoning', usage: 'own event', calls: 'whole'},
	},
	cerebras: {
		refuses: {
			unknownField: (index, name) =>
				`body.messages.${index}.assistant.${name}: property '${name}' is unsupported`,
			parts: sequence,
			order: merged,
		},
		answers: {thoughts: 'reasoning', usage: 'finish', calls: 'whole'},
	},
	// openrouter.ai/docs/guides/best-practices/reasoning-tokens, microsoft/agent-framework#2947
	openrouter: {
		path: /^\/v1\/chat\/completions$/,
		refuses: {
			unknownField: extraInput,
			more: ['reasoning_details'],
			thoughts: {
				on: 'own calls',
				words: index =>
					`messages.${index}.content.0: \`thinking\` or \`redacted_thinking\` blocks in the latest assistant ` +
					'message cannot be modified. These blocks must remain as they were in the original response.',
			},
		},
		answers: {thoughts: 'reasoning_details', usage: 'own event'},
	},
	// zed-industries/zed#31736, anomalyco/opencode#1680
	mistral: {
		refuses: {unknownField: extraInput, parts: sequence, callIds: nine, order: answered},
		answers: {thoughts: 'content parts', usage: 'finish', calls: 'whole'},
	},
	xai: {
		refuses: {unknownField: extraInput, parts: sequence},
		answers: {thoughts: 'reasoning_content', usage: 'every event', calls: 'whole'},
	},
	together: {
		refuses: {unknownField: extraInput, parts: sequence, order: merged},
		answers: {thoughts: 'think tags', usage: 'finish'},
	},
	fireworks: {
		refuses: {unknownField: extraInput, parts: sequence},
		answers: {thoughts: 'think tags', usage: 'finish'},
	},
	// perplexityai/api-discussion#265
	perplexity: {
		path: /^\/chat\/completions$/,
		refuses: {
			unknownField: extraInput,
			parts: sequence,
			order: {
				rule: 'answered',
				words: () => 'After the (optional) system message(s), user and assistant roles should be alternating.',
			},
		},
		answers: {thoughts: 'think tags', usage: 'every event'},
	},
	// ai.google.dev/gemini-api/docs/thought-signatures
	gemini: {
		refuses: {
			unknownField: extraInput,
			more: ['extra_content'],
			thoughts: {
				on: 'calls',
				words: index =>
					`Function call is missing a thought_signature in functionCall parts, message ${index}. This is ` +
					'required for tools to work correctly.',
			},
		},
		answers: {thoughts: 'extra_content', usage: 'every event', calls: 'without ids'},
	},
	ollama: {refuses: template, answers: {thoughts: 'reasoning', usage: 'own event'}},
	lmstudio: {refuses: template, answers: {thoughts: 'think tags', usage: 'own event'}},
	'llama.cpp': {status: 500, refuses: template, answers: {thoughts: 'reasoning_content', usage: 'finish'}},
	vllm: {refuses: template, answers: {thoughts: 'reasoning', usage: 'every event'}},
};
