import {loadConnections} from './guarded-fetch.ts';
import type {Network} from './network.ts';
import {ProxyError} from './proxy-error.ts';

/**
Returns a sentence for each proxy, certificate file and certificate folder that cannot be used. This function opens no
connection.
*/
export async function networkProblems({proxies, certificates}: Network): Promise<readonly string[]> {
	const {proxyOf, trustCertificates} = await loadConnections();
	const settings = new Map([proxies?.http, proxies?.https].map(setting => [setting?.variable, setting]));
	const ofProxies = [...settings.values()].flatMap(setting => {
		try {
			if (setting !== undefined) proxyOf(setting);
			return [];
		} catch (error) {
			if (error instanceof ProxyError) return [error.message];
			throw error;
		}
	});
	if (certificates === undefined) return ofProxies;
	return [...ofProxies, ...(await trustCertificates(certificates))];
}
