import {t} from '../../language/index.ts';
import type {Place} from '../start/launch.ts';
import {where, type ChatValues} from '../start/options.ts';
import {onlyWord, subcommand, type Io} from '../start/subcommand.ts';

export const login = subcommand({
	name: 'login',
	words: 'PROVIDER',
	about: "store a provider's key; inkpod asks for it without an echo, or reads it from stdin",
	read: (words, values): Login<'login'> | string => readProvider('login', words, values),
	run: async (launch, io) => runLogin(launch, io),
});

export const logout = subcommand({
	name: 'logout',
	words: 'PROVIDER',
	about: 'remove a stored key',
	read: (words, values): Login<'logout'> | string => readProvider('logout', words, values),
	async run(launch, {env, stdout, stderr}) {
		const command = await import('../login/login.ts');
		return command.logout({...launch, env, stdout, stderr});
	},
});

type Login<Name> = {readonly command: Name; readonly provider: string} & Place;

/**
Reads the provider. A key never comes from the arguments. The sentence about a mistake does not repeat the arguments,
because one of them may be a key.
*/
export function readProvider<Name extends 'login' | 'logout'>(
	command: Name,
	words: readonly string[],
	values: ChatValues,
): Login<Name> | string {
	const provider = onlyWord(words);
	if (provider !== undefined) return {command, provider, ...where(values)};
	const key = command === 'login' ? t` inkpod asks for the key, or reads it from stdin.` : '';
	return t`inkpod ${command} needs one provider, such as openai.${key}`;
}

export async function runLogin(launch: Login<'login'>, {env, stdin, stdout, stderr}: Io): Promise<number> {
	const command = await import('../login/login.ts');
	return command.login({...launch, env, stdin, stdout, stderr});
}
