import type {Item, Media, RawOrigin} from '../../../worker/index.ts';
import {narrowOrigin} from '../../protocol.ts';

/** Returns the image or document that this origin describes. */
export function mediaOf(raw: RawOrigin): Media | undefined {
	if (raw.kind !== 'image' && raw.kind !== 'document') return undefined;
	const origin = narrowOrigin(raw);
	if (origin?.kind === 'image') {
		const {kind, mime, bytes, sha256, width, height} = origin;
		return {kind, mime, bytes, sha256, width, height};
	}
	if (origin?.kind !== 'document') return undefined;
	const {kind, mime, bytes, sha256} = origin;
	return {kind, mime, bytes, sha256};
}

/** Returns the image or document of an item. */
export function mediaIn(item: Item): Media | undefined {
	if (item.type !== 'message' || item.role !== 'system' || item.origin === undefined) return undefined;
	return mediaOf(item.origin);
}
