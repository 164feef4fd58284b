import {stamp, type Clock, type Draft, type History, type Interceptor} from '../../../worker/index.ts';
import type {Mcp} from './mcp.ts';

type RenewOptions = {
	readonly mcp: Pick<Mcp, 'renew'>;
	readonly history: Pick<History, 'append'>;
	readonly clock: Clock;
	readonly setup: () => Promise<Draft<'setup'>>;
};

/** Before each request, offers the tools that servers list since the last one. The new setup is in history. */
export function renewTools({mcp, history, clock, setup}: RenewOptions, signal: AbortSignal): Interceptor {
	return {
		async preRequest() {
			if (await mcp.renew(signal)) await history.append([stamp(clock, await setup())]);
			return {type: 'continue'};
		},
	};
}
