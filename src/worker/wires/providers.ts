import type {DialectName} from './dialects.ts';

/** The formats of requests and answers that inkpod supports. */
export type WireName = 'anthropic' | 'openai' | 'google' | 'openai-compatible' | 'azure' | 'bedrock' | 'vertex';

/** The facts of a provider that are known without loading its code. */
export type ProviderFacts = {
	readonly wire: WireName;
	/** The environment variable that contains the key. */
	readonly keyVariable?: string;
	/** More environment variables for the key. They are used if `keyVariable` is not set. */
	readonly otherKeyVariables?: readonly string[];
	/**
	The environment variable of a token that is sent as `Authorization: Bearer`. The token is used if no key is set.
	*/
	readonly bearerVariable?: string;
	readonly baseURLVariable?: string;
	/** The address of the provider's API, with the version path. If absent, the user must configure the address. */
	readonly baseURL?: string;
	/** Set if the API has no version path, so that none is added to the address. */
	readonly hasNoVersion?: true;
	/** Set if the server runs on the user's own machine. */
	readonly local: boolean;
	/** The key under which the provider's own data is stored in an item. */
	readonly dataKey: string;
	/** The dialect of the server. Used only for chat completions. */
	readonly dialect?: DialectName;
};

/** Returns the facts about a server with a chat completions API that requires a key. */
function hosted(name: DialectName, keyVariable: string, baseURL: string) {
	return {wire: 'openai-compatible', keyVariable, baseURL, local: false, dataKey: name, dialect: name} as const;
}

/** Returns the facts about a server with a chat completions API on this machine. */
function local(name: DialectName, port: number, dataKey: string = name) {
	const baseURL = `http://127.0.0.1:${port}/v1`;
	return {wire: 'openai-compatible', baseURL, local: true, dataKey, dialect: name} as const;
}

/** The providers with a wire, in the order in which their keys are looked up. */
export const providers = {
	anthropic: {
		wire: 'anthropic',
		keyVariable: 'ANTHROPIC_API_KEY',
		bearerVariable: 'ANTHROPIC_AUTH_TOKEN',
		baseURLVariable: 'ANTHROPIC_BASE_URL',
		baseURL: 'https://api.anthropic.com/v1',
		local: false,
		dataKey: 'anthropic',
	},
	openai: {
		wire: 'openai',
		keyVariable: 'OPENAI_API_KEY',
		baseURLVariable: 'OPENAI_BASE_URL',
		baseURL: 'https://api.openai.com/v1',
		local: false,
		dataKey: 'openai',
	},
	google: {
		wire: 'google',
		keyVariable: 'GEMINI_API_KEY',
		otherKeyVariables: ['GOOGLE_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'],
		baseURLVariable: 'GOOGLE_GENERATIVE_AI_BASE_URL',
		baseURL: 'https://generativelanguage.googleapis.com/v1beta',
		local: false,
		dataKey: 'google',
	},
	openrouter: hosted('openrouter', 'OPENROUTER_API_KEY', 'https://openrouter.ai/api/v1'),
	deepseek: hosted('deepseek', 'DEEPSEEK_API_KEY', 'https://api.deepseek.com/v1'),
	kimi: hosted('kimi', 'MOONSHOT_API_KEY', 'https://api.moonshot.ai/v1'),
	qwen: hosted('qwen', 'DASHSCOPE_API_KEY', 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1'),
	groq: hosted('groq', 'GROQ_API_KEY', 'https://api.groq.com/openai/v1'),
	cerebras: hosted('cerebras', 'CEREBRAS_API_KEY', 'https://api.cerebras.ai/v1'),
	mistral: hosted('mistral', 'MISTRAL_API_KEY', 'https://api.mistral.ai/v1'),
	xai: hosted('xai', 'XAI_API_KEY', 'https://api.x.ai/v1'),
	together: hosted('together', 'TOGETHER_API_KEY', 'https://api.together.xyz/v1'),
	fireworks: hosted('fireworks', 'FIREWORKS_API_KEY', 'https://api.fireworks.ai/inference/v1'),
	perplexity: {
		...hosted('perplexity', 'PERPLEXITY_API_KEY', 'https://api.perplexity.ai'),
		hasNoVersion: true,
	},
	azure: {
		wire: 'azure',
		keyVariable: 'AZURE_OPENAI_API_KEY',
		baseURLVariable: 'AZURE_OPENAI_ENDPOINT',
		local: false,
		dataKey: 'azure',
	},
	bedrock: {
		wire: 'bedrock',
		keyVariable: 'AWS_BEARER_TOKEN_BEDROCK',
		baseURLVariable: 'AWS_ENDPOINT_URL_BEDROCK_RUNTIME',
		local: false,
		dataKey: 'amazonBedrock',
	},
	vertex: {
		wire: 'vertex',
		keyVariable: 'GOOGLE_VERTEX_API_KEY',
		baseURLVariable: 'GOOGLE_VERTEX_BASE_URL',
		local: false,
		dataKey: 'googleVertex',
	},
	ollama: local('ollama', 11434),
	lmstudio: local('lmstudio', 1234),
	'llama.cpp': local('llama.cpp', 8080, 'llamacpp'),
	vllm: local('vllm', 8000),
	'openai-compatible': {
		wire: 'openai-compatible',
		keyVariable: 'OPENAI_COMPATIBLE_API_KEY',
		baseURLVariable: 'OPENAI_COMPATIBLE_BASE_URL',
		local: false,
		dataKey: 'compatible',
		dialect: 'safe',
	},
} as const satisfies Record<string, ProviderFacts>;

type KnownProvider = keyof typeof providers;

export const knownProviders = Object.keys(providers).filter(isKnownProvider);

export function isKnownProvider(name: string): name is KnownProvider {
	return Object.hasOwn(providers, name);
}

export const wireNames: readonly WireName[] = [
	'anthropic',
	'openai',
	'google',
	'openai-compatible',
	'azure',
	'bedrock',
	'vertex',
];

export function isWireName(name: unknown): name is WireName {
	return wireNames.some(wire => wire === name);
}
