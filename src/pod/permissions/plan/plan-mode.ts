import {foldOf, stamp, type Clock, type History, type Interceptor} from '../../../worker/index.ts';
import {projectedItems} from '../../ground/history/reader.ts';
import {narrowOrigin, type ApprovalMode, type Origin} from '../../protocol.ts';
import type {Scope} from '../../scope/scope.ts';
import {planNotices} from './texts.ts';

/** Whether the session is in plan mode. The scope, the approvals and the tools all use this one value. */
export type PlanMode = {
	isOn(): boolean;
	/** Follows the approval mode. */
	follow(mode: ApprovalMode): void;
};

export function createPlanMode(mode: ApprovalMode = 'ask'): PlanMode {
	let isOn = mode === 'plan';
	return {
		isOn: () => isOn,
		follow(next) {
			isOn = next === 'plan';
		},
	};
}

/** Returns the same scope, read-only while the session is in plan mode. Its values are always current. */
export function readOnlyInPlan(scope: Scope, mode: Pick<PlanMode, 'isOn'>): Scope {
	return {
		pwd: scope.pwd,
		home: scope.home,
		owners: scope.owners,
		copyOf: scope.copyOf,
		get writable() {
			return scope.writable && !mode.isOn();
		},
		get readRoots() {
			return scope.readRoots;
		},
	};
}

type PlanNoticeOptions = {
	readonly history: Pick<History, 'items'>;
	readonly clock: Clock;
	readonly mode: Pick<PlanMode, 'isOn'>;
};

/**
Creates the interceptor that tells the model about plan mode, by an item before the next request. It commits an item
only if the context says otherwise. After a rewind or a compaction the model is therefore told again.
*/
export function tellPlanMode({history, clock, mode}: PlanNoticeOptions): Pick<Interceptor, 'preRequest'> {
	return {
		preRequest() {
			const isOn = mode.isOn();
			if (isToldOn(history.items) === isOn) return {type: 'continue'};
			const origin: Origin = {kind: 'plan', state: isOn ? 'on' : 'off'};
			const text = isOn ? planNotices.on : planNotices.off;
			return {type: 'continueWith', items: [stamp(clock, {type: 'message', role: 'system', text, origin})]};
		},
	};
}

function isToldOn(items: History['items']): boolean {
	// Most sessions never use plan mode, and then the context need not be computed.
	if (!usesPlans(items)) return false;
	const told = projectedItems(items).findLast(item => planState(item) !== undefined);
	return told !== undefined && planState(told) === 'on';
}

const usesPlans = foldOf(
	() => false,
	(isUsed, item) => isUsed || planState(item) !== undefined,
);

function planState(item: History['items'][number]): string | undefined {
	if (item.type !== 'message' || item.role !== 'system' || item.origin?.kind !== 'plan') return undefined;
	const origin = narrowOrigin(item.origin);
	return origin?.kind === 'plan' ? origin.state : undefined;
}
