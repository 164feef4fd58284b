import type {Item} from './item.ts';

/**
Returns a function that folds the items of a history. A history grows only at its end, so the function reads each item
of an array once. `add` may change the state that it gets.
*/
export function foldOf<State>(
	start: () => State,
	add: (state: State, item: Item, index: number) => State,
): (items: readonly Item[]) => State {
	const known = new WeakMap<readonly Item[], Folded<State>>();
	return items => {
		const found = known.get(items);
		const isGrown = found !== undefined && found.end <= items.length && items[found.end - 1] === found.last;
		let state = isGrown ? found.state : start();
		for (let at = isGrown ? found.end : 0; at < items.length; at++) {
			const item = items[at];
			if (item !== undefined) state = add(state, item, at);
		}
		known.set(items, {state, end: items.length, last: items.at(-1)});
		return state;
	};
}

type Folded<State> = {readonly state: State; readonly end: number; readonly last: Item | undefined};
