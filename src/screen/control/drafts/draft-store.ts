import type {Segment} from '../../../pod/protocol.ts';

/** A message that was sent. The pod uses the id to tell whether the message has arrived. */
export type KeptMessage = {readonly id?: string | undefined; readonly segments: readonly Segment[]};

/**
The saved text: the messages that were sent and have no receipt, oldest first, and the draft. `draftId` is the id that
the draft will have as a message. `aside` are the unsent drafts in the prompt history, in the order in which the Down
key shows them.
*/
export type Kept = {
	readonly sent: readonly KeptMessage[];
	readonly draft: readonly Segment[];
	readonly draftId?: string | undefined;
	readonly aside?: ReadonlyArray<readonly Segment[]> | undefined;
};

/** A store for unsent text. `save` and `saveNow` return a sentence if the text cannot be saved. */
export type DraftStore = {
	readonly found?: FoundDraft;
	/** Claims the store, so that no other terminal takes its text. */
	claim(): Promise<void>;
	/** Saves the text and waits until it is durable. */
	save(kept: Kept): Promise<string | undefined>;
	/** Saves synchronously: the text is in a file when the function returns. */
	saveNow(kept: Kept): string | undefined;
	/** Saves synchronously for the last time. */
	leave(kept: Kept): string | undefined;
};

/**
Unsent text that was found in a store. `at` is the time of its save, in ISO format. `isOwn`: this terminal saved the
text a moment ago.
*/
export type FoundDraft = {readonly kept: Kept; readonly at: string; readonly isOwn?: true};

/**
Saves all text that the user types. A sent message is in a file before a frame shows it, and an edited draft is in a
file soon after the edit. Only draft-autosave.ts decides when to save.
*/
export type DraftSlot = {
	/** Sets the function that returns the current text. */
	watch(kept: () => Kept): void;
	/** Opens the store. Before a session is open, the slot has its own store. Never rejects. */
	open(): Promise<void>;
	/** Whether `saveNow` can save. */
	isOpen(): boolean;
	/** Moves the text to the store of the pod's session. The screen connects to the pod afterwards. */
	bind(store: DraftStore): Promise<void>;
	/** Whether the slot uses the store of the pod's session. */
	isBound(): boolean;
	/** Returns the text that an earlier process saved. Each save contains this text until `restored` is called. */
	found(): FoundDraft | undefined;
	restored(): void;
	save(): Promise<string | undefined>;
	saveNow(): string | undefined;
	/** Saves for the last time when the screen closes. */
	leave(): void;
	/** Deletes the saved draft after another session has received it. */
	forget(): void;
	/** Returns a sentence if the last save failed and the draft is lost. */
	lost(): string | undefined;
};

/** `early` opens the store that is used before a session is open. */
export function createDraftSlot(early?: () => Promise<DraftStore>): DraftSlot {
	let kept: () => Kept = () => nothing;
	let store: DraftStore | undefined;
	let opening: Promise<void> | undefined;
	let found: FoundDraft | undefined;
	let lost: string | undefined;
	let [isOpen, isBound, isLeft] = [false, false, false];
	const text = () => (found === undefined ? kept() : after(found.kept, kept()));

	async function open(): Promise<void> {
		store ??= await early?.().catch(() => undefined);
		await store?.claim();
		isOpen = true;
	}

	async function openOnce(): Promise<void> {
		opening ??= open();
		return opening;
	}

	return {
		watch(current) {
			kept = current;
		},
		open: openOnce,
		isOpen: () => isOpen,
		async bind(next) {
			await opening;
			const hasText = !isNothing(kept());
			if (hasText && !isLeft) await next.claim();
			if (isLeft) return;
			const before = store;
			[store, isBound, isOpen, found] = [next, true, hasText, next.found];
			opening = undefined;
			if (!isNothing(kept())) next.saveNow(text());
			before?.leave(nothing);
		},
		isBound: () => isBound,
		found: () => found,
		restored() {
			found = undefined;
		},
		async save() {
			if (!isNothing(text())) await openOnce();
			return store?.save(text());
		},
		saveNow: () => store?.saveNow(text()),
		leave() {
			isLeft = true;
			lost = store?.leave(text());
		},
		forget() {
			store?.leave(nothing);
		},
		lost: () => lost,
	};
}

const nothing: Kept = {sent: [], draft: []};

function isNothing({sent, draft, aside = []}: Kept): boolean {
	return sent.length === 0 && draft.length === 0 && aside.length === 0;
}

/** Returns the current text, with the text of an earlier process before it. */
function after(earlier: Kept, now: Kept): Kept {
	const {draft, draftId: id, aside = []} = earlier;
	const sent = [...earlier.sent, ...(draft.length === 0 ? [] : [{id, segments: draft}]), ...now.sent];
	return {...now, sent, aside: [...aside, ...(now.aside ?? [])]};
}
