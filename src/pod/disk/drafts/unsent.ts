import type {Segment} from '../../protocol/segment.ts';

/**
A message that was sent but has no receipt yet. The history or the queue contains its id if the message has arrived.
*/
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
Joins two drafts of a terminal. The messages of the earlier draft come first, and its text becomes a message. If both
drafts contain a message, the version of the later draft is used.
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
