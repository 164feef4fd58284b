import type {AttributionOptions} from '../wires/attribution/attribute.ts';
import type {Clock} from '../history/clock.ts';
import {composeRequest, context, contextPieces, unansweredCalls} from '../history/context.ts';
import {closingResults, interruption, missingRunEnd, resumableCalls} from './interruption.ts';
import type {Item} from '../history/item.ts';
import type {OriginRules} from '../history/origin-rules.ts';
import {projectedItems} from '../history/projection.ts';

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
			(await import('../wires/attribution/attribute.ts')).attributeRequest(items, origins, options),
		contextPieces: (items: Items) => contextPieces(items, origins),
		projectedItems: (items: Items) => projectedItems(items, origins),
		unansweredCalls: (items: Items) => unansweredCalls(items, origins),
		resumableCalls: (items: Items) => resumableCalls(items, origins),
		interruption: (items: Items) => interruption(items, origins),
		missingRunEnd: (items: Items, clock: Clock, cause?: string) => missingRunEnd(items, {clock, origins, cause}),
		closingResults: (items: Items, cause: string, clock: Clock) => closingResults(items, {clock, origins, cause}),
	};
}
