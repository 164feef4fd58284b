import {lastSetup, type Item, type Settings} from '../../worker/index.ts';

/**
The settings that let a provider find what it has cached. OpenAI leads requests of one key to the same machines: that is
the id of the session, or, in one that goes on from another, the key that stands in its history, since it begins with
the same words.
*/
export function cacheSettings(model: string, items: readonly Item[], session: string): Settings {
	if (!model.startsWith('openai/')) return {};
	const known = lastSetup(
		items.filter(item => item.type === 'setup' && typeof item.settings['cacheKey'] === 'string'),
	);
	return {cacheKey: known?.settings['cacheKey'] ?? session};
}
