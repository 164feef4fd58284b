import {isCostLimit, type LimitName, type Spending} from './limits.ts';

/** The texts about limits of cost and of requests. */
export const budgetTexts = {
	title: (name: LimitName) => `Limit reached: ${named[name]}. Continue?`,
	/** `limit` and `spent` are the numbers of the limit that was reached. */
	detail(name: LimitName, limit: number, spent: Spending): string {
		return `${this.reached(name, limit, spent)}\nSet by ${keys[name]}. Compactions count, too.`;
	},
	reached(name: LimitName, limit: number, {usd, requests, unknown}: Spending): string {
		if (!isCostLimit(name)) return `${requests} of ${limit} requests ${spans[name]}.`;
		const more = unknown === 0 ? '' : `, and ${unknown} requests of unknown cost`;
		return `$${money(usd)} of $${money(limit)} spent ${spans[name]}${more}.`;
	},
	raise: (name: LimitName, limit: number) =>
		`Raise the limit to ${isCostLimit(name) ? `$${money(limit)}` : `${limit} requests`} for now`,
	once: 'Send one more request',
	stop: 'Stop here',
	unknown: (model: string) => `The cost of ${model} is unknown: a cost limit cannot be kept. Set its [prices].`,
	noFile: (reason: string) => `Today’s spending cannot be read or saved (${reason}): a limit per day cannot be kept.`,
};

const named: Readonly<Record<LimitName, string>> = {
	startCost: 'cost since the start',
	sessionCost: 'cost of this session',
	sessionTurns: 'requests of this session',
	dayCost: 'cost today',
	dayTurns: 'requests today',
};

const spans: Readonly<Record<LimitName, string>> = {
	startCost: 'since the start',
	sessionCost: 'in this session',
	sessionTurns: 'in this session',
	dayCost: 'today, in all sessions',
	dayTurns: 'today, in all sessions',
};

const keys: Readonly<Record<LimitName, string>> = {
	startCost: '--max-cost',
	sessionCost: 'limits.session_cost in config.toml',
	sessionTurns: 'limits.session_turns in config.toml',
	dayCost: 'limits.day_cost in config.toml',
	dayTurns: 'limits.day_turns in config.toml',
};

function money(usd: number): string {
	return usd < 0.01 && usd > 0 ? usd.toFixed(4) : usd.toFixed(2);
}
