import {createHash} from 'node:crypto';
import {
	createGrowingContext,
	requestBody,
	type ComposedRequest,
	type Item,
	type ReadMedia,
} from '../../../worker/index.ts';
import {originRules} from '../../ground/history/reader.ts';
import type {MakeBody} from './growing-bodies.ts';
import {checkedRequests, createPastMedia, requestEnd} from './verify-requests.ts';

/** A request whose body changes with a changed history. */
export type RebuiltRequest = {
	readonly id: string;
	readonly index: number;
	/** The sha256 of the body that was built again. Absent if the body before the change was not proven. */
	readonly hash?: string;
	/** Whether the request was sent with something that the change removes, besides the data of providers. */
	readonly isSent: boolean;
};

type RebuildOptions = {
	readonly make?: MakeBody;
	/** Reads the images and documents before and after the change. */
	readonly readMedia?: ReadMedia;
	readonly readNextMedia?: ReadMedia;
	/** The hashes of the images and documents that the change removes. */
	readonly lostMedia?: ReadonlySet<string>;
	/** The number of items at the start whose requests are not checked. */
	readonly from?: number;
};

/**
Builds the requests of a changed history again. `old` are its items before the change. It returns the requests whose
body changes. A hash is returned only for a request that was proven before the change. Each body is built as a whole,
because the time does not matter as much as that each hash is right.
*/
export async function rebuildRequests(
	old: readonly Item[],
	next: readonly Item[],
	{make = requestBody, readMedia, readNextMedia = readMedia, lostMedia = new Set(), from = 0}: RebuildOptions = {},
): Promise<readonly RebuiltRequest[]> {
	const requests = createGrowingContext(next, originRules);
	const media = createPastMedia(next, readNextMedia);
	const rebuilt: RebuiltRequest[] = [];
	const firstChange = old.findIndex((item, index) => item !== next[index]);
	const isEarly = (index: number) => lostMedia.size === 0 && (firstChange < 0 || index < firstChange);
	for await (const {item, index, composed, made, sha256} of checkedRequests(old, {make, readMedia, from})) {
		const changed = requests.at(requestEnd(next, index));
		media.begin(item);
		if (isEarly(index) || item.requestHash === '' || composed === undefined || changed === undefined) continue;
		const isSent = contentsOf(composed) !== contentsOf(changed) || hasMedia(composed, lostMedia);
		const isProven = made.became === 'same' || made.became === 'redacted';
		const body = isProven ? await make(item.model, {...changed.request, readMedia: media.read}) : undefined;
		const hash = body?.ok === true ? createHash('sha256').update(body.body).digest('hex') : undefined;
		if (isSent || hash !== sha256)
			rebuilt.push({id: item.id, index, isSent, ...(hash !== sha256 && hash !== undefined && {hash})});
	}
	return rebuilt;
}

/** Returns what a request contains, without the data of providers. */
function contentsOf({request: {prompt, tools, messages}}: ComposedRequest): string {
	return JSON.stringify([prompt, tools, messages], (key, value: unknown) => (key === 'provider' ? undefined : value));
}

function hasMedia({request: {messages}}: ComposedRequest, hashes: ReadonlySet<string>): boolean {
	if (hashes.size === 0) return false;
	const text = JSON.stringify(messages);
	return [...hashes].some(sha256 => text.includes(sha256));
}
