import {describe, expect, it} from 'vitest';
import type {PermissionInfo} from '../../../../src/pod/protocol.ts';
import {permissionsPage} from '../../../../src/screen/model/pages/page-state.ts';
import {fakeApp, fakePod, settled} from '../../../helpers/fake-app.ts';

const saved: PermissionInfo = {id: 'saved:1', action: 'allow', source: 'saved', text: 'bash: npm test *'};
const mine: PermissionInfo = {action: 'deny', source: 'user', text: 'bash: rm \u001b[2J*'};
const builtIn: PermissionInfo = {action: 'ask', source: 'built_in', text: 'commands'};

async function page(permissions: readonly PermissionInfo[] = [saved, mine, builtIn]) {
	const pod = {...fakePod(), permissions: async () => [mine]};
	const made = await fakeApp(pod);
	made.app.dispatch({type: 'open page', page: permissionsPage(permissions)});
	return {...made, lines: (columns = 60, rows = 8) => made.rows(columns, rows).map(line => line.trimEnd())};
}

describe('the page of permissions', () => {
	it('lists each rule with its source, and marks the chosen one over the whole width', async () => {
		const {lines, rows} = await page();
		expect(lines()).toEqual([
			'Permissions',
			'❯ type to search',
			'❯ allow bash: npm test *                    saved on a card',
			'  deny  bash: rm ␛[2J*                      your config.toml',
			'  ask   commands                            built in',
			'Ctrl+X remove · Esc close',
		]);
		expect(rows(60, 8)[2]).toHaveLength(60);
	});

	it('leaves out the source where it would hide the rule', async () => {
		const {lines} = await page();
		expect(lines(24, 6)[2]).toBe('❯ allow bash: npm test *');
	});

	it('has the pod ask before it removes a rule, and then lists the others', async () => {
		const {app, pod, press, lines, told} = await page();
		pod.answer = async () => ({accepted: false, code: 'aborted', sentence: 'The rule was not removed.'});
		press('x', {ctrl: true});
		await settled();
		expect([pod.said, app.state.asks.own, told()]).toEqual([
			[{method: 'remove_permission', rule: 'saved:1', asks: true}],
			[],
			[],
		]);
		expect(lines()[2]).toContain('npm test');
		pod.answer = async () => ({accepted: true});
		press('x', {ctrl: true});
		await settled();
		expect(lines().slice(0, 3)).toEqual([
			'Permissions',
			'❯ type to search',
			'❯ deny  bash: rm ␛[2J*                      your config.toml',
		]);
	});

	it('shows the rules that match what you type, also by their action and source', async () => {
		const {type, press, lines, pod, app} = await page();
		type('deny');
		expect(lines().slice(1, 4)).toEqual(['❯ deny', expect.stringMatching(/^❯ deny {2}bash: rm/), '']);
		for (let count = 0; count < 4; count++) press('backspace');
		type('card x');
		expect(lines()[2]).toBe('Nothing matches.');
		press('x', {ctrl: true});
		await settled();
		expect([pod.said, app.state.page?.kind]).toEqual([[], 'permissions']);
	});

	it('says where a rule is that it cannot remove', async () => {
		const {press, told, app} = await page();
		press('down');
		press('x', {ctrl: true});
		await settled();
		expect(told()).toEqual(['This rule is in your config.toml. Edit the file to remove the rule.']);
		press('down');
		press('x', {ctrl: true});
		await settled();
		expect([told(), app.state.asks.own]).toEqual([
			['This is built in. The approval mode (/approval) or a rule in config.toml changes it.'],
			[],
		]);
	});
});
