import {describe, expect, it} from 'vitest';
import type {ApprovalMode} from '../../../../src/pod/protocol.ts';
import {fakeApp, fakePod, idle, session, settled, until} from '../../../helpers/fake-app.ts';

async function stage(confined?: true) {
	let now = 10_000;
	const about = confined === undefined ? {} : {confined};
	const pod = fakePod();
	pod.answer = async method => {
		if (method.method === 'approval')
			pod.emit({type: 'status', status: {...idle, approval: method.mode, ...about}});
		return {accepted: true};
	};
	const made = await fakeApp(pod, {now: () => now});
	const shiftTab = async (after = 500): Promise<ApprovalMode | undefined> => {
		now += after;
		made.press('tab', {shift: true});
		await settled();
		return made.app.state.transcript.store?.transcript.status.approval;
	};
	return {...made, shiftTab};
}

describe('the approval key', () => {
	it('switches to accept-edits and to plan, and to auto only while its alert is shown', async () => {
		const {shiftTab, told} = await stage();
		expect(await shiftTab()).toBe('accept-edits');
		expect(await shiftTab()).toBe('plan');
		expect(told().at(-1)).toBe(
			'Plan mode: the model reads and proposes a plan. ' +
				'It edits no files; commands with effects and MCP tools need approval. ' +
				'Press Shift+Tab again for auto-approve: ' +
				'commands and MCP tools run without asking and outside any sandbox.',
		);
		expect(await shiftTab()).toBe('auto');
		expect(told()).toEqual([
			'Auto-approve is on: commands and MCP tools run without asking and outside any sandbox.',
		]);
		expect(await shiftTab()).toBe('ask');
		expect(await shiftTab()).toBe('accept-edits');
	});

	it('does not switch to auto before you could read the alert, or after it has disappeared', async () => {
		const {shiftTab} = await stage();
		await shiftTab();
		expect(await shiftTab()).toBe('plan');
		expect(await shiftTab(50)).toBe('plan');
		expect(await shiftTab(5000)).toBe('ask');
	});
});

it('a change of the approval mode removes only the alerts about the earlier mode', async () => {
	const {shiftTab, told, pod} = await stage();
	pod.emit({type: 'alert', alert: {level: 'error', text: 'Approval: auto. says a hook'}});
	await shiftTab();
	await shiftTab();
	expect(told()).toEqual(['Approval: auto. says a hook', expect.stringMatching(/^Plan mode: /)]);
});

it('the texts about modes in a read-only scope do not mention edits', async () => {
	const {shiftTab, told, pod} = await stage();
	pod.emit({
		type: 'snapshot',
		session: {...session, scope: {...session.scope, writable: false}},
		items: [],
		tail: [],
		status: idle,
	});
	await shiftTab();
	expect(told().at(-1)).toBe(
		'Approval: accept-edits. Commands with effects and MCP tools need approval; ' +
			'this session is read-only and edits no files.',
	);
});

describe('/approval', () => {
	it('says of auto that commands are confined if they are', async () => {
		const {shiftTab, told} = await stage(true);
		await shiftTab();
		await shiftTab();
		expect(told().at(-1)).toMatch(/commands \(confined\) and MCP tools \(not confined\) run without asking\.$/);
		await shiftTab();
		expect(told()).toEqual([
			'Auto-approve is on: commands and MCP tools run without asking. Commands are confined, MCP tools are not.',
		]);
	});

	it('sets a mode and explains it', async () => {
		const {pod, type, press, told} = await stage();
		type('/approval auto');
		press('enter');
		await until(() => told().length > 0);
		expect(pod.said).toEqual([{method: 'approval', mode: 'auto'}]);
		expect(told()).toEqual([
			'Auto-approve is on: commands and MCP tools run without asking and outside any sandbox.',
		]);
	});

	it('without an argument shows the current mode, and with an unknown mode returns to the composer', async () => {
		const {pod, type, press, told, draft} = await stage();
		type('/approval');
		press('enter');
		await until(() => told().length > 0);
		expect(told()).toEqual([
			'Approval: ask. Edits, commands with effects, and MCP tools need approval. ' +
				'Change it with /approval ask, /approval accept-edits, /approval plan, /approval auto.',
		]);
		type('/approval yolo');
		press('enter');
		await until(() => told().some(text => text.startsWith('Unknown')));
		expect(told().at(-1)).toBe('Unknown approval mode "yolo": use ask, accept-edits, plan or auto.');
		expect([draft(), pod.said]).toEqual([[{type: 'text', text: '/approval yolo'}], []]);
	});
});
