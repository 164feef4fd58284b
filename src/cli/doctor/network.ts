import {networkOf, type Env} from '../../pod/index.ts';
import {networkProblems} from '../../worker/index.ts';
import type {Fact} from './fact.ts';
import {networkVariables} from './texts.ts';

/** Names the variables that change how inkpod connects, and says which of them are not valid. */
export async function networkFacts(env: Env): Promise<Fact[]> {
	const network = networkOf(env);
	if (network === undefined) return [];
	const {proxies, certificates} = network;
	const settings = [proxies?.http, proxies?.https, certificates?.file, certificates?.directory];
	const names = settings.flatMap(setting => setting?.variable ?? []);
	const problems = await networkProblems(network);
	return [
		{about: 'network', level: 'ok', text: networkVariables(names)},
		...problems.map((text): Fact => ({about: 'network', level: 'broken', text: text.replace(/\.$/, '')})),
	];
}
