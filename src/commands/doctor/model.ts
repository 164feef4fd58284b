import {access, constants} from 'node:fs/promises';
import {chooseModel, errorCode, type ModelSource, type ModelWishes} from '../../pod/index.ts';
import {createGuardedFetch, listedProviders, shownUrl, withoutCredentials, type ModelSpec} from '../../worker/index.ts';
import type {Fact} from './fact.ts';

/**
Which model a start would take and why, and whether its server answers. Sends no key and no words: one request for the
base URL, which costs nothing.
*/
export async function modelFacts(wishes: ModelWishes): Promise<Fact[]> {
	const choice = chooseModel(wishes);
	if (!choice.ok) return [{about: 'model', level: 'broken', text: choice.sentence}];
	return [{about: 'model', level: 'ok', text: `${choice.name}, ${sources[choice.source]}`}, await reach(choice.spec)];
}

const sources: Readonly<Record<ModelSource, string>> = {
	flag: 'by --model',
	environment: 'by INKPOD_MODEL',
	manifest: 'by inkpod.toml',
	config: 'by config.toml',
	key: 'by the first key found',
	default: 'because nothing names another',
};

async function reach(spec: ModelSpec): Promise<Fact> {
	if (spec.provider === 'offline')
		return {about: 'reach', level: 'ok', text: 'offline needs no network: nobody was asked'};
	if (spec.provider === 'scripted') return scriptFact(spec.model);
	const url = spec.baseURL ?? listedProviders.find(({provider}) => provider === spec.provider)?.baseURL;
	return url === undefined
		? {about: 'reach', level: 'broken', text: `Nothing says where ${spec.provider} is`}
		: ask(url);
}

async function scriptFact(file: string): Promise<Fact> {
	const problem = await access(file, constants.R_OK).then(() => undefined, errorCode);
	return problem === undefined
		? {about: 'reach', level: 'ok', text: `${file} can be read: nobody was asked`}
		: {about: 'reach', level: 'broken', text: `The script ${file} cannot be read (${problem})`};
}

/** Whatever the server says to a request without a key, it is there. */
async function ask(base: string): Promise<Fact> {
	const {origin, pathname} = new URL(base);
	const asked = `GET ${shownUrl(base)} without a key`;
	try {
		const response = await createGuardedFetch({maxBytes: 0})(origin + pathname, {
			signal: AbortSignal.timeout(patienceMs),
		});
		await response.body?.cancel();
		return {about: 'reach', level: 'ok', text: `${asked}: it answers, with status ${response.status}`};
	} catch (error) {
		return {about: 'reach', level: 'broken', text: `${asked}: ${trouble(error)}`};
	}
}

function trouble(error: unknown): string {
	if (error instanceof Error && error.name === 'TimeoutError') return `no answer within ${patienceMs / 1000} s`;
	const cause = error instanceof Error ? error.cause : undefined;
	const code = errorCode(cause);
	return code === ''
		? `it cannot be reached (${withoutCredentials(error instanceof Error ? error.message : String(error))})`
		: `it cannot be reached (${code})`;
}

const patienceMs = 3000;
