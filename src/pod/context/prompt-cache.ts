import {lastSetup, stamp, wireOf, type Clock, type History, type Interceptor} from '../../worker/index.ts';
import type {Item, ItemOf, Settings} from '../../worker/index.ts';

/**
Returns the settings that help a provider find a prompt in its cache.

With OpenAI's wire, requests with the same key reach the same machines. The key is the session id. A session that
continues another session uses the key from the history, because both sessions begin with the same text. With
Anthropic's wire, a session that has once cached its prompt for an hour continues to do so.
*/
export function cacheSettings(
	{model, settings}: {readonly model: string; readonly settings: Settings},
	items: readonly Item[],
	session: string,
): Settings {
	const wire = wireOf(model, settings);
	if (wire === 'anthropic') return items.some(isForAnHour) ? {cacheTime} : {};
	if (wire !== 'openai') return {};
	const known = lastSetup(
		items.filter(item => item.type === 'setup' && typeof item.settings['cacheKey'] === 'string'),
	);
	return {cacheKey: known?.settings['cacheKey'] ?? session};
}

/**
After the first pause that is longer than Anthropic's default cache time, asks Anthropic to cache the system prompt and
the tools for an hour. This costs more, so a session without pauses keeps the default time. A new setup item records the
change.
*/
export function cacheLongerAfterPause({
	history,
	clock,
}: {
	readonly history: Pick<History, 'items' | 'append'>;
	readonly clock: Clock;
}): Required<Pick<Interceptor, 'preRequest'>> {
	return {
		async preRequest() {
			const setup = lastSetup(history.items);
			if (setup !== undefined && needsAnHour(setup, history.items, clock)) {
				const {model, prompt, tools, settings} = setup;
				const changed = {...settings, cacheTime};
				await history.append([stamp(clock, {type: 'setup', model, prompt, tools, settings: changed})]);
			}
			return {type: 'continue'};
		},
	};
}

const cacheTime = '1h';

function isForAnHour(item: Item): boolean {
	return item.type === 'setup' && item.settings['cacheTime'] === cacheTime;
}

function needsAnHour(setup: ItemOf<'setup'>, items: readonly Item[], clock: Clock): boolean {
	if (isForAnHour(setup) || wireOf(setup.model, setup.settings) !== 'anthropic') return false;
	const last = items.findLast(item => item.type === 'request' && item.model === setup.model);
	if (last === undefined) return false;
	const end = items.findLast(item => item.type === 'request_end' && item.request === last.id);
	return clock.now() - Date.parse((end ?? last).at) > shortCacheMs;
}

/**
The default time for which Anthropic caches a request, in milliseconds
(platform.claude.com/docs/en/build-with-claude/prompt-caching).
*/
const shortCacheMs = 5 * 60_000;
