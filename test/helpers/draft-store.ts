import type {DraftStore} from '../../src/screen/control/drafts/draft-store.ts';

/** Returns a store of drafts that saves nothing, apart from the given functions. */
export function draftStore(own: Partial<DraftStore> = {}): DraftStore {
	return {
		claim: async () => {},
		save: async () => undefined,
		saveNow: () => undefined,
		leave: () => undefined,
		...own,
	};
}
