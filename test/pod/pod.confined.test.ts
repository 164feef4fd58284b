import {chmod} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import type {ApprovalMode} from '../../src/pod/protocol.ts';
import type {ConfineMode} from '../../src/pod/permissions/confine/settings.ts';
import {scriptedModel} from '../../src/worker/index.ts';
import {calls, itemsOf, says} from '../helpers/family.ts';
import {testPod, type TestPod} from '../helpers/pod.ts';
import {tempProject} from '../helpers/temp-project.ts';

type Place = {
	readonly mode?: ConfineMode;
	readonly approval?: ApprovalMode;
	readonly attended?: boolean;
	/** What stands for bubblewrap: a script that runs the command, or nothing. */
	readonly bwrap?: 'works' | 'missing';
	readonly background?: boolean;
};

/** It drops its options and records them, so that these tests run where bubblewrap is missing. */
const standIn = '#!/bin/bash\necho "$@" >> "${0%/*}/log"\nwhile [ "$1" != -- ]; do shift; done\nshift\nexec "$@"\n';

async function opened(command: string, place: Place) {
	const {mode = 'auto', approval = 'auto', attended = true, bwrap = 'works', background = false} = place;
	const project = await tempProject({'../bin/bwrap': standIn, '../none/x': ''});
	const bin = join(project.dir, '../bin');
	await chmod(join(bin, 'bwrap'), 0o755);
	const call = calls(['bash', {command, ...(background && {background})}]);
	// A second command would miss the read-only mount of what the first one created: the stand-in makes no mounts.
	const model = scriptedModel([...(background ? [call] : [call, call]), says('Done.')]);
	const path = bwrap === 'works' ? `${bin}:${process.env['PATH']}` : join(project.dir, '../none');
	const told = await testPod(project, {
		model,
		attended,
		confine: {mode},
		approval: {mode: approval, rules: {user: [], project: []}},
		env: {HOME: join(project.dir, '../home'), PATH: path},
	});
	return told;
}

const results = (told: TestPod) => itemsOf(told.items(), 'tool_result');

const notices = (told: TestPod) =>
	told.items().flatMap(item => (item.type === 'message' && item.origin?.kind === 'notice' ? [item.text] : []));

async function answer(told: TestPod, label: RegExp): Promise<void> {
	await told.until(() => told.status().asks.length > 0);
	const [ask] = told.status().asks;
	const choice = ask!.choices.find(each => label.test(each.label));
	if (choice === undefined) throw new Error(`${ask!.title}: ${JSON.stringify(ask!.choices)}`);
	await told.pod.send({method: 'answer', askId: ask!.id, choice: choice.choice});
}

describe.skipIf(process.platform !== 'linux')('a command of the model', () => {
	it('is confined without network when the mode lets it run', async () => {
		const told = await opened('echo hi', {});
		await told.run('Go');
		await told.rest();
		expect(results(told).map(({details}) => details)).toMatchObject([
			{command: {confined: 'none'}},
			{command: {confined: 'none'}},
		]);
	});

	it('tells you and the model what it created that other programs run', async () => {
		const told = await opened('mkdir -p .git/objects .git/refs; touch .envrc .git/HEAD', {});
		await told.run('Go');
		await told.rest();
		const [first] = results(told);
		expect(first?.content).toContain('[The command created or replaced files that other programs run: ".envrc"]');
		expect(first?.content).toMatch(/New repositories are disabled.*: "\.git\/HEAD" → "\.git\/HEAD\.set-aside"\]/);
		const alerts = told.events.flatMap(event => (event.type === 'alert' ? [event.alert.text] : []));
		expect(alerts.join('\n')).toMatch(/created or replaced[^]*New repositories are disabled/);
	});

	it('is watched in the background: you are told while it runs, and its notice names what it created', async () => {
		const told = await opened('touch .envrc; sleep 86001', {background: true});
		const note = 'The command created or replaced files that other programs run: ".envrc"';
		await told.run('Go');
		await expect
			.poll(() => told.events.flatMap(event => (event.type === 'alert' ? [event.alert.text] : [])))
			.toContain(note);
		for (const {id} of told.status().background ?? [])
			await told.pod.send({method: 'stop_background', background: id});
		await told.until(() => notices(told).length > 0);
		expect(notices(told)[0]).toContain(`[${note}]`);
	});

	it('is confined with network when you approve it, and the card says what it can reach', async () => {
		const told = await opened('echo hi', {approval: 'ask'});
		await told.run('Go');
		await told.until(() => told.status().asks.length > 0);
		expect(told.status().asks[0]?.note).toBe(
			'Confined: can write this directory and a private /tmp · network open',
		);
		await answer(told, /^Yes$/);
		await told.until(() => results(told).length === 1);
		expect(results(told)[0]?.details).toMatchObject({command: {confined: 'open'}});
		await answer(told, /^No/);
		await told.rest();
	});

	it('does not run in the mode auto until you allow that for the session, if it cannot be confined', async () => {
		const told = await opened('echo hi', {bwrap: 'missing'});
		await told.run('Go');
		await told.until(() => told.status().asks.length > 0);
		expect(told.status().asks[0]).toMatchObject({
			title: 'Run this command without confinement?',
			note: 'bubblewrap (bwrap) is not installed.',
		});
		await answer(told, /^Yes, and/);
		await told.rest();
		expect(results(told).map(({isError}) => isError)).toEqual([false, false]);
	});

	it('is denied with the reason where nobody can answer, if it cannot be confined', async () => {
		const told = await opened('echo hi', {bwrap: 'missing', attended: false});
		await told.run('Go');
		await told.rest();
		expect(results(told)[0]).toMatchObject({
			isError: true,
			details: {denied: {by: 'unattended', reason: 'bubblewrap (bwrap) is not installed.'}},
		});
	});

	it('never runs unconfined when confinement is required, and no card is shown for it', async () => {
		const told = await opened('echo hi', {bwrap: 'missing', mode: 'require', approval: 'ask'});
		await told.run('Go');
		await told.rest();
		expect(results(told)[0]?.content).toContain('Not run: commands must be confined here');
		expect(told.events.some(event => event.type === 'status' && event.status.asks.length > 0)).toBe(false);
	});

	it('may run again with network but not without confinement when confinement is required', async () => {
		const told = await opened('echo "x: Read-only file system"; exit 1', {mode: 'require'});
		await told.run('Go');
		await told.until(() => told.status().asks.length > 0);
		expect(told.status().asks[0]?.choices.map(({choice}) => choice)).toEqual(['network', 'keep']);
		await answer(told, /^No, keep/);
		await answer(told, /^No, keep/);
		await told.rest();
		expect(results(told)[0]?.details).toMatchObject({command: {confined: 'none'}});
	});

	it('may run again without confinement when you let it, after a failure that confinement explains', async () => {
		const told = await opened('echo "x: Read-only file system"; exit 1', {});
		await told.run('Go');
		await answer(told, /without confinement/);
		await answer(told, /^No, keep/);
		await told.rest();
		const [first, second] = results(told);
		expect(first?.content).toContain('[The user ran the command again without confinement.');
		expect(first?.details).not.toMatchObject({command: {confined: 'none'}});
		expect(second?.content).toContain('[Confinement is the likely cause: x: Read-only file system]');
	});
});
