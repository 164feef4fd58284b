import type {Segment} from '../../../pod/protocol.ts';

/** A message on its way. With an id the pod knows whether it has arrived. */
export type KeptMessage = {readonly id?: string | undefined; readonly segments: readonly Segment[]};

/** Unsent text: messages on their way, oldest first, and the draft. `draftId`: the draft's id when it is sent. */
export type Kept = {
	readonly sent: readonly KeptMessage[];
	readonly draft: readonly Segment[];
	readonly draftId?: string | undefined;
};

/**
The store in which unsent text is saved. `save` resolves with a sentence if it failed. `leave` saves for the last time,
and has finished when it returns.
*/
export type DraftStore = {
	readonly found?: FoundDraft;
	save(kept: Kept): Promise<string | undefined>;
	leave(kept: Kept): string | undefined;
};

/**
The unsent text that was saved. `at` is the time in ISO format. `isOwn`: this terminal saved it a moment ago.
*/
export type FoundDraft = {readonly kept: Kept; readonly at: string; readonly isOwn?: true};

/**
The place where a screen saves its drafts. The store is known once a pod is connected. draft-autosave.ts writes to it.
*/
export type DraftSlot = {
	/**
	Sets the store of the pod's session. The screen connects afterwards, so edits made before the connection are saved
	too.
	*/
	bind(store: DraftStore): void;
	store(): DraftStore | undefined;
	/** Saves one last time when the screen closes. */
	leave(kept: Kept): void;
	/** Deletes the saved draft after another session has received it. */
	forget(): void;
	/** Returns a sentence if the last save failed and the draft is lost. */
	lost(): string | undefined;
};

export function createDraftSlot(): DraftSlot {
	let store: DraftStore | undefined;
	let lost: string | undefined;
	return {
		bind(to) {
			store = to;
		},
		store: () => store,
		leave(kept) {
			lost = store?.leave(kept);
		},
		forget() {
			store?.leave({sent: [], draft: []});
		},
		lost: () => lost,
	};
}
