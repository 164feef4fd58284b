/** The facts of a provider that are known without loading its code. */
export type ProviderFacts = {
	/** The environment variable of the key. */
	readonly keyVariable?: string;
	readonly baseURLVariable?: string;
	/** The address of its API, with the version path. Absent: the user must configure it. */
	readonly baseURL?: string;
	/** Runs on the user's own machine. */
	readonly local: boolean;
	/**
	Only for chat completions: the key of the provider's data in the package. (Never `openaiCompatible`: the package
	would spread that data into the messages.)
	*/
	readonly dataKey?: string;
};

/** The providers with a wire, in the order in which their keys are looked up. */
export const providers = {
	anthropic: {
		keyVariable: 'ANTHROPIC_API_KEY',
		baseURLVariable: 'ANTHROPIC_BASE_URL',
		baseURL: 'https://api.anthropic.com/v1',
		local: false,
	},
	openai: {
		keyVariable: 'OPENAI_API_KEY',
		baseURLVariable: 'OPENAI_BASE_URL',
		baseURL: 'https://api.openai.com/v1',
		local: false,
	},
	google: {
		keyVariable: 'GEMINI_API_KEY',
		baseURLVariable: 'GOOGLE_GENERATIVE_AI_BASE_URL',
		baseURL: 'https://generativelanguage.googleapis.com/v1beta',
		local: false,
	},
	openrouter: {
		keyVariable: 'OPENROUTER_API_KEY',
		baseURL: 'https://openrouter.ai/api/v1',
		local: false,
		dataKey: 'openrouter',
	},
	ollama: {baseURL: 'http://127.0.0.1:11434/v1', local: true, dataKey: 'ollama'},
	lmstudio: {baseURL: 'http://127.0.0.1:1234/v1', local: true, dataKey: 'lmstudio'},
	'llama.cpp': {baseURL: 'http://127.0.0.1:8080/v1', local: true, dataKey: 'llamacpp'},
	'openai-compatible': {
		keyVariable: 'OPENAI_COMPATIBLE_API_KEY',
		baseURLVariable: 'OPENAI_COMPATIBLE_BASE_URL',
		local: false,
		dataKey: 'compatible',
	},
} as const satisfies Record<string, ProviderFacts>;

export type WireProvider = keyof typeof providers;

export const wireProviders = Object.keys(providers).filter(isWireProvider);

export function isWireProvider(name: string): name is WireProvider {
	return Object.hasOwn(providers, name);
}

/** The providers of chat completions. */
export type CompatibleProvider = {
	[Name in WireProvider]: (typeof providers)[Name] extends {readonly dataKey: string} ? Name : never;
}[WireProvider];
