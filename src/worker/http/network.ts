import {authorizationOf, secretsOf} from './shown-url.ts';

/** How inkpod's own connections leave this machine. Absent: directly, with the certificates that Node trusts. */
export type Network = {readonly proxies?: Proxies; readonly certificates?: CertificatePlaces};

export type Proxies = {
	readonly http?: ProxySetting;
	readonly https?: ProxySetting;
	/** Hosts that are reached directly, separated by commas or spaces. */
	readonly exceptions: string;
};

/** A proxy as the user wrote it. */
export type ProxySetting = {readonly variable: string; readonly value: string};

/** More trusted certificates, each with the variable that names the place. */
export type CertificatePlaces = {readonly file?: PlaceSetting; readonly directory?: PlaceSetting};

export type PlaceSetting = {readonly variable: string; readonly path: string};

/** Returns the passwords of the proxies, in each form in which they may appear in a text. */
export function proxySecrets({proxies}: Network): readonly string[] {
	return [proxies?.http, proxies?.https].flatMap(setting => {
		const url = setting === undefined ? null : proxyURL(setting.value);
		if (url === null) return [];
		return [...secretsOf(url), authorizationOf(url)?.replace(/^Basic /, '') ?? ''].filter(text => text !== '');
	});
}

/** Reads the address of a proxy, which may lack its scheme. `null`: it is not an address. */
export function proxyURL(value: string): URL | null {
	return URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(value) ? value : `http://${value}`);
}
