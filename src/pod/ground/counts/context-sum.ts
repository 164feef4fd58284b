import {createExtension, type Extension, type Item, type Setup} from '../../../worker/index.ts';
import {originRules} from '../history/reader.ts';

/** Returns the items of the next request, that is, those that remain after compactions, rewinds and drops. */
export type Projection = (items: readonly Item[]) => readonly Item[];

/** Returns the sum for the context at an index: the last setup before the index, and the items of the context. */
export type ContextSum = (items: readonly Item[], project: Projection, end?: number) => number;

/**
Creates a sum over the items of the context. When a history grows, it reads only the new items, unless one of them
changes the context before it. The value of an item may depend on the last setup.
*/
export function createContextSum(valueOf: ValueOf): ContextSum {
	const known = new WeakMap<readonly Item[], Sums>();
	return (items, project, end = items.length) => {
		let sums = known.get(items);
		if (sums === undefined || !sums.continues(items, project) || !sums.grow(items, end)) {
			sums = new Sums(items, end, project, valueOf);
			known.set(items, sums);
		}
		return sums.at(end) ?? new Sums(items, end, project, valueOf).total;
	};
}

type ValueOf = (item: Item, setup: Setup | undefined) => number;

class Sums {
	readonly #project: Projection;
	readonly #valueOf: ValueOf;
	readonly #extension: Extension = createExtension(originRules);
	readonly #setup: Setup | undefined;
	/** The first index that has a sum, and the sums from there on. */
	readonly #base: number;
	readonly #sums: number[];
	/** The ids of the calls before the base that have no result. */
	readonly #openIds = new Set<string>();
	#last: Item | undefined;

	constructor(items: readonly Item[], end: number, project: Projection, valueOf: ValueOf) {
		const before = items.slice(0, end);
		const setup = before.findLast(item => item.type === 'setup');
		this.#project = project;
		this.#valueOf = valueOf;
		this.#setup = setup;
		for (const item of before) {
			this.#extension.note(item);
			if (item.type === 'tool_call') this.#openIds.add(item.callId);
			else if (item.type === 'tool_result' && item.partialOf === undefined) this.#openIds.delete(item.callId);
		}
		this.#base = end;
		const sum = setup === undefined ? 0 : valueOf(setup, setup);
		this.#sums = [
			project(before).reduce((all, item) => (item.type === 'setup' ? all : all + valueOf(item, setup)), sum),
		];
		this.#last = before.at(-1);
	}

	get total(): number {
		return this.#sums.at(-1) ?? 0;
	}

	/** Whether these are the known items, possibly with more items at their end. */
	continues(items: readonly Item[], project: Projection): boolean {
		return project === this.#project && (this.#end === 0 || items[this.#end - 1] === this.#last);
	}

	/** Adds the items up to an index. Returns false if one of them changes the context before it. */
	grow(items: readonly Item[], end: number): boolean {
		for (let at = this.#end; at < end; at++) {
			const item = items[at];
			if (item === undefined || item.type === 'setup' || this.#isLate(item) || !this.#extension.isPlain(item))
				return false;
			// The output of a stopped call is never in the context.
			const isSent = item.type !== 'tool_result' || item.partialOf === undefined;
			this.#sums.push(this.total + (isSent ? this.#valueOf(item, this.#setup) : 0));
			this.#last = item;
		}
		return true;
	}

	/** Whether the item belongs to an open call before the base, or reuses the id of such a call. */
	#isLate(item: Item): boolean {
		return (item.type === 'tool_call' || item.type === 'tool_result') && this.#openIds.has(item.callId);
	}

	at(end: number): number | undefined {
		return this.#sums[end - this.#base];
	}

	get #end(): number {
		return this.#base + this.#sums.length - 1;
	}
}
