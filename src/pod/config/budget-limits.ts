/** The limits of what requests may cost in USD, and of their number. An absent limit does not apply. */
export type BudgetLimits = {
	/** The whole session, as the user has set it (`--max-cost`). */
	readonly maxCost?: number | undefined;
	/** The whole session, as it is configured. */
	readonly sessionCost?: number | undefined;
	readonly sessionTurns?: number | undefined;
	/** All sessions of this home since midnight, local time. */
	readonly dayCost?: number | undefined;
	readonly dayTurns?: number | undefined;
};

export type LimitName = keyof BudgetLimits;
export const limitNames: readonly LimitName[] = ['maxCost', 'sessionCost', 'sessionTurns', 'dayCost', 'dayTurns'];

/** What was spent. `unknown`: the number of requests whose cost is unknown. */
export type Spending = {readonly usd: number; readonly requests: number; readonly unknown: number};

export const noSpending: Spending = {usd: 0, requests: 0, unknown: 0};

export function isCostLimit(name: LimitName): boolean {
	return name === 'maxCost' || name === 'sessionCost' || name === 'dayCost';
}
