/** The commands of the foreground, which the user can move to the background. */
export type Foreground = {
	/** Adds a running command. `moved` resolves when the user moves it. `done` removes it. */
	add(): {readonly moved: Promise<'moved'>; readonly done: () => void};
	/** Moves all of them if there is room. Returns why this is not possible. */
	moveAll(room: number): 'none' | 'too_many' | undefined;
};

export function createForeground(): Foreground {
	const movers = new Set<() => void>();
	return {
		add() {
			const {promise, resolve} = Promise.withResolvers<'moved'>();
			const move = () => resolve('moved');
			movers.add(move);
			return {moved: promise, done: () => void movers.delete(move)};
		},
		moveAll(room) {
			if (movers.size === 0) return 'none';
			if (movers.size > room) return 'too_many';
			for (const move of movers) move();
			movers.clear();
			return undefined;
		},
	};
}
