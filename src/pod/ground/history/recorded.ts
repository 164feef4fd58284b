import {isDeepStrictEqual} from 'node:util';
import {stamp, type Clock, type History, type Item, type ItemOf, type Settings} from '../../../worker/index.ts';

/** A model as a setup item has it. */
export type RecordedModel = {
	/** `provider/model`. */
	readonly name: string;
	readonly settings: Settings;
};

/** What the user set for a session, without the default values. */
export type SessionMode = Omit<ItemOf<'mode'>, 'id' | 'at' | 'type'>;

/** What a history says about how its session runs. */
type Recorded = {
	/** The model that the user chose last. It is absent in a session without a request. */
	readonly model?: RecordedModel;
	readonly mode: SessionMode;
};

/** Reads a history from its end, because only the last items of their types count. */
export function recordedIn(items: readonly Item[]): Recorded {
	const setup = items.findLast(item => item.type === 'setup' && !isStandIn(item.settings));
	const mode = items.findLast(item => item.type === 'mode');
	return {
		...(setup?.type === 'setup' && {model: {name: setup.model, settings: setup.settings}}),
		mode: mode?.type === 'mode' ? modeOf(mode) : {},
	};
}

/** Returns the item that a history lacks if the user has set something since its last one. */
export function modeChange(
	{items}: Pick<History, 'items'>,
	now: SessionMode,
	clock: Clock,
): ReadonlyArray<ItemOf<'mode'>> {
	return isDeepStrictEqual(recordedIn(items).mode, now) ? [] : [stamp(clock, {type: 'mode', ...now})];
}

/** Marks the settings of a model that replaces the chosen one while that is overloaded or down. */
export function asStandIn(settings: Settings, chosen: string): Settings {
	return {...settings, insteadOf: chosen};
}

function isStandIn({insteadOf}: Settings): boolean {
	return insteadOf !== undefined;
}

function modeOf({id: _id, at: _at, type: _type, ...mode}: ItemOf<'mode'>): SessionMode {
	return mode;
}
