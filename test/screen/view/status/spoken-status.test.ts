import {describe, expect, it} from 'vitest';
import type {SessionInfo, Status} from '../../../../src/pod/protocol.ts';
import {statusFacts, statusTimes} from '../../../../src/screen/view/status/status-facts.ts';
import type {StatusFacts} from '../../../../src/screen/view/status/status-line.ts';
import {statusWords} from '../../../../src/screen/view/status/spoken-status.ts';
import {fakeApp, fakePod, running, session} from '../../../helpers/fake-app.ts';
import {createItems} from '../../../helpers/items.ts';

const idle: Status = {kind: 'idle', asks: [], queue: []};
const words = (status: Partial<Status>, more: Partial<StatusFacts> = {}) =>
	statusWords({session, status: {...idle, ...status}, ...more});

describe('the status for a screen reader', () => {
	it.each([
		['auto', {approval: 'auto'}, 'auto-approve: not confined'],
		['auto with confined commands', {approval: 'auto', confined: true}, 'auto-approve, confined'],
		[
			'auto without cells',
			{approval: 'auto', confined: true, noCells: 'it fails'},
			'auto-approve, confined, no cells',
		],
		['ask without cells', {confined: true, noCells: 'it fails'}, 'confined, no cells'],
		['auto where commands cannot be confined', {approval: 'auto', confined: 'No.'}, 'auto-approve: not confined'],
		['accept-edits', {approval: 'accept-edits', confined: true}, 'accept-edits'],
		['accept-edits, not confined', {approval: 'accept-edits', confined: 'No.'}, 'accept-edits, not confined'],
		['ask where commands cannot be confined', {confined: 'bubblewrap is missing.'}, 'not confined'],
	] as const)('says in the mode %s whether commands are confined', (_name, status, said) => {
		expect(words(status)).toBe(`Status: idle, ${said}`);
	});

	it('names the child session, the next model and a read-only scope', () => {
		const child: SessionInfo = {
			...session,
			scope: {...session.scope, writable: false},
			child: {title: 'The\u001b[2J sources', parent: 'S'},
		};
		expect(words({nextModel: 'openai/gpt-5'}, {session: child})).toBe(
			'Status: idle, child: The␛[2J sources, next: gpt-5, read-only',
		);
	});

	it('names the view, and not where the transcript is scrolled to', async () => {
		const {app} = await fakeApp(fakePod(), {isSpoken: true});
		app.state.transcript.store!.setLayout({view: 'detail'});
		const scroll = {follow: false as const, id: 'b', index: 0, row: 0, cut: [], layout: 0, seen: 0, seenText: 0};
		app.dispatch({type: 'scroll', scroll});
		expect(statusWords(statusFacts(app.state, {below: 3, hasPill: false}))).toBe(
			'Status: idle, detail view, Ctrl+O view, Ctrl+D to quit',
		);
	});

	it('says after ten seconds how to move a command to the background', async () => {
		const make = createItems();
		const call = make.call('c1', 'bash', {command: 'npm test'});
		const said = async (now: number) => {
			const {app, pod} = await fakeApp(fakePod(), {isSpoken: true, now: () => now});
			for (const item of [make.user('go'), call]) pod.emit({type: 'item', item});
			pod.emit({
				type: 'status',
				status: {...running, step: 'tools', since: 0, calls: [{callId: 'c1', since: 0}]},
			});
			expect(statusTimes(app.state)).toContain(10_000);
			return statusWords(statusFacts(app.state, {below: 0, hasPill: false}));
		};
		expect([await said(9999), await said(10_000)]).toEqual([
			'Status: Running npm test, Esc to stop, Ctrl+C to cancel',
			'Status: Running npm test, Esc to stop, Ctrl+C to cancel, Ctrl+B to background',
		]);
	});
});
