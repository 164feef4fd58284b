/**
Returns the other names of the model that an alias stands for. `name` has no prefix, tag or date. The table has only
aliases that the rules of `isSameModel` do not find.
*/
export function aliasesOf(name: string): readonly string[] {
	return aliases.get(name) ?? [];
}

/** Tells whether a name stands for any model, because a router chooses the model. The name is in lower case. */
export function isRouter(name: string): boolean {
	return routers.has(name) || /:(?:default-)?prompt-router\/|:application-inference-profile\//.test(name);
}

const aliases: ReadonlyMap<string, readonly string[]> = new Map([
	// developers.openai.com/api/docs/models
	['gpt-4-turbo-preview', ['gpt-4-0125-preview', 'gpt-4-1106-preview']],
	['gpt-5.6', ['gpt-5.6-sol']],
	// learn.microsoft.com/azure/ai-services/openai/concepts/models: Azure has no dots in these names.
	['gpt-35-turbo', ['gpt-3.5-turbo']],
	['gpt-35-turbo-16k', ['gpt-3.5-turbo-16k']],
	// openrouter.ai/models: the level of effort is part of the name.
	['o3-mini-high', ['o3-mini']],
	['o4-mini-high', ['o4-mini']],
	// ai.google.dev/gemini-api/docs/models
	['gemini-pro', ['gemini-1.0-pro']],
	// platform.moonshot.ai/docs/pricing/chat
	['kimi', ['moonshot-v1-8k', 'moonshot-v1-32k', 'moonshot-v1-128k']],
	// openrouter.ai/models: the date of the name differs from the date of the snapshot.
	['qwen3.5-flash', ['qwen3.5-flash-20260224']],
	['qwen3.5-plus', ['qwen3.5-plus-20260216']],
]);

const routers: ReadonlySet<string> = new Set([
	// openrouter.ai/docs/guides/routing/routers
	'auto',
	'openrouter/auto',
	'openrouter/free',
	'openrouter/bodybuilder',
	'switchpoint/router',
	// learn.microsoft.com/azure/ai-foundry/openai/concepts/model-router
	'model-router',
]);
