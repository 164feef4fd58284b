import {createHash} from 'node:crypto';
import {describe, expect, it} from 'vitest';
import type {ApprovalMode} from '../../../../src/pod/protocol.ts';
import type {Answer} from '../../../../src/pod/permissions/approval/asks.ts';
import {planTool} from '../../../../src/pod/tools/talk/plan.ts';
import {systemClock} from '../../../../src/worker/index.ts';
import {runTool} from '../run-tool.ts';

const plan = '# A plan\n\n1. Write it';
const sha256 = createHash('sha256').update(plan).digest('hex');

function toolWith(answer: Answer | undefined, isOn = true) {
	const modes: ApprovalMode[] = [];
	const tool = planTool({
		clock: systemClock(),
		mode: {isOn: () => isOn},
		setMode: async mode => modes.push(mode),
		...(answer && {ask: async () => answer}),
	});
	return {tool, modes};
}

describe('the plan tool', () => {
	it.each(['ask', 'accept-edits', 'auto'] as const)(
		'sets the mode %s of the card, and commits the acceptance with the hash of the plan',
		async choice => {
			const {tool, modes} = toolWith({choice});
			const output = await runTool(tool, {plan});
			expect(modes).toEqual([choice]);
			expect(output.details).toEqual({plan: {sha256, outcome: 'accepted', mode: choice}});
			expect(output.items).toMatchObject([
				{role: 'system', origin: {kind: 'plan', state: 'accepted', sha256, mode: choice}},
			]);
		},
	);

	it('returns requested changes and stays in plan mode', async () => {
		const {tool, modes} = toolWith({choice: 'keep', reason: 'use the old parser'});
		const output = await runTool(tool, {plan});
		expect(modes).toEqual([]);
		expect(output.items).toBeUndefined();
		expect(output.content).toContain('use the old parser');
		expect(output.details).toEqual({plan: {sha256, outcome: 'changes', reason: 'use the old parser'}});
	});

	it('keeps planning without a reason', async () => {
		const output = await runTool(toolWith({choice: 'keep'}).tool, {plan});
		expect(output.details).toEqual({plan: {sha256, outcome: 'kept'}});
	});

	it('carries nothing out where nobody can accept it', async () => {
		const {tool, modes} = toolWith(undefined);
		const output = await runTool(tool, {plan});
		expect(modes).toEqual([]);
		expect(output.details).toEqual({plan: {sha256, outcome: 'unattended'}});
	});

	it('is an error outside plan mode', async () => {
		const output = await runTool(toolWith({choice: 'auto'}, false).tool, {plan});
		expect(output).toMatchObject({isError: true});
	});
});
