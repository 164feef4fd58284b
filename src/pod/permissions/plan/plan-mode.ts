import {foldOf, stamp, type Clock, type History, type Interceptor} from '../../../worker/index.ts';
import {projectedItems} from '../../ground/history/reader.ts';
import {narrowOrigin, type ApprovalMode, type Origin} from '../../protocol.ts';
import type {Scope} from '../../scope/scope.ts';
import {en, t} from '../../../language/index.ts';

/** Whether the session is in plan mode. The scope, the approvals and the tools all use this one value. */
export type PlanMode = {
	isOn(): boolean;
	/** Updates the value after the approval mode has changed. */
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

/**
Returns the same scope, but read-only while the session is in plan mode. `writable` and `readRoots` are always current.
*/
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
Creates the interceptor that tells the model whether plan mode is on. The interceptor commits an item before a request
if the last notice in the context says the opposite. So it tells the model again after a rewind or a compaction removed
the notice.
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

/** The messages about plan mode that the model reads. */
export const planNotices = {
	on:
		'[Plan mode] Plan mode is on. Read and search until you understand the task, then call the `plan` tool with a plan ' +
		'in Markdown. Nothing may be changed before the user accepts it: the scope is read-only, and every command and ' +
		'MCP tool asks the user.',
	off: '[Plan mode] Plan mode is off. The approval mode decides again which tools ask the user.',
	accepted: (sha256: string, mode: CarryOutMode) =>
		`[Plan mode] The user accepted the plan with the sha256 ${sha256}. Plan mode is off. Carry out the plan now. ` +
		`Approval mode: ${mode}.`,
} as const;

export type CarryOutMode = Exclude<ApprovalMode, 'plan'>;

/** The results of the `plan` tool. The model reads `content`. The row of the call shows `summary`. */
export const planResults = {
	off: en`Plan mode is off: carry out what the user asked for, without this tool.`,
	accepted: {
		summary: en`accepted`,
		content: en`The user accepted the plan. The next message says how to carry it out.`,
	},
	changes: (reason: string) => ({
		summary: en`changes requested`,
		content: en`The user did not accept the plan and asks for changes: ${reason}\nPlan mode stays on.`,
	}),
	kept: {
		summary: en`not accepted yet`,
		content: en`The user did not accept the plan yet. Plan mode stays on. Ask what is missing, or improve the plan and
				call this tool again.`,
	},
	unattended: {
		summary: en`printed, not carried out`,
		content: en`The plan is printed for the user. Nobody can accept it here, so nothing is carried out. End your turn now,
				without repeating the plan.`,
	},
} as const;

/** The card of a plan. */
export const planCard = {
	title: t`Carry out this plan?`,
	ask: t`Yes, and ask before each change`,
	'accept-edits': t`Yes, and edit files without asking`,
	auto: t`Yes, and run everything without asking`,
	keep: t`No, keep planning`,
} as const satisfies Record<CarryOutMode | 'title' | 'keep', string>;

function isToldOn(items: History['items']): boolean {
	// Most sessions never use plan mode, so this check saves them the computation of the context.
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
