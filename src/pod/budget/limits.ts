/** The limits of what requests may cost in USD, and of their number. An absent limit does not apply. */
export type BudgetLimits = {
	/** The cost from the start of this process on (`--max-cost`). */
	readonly startCost?: number | undefined;
	/** The whole session, with its earlier starts. */
	readonly sessionCost?: number | undefined;
	readonly sessionTurns?: number | undefined;
	/** All sessions of this home since midnight, local time. */
	readonly dayCost?: number | undefined;
	readonly dayTurns?: number | undefined;
};

export type LimitName = keyof BudgetLimits;
export const limitNames: readonly LimitName[] = ['startCost', 'sessionCost', 'sessionTurns', 'dayCost', 'dayTurns'];

/** What was spent. `unknown`: the number of requests whose cost is unknown. */
export type Spending = {readonly usd: number; readonly requests: number; readonly unknown: number};

export const noSpending: Spending = {usd: 0, requests: 0, unknown: 0};

export function isCostLimit(name: LimitName): boolean {
	return name === 'startCost' || name === 'sessionCost' || name === 'dayCost';
}
