import type {AttributionOptions} from './attribution/attribute.ts';
import type {Clock} from './clock.ts';
import {composeRequest, context, contextPieces, unansweredCalls} from './context.ts';
import {closingResults, interruption, missingRunEnd, resumableCalls} from './interruption.ts';
import type {Item} from './item.ts';
import type {OriginRules} from './origin-rules.ts';
import {projectedItems} from './projection.ts';

type Items = readonly Item[];

/**
Returns the pure functions that read a history, bound to one set of origin rules. Each function is documented at its
definition.
*/
export function createHistoryReader(origins: OriginRules) {
	return {
		context: (items: Items) => context(items, origins),
		composeRequest: (items: Items) => composeRequest(items, origins),
		attributeRequest: async (items: Items, options?: AttributionOptions) =>
			(await import('./attribution/attribute.ts')).attributeRequest(items, origins, options),
		contextPieces: (items: Items) => contextPieces(items, origins),
		projectedItems: (items: Items) => projectedItems(items, origins),
		unansweredCalls: (items: Items) => unansweredCalls(items, origins),
		resumableCalls: (items: Items) => resumableCalls(items, origins),
		interruption: (items: Items) => interruption(items, origins),
		missingRunEnd: (items: Items, clock: Clock, cause?: string) => missingRunEnd(items, {clock, origins, cause}),
		closingResults: (items: Items, cause: string, clock: Clock) => closingResults(items, {clock, origins, cause}),
	};
}
