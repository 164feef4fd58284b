import type {Item, Media, ReadMedia, RequestItem} from '../../../worker/index.ts';
import {mediaIn} from '../../ground/history/media-of.ts';
import {blobTexts} from '../texts.ts';

/** What became of a request that was made again. */
export type Made =
	| {readonly became: 'same' | 'unsent' | 'unchecked'}
	| {readonly became: 'different'; readonly hash: string}
	| {readonly became: 'unmade'; readonly sentence: string};

/** The images and documents of a history, as each of its requests had them. */
type PastMedia = {
	/** Begins with the next request. */
	begin(request: RequestItem): void;
	readonly read: ReadMedia;
	/** Returns the same result, or that the request cannot be made because something is missing only now. */
	explained(made: Made): Made;
};

/**
Creates the images and documents of past requests. What was missing when a request was sent is missing again, even if it
is there now. A request names the last of them, and the requests before it named the others.
*/
export function createPastMedia(items: readonly Item[], readMedia: ReadMedia | undefined): PastMedia {
	const withheld = new Set<string>();
	let isMissing = false;
	let hashes: ReadonlyMap<string, string> | undefined;
	return {
		begin({rewrites = []}) {
			isMissing = false;
			const ids = rewrites.find(({rule}) => rule === 'missing_media')?.where;
			if (ids === undefined) withheld.clear();
			else hashes ??= hashesById(items);
			for (const id of ids ?? []) withheld.add(hashes?.get(id) ?? '');
		},
		async read(media: Media) {
			if (withheld.has(media.sha256)) return undefined;
			const data = await readMedia?.(media);
			isMissing ||= data === undefined;
			return data;
		},
		explained: made =>
			made.became === 'different' && isMissing ? {became: 'unmade', sentence: blobTexts.unverifiable} : made,
	};
}

function hashesById(items: readonly Item[]): ReadonlyMap<string, string> {
	return new Map(
		items.flatMap(item => {
			const media = mediaIn(item);
			return media === undefined ? [] : [[item.id, media.sha256]];
		}),
	);
}
