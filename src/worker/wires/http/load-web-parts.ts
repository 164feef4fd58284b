import type * as WebParts from './web-parts.ts';

export type {Proxy, Source} from './web-parts.ts';

/** Loads the code for connections to web pages, which most sessions do not need. */
export async function loadWebParts(): Promise<typeof WebParts> {
	return import('./web-parts.ts');
}
