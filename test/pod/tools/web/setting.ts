import {FetchError} from '../../../../src/pod/tools/web/failure.ts';
import {
	fetchPage,
	type Guard,
	type Page,
	type PageOptions,
	type Verdict,
} from '../../../../src/pod/tools/web/fetch-page.ts';

/** What a guard was asked. */
export type Asked = {readonly redirects: string[]; readonly unchecked: string[]; readonly private: string[]};

export type GuardSetting = {
	readonly redirect?: Verdict;
	readonly unchecked?: Verdict;
	/** The private addresses that a rule allows. */
	readonly allowed?: readonly string[];
};

/** Creates a guard that records what it is asked. By default it allows redirects and the test servers. */
export function createGuard({redirect, unchecked, allowed = ['127.0.0.1']}: GuardSetting = {}): Guard & {
	readonly asked: Asked;
} {
	const asked: Asked = {redirects: [], unchecked: [], private: []};
	return {
		asked,
		async redirect(from, to, isSameSite) {
			asked.redirects.push(`${from.href} ${isSameSite ? '=' : '≠'} ${to.href}`);
			return redirect ?? {ok: true};
		},
		async unchecked(url) {
			asked.unchecked.push(url.href);
			return unchecked ?? {ok: true};
		},
		allowsPrivate(_, {hostname}) {
			asked.private.push(hostname);
			return allowed.includes(hostname);
		},
	};
}

/** Every name leads to the test servers. */
export const local = async (): Promise<readonly string[]> => ['127.0.0.1'];

export async function fetched(url: string, options: Partial<PageOptions> = {}): Promise<Page> {
	const {signal} = new AbortController();
	return fetchPage(new URL(url), {guard: createGuard(), resolve: local, signal, ...options});
}

/** Returns the reason of a failed fetch. */
export async function problemOf(url: string, options: Partial<PageOptions> = {}): Promise<string> {
	try {
		return `no problem: ${(await fetched(url, options)).status}`;
	} catch (error) {
		if (error instanceof FetchError) return error.message;
		throw error;
	}
}
