import {
	lastSetup,
	stamp,
	stricterSettings,
	type Clock,
	type History,
	type Interceptor,
	type Item,
	type Settings,
} from '../../../worker/index.ts';

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
