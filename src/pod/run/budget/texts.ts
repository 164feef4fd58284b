import {en, t} from '../../../language/index.ts';
import {isCostLimit, type LimitName, type Spending} from '../../config/budget-limits.ts';

/** The texts about limits of cost and of requests. */
export const budgetTexts = {
	title: (name: LimitName) => t`Limit reached: ${named[name]}. Continue?`,
	/** `limit` and `spent` are the numbers of the limit that was reached. */
	detail(name: LimitName, limit: number, spent: Spending): string {
		return t`${this.reached(name, limit, spent)}\nSet by ${keys[name]}. Compactions count, too.`;
	},
	reached(name: LimitName, limit: number, {usd, requests, unknown}: Spending): string {
		const span = spans[name];
		if (!isCostLimit(name)) return en`${requests} of ${limit} requests ${span}.`;
		return unknown === 0
			? en`$${money(usd)} of $${money(limit)} spent ${span}.`
			: en`$${money(usd)} of $${money(limit)} spent ${span}, and ${unknown} requests of unknown cost.`;
	},
	raise: (name: LimitName, limit: number) =>
		t`Raise the limit to ${isCostLimit(name) ? `$${money(limit)}` : t`${limit} requests`} for now`,
	once: t`Send one more request`,
	stop: t`Stop here`,
	unknown: (model: string) => t`The cost of ${model} is unknown: a cost limit cannot be kept. Set its [prices].`,
	noFile: (reason: string) =>
		t`Today’s spending cannot be read or saved (${reason}): a limit per day cannot be kept.`,
};

const named: Readonly<Record<LimitName, string>> = {
	maxCost: t`cost of this session`,
	sessionCost: t`cost of this session`,
	sessionTurns: t`requests of this session`,
	dayCost: t`cost today`,
	dayTurns: t`requests today`,
};

const spans: Readonly<Record<LimitName, string>> = {
	maxCost: en`in this session`,
	sessionCost: en`in this session`,
	sessionTurns: en`in this session`,
	dayCost: en`today, in all sessions`,
	dayTurns: en`today, in all sessions`,
};

const keys: Readonly<Record<LimitName, string>> = {
	maxCost: '--max-cost',
	sessionCost: t`limits.session_cost in config.toml`,
	sessionTurns: t`limits.session_turns in config.toml`,
	dayCost: t`limits.day_cost in config.toml`,
	dayTurns: t`limits.day_turns in config.toml`,
};

function money(usd: number): string {
	return usd < 0.01 && usd > 0 ? usd.toFixed(4) : usd.toFixed(2);
}
