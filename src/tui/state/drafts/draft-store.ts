import type {Segment} from '../../../pod/protocol.ts';

/** What you wrote and the history does not contain: messages on their way or queued, oldest first, and the draft. */
export type Kept = {readonly sent: ReadonlyArray<readonly Segment[]>; readonly draft: readonly Segment[]};

/** Where it is saved. A save resolves with a sentence when it failed. `leave` is the last one, done when it returns. */
export type DraftStore = {
	readonly found?: FoundDraft;
	save(kept: Kept): Promise<string | undefined>;
	leave(kept: Kept): string | undefined;
};

/** What an earlier process left. `at`: ISO time. */
export type FoundDraft = {readonly kept: Kept; readonly at: string};

/** The place of a screen's drafts. It is known once there is a pod; draft-autosave.ts writes there. */
export type DraftSlot = {
	/** Gives the store of the pod's session. The screen is connected to the pod after that: earlier edits are saved. */
	bind(store: DraftStore): void;
	store(): DraftStore | undefined;
	/** The last save, when the screen is left. */
	leave(kept: Kept): void;
	/** After the screen was left, and its draft taken along to another session: this one keeps it no longer. */
	forget(): void;
	/** After the screen was left: why its draft is lost, in one sentence, if it is. */
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
