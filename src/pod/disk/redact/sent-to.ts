import {isLoopback, providerFacts, type Item, type Setup} from '../../../worker/index.ts';
import type {RebuiltRequest} from '../check/rebuild-requests.ts';

/** The requests that contained removed text and went to one server. */
export type SentTo = {
	readonly provider: string;
	/** The host, if the record or the provider tells it. */
	readonly host: string | undefined;
	/** Whether the server runs on this machine. */
	readonly isLocal: boolean;
	readonly count: number;
	/** The times of the first and of the last request (ISO). */
	readonly first: string;
	readonly last: string;
};

/** Returns the servers that the rebuilt requests of a history went to, without a request that contained no text. */
export function sentTo(items: readonly Item[], rebuilt: readonly RebuiltRequest[]): readonly SentTo[] {
	return rebuilt.flatMap(({index, isSent}) => {
		const item = items[index];
		if (!isSent || item?.type !== 'request' || isOwnModel(item.model)) return [];
		const setup = items.slice(0, index).findLast(one => one.type === 'setup');
		return [{...serverOf(item.model, setup?.settings), count: 1, first: item.startedAt, last: item.startedAt}];
	});
}

/** Adds up the requests to each server. */
export function addedUp(all: readonly SentTo[]): readonly SentTo[] {
	const sums = new Map<string, SentTo>();
	for (const one of all) {
		const key = JSON.stringify([one.provider, one.host]);
		const sum = sums.get(key) ?? one;
		const [first, last] = [
			sum.first < one.first ? sum.first : one.first,
			sum.last > one.last ? sum.last : one.last,
		];
		sums.set(key, {...sum, first, last, count: sums.has(key) ? sum.count + one.count : one.count});
	}
	return [...sums.values()];
}

/** The models that are part of inkpod and send nothing. */
function isOwnModel(model: string): boolean {
	return model === 'offline' || /^scripted(:|$)/.test(model);
}

function serverOf(model: string, settings: Setup['settings'] = {}): Pick<SentTo, 'provider' | 'host' | 'isLocal'> {
	const provider = model.slice(0, Math.max(0, model.indexOf('/'))) || model;
	const facts = providerFacts(provider);
	const address = typeof settings['server'] === 'string' ? settings['server'] : facts?.baseURL;
	const url = address !== undefined && URL.canParse(address) ? new URL(address) : undefined;
	return {provider, host: url?.host, isLocal: url === undefined ? facts?.local === true : isLoopback(url)};
}
