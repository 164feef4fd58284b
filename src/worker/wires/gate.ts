/** Holds a body back until the caller of the model wants the body to be sent. */
export type Gate = {
	/** Resolves to the hash of the body. */
	readonly ready: Promise<string>;
	readonly wait: (hash: string) => Promise<void>;
	readonly open: () => void;
};

export function createGate(): Gate {
	const ready = Promise.withResolvers<string>();
	const opened = Promise.withResolvers<void>();
	return {
		ready: ready.promise,
		open: opened.resolve,
		async wait(hash) {
			ready.resolve(hash);
			await opened.promise;
		},
	};
}
