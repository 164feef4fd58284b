import {describe, expect, it} from 'vitest';
import {alertRows} from '../../../../src/screen/view/alerts/alert-rows.ts';
import {addAlert, nextPassing, noAlerts, passAlerts} from '../../../../src/screen/model/alerts/alerts.ts';
import type {Alert} from '../../../../src/pod/protocol.ts';
import {plainText} from '../../../../src/screen/spans/row.ts';

const warn = (text: string): Alert => ({level: 'warn', text});

describe('the alerts', () => {
	it('disappear after a while, except errors', () => {
		let alerts = addAlert(addAlert(noAlerts, {level: 'info', text: 'a'}, 0), {level: 'error', text: 'b'}, 0);
		expect(nextPassing(alerts)).toBe(6000);
		expect(passAlerts(alerts, 5999)).toBe(alerts);
		alerts = passAlerts(alerts, 6000);
		expect(alertRows(alerts, 40).map(plainText)).toEqual(['× b']);
		expect(nextPassing(alerts)).toBeUndefined();
		expect(passAlerts(alerts, 1e9)).toBe(alerts);
	});

	it('count a repeated text and show it longer', () => {
		const alerts = addAlert(addAlert(noAlerts, warn('a'), 0), warn('a'), 10_000);
		expect(alertRows(alerts, 40).map(plainText)).toEqual(['▲ a (2 times)']);
		expect(nextPassing(alerts)).toBe(22_000);
	});

	it('include the latest of many, and the number of the others', () => {
		let alerts = noAlerts;
		for (let index = 0; index < 12; index++) alerts = addAlert(alerts, warn(`alert ${index}`), 0);
		expect(alertRows(alerts, 40).map(plainText)).toEqual([
			'… 4 more',
			...Array.from({length: 8}, (_, index) => `▲ alert ${index + 4}`),
		]);
		expect(alertRows(alerts, 40, 4).map(plainText)).toEqual(['… 9 more', '▲ alert 9', '▲ alert 10', '▲ alert 11']);
		expect(alertRows(alerts, 40, 1).map(plainText)).toEqual(['▲ alert 11']);
		expect(alertRows(alerts, 40, 0)).toEqual([]);
	});

	it('show the beginning of the latest alert when it has more rows than fit', () => {
		const alerts = addAlert(addAlert(noAlerts, warn('a'), 0), warn('one two three four five six'), 0);
		expect(alertRows(alerts, 12, 2).map(plainText)).toEqual(['▲ one two', '  three fou…']);
		expect(alertRows(alerts, 12, 1).map(plainText)).toEqual(['▲ one two t…']);
	});

	it('show hostile or long text inert in at most five rows, and mark the truncation', () => {
		const rows = alertRows(addAlert(noAlerts, warn(`\x1b]0;x\x07one\ntwo\u202e ${'long '.repeat(50)}`), 0), 30).map(
			plainText,
		);
		expect(rows[0]).toMatch(/^▲ ␛\]0;x␇one two⟨U\+202E⟩/);
		expect(rows).toHaveLength(5);
		expect(rows.at(-1)).toMatch(/…$/);
		for (const row of rows) expect(row.length).toBeLessThanOrEqual(30);
	});
});
