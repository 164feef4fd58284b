/** Counts the active searches. Walks wait until there are none. */
type Activity = {
	/** Begins a search. Returns the function that ends it. */
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
