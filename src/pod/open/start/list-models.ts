import type {ModelWishes} from '../../config/model-choice.ts';
import {loadStoredKeys} from '../../models/keys/load-stored.ts';
import type {ListedModel, ServerLists} from '../../models/server-lists.ts';
import type {AskedServers, ModelInfo} from '../../protocol.ts';
import {configuredFacts} from './configured-facts.ts';

type Wishes = Pick<ModelWishes, 'env' | 'config'>;

/** Lists the models for the user's configuration. `asksLocal`: asks the servers on this machine for their models. */
export async function listKnownModels(
	wishes: Wishes,
	asksLocal: boolean,
	signal?: AbortSignal,
): Promise<readonly ModelInfo[]> {
	if (!asksLocal) return listWith(wishes, {models: [], isComplete: false});
	const {findLocalModels} = await import('../../models/local-servers.ts');
	const {env, config: {servers = {}} = {}} = wishes;
	return listWith(wishes, {models: await findLocalModels(env, servers, {signal}), isComplete: true});
}

/** Returns a function that lists the models. Concurrent calls share their requests. `ended` cancels the requests. */
export function createModelList(
	wishes: Wishes,
	ended?: AbortSignal,
): (asked: AskedServers, signal?: AbortSignal) => Promise<readonly ModelInfo[]> {
	let asking: Promise<Asks> | undefined;
	const ask = async () => {
		asking ??= askServers(wishes, ended);
		const current = asking;
		const asks = await current;
		void Promise.all(asks).then(() => {
			if (asking === current) asking = undefined;
		});
		return asks;
	};
	return async (asked, signal) => {
		switch (asked) {
			case 'known':
			case 'local':
				return listKnownModels(wishes, asked === 'local', signal);
			case 'soon': {
				const {listsWithin} = await import('../../models/server-lists.ts');
				return listWith(wishes, await listsWithin(await ask(), soonMs));
			}
			case 'all':
				return listWith(wishes, {models: (await Promise.all(await ask())).flat(), isComplete: true});
			default:
				return asked satisfies never;
		}
	};
}

/** The maximum time that the first list waits for servers, and the maximum time of each server, in milliseconds. */
const soonMs = 300;
const longestMs = 5000;

type Asks = ReadonlyArray<Promise<readonly ListedModel[]>>;

async function askServers({env, config: {servers = {}} = {}}: Wishes, ended: AbortSignal | undefined): Promise<Asks> {
	const [{askLocalServers}, {askOwnServers}] = await Promise.all([
		import('../../models/local-servers.ts'),
		import('../../models/own-servers.ts'),
	]);
	const timeout = AbortSignal.timeout(longestMs);
	const signal = ended === undefined ? timeout : AbortSignal.any([timeout, ended]);
	return [...askOwnServers({env, servers}, signal), ...askLocalServers(env, servers, signal)];
}

async function listWith({env, config}: Wishes, lists: ServerLists): Promise<readonly ModelInfo[]> {
	const {servers = {}, ...settings} = config ?? {};
	const [{listModels}, {readRecentModels}] = await Promise.all([
		import('../../models/model-list.ts'),
		import('../../models/recent-models.ts'),
	]);
	const [recent, {stored}] = await Promise.all([readRecentModels(env), loadStoredKeys(env)]);
	const {models: listed, isComplete} = lists;
	const facts = configuredFacts(settings);
	return listModels({env, servers, facts, recent, listed, isLooking: !isComplete, stored});
}
