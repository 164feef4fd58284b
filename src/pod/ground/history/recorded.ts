import {isDeepStrictEqual} from 'node:util';
import {
	stamp,
	type Clock,
	type History,
	type Item,
	type ItemOf,
	type Settings,
	lastSetup,
	nextForm,
	withForms,
	type Interceptor,
} from '../../../worker/index.ts';

/** A model as a setup item records it. */
export type RecordedModel = {
	/** `provider/model`. */
	readonly name: string;
	readonly settings: Settings;
};

/** The settings that the user chose for a session, without default values. */
export type SessionMode = Omit<ItemOf<'mode'>, 'id' | 'at' | 'type'>;

/** The model and the mode that a history records. */
type Recorded = {
	/** The model that the user chose last. It is absent in a session without a request. */
	readonly model?: RecordedModel;
	readonly mode: SessionMode;
};

/** Reads a history from its end, because only the last item of each type counts. */
export function recordedIn(items: readonly Item[]): Recorded {
	const setup = items.findLast(item => item.type === 'setup' && !isStandIn(item.settings));
	const mode = items.findLast(item => item.type === 'mode');
	return {
		...(setup?.type === 'setup' && {model: {name: setup.model, settings: setup.settings}}),
		mode: mode?.type === 'mode' ? modeOf(mode) : {},
	};
}

/** Returns a new `mode` item if the user's settings differ from the last mode in the history. */
export function modeChange(
	{items}: Pick<History, 'items'>,
	now: SessionMode,
	clock: Clock,
): ReadonlyArray<ItemOf<'mode'>> {
	return isDeepStrictEqual(recordedIn(items).mode, now) ? [] : [stamp(clock, {type: 'mode', ...now})];
}

/** Marks the settings of a model that replaces the chosen model while the chosen model is overloaded or down. */
export function asStandIn(settings: Settings, chosen: string): Settings {
	return {...settings, insteadOf: chosen};
}

/**
Handles a server that refuses the form of a request: inkpod sends the request once more, with the change that the
server's error message names. A new setup item records the change. inkpod makes each change only once in a session.
*/
export function retryInOtherForm({
	history,
	clock,
}: {
	readonly history: History;
	readonly clock: Clock;
}): Required<Pick<Interceptor, 'onRequestFailure'>> {
	return {
		async onRequestFailure({forms = []}) {
			const setup = lastSetup(history.items);
			if (forms.length === 0 || setup === undefined) return {type: 'fail'};
			const settings = nextForm(setup.settings, forms, latestTime(history.items));
			if (settings === undefined) return {type: 'fail'};
			const {model, prompt, tools} = setup;
			await history.append([stamp(clock, {type: 'setup', model, prompt, tools, settings})]);
			return {type: 'retry', isOtherForm: true};
		},
	};
}

/** Returns the settings of a model's requests, in the form that the model's server needed earlier in this session. */
export function withKnownForm(model: string, settings: Settings, items: readonly Item[]): Settings {
	const last = items.findLast(item => item.type === 'setup' && item.model === model);
	return last?.type === 'setup' ? withForms(settings, last.settings) : settings;
}

function latestTime(items: readonly Item[]): string {
	return items.reduce((latest, {at}) => (at > latest ? at : latest), '');
}

function isStandIn({insteadOf}: Settings): boolean {
	return insteadOf !== undefined;
}

function modeOf({id: _id, at: _at, type: _type, ...mode}: ItemOf<'mode'>): SessionMode {
	return mode;
}
