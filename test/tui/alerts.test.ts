import {describe, expect, test} from 'vitest';
import {addAlert, alertRows, nextPassing, noAlerts, passAlerts} from '../../src/tui/alerts.tsx';
import type {Alert} from '../../src/pod/protocol.ts';

const warn = (text: string): Alert => ({level: 'warn', text});
const bare = (row: string) => row.replaceAll(/\x1b\[[\d;]*m/g, '');

describe('alerts', () => {
	test('pass away, errors last', () => {
		let alerts = addAlert(addAlert(noAlerts, {level: 'info', text: 'a'}, 0), {level: 'error', text: 'b'}, 0);
		expect(nextPassing(alerts)).toBe(6000);
		expect(passAlerts(alerts, 5999)).toBe(alerts);
		alerts = passAlerts(alerts, 6000);
		expect(alertRows(alerts, 40).map(bare)).toEqual(['✗ b']);
		expect(nextPassing(passAlerts(alerts, 20_000))).toBeUndefined();
	});

	test('the same again, is counted and lives on', () => {
		const alerts = addAlert(addAlert(noAlerts, warn('a'), 0), warn('a'), 10_000);
		expect(alertRows(alerts, 40).map(bare)).toEqual(['▲ a (2 times)']);
		expect(nextPassing(alerts)).toBe(22_000);
	});

	test('of many, the latest are shown', () => {
		let alerts = noAlerts;
		for (let index = 0; index < 9; index++) alerts = addAlert(alerts, warn(`alert ${index}`), 0);
		expect(alertRows(alerts, 40).map(bare)).toEqual(['▲ alert 5', '▲ alert 6', '▲ alert 7', '▲ alert 8']);
		expect(alertRows(alerts, 40, 1).map(bare)).toEqual(['▲ alert 8']);
		expect(alertRows(alerts, 40, 0)).toEqual([]);
	});

	test('hostile or long text, is one inert row that fits', () => {
		const [row] = alertRows(addAlert(noAlerts, warn(`\x1b]0;x\x07one\ntwo\u202e ${'long '.repeat(50)}`), 0), 30).map(bare);
		expect(row).toMatch(/^▲ ␛\]0;x␇one two⟨U\+202E⟩.*…$/);
		expect(row!.length).toBeLessThanOrEqual(30);
	});
});
