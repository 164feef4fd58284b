import {basename} from 'node:path';

/**
Whether a path names what usually holds a secret: it is read only when the person says so a second time.
Judged by name alone, without case; the ending of a backup copy does not matter. Ask it of the path as written and of the real path: a link may have an innocent name.
*/
export function looksSecret(path: string): boolean {
	const whole = path.replaceAll('\\', '/').toLowerCase();
	const name = basename(whole).replace(/(?:~|\.(?:bak|old|orig|save|swp|copy))+$/, '');
	if (harmless.test(name)) return false;
	return secretNames.some(pattern => pattern.test(name)) || secretPlaces.some(pattern => pattern.test(whole));
}

/** Templates and public halves, whatever the tables below say. */
const harmless = /\.(?:example|sample|template|dist|pub)$/;

const secretNames: readonly RegExp[] = [
	// Environment files: .env, .env.local, .env-prod, prod.env, .envrc
	/^\.env(?:[._-].+)?$/,
	/\.env$/,
	/^\.envrc$/,
	// Private keys and key stores
	/^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?(?:[.-].+)?$/,
	/\.(?:pem|key|p12|pfx|p8|ppk|jks|keystore|kdbx)$/,
	// Logins of tools
	/^[._]netrc$/,
	/^\.(?:npmrc|pypirc|pgpass|my\.cnf|git-credentials|htpasswd|dockercfg|s3cfg|vault-token)$/,
	/^credentials(?:\.(?:json|ya?ml|toml|ini|xml))?$/,
	/^(?:client_secrets?|service[_-]account.*|application_default_credentials)\.json$/,
	/^secrets?\.(?:json|ya?ml|toml|ini|env)$/,
	/\.tfstate(?:\.backup)?$/,
];

const secretPlaces: readonly RegExp[] = [
	/(?:^|\/)\.docker\/config\.json$/,
	/(?:^|\/)\.kube\/config$/,
	/(?:^|\/)\.gnupg\//,
	/(?:^|\/)\.ssh\/(?!(?:config|known_hosts|authorized_keys)$)/,
	// What a process was started with, its keys included
	/^\/proc\/[^/]+\/(?:task\/[^/]+\/)?environ$/,
];
