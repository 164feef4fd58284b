import {lastSetup, wireOf, type Item, type Settings} from '../../../worker/index.ts';

/**
Returns the settings that help a provider find its cached prompt. Over OpenAI's wire, requests with the same key reach
the same machines. The key is the session id. A continuation of another session uses the key in its history, because
both begin with the same text.
*/
export function cacheSettings(
	{model, settings}: {readonly model: string; readonly settings: Settings},
	items: readonly Item[],
	session: string,
): Settings {
	if (wireOf(model, settings) !== 'openai') return {};
	const known = lastSetup(
		items.filter(item => item.type === 'setup' && typeof item.settings['cacheKey'] === 'string'),
	);
	return {cacheKey: known?.settings['cacheKey'] ?? session};
}
