import {authorizationOf, proxyURL, secretsOf, type CertificatePlaces, type Network} from '../../../worker/index.ts';
import type {Env} from './env.ts';

/**
Returns the proxies and certificates that the user's environment names, or `undefined` for direct connections. The
variables are the same as for curl, and names in lower case have priority. HTTP uses HTTP_PROXY in either case, and
HTTPS uses HTTPS_PROXY.
*/
export function networkOf(env: Env): Network | undefined {
	const http = settingOf(env, 'HTTP_PROXY');
	const https = settingOf(env, 'HTTPS_PROXY');
	const certificates = certificatesOf(env);
	if (http === undefined && https === undefined && certificates === undefined) return undefined;
	const exceptions = settingOf(env, 'NO_PROXY')?.value ?? '';
	const hasProxy = http !== undefined || https !== undefined;
	const proxies = {http, https, exceptions};
	const secrets = [http, https].flatMap(setting => (setting === undefined ? [] : secretsIn(setting.value)));
	return {
		...(hasProxy && {proxies}),
		certificates,
		...(secrets.length > 0 && {secrets}),
	};
}

function secretsIn(proxy: string): readonly string[] {
	const url = proxyURL(proxy);
	if (url === null) return [];
	return [...secretsOf(url), authorizationOf(url)?.replace(/^Basic /, '') ?? ''].filter(text => text !== '');
}

function certificatesOf(env: Env): CertificatePlaces | undefined {
	const [file, directory] = ['SSL_CERT_FILE', 'SSL_CERT_DIR'].map(variable => {
		const path = env[variable];
		return path === undefined || path === '' ? undefined : {variable, path};
	});
	if (file === undefined && directory === undefined) return undefined;
	return {file, directory};
}

function settingOf(env: Env, name: string): {readonly variable: string; readonly value: string} | undefined {
	for (const variable of [name.toLowerCase(), name]) {
		const value = env[variable]?.trim();
		if (value !== undefined && value !== '') return {variable, value};
	}
	return undefined;
}
