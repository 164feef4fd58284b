import {lastSetup, stamp, wireOf, type Clock, type History, type Interceptor} from '../../worker/index.ts';
import type {Item, ItemOf, Settings} from '../../worker/index.ts';

/**
Returns the settings that help a provider find its cached prompt.

Over OpenAI's wire, requests with the same key reach the same machines. The key is the session id. A continuation of
another session uses the key in its history, because both begin with the same text. Over Anthropic's wire, a session
that once cached its prompt for an hour continues to do so.
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
Caches the system prompt and the tools for an hour from the first pause on after which Anthropic no longer caches the
last request. An hour costs more to write, so a session without pauses does not need it. A new setup item records the
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

/** The time for which Anthropic caches a request (platform.claude.com/docs/en/build-with-claude/prompt-caching). */
const shortCacheMs = 5 * 60_000;
