import type {Segment} from '../../../pod/protocol.ts';

/** A message on its way. With an id the pod knows whether it has arrived. */
export type KeptMessage = {readonly id?: string | undefined; readonly segments: readonly Segment[]};

/**
Unsent text: messages on their way, oldest first, and the draft. `draftId`: the draft's id when it is sent. `aside`: the
drafts that the prompt history has set aside, in the order in which Down shows them.
*/
export type Kept = {
	readonly sent: readonly KeptMessage[];
	readonly draft: readonly Segment[];
	readonly draftId?: string | undefined;
	readonly aside?: ReadonlyArray<readonly Segment[]> | undefined;
};

/** A place for unsent text. `save` and `saveNow` return a sentence if they failed. */
export type DraftStore = {
	readonly found?: FoundDraft;
	/** Prepares the place, so that no other terminal takes its text. */
	claim(): Promise<void>;
	/** Saves durably. */
	save(kept: Kept): Promise<string | undefined>;
	/** The text is in a file when it returns. */
	saveNow(kept: Kept): string | undefined;
	/** Saves for the last time, and has finished when it returns. */
	leave(kept: Kept): string | undefined;
};

/**
The unsent text that was saved. `at` is the time in ISO format. `isOwn`: this terminal saved it a moment ago.
*/
export type FoundDraft = {readonly kept: Kept; readonly at: string; readonly isOwn?: true};

/**
The door for everything that the user types: what is sent is in a file before it is shown, and a draft is in a file soon
after. draft-autosave.ts saves through it.
*/
export type DraftSlot = {
	/** Sets the function that returns the text of this moment. */
	watch(kept: () => Kept): void;
	/** Prepares the place. Before a session is open, it is a place of its own. Never rejects. */
	open(): Promise<void>;
	/** Whether `saveNow` can save. */
	isOpen(): boolean;
	/** Moves the text to the place of the pod's session. The screen connects afterwards. */
	bind(store: DraftStore): Promise<void>;
	/** Whether the place is that of the pod's session. */
	isBound(): boolean;
	/** The text that was saved earlier, until `restored` is called. Each save contains it. */
	found(): FoundDraft | undefined;
	restored(): void;
	save(): Promise<string | undefined>;
	saveNow(): string | undefined;
	/** Saves one last time when the screen closes. */
	leave(): void;
	/** Deletes the saved draft after another session has received it. */
	forget(): void;
	/** Returns a sentence if the last save failed and the draft is lost. */
	lost(): string | undefined;
};

/** `early` opens the place for the time before a session is open. */
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

/** Returns the text with that of an earlier process before it. */
function after(earlier: Kept, now: Kept): Kept {
	const {draft, draftId: id, aside = []} = earlier;
	const sent = [...earlier.sent, ...(draft.length === 0 ? [] : [{id, segments: draft}]), ...now.sent];
	return {...now, sent, aside: [...aside, ...(now.aside ?? [])]};
}
