import type {WebFacts} from '../protocol.ts';

/** The whole text of a page, as UTF-8. */
export type FetchedText = {readonly text: Buffer; readonly facts: WebFacts};

/** The texts of the latest pages, in memory. A page can so be read part by part, without another request. */
export type KeptPages = {
	keep(url: string, page: FetchedText): void;
	find(url: string): FetchedText | undefined;
};

export function createKeptPages(now: () => number): KeptPages {
	const pages = new Map<string, {readonly page: FetchedText; readonly since: number}>();
	const size = () => [...pages.values()].reduce((sum, {page}) => sum + page.text.length, 0);
	return {
		keep(url, page) {
			pages.delete(url);
			pages.set(url, {page, since: now()});
			while (pages.size > 1 && (pages.size > maxPages || size() > maxBytes)) {
				const [oldest = ''] = pages.keys();
				pages.delete(oldest);
			}
		},
		find(url) {
			const kept = pages.get(url);
			if (kept !== undefined && now() - kept.since <= maxAgeMs) return kept.page;
			pages.delete(url);
			return undefined;
		},
	};
}

const maxPages = 8;
const maxBytes = 8 * 1024 * 1024;
const maxAgeMs = 15 * 60 * 1000;
