import type {Segment} from '../../protocol/segment.ts';

/** A message that was sent. With its id history or the queue tells whether it has arrived. */
export type SentMessage = {readonly id?: string | undefined; readonly segments: readonly Segment[]};

/**
The messages without a receipt, oldest first, and the draft. `draftId`: the draft's id when it is sent. `aside`: the
drafts that the prompt history has set aside, in the order in which Down shows them.
*/
export type Unsent = {
	readonly sent: readonly SentMessage[];
	readonly draft: readonly Segment[];
	readonly draftId?: string | undefined;
	readonly aside?: ReadonlyArray<readonly Segment[]> | undefined;
};

export const noUnsent: Unsent = {sent: [], draft: []};

export function isNothing({sent, draft, aside = []}: Unsent): boolean {
	return [...sent.map(({segments}) => segments), draft, ...aside].every(segments => segments.length === 0);
}

/**
Joins two drafts of a terminal. The messages of the earlier one come first. A message that both have counts once, as the
later one has it.
*/
export function joined(earlier: Unsent, later: Unsent): Unsent {
	const known = new Set([...later.sent.map(({id}) => id), later.draftId]);
	const messages = [...earlier.sent, {id: earlier.draftId, segments: earlier.draft}];
	const isOnlyThere = ({id, segments}: SentMessage) => segments.length > 0 && (id === undefined || !known.has(id));
	const {draft, draftId} = later;
	const aside = [...(earlier.aside ?? []), ...(later.aside ?? [])];
	return {
		sent: [...messages.filter(isOnlyThere), ...later.sent],
		draft,
		draftId,
		...(aside.length > 0 && {aside}),
	};
}
