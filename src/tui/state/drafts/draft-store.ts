import type {Segment} from '../../../pod/protocol.ts';

/** Unsent text: messages on their way or queued, oldest first, and the draft. */
export type Kept = {readonly sent: ReadonlyArray<readonly Segment[]>; readonly draft: readonly Segment[]};

/**
The store saves unsent text. `save` resolves with a sentence on failure. `leave` is the last save and completes before
it returns.
*/
export type DraftStore = {
	readonly found?: FoundDraft;
	save(kept: Kept): Promise<string | undefined>;
	leave(kept: Kept): string | undefined;
};

/** The unsent text of an earlier process. `at` is in ISO format. */
export type FoundDraft = {readonly kept: Kept; readonly at: string};

/** The slot of a screen's drafts. Its store is known once a pod is connected. draft-autosave.ts writes to it. */
export type DraftSlot = {
	/** Sets the store of the pod's session. The screen connects after that, so earlier edits are saved too. */
	bind(store: DraftStore): void;
	store(): DraftStore | undefined;
	/** Saves one last time when the screen closes. */
	leave(kept: Kept): void;
	/** Deletes the saved draft after another session took it along. */
	forget(): void;
	/** Returns a sentence when the last save failed and the draft is lost. */
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
