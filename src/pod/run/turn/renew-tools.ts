import {stamp, type Clock, type Draft, type History, type Interceptor} from '../../../worker/index.ts';

type RenewOptions = {
	/** Looks for changes. Returns whether the tools are others now. */
	readonly renew: (signal: AbortSignal) => Promise<boolean>;
	readonly history: Pick<History, 'append'>;
	readonly clock: Clock;
	readonly setup: () => Promise<Draft<'setup'>>;
};

/** Before each request, offers the tools that have changed since the last one. The new setup is in history. */
export function renewTools({renew, history, clock, setup}: RenewOptions, signal: AbortSignal): Interceptor {
	return {
		async preRequest() {
			if (await renew(signal)) await history.append([stamp(clock, await setup())]);
			return {type: 'continue'};
		},
	};
}
