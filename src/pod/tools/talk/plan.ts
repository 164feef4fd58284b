import {createHash} from 'node:crypto';
import {z} from 'zod';
import {defineTool, stamp, type Clock, type Item, type Tool, type ToolOutput} from '../../../worker/index.ts';
import type {PlanMode} from '../../permissions/plan/plan-mode.ts';
import {planCard, planNotices, planResults, type CarryOutMode} from '../../permissions/plan/plan-mode.ts';
import type {ApprovalMode, Ask, ToolDetails} from '../../protocol.ts';
import type {Answer} from '../../permissions/approval/asks.ts';
import {planFacts} from '../../protocol/tool-definitions.ts';
import {errorOutput} from '../../ground/values/is-record.ts';

type PlanToolOptions = {
	readonly mode: Pick<PlanMode, 'isOn'>;
	readonly clock: Clock;
	/** Shows a card. It is absent if nobody can accept a plan. */
	readonly ask?: (question: Omit<Ask, 'id'>, signal: AbortSignal) => Promise<Answer | undefined>;
	readonly setMode: (mode: ApprovalMode) => Promise<unknown>;
};

/**
Creates the tool that presents a plan. The user accepts the plan on a card. The answer sets the mode in which the model
carries out the plan. The acceptance is an item with the hash of the plan, and is appended together with the result.
*/
export function planTool(options: PlanToolOptions): Tool {
	return defineTool({
		...planFacts,
		input: z.object({plan: z.string().min(1).max(maxPlan).describe(planFacts.arguments.plan)}),
		async execute({plan}, {callId, signal}) {
			const {mode, ask} = options;
			if (!mode.isOn()) return errorOutput(planResults.off);
			const sha256 = createHash('sha256').update(plan).digest('hex');
			if (ask === undefined) return outputOf(planResults.unattended, {sha256, outcome: 'unattended'});
			const answer = await ask({callId, title: planCard.title, detail: plan, shows: 'markdown', choices}, signal);
			signal.throwIfAborted();
			return decided(answer, sha256, options);
		},
	});
}

const maxPlan = 50_000;

const carryOutModes = ['ask', 'accept-edits', 'auto'] as const satisfies readonly CarryOutMode[];

const choices: Ask['choices'] = [
	...carryOutModes.map(choice => ({choice, label: planCard[choice]})),
	{choice: 'keep', label: planCard.keep, refuses: true, reason: true},
];

async function decided(
	answer: Answer | undefined,
	sha256: string,
	{clock, setMode}: PlanToolOptions,
): Promise<ToolOutput> {
	const chosen = carryOutModes.find(mode => mode === answer?.choice);
	if (chosen !== undefined) {
		await setMode(chosen);
		const text = planNotices.accepted(sha256, chosen);
		const origin = {kind: 'plan', state: 'accepted', sha256, mode: chosen};
		const item: Item = stamp(clock, {type: 'message', role: 'system', text, origin});
		return {...outputOf(planResults.accepted, {sha256, outcome: 'accepted', mode: chosen}), items: [item]};
	}
	const reason = answer?.reason?.trim() ?? '';
	return reason === ''
		? outputOf(planResults.kept, {sha256, outcome: 'kept'})
		: outputOf(planResults.changes(reason), {sha256, outcome: 'changes', reason});
}

function outputOf(texts: Pick<ToolOutput, 'summary' | 'content'>, plan: NonNullable<ToolDetails['plan']>): ToolOutput {
	return {...texts, details: {plan}};
}
