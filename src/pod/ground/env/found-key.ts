import type {providerFacts} from '../../../worker/index.ts';
import type {Env} from './env.ts';

/** The source of a key: a variable of the environment, the system's keychain, or the file `credentials`. */
export type KeySource =
	| {readonly kind: 'environment'; readonly variable: string}
	| {readonly kind: 'keychain'}
	| {readonly kind: 'file'};

/** A place where inkpod stores keys. */
export type KeyPlace = Exclude<KeySource['kind'], 'environment'>;

/** The providers whose keys are stored, each with the place of its key. */
export type StoredKeys = ReadonlyMap<string, KeyPlace>;

/** A key. `value` is absent for a stored key, because inkpod reads a stored key only for a request. */
type FoundKey = {
	readonly source: KeySource;
	readonly value?: string;
	/** Whether the key is a token that is sent as `Authorization: Bearer`. */
	readonly isBearer?: true;
};

type KeyFacts = Pick<
	NonNullable<ReturnType<typeof providerFacts>>,
	'keyVariable' | 'otherKeyVariables' | 'bearerVariable'
>;

/**
Finds the key of a provider. A key that the user entered in this process comes first, then a key in the environment,
then a stored key. Uses neither the disk nor the keychain.
*/
export function findKey(
	provider: string,
	facts: KeyFacts,
	{env, stored}: {readonly env: Env; readonly stored?: StoredKeys | undefined},
): FoundKey | undefined {
	const own = enteredKeys(env).get(provider);
	if (own !== undefined) return {source: {kind: own.place}, value: own.key};
	const place = stored?.get(provider);
	return keyInEnvironment(facts, env) ?? (place === undefined ? undefined : {source: {kind: place}});
}

/** Finds the key of a provider in the environment. */
export function keyInEnvironment(
	{keyVariable, otherKeyVariables = [], bearerVariable}: KeyFacts,
	env: Env,
): FoundKey | undefined {
	for (const variable of [keyVariable, ...otherKeyVariables, bearerVariable]) {
		const value = variable === undefined ? undefined : bareKey(env[variable] ?? '');
		if (variable === undefined || value === undefined || value === '') continue;
		return {
			source: {kind: 'environment', variable},
			value,
			...(variable === bearerVariable && variable !== keyVariable && {isBearer: true}),
		};
	}
	return undefined;
}

/** Returns a key without the parts that people paste with it: `export NAME=`, quotes, `Bearer`, and spaces. */
export function bareKey(written: string): string {
	const value = unquoted(written.trim().replace(/^(?:export\s+)?[A-Za-z_][A-Za-z0-9_]*=(?=[^=])/, ''));
	return unquoted(value.replace(/^Bearer\s+/i, '')).trim();
}

function unquoted(text: string): string {
	return /^(["'])(.*)\1$/s.exec(text)?.[2]?.trim() ?? text;
}

/** A key that the user entered in this process, and the place where it is stored. */
type EnteredKey = {readonly key: string; readonly place: KeyPlace};

/**
Returns the keys that the user entered in this process, by provider. Until the process ends, these keys have precedence
over the environment, because users usually enter a key when a server has refused the key in the environment.
*/
export function enteredKeys(env: Env): Map<string, EnteredKey> {
	const known = entered.get(env);
	if (known !== undefined) return known;
	const keys = new Map<string, EnteredKey>();
	entered.set(env, keys);
	return keys;
}

/** The entered keys, by environment. A process has one environment, but each test has its own. */
const entered = new WeakMap<Env, Map<string, EnteredKey>>();
