/** Counts the active searches, so that no walk takes time from them. */
export type Activity = {
	/** Returns the function that ends the search. */
	begin(): () => void;
	/** Resolves when no search is active. */
	idle(): Promise<void>;
};

export function createActivity(): Activity {
	let active = 0;
	let quiet = Promise.withResolvers<void>();
	return {
		begin() {
			if (active === 0) quiet = Promise.withResolvers<void>();
			active += 1;
			return () => {
				active -= 1;
				if (active === 0) quiet.resolve();
			};
		},
		idle: async () => (active === 0 ? undefined : quiet.promise),
	};
}
