import {checkKey, listedProviders, type KeyCheck} from '../../../worker/index.ts';
import {chooseModel, type ModelWishes} from '../../config/model-choice.ts';
import {bareKey, enteredKeys, keyInEnvironment} from '../../ground/env/found-key.ts';
import {quoteUntrusted} from '../../ground/text/one-line.ts';
import type {KeychainOptions} from '../../platform/keychain.ts';
import {removeKey, storeKey} from './stored-keys.ts';
import {keyTexts} from './texts.ts';

type LoginOptions = KeychainOptions & Pick<ModelWishes, 'config'>;

/** The result of a login. The sentence does not contain the key. */
export type LoginResult = {readonly ok: boolean; readonly sentence: string};

/**
Checks a key with its provider, and stores it. A refused key is not stored. From then on this process uses the key, even
if the environment has another key.
*/
export async function logIn(provider: string, written: string, options: LoginOptions): Promise<LoginResult> {
	const {env} = options;
	const problem = providerProblem(provider, options) ?? keyProblem(written);
	if (problem !== undefined) return {ok: false, sentence: problem};
	const key = bareKey(written);
	const check = await checkWith(provider, key, options);
	if (check.kind === 'refused') return {ok: false, sentence: keyTexts.notStored(check.sentence)};
	const stored = await storeKey(provider, key, options);
	if (!stored.ok) return {ok: false, sentence: keyTexts.notStored(stored.sentence)};
	enteredKeys(env).set(provider, {key, place: stored.place});
	const variable = variableOf(provider, options);
	const sentences = [
		keyTexts.stored(provider, stored.where),
		stored.remark,
		check.kind === 'accepted' ? keyTexts.accepted(check.host) : keyTexts.notChecked(check.why),
		variable === undefined ? undefined : keyTexts.chosenOverVariable(variable),
	];
	return {ok: true, sentence: sentences.filter(sentence => sentence !== undefined).join(' ')};
}

/** Removes the stored key of a provider. */
export async function logOut(provider: string, options: LoginOptions): Promise<LoginResult> {
	const unknown = providerProblem(provider, options);
	if (unknown !== undefined) return {ok: false, sentence: unknown};
	enteredKeys(options.env).delete(provider);
	const {from, problem} = await removeKey(provider, options);
	const variable = variableOf(provider, options);
	const sentences = [
		from.length > 0 ? keyTexts.removed(provider, from) : undefined,
		problem ?? (from.length === 0 ? keyTexts.nothingStored(provider) : undefined),
		variable === undefined ? undefined : keyTexts.stillSet(variable),
	];
	return {
		ok: problem === undefined,
		sentence: sentences.filter(sentence => sentence !== undefined).join(' '),
	};
}

/** Returns the providers that have a key: those that inkpod knows, and those of the user's configuration. */
export function providersWithKeys(config: LoginOptions['config']): readonly string[] {
	const known = listedProviders.filter(({keyVariable}) => keyVariable !== undefined).map(({provider}) => provider);
	const named = Object.entries(config?.servers ?? {})
		.filter(([name, server]) => !isLocal(name) || server?.keyVariable !== undefined)
		.map(([name]) => name);
	return [...new Set([...known, ...named])];
}

/** Returns the sentence about a text that is not a key. The sentence does not repeat the text. */
export function keyProblem(written: string): string | undefined {
	const key = bareKey(written);
	if (key === '') return keyTexts.noKey;
	return /^[\x21-\x7e]{1,4096}$/.test(key) ? undefined : keyTexts.notAKey;
}

function providerProblem(provider: string, {config}: LoginOptions): string | undefined {
	const names = providersWithKeys(config);
	if (names.includes(provider)) return undefined;
	return isLocal(provider)
		? keyTexts.needsNoKey(provider)
		: keyTexts.noSuchProvider(quoteUntrusted(provider.slice(0, maxName)), names);
}

const maxName = 40;

function isLocal(provider: string): boolean {
	return listedProviders.find(facts => facts.provider === provider)?.local === true;
}

async function checkWith(provider: string, key: string, {env, config}: LoginOptions): Promise<KeyCheck> {
	const trial = {...env};
	enteredKeys(trial).set(provider, {key, place: 'file'});
	const choice = chooseModel({flag: `${provider}/key-check`, env: trial, ...(config && {config})});
	return choice.ok ? checkKey(choice.spec) : {kind: 'unchecked', why: choice.sentence};
}

/** Returns the variable of the environment that has a key for the provider. */
function variableOf(provider: string, {env, config}: LoginOptions): string | undefined {
	const known = listedProviders.find(facts => facts.provider === provider);
	const named = config?.servers?.[provider]?.keyVariable;
	const found = keyInEnvironment(named === undefined ? (known ?? {}) : {keyVariable: named}, env);
	return found?.source.kind === 'environment' ? found.source.variable : undefined;
}
