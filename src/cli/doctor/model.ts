import {access, constants} from 'node:fs/promises';
import {chooseCompleted, errorCode, keySourceText, listKnownModels, type ModelWishes} from '../../pod/index.ts';
import {
	createGuardedFetch,
	providerFacts,
	proxyErrorIn,
	shownUrl,
	withoutCredentials,
	type ModelSpec,
	type Network,
} from '../../worker/index.ts';
import {formatCount} from '../../text/formats.ts';
import type {Fact} from './environment.ts';
import {
	chosenModel,
	modelSources,
	noBaseUrl,
	noNetworkCheck,
	reached,
	scriptReadable,
	scriptUnreadable,
	timedOut,
	unreachable,
	windowOf,
} from './texts.ts';

/**
Names the model that a chat here would use, gives the reason, and checks whether the model's server answers. The check
sends no key and no text.
*/
export async function modelFacts(wishes: ModelWishes): Promise<Fact[]> {
	const choice = await chooseCompleted(wishes);
	if (!choice.ok) return [{about: 'model', level: 'broken', text: choice.sentence}];
	const listed = choice.name === 'offline' ? [] : await listKnownModels(wishes, true);
	const window = listed.find(({name}) => name === choice.name)?.window;
	return [
		{
			about: 'model',
			level: 'ok',
			text: chosenModel(choice.name, [
				modelSources[choice.source],
				...(choice.keySource === undefined ? [] : [keySourceText(choice.keySource)]),
				...(window === undefined ? [] : [windowOf(formatCount(window))]),
			]),
		},
		await reach(choice.spec),
	];
}

async function reach(spec: ModelSpec): Promise<Fact> {
	if (spec.provider === 'offline') return {about: 'reach', level: 'ok', text: noNetworkCheck};
	if (spec.provider === 'scripted') return scriptFact(spec.model);
	const url = spec.baseURL ?? providerFacts(spec.provider, spec.server)?.baseURL;
	if (url === undefined) return {about: 'reach', level: 'broken', text: noBaseUrl(spec.provider)};
	return ask(url, spec.options?.network);
}

async function scriptFact(file: string): Promise<Fact> {
	const problem = await access(file, constants.R_OK).then(() => undefined, errorCode);
	return problem === undefined
		? {about: 'reach', level: 'ok', text: scriptReadable(file)}
		: {about: 'reach', level: 'broken', text: scriptUnreadable(file, problem)};
}

/** Sends a request without a key. Any answer shows that the server is reachable. */
async function ask(base: string, network: Network | undefined): Promise<Fact> {
	const {origin, pathname} = new URL(base);
	const url = shownUrl(base);
	try {
		const signal = AbortSignal.timeout(timeoutMs);
		const response = await createGuardedFetch({maxBytes: 0}, network)(origin + pathname, {signal});
		await response.body?.cancel();
		return {about: 'reach', level: 'ok', text: reached(url, response.status)};
	} catch (error) {
		return {about: 'reach', level: 'broken', text: failureText(url, error)};
	}
}

function failureText(url: string, error: unknown): string {
	if (error instanceof Error && error.name === 'TimeoutError') return timedOut(url, timeoutMs);
	const proxyError = proxyErrorIn(error);
	if (proxyError !== undefined) return unreachable(url, proxyError.message.replace(/\.$/, ''));
	const {cause, message} = error instanceof Error ? error : new Error(String(error));
	const code = errorCode(cause);
	return unreachable(url, code === '' ? withoutCredentials(message) : code);
}

const timeoutMs = 3000;
