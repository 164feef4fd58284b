import {createHash} from 'node:crypto';
import {
	answerStart,
	isWhole,
	type Attribution,
	type Item,
	type ReadMedia,
	type RequestItem,
} from '../../../worker/index.ts';
import {attributeRequest} from '../../ground/history/reader.ts';
import type {Answer} from '../../protocol/queries.ts';
import type {RequestView} from '../../protocol/request-view.ts';
import {requestTexts} from './texts.ts';

/**
Creates the query for the exact body of a request, made again from the items before it. `wanted` is the beginning of its
id, or empty for the last request.
*/
export function createRequestView(
	items: () => readonly Item[],
	readMedia?: ReadMedia,
): (wanted: string) => Promise<Answer<'request'>> {
	return async wanted => {
		const all = items();
		const index = all.findLastIndex(item => item.type === 'request' && item.id.startsWith(wanted));
		const request = all[index];
		if (request?.type !== 'request') return {ok: false, sentence: requestTexts.none(wanted)};
		const before = all.slice(0, isWhole(request) ? answerStart(all, index) : index);
		const made = await attributeRequest(before, {readMedia});
		if (!made.ok) return {ok: false, sentence: made.sentence ?? requestTexts.noSetup};
		return {ok: true, request: viewOf(request, made.attribution)};
	};
}

function viewOf({id, model, requestHash}: RequestItem, {body, pieces, headers}: Attribution): RequestView {
	const hash = createHash('sha256').update(body).digest('hex');
	return {
		id,
		model,
		bytes: Buffer.byteLength(body),
		...(requestHash !== '' && {isSame: hash === requestHash}),
		...bounded(pieces, body.length),
		headers: headers.map(header => ({...header})),
	};
}

type Bounded = Pick<RequestView, 'pieces' | 'hidden' | 'headPieces'>;

/** A body of many megabytes would take gigabytes as rows of a screen. */
function bounded(pieces: Attribution['pieces'], length: number): Bounded {
	if (length <= maxHead + maxTail)
		return {pieces: pieces.map(piece => ({...piece})), hidden: 0, headPieces: pieces.length};
	const head = between(pieces, 0, maxHead);
	const tail = between(pieces, length - maxTail, length);
	return {pieces: [...head, ...tail], hidden: length - maxHead - maxTail, headPieces: head.length};
}

const maxHead = 256 * 1024;
const maxTail = 64 * 1024;

/** Returns the pieces between two places in the body. The first and the last one may be cut. */
function between(pieces: Attribution['pieces'], from: number, to: number): Attribution['pieces'] {
	let at = 0;
	return pieces.flatMap(({text, source}) => {
		const start = at;
		at += text.length;
		const shown = text.slice(Math.max(0, from - start), Math.max(0, to - start));
		return shown === '' ? [] : [{text: shown, source}];
	});
}
