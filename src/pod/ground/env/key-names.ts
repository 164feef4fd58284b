import {keyForms, keysInPath} from '../../../worker/index.ts';
import type {Env} from './env.ts';
import {bareKey} from './found-key.ts';
import {baseUrlVariables, keyVariables, vendorKeyVariables} from './key-variables.ts';

/**
Returns the variables that child processes do not get. These are the variables with model API keys, recognised by name
or value, and base URLs that contain a password or a key. Child processes do get tokens that commands need
(`GITHUB_TOKEN`, `NPM_TOKEN`, `AWS_*`, `GOOGLE_APPLICATION_CREDENTIALS`). They also get the keys of services that are
not known to serve models, unless `keyNames` contains them. `keyNames` are the variables that the user's configuration
names.
*/
export function withheldNames(env: Env, keyNames: readonly string[] = []): ReadonlySet<string> {
	const entries = Object.entries(env).map(([name, value = '']) => ({name, value: value.trim()}));
	const named = entries.filter(
		({name, value}) => keyNames.includes(name) || isKey(name, value) || isUrlWithSecret(name, value),
	);
	const withheld = new Set(named.map(({name}) => name));
	const values = new Set(named.flatMap(({value}) => [value, bareKey(value)]));
	for (const {name, value} of entries)
		if (!plain.has(name.toUpperCase()) && hasKey(value, values)) withheld.add(name);
	return withheld;
}

/**
Tells by its name whether a variable contains a model's key. A number or a switch (`OPENAI_MAX_TOKENS=4096`) is not a
key.
*/
function isKey(name: string, value: string): boolean {
	const upper = name.toUpperCase();
	if (keyVariables.includes(upper) || ownKey.test(upper)) return true;
	if (switchValue.test(value) || (/^\d{1,9}$/.test(value) && !endsAsKey.test(upper))) return false;
	return vendorKey.test(upper) || wrappedKey.test(upper) || keyOfVendor.test(upper);
}

const switchValue = /^(?:[01]|true|false|yes|no|on|off)$/i;
const endsAsKey = /_(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD)(?:_\d+)?$/;

/** Matches the names of more keys, with any suffix. Other names are derived from the vendors below. */
const ownKey = /^(?:AWS_BEARER_TOKEN_BEDROCK|CO_API_KEY|GOOGLE_API_KEY|LLM_API_KEY|LLM_KEY|MODEL_API_KEY)(?:_|$)/;

/**
The vendors of models, as they are written at the beginning of a variable's name. The list ends with the vendors of
inkpod's providers. More words may follow the vendor (`OPENAI_ADMIN_KEY`, `ANTHROPIC_WORK_API_KEY`).
*/
const vendors = [
	'OPENAI',
	'AZURE_OPENAI',
	'AZURE_AI',
	'AZURE_INFERENCE',
	'ANTHROPIC',
	'CLAUDE',
	'CLAUDE_CODE',
	'GEMINI',
	'GOOGLE_AI',
	'GOOGLE_GENAI',
	'GOOGLE_GEMINI',
	'GOOGLE_GENERATIVE_AI',
	'GOOGLE_VERTEX',
	'PALM',
	'OPENROUTER',
	'GROQ',
	'CEREBRAS',
	'MISTRAL',
	'MISTRALAI',
	'CODESTRAL',
	'XAI',
	'GROK',
	'DEEPSEEK',
	'TOGETHER',
	'TOGETHERAI',
	'FIREWORKS',
	'FIREWORKSAI',
	'PERPLEXITY',
	'PERPLEXITYAI',
	'PPLX',
	'COHERE',
	'HF',
	'HUGGINGFACE',
	'HUGGINGFACEHUB',
	'HUGGING_FACE',
	'REPLICATE',
	'MOONSHOT',
	'MOONSHOTAI',
	'KIMI',
	'DASHSCOPE',
	'QWEN',
	'ZAI',
	'Z_AI',
	'ZHIPU',
	'ZHIPUAI',
	'BIGMODEL',
	'GLM',
	'CHATGLM',
	'MINIMAX',
	'NVIDIA',
	'NVIDIA_NIM',
	'NIM',
	'VOYAGE',
	'VOYAGEAI',
	'JINA',
	'AI21',
	'DEEPINFRA',
	'NOVITA',
	'HYPERBOLIC',
	'SAMBANOVA',
	'ANYSCALE',
	'OCTOAI',
	'BASETEN',
	'SILICONFLOW',
	'ARK',
	'VOLCENGINE',
	'DOUBAO',
	'HUNYUAN',
	'QIANFAN',
	'STEPFUN',
	'BAICHUAN',
	'FEATHERLESS',
	'CHUTES',
	'NEBIUS',
	'FRIENDLI',
	'UPSTAGE',
	'REKA',
	'INCEPTION',
	'MORPH',
	'VENICE',
	'POE',
	'WATSONX',
	'STABILITY',
	'ELEVENLABS',
	'ASSEMBLYAI',
	'DEEPGRAM',
	'FAL',
	'OLLAMA',
	'LMSTUDIO',
	'LM_STUDIO',
	'LLAMA',
	'LITELLM',
	'PORTKEY',
	'HELICONE',
	'AI_GATEWAY',
	'VERCEL_AI_GATEWAY',
	'OPENCODE',
	'REQUESTY',
	'GITHUB_MODELS',
	'OPENAI_COMPATIBLE',
	'CODEX',
	'INKPOD',
	...vendorKeyVariables.map(name => name.replace(/_API_KEY$/, '')),
];

/** Words that mark a key anywhere in a name: `OPENAI_API_KEY_B64`, `HF_TOKEN_FILE`. */
const keyWords = 'KEYS?|APIKEYS?|TOKENS?|SECRETS?|CREDENTIALS?|CREDS|PASSWORD|PASSWD|BEARER|AUTHORIZATION|JWT';
const keyWord = `(?:${keyWords})(?=_|$)`;
/** Custom headers may also contain keys. */
const lastWord = '(?:CUSTOM_|EXTRA_)?HEADERS?(?:_\\d+)?$';

const vendorKey = new RegExp(`^(?:${vendors.join('|')})_(?:[A-Z0-9_]+_)?(?:${keyWord}|${lastWord})`);

/**
Vendor names that rarely mean anything else, so they count anywhere in a name: `MY_OPENAI_API_KEY`, `API_KEY_OPENAI`.
*/
const longVendors = vendors.filter(name => name.length > 4).join('|');
const wrappedKey = new RegExp(`_(?:${longVendors})_(?:[A-Z0-9_]+_)?${keyWord}`);
const keyOfVendor = new RegExp(`(?:^|_)${keyWord}_(?:[A-Z0-9_]+_)?(?:${longVendors})(?:_|$)`);

/** Child processes always get these variables, even if a value equals a key. */
const plain: ReadonlySet<string> = new Set([
	'PATH',
	'HOME',
	'SHELL',
	'USER',
	'LOGNAME',
	'PWD',
	'OLDPWD',
	'TMPDIR',
	'LANG',
	'TERM',
]);

/** A shorter value does not count as a key. An example is `ollama` as the key of a local server. */
const minKeyLength = 8;
/** The minimum length of a key that is part of a longer value, such as a header, JSON or a command line. */
const minKeyPartLength = 16;

function hasKey(value: string, keys: ReadonlySet<string>): boolean {
	if (keys.has(value) && value.length >= minKeyLength) return true;
	if (keyForms.test(value)) return true;
	for (const key of keys) if (key.length >= minKeyPartLength && value.includes(key)) return true;
	return false;
}

function isUrlWithSecret(name: string, value: string): boolean {
	const upper = name.toUpperCase();
	if (!baseUrlVariables.includes(upper) && !vendorUrl.test(upper)) return false;
	if (!URL.canParse(value)) return /\/\/[^/]*@/.test(value);
	const url = new URL(value);
	const {username, password, searchParams} = url;
	if (keysInPath(url).length > 0) return true;
	return (
		username !== '' || password !== '' || [...searchParams.keys()].some(key => /key|token|secret|auth/i.test(key))
	);
}

const vendorUrl = new RegExp(`^(?:${vendors.join('|')})_(?:[A-Z0-9_]+_)?(?:URL|ENDPOINT|API_BASE|BASE|HOST)$`);
