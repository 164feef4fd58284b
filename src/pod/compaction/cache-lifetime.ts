import {providerOf} from '../models/provider-of.ts';

/**
Returns how many milliseconds a provider keeps the prompt of a request in its cache, as its documentation states. While
it may still be cached, inkpod does not change the beginning of the context by a rule.
*/
export function cacheLifetime(model: string): number {
	const provider = providerOf(model);
	return (minutes.get(provider) ?? unknown) * 60_000;
}

const unknown = 5;

const minutes: ReadonlyMap<string, number> = new Map([
	['anthropic', 5],
	// Up to an hour while the servers are not busy.
	['openai', 60],
	['azure', 60],
	// A few hours to a few days.
	['deepseek', 24 * 60],
]);
