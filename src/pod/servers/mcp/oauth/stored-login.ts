import type {KeychainOptions} from '../../../platform/keychain.ts';
import {createLoginProvider, type LoginProvider} from './login-provider.ts';
import {createLoginStore} from './login-store.ts';
import {isSafeAddress} from './login-provider.ts';

/** Returns the stored login for exactly this address, or `undefined`. */
export async function storedLogin(url: string, options: KeychainOptions): Promise<LoginProvider | undefined> {
	if (!isSafeAddress(url)) return undefined;
	const store = createLoginStore(options);
	const login = await store.read(url);
	return login?.tokens === undefined ? undefined : createLoginProvider({url, store, login});
}
