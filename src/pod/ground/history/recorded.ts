import {isDeepStrictEqual} from 'node:util';
import {
	stamp,
	type Clock,
	type History,
	type Item,
	type ItemOf,
	type Settings,
	lastSetup,
	stricterSettings,
	type Interceptor,
} from '../../../worker/index.ts';

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

/**
Handles a server that refuses a field or the order of the messages: the request is made once more in the strict form. A
new setup item records this, and there is no stricter form than the strict one.
*/
export function retryInStricterForm({
	history,
	clock,
}: {
	readonly history: History;
	readonly clock: Clock;
}): Required<Pick<Interceptor, 'onRequestFailure'>> {
	return {
		async onRequestFailure({refusesForm}) {
			const setup = lastSetup(history.items);
			const settings = setup === undefined ? undefined : stricterSettings(setup.settings);
			if (refusesForm !== true || setup === undefined || settings === undefined) return {type: 'fail'};
			const {model, prompt, tools} = setup;
			await history.append([stamp(clock, {type: 'setup', model, prompt, tools, settings})]);
			return {type: 'retry'};
		},
	};
}

/**
Returns the settings of a model's requests, in the strict form if the model's server needed it earlier in this session.
*/
export function withKnownForm(model: string, settings: Settings, items: readonly Item[]): Settings {
	const stricter = stricterSettings(settings);
	if (stricter === undefined) return settings;
	const last = items.findLast(item => item.type === 'setup' && item.model === model);
	return last?.type === 'setup' && last.settings['dialect'] === stricter['dialect'] ? stricter : settings;
}

function isStandIn({insteadOf}: Settings): boolean {
	return insteadOf !== undefined;
}

function modeOf({id: _id, at: _at, type: _type, ...mode}: ItemOf<'mode'>): SessionMode {
	return mode;
}
