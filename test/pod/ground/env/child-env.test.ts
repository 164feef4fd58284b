import {describe, expect, it} from 'vitest';
import {childEnv, withoutNamedKeys} from '../../../../src/pod/ground/env/child-env.ts';
import {keyVariables} from '../../../../src/pod/ground/env/key-variables.ts';

const key = 'sk-ant-api03-AAAAAAAAAAAAAAAAAAAAAAAA';

describe('the environment of a child', () => {
	it.each([
		...keyVariables,
		...keyVariables.map(name => `${name}_B64`),
		'anthropic_api_key',
		'OPENAI_ADMIN_KEY',
		'OPENAI_API_KEYS',
		'OPENAI_API_KEY_2',
		'OPENAI_WORK_API_KEY',
		'OPENAI_TOKEN',
		'ANTHROPIC_AUTH_TOKEN',
		'ANTHROPIC_CUSTOM_HEADERS',
		'ANTHROPIC_ADMIN_API_KEY',
		'CLAUDE_API_KEY',
		'CLAUDE_CODE_OAUTH_TOKEN',
		'GOOGLE_API_KEY',
		'GOOGLE_GENERATIVE_AI_API_KEY',
		'GOOGLE_GENAI_API_KEY',
		'PALM_API_KEY',
		'GROQ_API_KEY',
		'CEREBRAS_API_KEY',
		'MISTRAL_API_KEY',
		'CODESTRAL_API_KEY',
		'XAI_API_KEY',
		'GROK_API_KEY',
		'DEEPSEEK_API_KEY',
		'TOGETHER_API_KEY',
		'TOGETHER_AI_API_KEY',
		'TOGETHERAI_API_KEY',
		'FIREWORKS_API_KEY',
		'FIREWORKS_AI_API_KEY',
		'PERPLEXITY_API_KEY',
		'PERPLEXITYAI_API_KEY',
		'PPLX_API_KEY',
		'COHERE_API_KEY',
		'CO_API_KEY',
		'HF_TOKEN',
		'HF_API_KEY',
		'HUGGINGFACE_API_KEY',
		'HUGGINGFACEHUB_API_TOKEN',
		'HUGGING_FACE_HUB_TOKEN',
		'REPLICATE_API_TOKEN',
		'AZURE_OPENAI_API_KEY',
		'AZURE_OPENAI_KEY',
		'AZURE_OPENAI_AD_TOKEN',
		'AZURE_AI_API_KEY',
		'AWS_BEARER_TOKEN_BEDROCK',
		'MOONSHOT_API_KEY',
		'KIMI_API_KEY',
		'DASHSCOPE_API_KEY',
		'QWEN_API_KEY',
		'ZAI_API_KEY',
		'Z_AI_API_KEY',
		'ZHIPU_API_KEY',
		'ZHIPUAI_API_KEY',
		'GLM_API_KEY',
		'BIGMODEL_API_KEY',
		'MINIMAX_API_KEY',
		'NVIDIA_API_KEY',
		'NVIDIA_NIM_API_KEY',
		'VOYAGE_API_KEY',
		'JINA_API_KEY',
		'AI21_API_KEY',
		'DEEPINFRA_API_KEY',
		'NOVITA_API_KEY',
		'SAMBANOVA_API_KEY',
		'SILICONFLOW_API_KEY',
		'ARK_API_KEY',
		'NEBIUS_API_KEY',
		'LITELLM_MASTER_KEY',
		'LITELLM_API_KEY',
		'AI_GATEWAY_API_KEY',
		'OPENCODE_API_KEY',
		'CODEX_API_KEY',
		'OLLAMA_API_KEY',
		'ELEVENLABS_API_KEY',
		'OPENAI_COMPATIBLE_HEADERS',
		'LLM_API_KEY',
		// These names continue after the word, as for copies and files of a key.
		'OPENAI_API_KEY_B64',
		'OPENAI_API_KEY_BASE64',
		'OPENAI_API_KEY_FILE',
		'OPENAI_KEY_PROD',
		'OPENAI_API_KEYS_JSON',
		'OPENAI_API_KEY_2_OLD',
		'ANTHROPIC_API_KEY_PROD',
		'ANTHROPIC_AUTH_TOKEN_FILE',
		'ANTHROPIC_SECRET_ARN',
		'CLAUDE_CODE_OAUTH_TOKEN_FILE_DESCRIPTOR',
		'HF_TOKEN_PATH',
		'GEMINI_API_KEY_BACKUP',
		'AZURE_OPENAI_API_KEY_ENCODED',
		'GROQ_PASSWORD_HASH',
		'MISTRAL_CREDENTIALS_JSON',
		'LITELLM_MASTER_KEY_OLD',
		'OPENAI_APIKEY_B64',
		'XAI_TOKEN_X',
		'INKPOD_TOKEN_1_OLD',
		'openai_api_key_b64',
		'LLM_API_KEY_B64',
		'CO_API_KEY_FILE',
		'GOOGLE_API_KEY_2',
		'OPENAI_PASSWD',
		'OPENAI_BEARER',
		'OPENAI_AUTHORIZATION',
		'OPENAI_JWT',
		'OPENAI_CREDS',
		'AWS_BEARER_TOKEN_BEDROCK_OLD',
		// These names begin before the vendor, or end with it.
		'MY_OPENAI_API_KEY',
		'VITE_OPENAI_API_KEY',
		'NEXT_PUBLIC_ANTHROPIC_API_KEY_DEV',
		'TF_VAR_openai_api_key',
		'REACT_APP_GEMINI_API_KEY',
		'API_KEY_OPENAI',
		'PROD_TOKEN_ANTHROPIC',
		'SECRET_OPENROUTER_2',
		'CI_HUGGING_FACE_HUB_TOKEN',
	])('does not contain %s', name => {
		expect(childEnv({[name]: 'anything at all', MINE: 'mine'})).toEqual({MINE: 'mine'});
	});

	it.each([
		'GITHUB_TOKEN',
		'GH_TOKEN',
		'GITLAB_TOKEN',
		'NPM_TOKEN',
		'NODE_AUTH_TOKEN',
		'CARGO_REGISTRY_TOKEN',
		'PYPI_TOKEN',
		'AWS_ACCESS_KEY_ID',
		'AWS_SECRET_ACCESS_KEY',
		'AWS_SESSION_TOKEN',
		'AWS_PROFILE',
		'GOOGLE_APPLICATION_CREDENTIALS',
		'GOOGLE_CLOUD_PROJECT',
		'GOOGLE_MAPS_API_KEY',
		'AZURE_CLIENT_SECRET',
		'AZURE_STORAGE_KEY',
		'STRIPE_API_KEY',
		'SENTRY_AUTH_TOKEN',
		'DATADOG_API_KEY',
		'DATABASE_URL',
		'SSH_AUTH_SOCK',
		'HTTPS_PROXY',
		'OPENAI_MODEL',
		'OPENAI_ORG_ID',
		'OPENAI_LOG',
		'ANTHROPIC_MODEL',
		'CLAUDE_CONFIG_DIR',
		'HF_HOME',
		'HF_HUB_OFFLINE',
		'OLLAMA_HOST',
		'OLLAMA_MODELS',
		'NVIDIA_VISIBLE_DEVICES',
		'NVIDIA_DRIVER_CAPABILITIES',
		'TOKENIZERS_PARALLELISM',
		'PATH',
		'HOME',
		'LANG',
		'KEYBOARD',
		'MONKEY',
		'POETRY_HTTP_BASIC',
		'ARKTOKEN',
		'MYHF_TOKEN',
		'FALLBACK_KEY',
		'POETRY_KEY',
		'NIMBLE_TOKEN',
		'XAIR_KEY',
		'GIT_ASKPASS',
		'SSH_ASKPASS',
		'SUDO_ASKPASS',
		'GPG_TTY',
		'GPG_AGENT_INFO',
		'KEYMAP',
		'KEYTIMEOUT',
		'KEYCLOAK_URL',
		'TOKEN_LIMIT',
		'PASSWORD_STORE_DIR',
		'SECRETS_DIR',
		'OPENAI_KEYBOARD',
		'OPENAI_TOKENIZER',
		'HF_TOKENIZERS_CACHE',
		'OPENAI_MONKEYS',
		'ANTHROPIC_SECRETARY',
		'CLAUDE_KEYWORDS',
		'GITHUB_TOKEN_FILE',
		'NPM_TOKEN_FILE',
		'AWS_WEB_IDENTITY_TOKEN_FILE',
		'VAULT_TOKEN_B64',
		'GOOGLE_MAPS_API_KEY_2',
		'DB_PASSWORD_FILE',
		'API_KEY_ID',
		'NOAHS_ARK_TOKEN',
		'MY_POE_KEY',
		'OPENAI_HEADERS_MODE',
		'CO_KEY',
	])('contains %s', name => {
		expect(childEnv({[name]: 'anything at all'})).toEqual({[name]: 'anything at all'});
	});

	it.each<['contains' | 'omits', string, string]>([
		['contains', 'OPENAI_MAX_TOKENS', '4096'],
		['contains', 'CLAUDE_CODE_MAX_OUTPUT_TOKENS', '32000'],
		['contains', 'CLAUDE_CODE_API_KEY_HELPER_TTL_MS', '60000'],
		['contains', 'OPENAI_TOKEN_LIMIT', '8000'],
		['contains', 'HF_HUB_DISABLE_IMPLICIT_TOKEN', '1'],
		['contains', 'HF_HUB_DISABLE_IMPLICIT_TOKEN', 'true'],
		['omits', 'OPENAI_PASSWORD', '123456'],
		['omits', 'OPENAI_TOKENS', '1234567890123456'],
		['omits', 'OPENAI_API_KEY', '1'],
		['omits', 'OPENAI_API_KEY', ''],
	])('%s %s=%s', (verb, name, value) => {
		expect(name in childEnv({[name]: value})).toBe(verb === 'contains');
	});

	it.each<[string, string, string]>([
		['alone', key, key],
		['between spaces', 'just-some-key-of-mine', ' just-some-key-of-mine\n'],
		['in a header', 'just-some-key-of-mine', 'Authorization: Bearer just-some-key-of-mine'],
		['in JSON', 'just-some-key-of-mine', '{"key":"just-some-key-of-mine"}'],
		['in a URL', 'just-some-key-of-mine', 'https://gateway/?k=just-some-key-of-mine'],
	])('does not contain a variable whose value contains a key: %s', (_how, value, other) => {
		expect(childEnv({OPENAI_API_KEY: value, MY_OTHER: other, MINE: 'mine'})).toEqual({MINE: 'mine'});
	});

	it.each([
		key,
		'sk-proj-AAAAAAAAAAAAAAAAAAAA',
		`sk-or-v1-${'a'.repeat(64)}`,
		`sk-${'a'.repeat(48)}`,
		`gsk_${'a'.repeat(52)}`,
		`xai-${'a'.repeat(80)}`,
		`hf_${'a'.repeat(34)}`,
		`r8_${'a'.repeat(37)}`,
		`pplx-${'a'.repeat(48)}`,
		`nvapi-${'a'.repeat(64)}`,
		`csk-${'a'.repeat(48)}`,
		`Bearer ${key}`,
	])('does not contain a variable whose value has the form of a key: %s', value => {
		expect(childEnv({WORK: value, MINE: 'mine'})).toEqual({MINE: 'mine'});
	});

	it.each<[string, string]>([
		['a short key', 'ollama'],
		['an empty key', ''],
		['the path of the home folder', '/home/me'],
		['a word', 'none'],
		['a path that contains a key', '/home/me'],
	])('keeps what programs need, even when the key is %s', (_what, value) => {
		const env = {
			HOME: '/home/me',
			PATH: '/home/me/bin:/bin',
			SHELL: '/bin/sh',
			NAME: 'ollama',
			NONE: 'none',
			EMPTY: '',
			FOLDER: '/home/me/.local',
		};
		expect(childEnv({...env, OPENAI_API_KEY: value})).toEqual(env);
	});

	it.each<['contains' | 'omits', string, string]>([
		['omits', 'OPENAI_BASE_URL', 'https://me:pass@gateway/v1'],
		['omits', 'ANTHROPIC_BASE_URL', 'https://token@gateway/v1'],
		['omits', 'OPENAI_COMPATIBLE_BASE_URL', 'https://gateway/v1?api_key=abc'],
		['omits', 'OPENAI_API_BASE', 'http://me:pass@gateway'],
		['omits', 'AZURE_OPENAI_ENDPOINT', 'https://me:pass@x.azure.com'],
		['omits', 'OPENAI_BASE_URL', 'http://me:pa ss@[bad/v1'],
		['omits', 'OPENAI_BASE_URL', 'https://gateway/0123456789abcdef/v1'],
		['contains', 'OPENAI_BASE_URL', 'https://gateway/v1'],
		['contains', 'ANTHROPIC_BASE_URL', 'http://127.0.0.1:8080'],
		['contains', 'DATABASE_URL', 'postgres://me:pass@db/x'],
	])('%s %s=%s', (verb, name, value) => {
		expect(name in childEnv({[name]: value})).toBe(verb === 'contains');
	});

	it('leaves out the password of a base URL under any name', () => {
		const url = 'https://me:long-password@gateway/v1';
		expect(childEnv({OPENAI_BASE_URL: url, COPY: url})).toEqual({});
	});
});

describe('a key that the configuration names', () => {
	const env = {WORK_LLM: 'a-key-of-16-chars-or-more', COPY: 'Bearer a-key-of-16-chars-or-more', MINE: 'mine'};

	it('reaches no child process, and neither do its copies', () => {
		expect(childEnv(env)).toEqual(env);
		expect(childEnv(env, ['WORK_LLM'])).toEqual({MINE: 'mine'});
	});

	it('is removed from the environment of a pod, but the keys of known providers are not', () => {
		const all = {...env, OPENAI_API_KEY: 'sk-0123456789abcdef'};
		expect(withoutNamedKeys(all, [])).toBe(all);
		expect(withoutNamedKeys(all, ['WORK_LLM', 'OPENAI_API_KEY'])).toEqual({
			OPENAI_API_KEY: 'sk-0123456789abcdef',
			MINE: 'mine',
		});
	});
});
