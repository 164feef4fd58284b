import {Composer, type ContextRules} from './composer.ts';
import {composedRequest, lastSetup, type ComposedRequest} from './context.ts';
import {createExtension, type Extension} from './extension.ts';
import type {Item, Setup} from './item.ts';
import {openCalls} from './pairs.ts';
import {isPartial, liveItems, project, type Place} from './projection.ts';
import {separatesAnswers} from './requests.ts';

/** Composes the requests after the first `end` items of a history, for increasing values of `end`. */
export type GrowingContext = {
	/**
	Returns `composeRequest(items.slice(0, end))`, or `undefined` if the items contain no setup. `end` must not decrease
	from call to call. Usually the method reads only the items after the previous `end`. In this case, `messages` is the
	same array as before, with new messages at its end.
	*/
	at(end: number): ComposedRequest | undefined;
};

/**
Composes the requests of a history one after the other in linear time. The history may grow meanwhile. Everything is
composed again after an item that changes the context of earlier items: a rewind, a compaction, a drop, a pin, or a late
result.
*/
export function createGrowingContext(items: readonly Item[], origins: ContextRules): GrowingContext {
	const growth = new Growth(origins);
	let setup: Setup | undefined;
	let last = 0;
	return {
		at(end) {
			growth.begin(items[last]);
			const added = items.slice(last, end);
			last = end;
			setup = lastSetup(added) ?? setup;
			const composer = growth.add(added, () => items.slice(0, end));
			return setup && composedRequest(setup, composer);
		},
	};
}

class Growth {
	readonly #origins: ContextRules;
	/** `undefined` if the next items may change the earlier messages. */
	#composer: Composer | undefined;
	#isAnswering = false;
	/**
	The ids of calls without a result. A late result, or a call with the same id, changes which result belongs to which
	call.
	*/
	#openIds: ReadonlySet<string> = new Set();
	readonly #extension: Extension;

	constructor(origins: ContextRules) {
		this.#origins = origins;
		this.#extension = createExtension(origins);
	}

	add(added: readonly Item[], all: () => readonly Item[]): Composer {
		const isExtension = added.every(item => this.#isPlain(item));
		for (const item of added) this.#extension.note(item);
		const composer =
			isExtension && this.#composer !== undefined ? this.#extend(this.#composer, added) : this.#restart(all());
		this.#composer = composer;
		this.#isAnswering = composer.isAnswering;
		composer.endAnswer();
		return composer;
	}

	/**
	Prepares for the next item. If that item could continue the last answer, the next `add` composes everything again.
	*/
	begin(next: Item | undefined): void {
		if (this.#isAnswering && next !== undefined && !separatesAnswers(next)) this.#composer = undefined;
	}

	/** Tells whether an item leaves the context of all earlier items unchanged. */
	#isPlain(item: Item): boolean {
		if ((item.type === 'tool_call' || item.type === 'tool_result') && this.#openIds.has(item.callId)) return false;
		return this.#extension.isPlain(item);
	}

	#extend(composer: Composer, added: readonly Item[]): Composer {
		composer.addAll(added.filter(item => !isPartial(item)).map(item => ({item})));
		const open = openCalls(added);
		if (open.length > 0) this.#openIds = new Set([...this.#openIds, ...open.map(({callId}) => callId)]);
		return composer;
	}

	#restart(all: readonly Item[]): Composer {
		const {places, hasGaps} = project(all, this.#origins);
		const composer = new Composer(hasGaps, this.#origins);
		composer.addAll(places);
		const open = [...openCalls(liveItems(all)), ...openCalls(sentItems(places))];
		this.#openIds = new Set(open.map(({callId}) => callId));
		return composer;
	}
}

function sentItems(places: readonly Place[]): readonly Item[] {
	return places.flatMap(({item, dropped}) => (dropped ? [] : [item]));
}
